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
    /* For the target: is it in registers, and which is the first one? It is not at first. */
    bool in_registers;
    uint32_t reg;
} opt_private_part;

/* In order. */
typedef struct opt_private_parts {
    opt_private_part *list;
    unsigned n;
} opt_private_parts;

/* The parts of a function's private memory, allocated in `a`. */
opt_private_parts
opt_find_private_parts(const ir_fn *f, arena *a);

/* The part that a load or store of private memory reaches, if it is in registers. NULL: it is not,
 * or `i` is another instruction. */
const opt_private_part *
opt_part_in_registers(const opt_private_parts *parts, const ir_fn *f, const ir_instr *i);

/* Of such an instruction: the offset to which its base is added. */
ir_ref
opt_private_offset(const ir_instr *i);

#endif
