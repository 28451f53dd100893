/* Addresses and memory instructions, for the selection files that access memory. */
#ifndef AMD_SELECT_MEMORY_H
#define AMD_SELECT_MEMORY_H

#include "amd/select/select.h"

typedef enum sel_address_kind {
    SEL_BUFFER,
    SEL_GLOBAL,
    SEL_FLAT,   /* GLOBAL on targets without it */
    SEL_ADDR64, /* the same by a buffer instruction */
    SEL_SCRATCH,
    SEL_LDS,
    SEL_SMEM,
    SEL_SMEM_BUFFER,
} sel_address_kind;

/* base: descriptor (BUFFER, ADDR64, SMEM_BUFFER), 64-bit scalar address (SMEM, GLOBAL). index: VGPR
 * byte offset, 64-bit VGPR address (FLAT, ADDR64, GLOBAL without a base), SGPR byte offset (SMEM
 * kinds). scalar:
 * BUFFER, SGPR byte offset instead of an index, or NONE. offset: constant bytes. */
typedef struct sel_address {
    sel_address_kind kind;
    ir_ref base, index, scalar;
    uint32_t offset;
    uint32_t flags; /* AMD_MEM_* */
    uint32_t sync;  /* AMD_SYNC_* */
} sel_address;

/* The address of a buffer access from HIR references of the descriptor and the byte offset; of an
 * access with a 64-bit address. `scalar`: for SMEM. */
sel_address
amd_sel_buffer_address(sel *s, bool scalar, ir_ref descriptor, ir_ref offset, uint32_t flags);
sel_address
amd_sel_global_address(sel *s, bool scalar, ir_ref address, uint32_t flags);

/* The address of LDS and scratch: a byte offset and a constant. */
sel_address
amd_sel_offset_address(sel *s, sel_address_kind kind, ir_ref offset, uint32_t base);

/* The same address where there are no global instructions: in a buffer where it, or its base, is
 * uniform; else in a buffer with 64-bit addresses, or of flat instructions. */
sel_address
amd_sel_without_global(sel *s, sel_address a);

/* If `r` is a sum with a constant that fits the offset field, which already holds `*base`, adds the
 * constant to `*base` and returns the rest; otherwise returns `r`. */
ir_ref
amd_sel_split_sum(const sel *s, sel_address_kind k, ir_ref r, uint32_t *base);

/* Moves what does not fit the offset field into the address, leaving room for `size` bytes. */
void
amd_sel_fit_offset(sel *s, sel_address *a, uint32_t size);

/* Emits memory instruction `op` with the operands of the address, plus `offset` bytes, and `data`
 * (NONE: a load). */
ir_ref
amd_sel_emit_memory(sel *s, unsigned op, unsigned rc, const sel_address *a, ir_ref data,
                    uint32_t offset);

/* The scalar offset 0 of a buffer instruction. */
static inline ir_ref
sel_no_offset(const sel *s)
{
    return amd_has(s->p->target, null_for_zero) ? amd_phys(AMD_NULL, AMD_S1) : amd_const(0);
}

/* The scalar offset operand of a buffer instruction. */
static inline ir_ref
sel_scalar_offset(const sel *s, const sel_address *a)
{
    return a->scalar.kind == IR_REF_NONE ? sel_no_offset(s) : a->scalar;
}

/* Sets the attribute words of the last emitted memory instruction. */
void
amd_sel_finish_memory(sel *s, const sel_address *a);

/* Cache bits of loads and stores for IR_ACCESS_* flags. */
uint32_t
amd_sel_load_flags(const sel *s, uint32_t access);
uint32_t
amd_sel_store_flags(const sel *s, uint32_t access);

/* What scalar loads read for the load `i`, which has an alignment: nothing, because they cannot;
 * the numbers alone; the dwords in which they lie. */
typedef enum sel_reach { SEL_REACH_NONE, SEL_REACH_NUMBERS, SEL_REACH_DWORDS } sel_reach;
sel_reach
amd_sel_scalar_reach(const sel *s, const ir_instr *i);

/* select_atomic.c: atomics on buffers, global memory and LDS; false if `i` is not one. */
bool
amd_sel_atomic(sel *s, const ir_instr *i);

#endif
