/* Addresses and memory instructions, for the selection files that access memory. */
#ifndef AMD_SELECT_MEMORY_H
#define AMD_SELECT_MEMORY_H

#include "amd/select/select.h"

typedef enum sel_address_kind {
    SEL_BUFFER,
    SEL_GLOBAL,
    SEL_SCRATCH,
    SEL_LDS,
    SEL_SMEM,
    SEL_SMEM_BUFFER,
} sel_address_kind;

/* base: descriptor (BUFFER, SMEM_BUFFER), 64-bit scalar address (SMEM, GLOBAL). index: VGPR byte
 * offset, 64-bit VGPR address (GLOBAL without a base), SGPR byte offset (SMEM kinds). scalar:
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
amd_sel_finish_memory(sel *s, const sel_address *a, uint32_t offset);

/* Cache bits of loads and stores for IR_ACCESS_* flags. */
uint32_t
amd_sel_load_flags(const sel *s, uint32_t access);
uint32_t
amd_sel_store_flags(const sel *s, uint32_t access);

/* select_atomic.c: atomics on buffers, global memory and LDS; false if `i` is not one. */
bool
amd_sel_atomic(sel *s, const ir_instr *i);

#endif
