/* Selection of conversions between number types and sizes. */
#include "amd/select/select_alu.h"

static ir_ref
f32_of(sel *s, ir_ref a, unsigned bits)
{
    return bits == 16   ? amd_sel_1(s, AMD_V_CVT_F32_F16, AMD_V1, a)
           : bits == 64 ? amd_sel_1(s, AMD_V_CVT_F32_F64, AMD_V1, a)
                        : a;
}

/* f64 to f32 towards zero: if the nearest f32 is larger in magnitude, the next smaller one. */
static ir_ref
f32_towards_zero(sel *s, ir_ref a)
{
    ir_ref near = amd_sel_1(s, AMD_V_CVT_F32_F64, AMD_V1, a);
    ir_ref back = amd_sel_1(s, AMD_V_CVT_F64_F32, AMD_V2, near);
    ir_ref larger = amd_sel_2(s, AMD_V_CMP_GT_F64, s->p->lane_mask, back, a);
    amd_sel_modify(s, 3u << AMD_MOD_ABS);
    ir_ref below = amd_sel_2(s, AMD_V_ADD_NC_U32, AMD_V1, amd_const(UINT32_MAX), near);
    return amd_sel_cndmask(s, below, near, larger);
}

static void
select_f2f(sel *s, const ir_instr *i)
{
    unsigned from = sel_bits(s, i->refs[0]), to = amd_sel_def_bits(s, i);
    ir_ref a = amd_sel_get(s, i->refs[0]);
    if (from == to) {
        amd_sel_set(s, i, a);
        return;
    }
    if (i->op == IR_f2f_rtz && to == 16) {
        a = f32_of(s, a, from);
        amd_sel_set(s, i, amd_sel_2(s, AMD_V_CVT_PKRTZ_F16_F32, AMD_V1, a, amd_const(0)));
        return;
    }
    if (i->op == IR_f2f_rtz && from == 64) {
        amd_sel_set(s, i, f32_towards_zero(s, a));
        return;
    }
    if (to == 16)
        a = amd_sel_1(s, AMD_V_CVT_F16_F32, AMD_V1, f32_of(s, a, from));
    else if (to == 32)
        a = f32_of(s, a, from);
    else
        a = amd_sel_1(s, AMD_V_CVT_F64_F32, AMD_V2, f32_of(s, a, from));
    amd_sel_set(s, i, a);
}

/* Conversions to 8 and 16 bits saturate like those to 32 bits. */
static ir_ref
saturate(sel *s, ir_ref v, unsigned bits, bool sign)
{
    uint32_t max = (uint32_t)base_mask64(sign ? bits - 1 : bits);
    if (bits >= 32)
        return v;
    if (!sign)
        return amd_sel_2(s, AMD_V_MIN_U32, AMD_V1, amd_const(max), v);
    ir_ref low = amd_sel_2(s, AMD_V_MAX_I32, AMD_V1, amd_const(~max), v);
    return amd_sel_2(s, AMD_V_MIN_I32, AMD_V1, amd_const(max), low);
}

static void
select_float_to_int(sel *s, const ir_instr *i)
{
    bool sign = i->op == IR_f2i;
    unsigned from = sel_bits(s, i->refs[0]), to = amd_sel_def_bits(s, i);
    ir_ref a = amd_sel_get(s, i->refs[0]);
    if (to == 64)
        amd_sel_unsupported(s, "a conversion of a float to a 64-bit integer that was not lowered");
    if (from == 64)
        a = amd_sel_1(s, sign ? AMD_V_CVT_I32_F64 : AMD_V_CVT_U32_F64, AMD_V1, a);
    else
        a = amd_sel_1(s, sign ? AMD_V_CVT_I32_F32 : AMD_V_CVT_U32_F32, AMD_V1, f32_of(s, a, from));
    amd_sel_set(s, i, saturate(s, a, to, sign));
}

