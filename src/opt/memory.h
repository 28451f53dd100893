/* The memory accesses of instructions, for passes over loads and stores.
 *
 * A place is a kind of memory, a resource (for buffers), a base and a constant number of bytes. Two
 * places that differ in more than the constant may alias, unless they are in memory that cannot
 * alias: different kinds of memory, or variables that may be assumed not to alias (SPIR-V 1.6,
 * 2.18.2: resources of different bindings, unless decorated Aliased). A domain, which is a set of
 * bits, describes this: see opt_domains_meet.
 *
 * Elements of one array of resources may be the same memory, but each is a reference of its own
 * (Vulkan 1.3, "Memory Model", "Reference"). In one invocation, a write and a later access to the
 * same location through different references are a data race ("Location-Ordered": only API
 * commands order them); a read before a write through another reference is not. So a pass may
 * assume that different elements are different memory if it moves loads only up and stores only
 * down; memory that nothing writes is found by binding (opt_whole_arrays).
 */
#ifndef OPT_MEMORY_H
#define OPT_MEMORY_H

#include "ir/hir.h"
#include "ir/replace.h"

typedef enum opt_memory {
    OPT_MEMORY_CONSTANT, /* does not change while the shader runs */
    OPT_MEMORY_BUFFER,   /* storage buffers and physical addresses */
    OPT_MEMORY_SHARED,
    OPT_MEMORY_SCRATCH,
    OPT_MEMORY_COUNT,
} opt_memory;

/* An opcode that loads or stores: positions of its operands among the references, or -1. */
typedef struct opt_access_row {
    uint16_t op;
    int8_t data, resource, offset;
    uint8_t memory; /* opt_memory, if the access flags do not make it constant */
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

/* Returns true if `i` is a load or store in the table. `*out` receives the place; its references
 * are followed through the map. */
bool
opt_find_place(const ir_replacement *map, const ir_instr *i, opt_place *out);

/* The domain that an instruction reads or writes, considering buffers, shared memory and scratch;
 * for a barrier, the domain that it orders. */
uint64_t
opt_domain_of(const ir_replacement *map, const ir_instr *i);

/* May there be an instruction of the table that accesses memory that can change? */
bool
opt_may_access_memory(const ir_fn *f);

/* Returns true if places of these domains may alias. A union of domains meets all that its members
 * meet. */
bool
opt_domains_meet(uint64_t a, uint64_t b);

/* The domain with all elements of the arrays of resources that it is in. */
uint64_t
opt_whole_arrays(uint64_t domain);

/* Resources `a` and `b` of these domains, with equal bases: do the constants tell whether places
 * overlap? If the resources are bindings, they are the same reference, other references (which may
 * be assumed to be other memory), or other bindings. */
bool
opt_constants_tell(ir_ref a, uint64_t a_domain, ir_ref b, uint64_t b_domain);

/* The attribute, or 0 if the opcode does not have it. */
static inline uint32_t
opt_attr_or_0(const ir_instr *i, ir_attr a)
{
    return ir_attr_has(i, a) ? ir_attr_get(i, a) : 0;
}

/* Is it the only invocation of its workgroup? Then it waits for nobody, and its accesses to shared
 * memory are in order. */
bool
opt_is_alone(const ir_fn *f);

#endif
