/* Private memory in parts, for targets that have some of it in registers.
 *
 * A part is a row of bytes that no access leaves which begins in it: what an access may reach is
 * joined with what it overlaps. So each part may be somewhere else. */
#ifndef OPT_PRIVATE_PARTS_H
#define OPT_PRIVATE_PARTS_H

#include "ir/hir.h"

/* The longest step: four dwords. */
enum { OPT_PART_MOST_STEP = 16 };

typedef struct opt_private_part {
    uint32_t first, end; /* bytes */
    uint32_t step; /* indices are known to be multiples of so many bytes, from 0 on, not more than
                      OPT_PART_MOST_STEP; 0: not all accesses are of whole dwords */
} opt_private_part;

/* In order. */
typedef struct opt_private_parts {
    opt_private_part *list;
    unsigned n;
} opt_private_parts;

/* The parts of a function's private memory, allocated in `a`. */
opt_private_parts
opt_find_private_parts(const ir_fn *f, arena *a);

/* Is it a load or store of private memory? */
bool
opt_is_private_access(const ir_instr *i);

/* Of such an instruction: the offset to which its base is added, and the number of its part. */
ir_ref
opt_private_offset(const ir_instr *i);
unsigned
opt_private_part_of(const opt_private_parts *parts, const ir_fn *f, const ir_instr *i);

#endif
