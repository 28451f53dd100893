/* Where instructions access memory: what passes over loads and stores share.
 *
 * A place is a kind of memory, a resource (of buffers), a base and a constant number of bytes. Of
 * places that differ in more than the constant it is not known whether they are the same, but for
 * those in memory that cannot be: of different kinds, or of variables that may be assumed not to
 * alias (SPIR-V 1.6, 2.18.2: resources of different bindings, unless they are decorated Aliased;
 * elements of one array of resources may).
 * Which those are a domain says: a set of bits, see opt_domains_meet.
 */
#ifndef OPT_MEMORY_H
#define OPT_MEMORY_H

#include "opt/replace.h"

typedef enum opt_memory {
    OPT_MEMORY_CONSTANT, /* does not change while the shader runs */
    OPT_MEMORY_BUFFER,   /* storage buffers and physical addresses */
    OPT_MEMORY_SHARED,
    OPT_MEMORY_SCRATCH,
    OPT_MEMORY_COUNT,
} opt_memory;

/* An opcode that loads or stores: places of its operands among the references, or -1. */
typedef struct opt_access_row {
    uint16_t op;
    int8_t data, resource, offset;
    uint8_t memory; /* opt_memory, where the access flags do not say that it is constant */
} opt_access_row;

typedef struct opt_place {
    const opt_access_row *row;
    opt_memory memory;
    ir_ref resource, base; /* or NONE; without a base the address is constant */
    int64_t at;            /* bytes from the base */
    uint64_t domain;
    uint32_t flags; /* IR_ACCESS_* */
    ir_type type;   /* of the data */
} opt_place;

/* True if `i` is a load or store of the table; `*out` gets where, with its references followed. */
bool
opt_find_place(const opt_replace *map, const ir_instr *i, opt_place *out);

/* The domain of the memory that instruction `i`, not of the table, reads or writes as well as
 * buffers, shared and scratch memory are concerned; of a barrier, what it orders. */
uint64_t
opt_domain_of(const opt_replace *map, const ir_instr *i);

/* May places of these domains be the same? */
bool
opt_domains_meet(uint64_t a, uint64_t b);

/* The attribute, or 0 where the opcode has none of the kind. */
static inline uint32_t
opt_attr_or_0(const ir_instr *i, ir_attr a)
{
    return ir_attr_has(i, a) ? ir_attr_get(i, a) : 0;
}

#endif