static void
select_int_to_float(sel *s, const ir_instr *i)
{
    bool sign = i->op == IR_i2f;
    unsigned from = sel_bits(s, i->refs[0]), to = amd_sel_def_bits(s, i);
    ir_ref a = amd_sel_source(s, i, 0, sign ? SEL_SEXT : SEL_ZEXT);
    if (from == 64)
        amd_sel_unsupported(s, "a conversion of a 64-bit integer to a float that was not lowered");
    if (to == 64) {
        amd_sel_set(s, i, amd_sel_1(s, sign ? AMD_V_CVT_F64_I32 : AMD_V_CVT_F64_U32, AMD_V2, a));
        return;
    }
    if (to == 16 && from <= 16 && sel_has(s, AMD_V_CVT_F16_I16)) {
        amd_sel_set(s, i, amd_sel_1(s, sign ? AMD_V_CVT_F16_I16 : AMD_V_CVT_F16_U16, AMD_V1, a));
        return;
    }
    ir_ref f = amd_sel_1(s, sign ? AMD_V_CVT_F32_I32 : AMD_V_CVT_F32_U32, AMD_V1, a);
    amd_sel_set(s, i, to == 16 ? amd_sel_1(s, AMD_V_CVT_F16_F32, AMD_V1, f) : f);
}

static void
select_int_resize(sel *s, const ir_instr *i)
{
    bool sign = i->op == IR_i2i;
    unsigned from = sel_bits(s, i->refs[0]), to = amd_sel_def_bits(s, i);
    bool vgpr = sel_wants_vgpr(s, i);
    if (to <= from) {
        ir_ref a = amd_sel_get(s, i->refs[0]);
        amd_sel_set(s, i, from == 64 && to < 64 ? amd_sel_half(s, a, 0) : a);
        return;
    }
    ir_ref a = amd_sel_source(s, i, 0, sign ? SEL_SEXT : SEL_ZEXT);
    if (to < 64) {
        amd_sel_set(s, i, a);
        return;
    }
    ir_ref hi = amd_const(0);
    if (sign)
        hi = vgpr ? amd_sel_2(s, AMD_V_ASHRREV_I32, AMD_V1, amd_const(31), a)
                  : amd_sel_2(s, AMD_S_ASHR_I32, AMD_S1, a, amd_const(31));
    amd_sel_set(s, i, amd_sel_pair(s, vgpr, a, hi));
}

static void
select_bool_to_number(sel *s, const ir_instr *i)
{
    unsigned bits = amd_sel_def_bits(s, i);
    uint32_t one = i->op == IR_b2i ? 1 : bits == 16 ? 0x3c00 : bits == 32 ? 0x3f800000 : 0x3ff00000;
    bool high = i->op == IR_b2f && bits == 64, vgpr = sel_wants_vgpr(s, i);
    ir_ref r;
    if (vgpr) {
        r = amd_sel_cndmask(s, amd_const(one), amd_const(0), amd_sel_get_mask(s, i->refs[0]));
    } else if (i->op == IR_b2i) {
        r = amd_sel_get_bit(s, i->refs[0]);
    } else {
        ir_ref scc = amd_sel_get_scc(s, i->refs[0]);
        r = amd_sel_3(s, AMD_S_CSELECT_B32, AMD_S1, amd_const(one), amd_const(0), scc);
    }
    if (bits == 64)
        r = high ? amd_sel_pair(s, vgpr, amd_const(0), r) : amd_sel_pair(s, vgpr, r, amd_const(0));
    amd_sel_set(s, i, r);
}

bool
amd_sel_convert(sel *s, const ir_instr *i)
{
    switch (i->op) {
    case IR_f2f:
    case IR_f2f_rtz: select_f2f(s, i); return true;
    case IR_f2i:
    case IR_f2u: select_float_to_int(s, i); return true;
    case IR_i2f:
    case IR_u2f: select_int_to_float(s, i); return true;
    case IR_i2i:
    case IR_u2u: select_int_resize(s, i); return true;
    case IR_b2f:
    case IR_b2i: select_bool_to_number(s, i); return true;
    default: return false;
    }
}
