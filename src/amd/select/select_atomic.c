/* Selection of atomics on buffers, global memory and LDS: one row per operation, one column per
 * memory and size. */
#include "amd/select/select_memory.h"

typedef struct atomic_row {
    uint16_t buffer[2], global[2], flat[2], lds[2], lds_rtn[2]; /* 32-bit, 64-bit; 0: none */
} atomic_row;

#define MEM(name)                                                                                  \
    {AMD_BUFFER_ATOMIC_##name, AMD_BUFFER_ATOMIC_##name##_X2},                                     \
        {AMD_GLOBAL_ATOMIC_##name, AMD_GLOBAL_ATOMIC_##name##_X2},                                 \
    {                                                                                              \
        AMD_FLAT_ATOMIC_##name, AMD_FLAT_ATOMIC_##name##_X2                                        \
    }
#define LDS(name, t)                                                                               \
    {AMD_DS_##name##_##t##32, AMD_DS_##name##_##t##64},                                            \
    {                                                                                              \
        AMD_DS_##name##_RTN_##t##32, AMD_DS_##name##_RTN_##t##64                                   \
    }

static const atomic_row atomic_rows[IR_ATOMIC_COUNT] = {
    [IR_ATOMIC_iadd] = {MEM(ADD), LDS(ADD, U)},
    [IR_ATOMIC_imin] = {MEM(SMIN), LDS(MIN, I)},
    [IR_ATOMIC_umin] = {MEM(UMIN), LDS(MIN, U)},
    [IR_ATOMIC_imax] = {MEM(SMAX), LDS(MAX, I)},
    [IR_ATOMIC_umax] = {MEM(UMAX), LDS(MAX, U)},
    [IR_ATOMIC_iand] = {MEM(AND), LDS(AND, B)},
    [IR_ATOMIC_ior] = {MEM(OR), LDS(OR, B)},
    [IR_ATOMIC_ixor] = {MEM(XOR), LDS(XOR, B)},
    [IR_ATOMIC_xchg] = {MEM(SWAP),
                        {AMD_DS_WRXCHG_RTN_B32, AMD_DS_WRXCHG_RTN_B64},
                        {AMD_DS_WRXCHG_RTN_B32, AMD_DS_WRXCHG_RTN_B64}},
    [IR_ATOMIC_cmpxchg] = {MEM(CMPSWAP), LDS(CMPST, B)},
    [IR_ATOMIC_fadd] = {{AMD_BUFFER_ATOMIC_ADD_F32, AMD_BUFFER_ATOMIC_ADD_F64},
                        {AMD_GLOBAL_ATOMIC_ADD_F32, AMD_GLOBAL_ATOMIC_ADD_F64},
                        {AMD_FLAT_ATOMIC_ADD_F32, AMD_FLAT_ATOMIC_ADD_F64},
                        {AMD_DS_ADD_F32, 0},
                        {AMD_DS_ADD_RTN_F32, 0}},
    [IR_ATOMIC_fmin] = {MEM(FMIN), LDS(MIN, F)},
    [IR_ATOMIC_fmax] = {MEM(FMAX), LDS(MAX, F)},
    [IR_ATOMIC_inc_wrap] = {MEM(INC), LDS(INC, U)},
    [IR_ATOMIC_dec_wrap] = {MEM(DEC), LDS(DEC, U)},
};

/* From gfx11 on the new value comes first, and the opcodes have other names (RDNA3 ISA, "LDS
 * instructions": DS_CMPSTORE). */
static unsigned
compare_store(unsigned op)
{
    switch (op) {
    case AMD_DS_CMPST_B32: return AMD_DS_CMPSTORE_B32;
    case AMD_DS_CMPST_B64: return AMD_DS_CMPSTORE_B64;
    case AMD_DS_CMPST_RTN_B32: return AMD_DS_CMPSTORE_RTN_B32;
    default: return AMD_DS_CMPSTORE_RTN_B64;
    }
}

/* The new and the compared value in the order of the memory instructions: one vector, new value
 * first. */
static ir_ref
data_vector(sel *s, ir_ref data, ir_ref compare)
{
    ir_ref parts[2] = {amd_sel_get(s, data), ir_none()};
    if (compare.kind == IR_REF_NONE)
        return amd_sel_as_vgpr(s, parts[0]);
    parts[1] = amd_sel_get(s, compare);
    return amd_sel_join(s, false, 2, parts);
}

static void
lds_atomic(sel *s, const ir_instr *i, unsigned op, bool used, bool swap, unsigned rc)
{
    ir_ref at = amd_sel_get(s, i->refs[0]), refs[3];
    uint32_t base = ir_attr_get(i, IR_A_BASE);
    bool constant = at.kind == IR_REF_CONST && at.id + base < 65536;
    refs[0] = constant ? amd_sel_copy(s, AMD_V1, amd_const(0)) : amd_sel_as_vgpr(s, at);
    refs[1] = amd_sel_as_vgpr(s,
                              amd_sel_get(s, i->refs[1])); /* the compared value comes first, as in
                                                         HIR */
    if (swap)
        refs[2] = amd_sel_as_vgpr(s, amd_sel_get(s, i->refs[2]));
    if (swap && amd_op_number((amd_op)op, AMD_DS, s->p->target->gen) < 0) {
        ir_ref compared = refs[1];
        op = compare_store(op);
        refs[1] = refs[2];
        refs[2] = compared;
    }
    ir_ref r = amd_sel_emit(
        s, op, used || op == AMD_DS_WRXCHG_RTN_B32 || op == AMD_DS_WRXCHG_RTN_B64 ? rc : 0,
        swap ? 3 : 2, refs);
    ir_words(s->last)[0] = base + (constant ? at.id : 0);
    ir_words(s->last)[2] = AMD_SYNC_SHARED | AMD_SYNC_ATOMIC;
    if (used)
        amd_sel_set(s, i, r);
}

/* vdata is read and written: the tied reference comes after the row's sources. */
static void
emit_buffer_atomic(sel *s, const ir_instr *i, unsigned op, const sel_address *a, ir_ref data)
{
    unsigned rc = sel_bits(s, i->defs[0]) == 64 ? AMD_V2 : AMD_V1;
    bool used = a->flags & AMD_MEM_GLC, swap = data.rc != rc;
    ir_ref refs[4] = {a->index, a->base, sel_scalar_offset(s, a), data};
    ir_ref r = amd_sel_emit(s, op, used ? data.rc : 0, 4, refs);
    amd_sel_finish_memory(s, a);
    if (used)
        amd_sel_set(s, i, swap ? amd_sel_2(s, AMD_P_EXTRACT_VECTOR, rc, r, amd_const(0)) : r);
}

static void
buffer_atomic(sel *s, const ir_instr *i, unsigned op, bool used, bool swap)
{
    sel_address a = amd_sel_buffer_address(s, false, i->refs[0], i->refs[1],
                                           used ? AMD_MEM_GLC : 0);
    a.sync |= AMD_SYNC_ATOMIC;
    if (a.offset > 4095) {
        a.index = amd_sel_copy(s, AMD_V1, amd_const(a.offset));
        a.offset = 0;
    }
    ir_ref data = data_vector(s, i->refs[swap ? 3 : 2], swap ? i->refs[2] : ir_none());
    emit_buffer_atomic(s, i, op, &a, data);
}

static void
global_atomic(sel *s, const ir_instr *i, const atomic_row *row, bool used, bool swap, unsigned rc)
{
    sel_address a = amd_sel_global_address(s, false, i->refs[0], used ? AMD_MEM_GLC : 0);
    bool wide = amd_rc_regs(rc) == 2;
    a.sync |= AMD_SYNC_ATOMIC;
    ir_ref data = data_vector(s, i->refs[swap ? 2 : 1], swap ? i->refs[1] : ir_none());
    if (a.kind == SEL_BUFFER || a.kind == SEL_ADDR64) {
        emit_buffer_atomic(s, i, row->buffer[wide], &a, data);
        return;
    }
    unsigned op = a.kind == SEL_FLAT ? row->flat[wide] : row->global[wide];
    ir_ref r = amd_sel_emit_memory(s, op, used ? rc : 0, &a, data, 0);
    if (used)
        amd_sel_set(s, i, r);
}

bool
amd_sel_atomic(sel *s, const ir_instr *i)
{
    bool buffer = i->op == IR_ssbo_atomic || i->op == IR_ssbo_atomic_swap;
    bool global = i->op == IR_global_atomic || i->op == IR_global_atomic_swap;
    bool lds = i->op == IR_shared_atomic || i->op == IR_shared_atomic_swap;
    bool swap = i->op == IR_ssbo_atomic_swap || i->op == IR_global_atomic_swap ||
                i->op == IR_shared_atomic_swap;
    if (!buffer && !global && !lds)
        return false;
    const atomic_row *row = &atomic_rows[ir_attr_get(i, IR_A_ATOMIC_OP)];
    bool wide = sel_bits(s, i->defs[0]) == 64, used = s->uses[i->defs[0].id] > 0;
    unsigned op = buffer   ? row->buffer[wide]
                  : global ? row->global[wide]
                  : used   ? row->lds_rtn[wide]
                           : row->lds[wide];
    unsigned rc = wide ? AMD_V2 : AMD_V1;
    if (!op)
        amd_sel_unsupported(s, "this atomic operation on floats, which was not lowered");
    if (lds)
        lds_atomic(s, i, op, used, swap, rc);
    else if (buffer)
        buffer_atomic(s, i, op, used, swap);
    else
        global_atomic(s, i, row, used, swap, rc);
    return true;
}
