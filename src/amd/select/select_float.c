/* Selection of float operations that need several instructions. */
#include "amd/select/select_alu.h"

/* An instruction with `clamp` and two equal sources. */
static ir_ref
clamped(sel *s, unsigned op, unsigned rc, ir_ref a)
{
    ir_ref r = amd_sel_2(s, op, rc, a, a);
    amd_sel_modify(s, 1u << AMD_MOD_CLAMP);
    return r;
}

static ir_ref
sign_op(sel *s, const ir_instr *i, bool neg)
{
    unsigned bits = amd_sel_def_bits(s, i);
    ir_ref a = amd_sel_get(s, i->refs[0]);
    unsigned op = neg ? AMD_V_XOR_B32 : AMD_V_AND_B32;
    uint32_t mask = bits == 16 ? 0x8000u : 0x80000000u;
    ir_ref m = amd_const(neg ? mask : ~mask);
    if (bits < 64)
        return amd_sel_2(s, op, AMD_V1, m, a);
    return amd_sel_pair(s, true, amd_sel_as_vgpr(s, amd_sel_half(s, a, 0)),
                        amd_sel_2(s, op, AMD_V1, m, amd_sel_half(s, a, 1)));
}

static void
select_fsign(sel *s, const ir_instr *i)
{
    unsigned bits = amd_sel_def_bits(s, i), lm = s->p->lane_mask;
    ir_ref a = amd_sel_as_vgpr(s, amd_sel_get(s, i->refs[0]));
    ir_ref zero = bits == 64 ? amd_const64(0) : amd_const(0);
    unsigned gt = bits == 16 ? AMD_V_CMP_LT_F16 : bits == 32 ? AMD_V_CMP_LT_F32 : AMD_V_CMP_LT_F64;
    unsigned lt = bits == 16 ? AMD_V_CMP_GT_F16 : bits == 32 ? AMD_V_CMP_GT_F32 : AMD_V_CMP_GT_F64;
    uint32_t one = bits == 16 ? 0x3c00 : bits == 32 ? 0x3f800000 : 0x3ff00000;
    uint32_t minus = bits == 16 ? 0xbc00 : bits == 32 ? 0xbf800000 : 0xbff00000;
    ir_ref is_pos = amd_sel_2(s, gt, lm, zero, a), is_neg = amd_sel_2(s, lt, lm, zero, a);
    ir_ref top = bits == 64 ? amd_sel_half(s, a, 1) : a;
    ir_ref r = amd_sel_cndmask(s, amd_const(one), top, is_pos);
    r = amd_sel_cndmask(s, amd_const(minus), r, is_neg);
    if (bits == 64) {
        ir_ref any = amd_sel_2(s, SEL_LM(s, S_OR), lm, is_pos, is_neg);
        r = amd_sel_pair(s, true, amd_sel_cndmask(s, amd_const(0), amd_sel_half(s, a, 0), any), r);
    }
    amd_sel_set(s, i, r);
}

/* What v_div_scale's flag says: exactly one of the two numbers was scaled, which shows in its upper
 * half. */
static ir_ref
scale_differs(sel *s, ir_ref numerator, ir_ref denominator, const ir_ref scale[2])
{
    unsigned lm = s->p->lane_mask;
    ir_ref same[2];
    for (unsigned k = 0; k < 2; k++)
        same[k] = amd_sel_2(s, AMD_V_CMP_EQ_U32, lm,
                            amd_sel_half(s, k ? numerator : denominator, 1),
                            amd_sel_half(s, scale[k], 1));
    return amd_sel_2(s, SEL_LM(s, S_XOR), lm, same[0], same[1]);
}

/* Division of f32 and f16: numerator times the reciprocal, within Vulkan's 2.5 ulp. f64: the scale,
 * fmas, fixup sequence of the RDNA 2 ISA guide, V_DIV_SCALE_F64. */
static ir_ref
div_f64(sel *s, ir_ref a, ir_ref b)
{
    unsigned lm = s->p->lane_mask;
    ir_ref scale[2], vcc = ir_none();
    ir_ref one = amd_sel_copy(
        s, AMD_V2, amd_sel_join(s, true, 2, (ir_ref[]){amd_const(0), amd_const(0x3ff00000)}));
    a = amd_sel_as_vgpr(s, a);
    b = amd_sel_as_vgpr(s, b);
    for (unsigned k = 0; k < 2; k++) { /* 0 the denominator, 1 the numerator */
        ir_instr *i = amd_new(s->f, AMD_V_DIV_SCALE_F64, 2, 3);
        i->refs[0] = k ? a : b;
        i->refs[1] = b;
        i->refs[2] = a;
        i->loc = s->loc;
        scale[k] = ir_define(s->f, i, 0, AMD_V2);
        vcc = ir_define(s->f, i, 1, (ir_type)lm);
        ir_append(s->cur, i);
    }
    if (!amd_has(s->p->target, div_scale_flag))
        vcc = scale_differs(s, a, b, scale);
    ir_ref x = amd_sel_1(s, AMD_V_RCP_F64, AMD_V2, scale[0]);
    for (unsigned k = 0; k < 2; k++) {
        ir_ref e = amd_sel_3(s, AMD_V_FMA_F64, AMD_V2, scale[0], x, one);
        amd_sel_modify(s, 1u << AMD_MOD_NEG);
        x = amd_sel_3(s, AMD_V_FMA_F64, AMD_V2, x, e, x);
    }
    ir_ref q = amd_sel_2(s, AMD_V_MUL_F64, AMD_V2, scale[1], x);
    ir_ref e = amd_sel_3(s, AMD_V_FMA_F64, AMD_V2, scale[0], q, scale[1]);
    amd_sel_modify(s, 1u << AMD_MOD_NEG);
    /* vcc is read, but no source of the encoding, which amd_sel_emit would make a VGPR. */
    ir_ref refs[4] = {e, x, q, amd_const(0)};
    ir_ref r = amd_sel_emit(s, AMD_V_DIV_FMAS_F64, AMD_V2, 4, refs);
    s->last->refs[3] = ir_fixed(vcc, AMD_VCC);
    return amd_sel_3(s, AMD_V_DIV_FIXUP_F64, AMD_V2, r, b, a);
}

uint32_t
amd_sel_reciprocal(uint32_t bits)
{
    return base_f32_bits(1.0f / base_bits_f32(bits));
}

bool
amd_sel_has_reciprocal(uint32_t bits)
{
    uint32_t exponent = bits >> 23 & 0xff;
    return exponent > 1 && exponent < 253;
}

static void
select_fdiv(sel *s, const ir_instr *i)
{
    unsigned bits = amd_sel_def_bits(s, i);
    ir_ref a = amd_sel_get(s, i->refs[0]), b = amd_sel_get(s, i->refs[1]);
    if (bits == 64) {
        amd_sel_set(s, i, div_f64(s, a, b));
        return;
    }
    if (bits == 32 && b.kind == IR_REF_CONST && amd_sel_has_reciprocal(b.id)) {
        amd_sel_set(s, i,
                    amd_sel_2(s, AMD_V_MUL_F32, AMD_V1, amd_const(amd_sel_reciprocal(b.id)), a));
        return;
    }
    ir_ref r = amd_sel_1(s, bits == 16 ? AMD_V_RCP_F16 : AMD_V_RCP_F32, AMD_V1, b);
    amd_sel_set(s, i, amd_sel_2(s, bits == 16 ? AMD_V_MUL_F16 : AMD_V_MUL_F32, AMD_V1, a, r));
}

static void
select_trig(sel *s, const ir_instr *i)
{
    bool half = amd_sel_def_bits(s, i) == 16, sine = i->op == IR_fsin;
    ir_ref a = amd_sel_get(s, i->refs[0]);
    if (half)
        a = amd_sel_1(s, AMD_V_CVT_F32_F16, AMD_V1, a);
    ir_ref turns = amd_sel_2(s, AMD_V_MUL_F32, AMD_V1, amd_const(0x3e22f983), a);
    if (!amd_has(s->p->target, reduces_turns))
        turns = amd_sel_1(s, AMD_V_FRACT_F32, AMD_V1, turns);
    ir_ref r = amd_sel_1(s, sine ? AMD_V_SIN_F32 : AMD_V_COS_F32, AMD_V1, turns);
    amd_sel_set(s, i, half ? amd_sel_1(s, AMD_V_CVT_F16_F32, AMD_V1, r) : r);
}

static void
select_fpow(sel *s, const ir_instr *i)
{
    bool half = amd_sel_def_bits(s, i) == 16;
    ir_ref a = amd_sel_get(s, i->refs[0]), b = amd_sel_get(s, i->refs[1]);
    if (half) {
        a = amd_sel_1(s, AMD_V_CVT_F32_F16, AMD_V1, a);
        b = amd_sel_1(s, AMD_V_CVT_F32_F16, AMD_V1, b);
    }
    ir_ref l = amd_sel_1(s, AMD_V_LOG_F32, AMD_V1, a);
    ir_ref r = amd_sel_1(s, AMD_V_EXP_F32, AMD_V1,
                         amd_sel_2(s, AMD_V_MUL_LEGACY_F32, AMD_V1, b, l));
    amd_sel_set(s, i, half ? amd_sel_1(s, AMD_V_CVT_F16_F32, AMD_V1, r) : r);
}

/* f64 reciprocal, square root and its reciprocal: the hardware's estimate and Newton steps in fma.
 */
static void
select_f64_estimate(sel *s, const ir_instr *i)
{
    ir_ref a = amd_sel_as_vgpr(s, amd_sel_get(s, i->refs[0]));
    ir_ref one = amd_sel_join(s, true, 2, (ir_ref[]){amd_const(0), amd_const(0x3ff00000)});
    if (i->op == IR_frcp) {
        amd_sel_set(s, i, div_f64(s, one, a));
        return;
    }
    /* Goldschmidt's iteration from y = rsq(a): g = a y, h = y / 2; r = 1/2 - h g; g += g r; h += h
     * r. Tiny inputs are scaled by 2^256 so that no step underflows; 0 and infinity are returned
     * unchanged. */
    unsigned lm = s->p->lane_mask;
    ir_ref half = amd_sel_copy(
        s, AMD_V2, amd_sel_join(s, true, 2, (ir_ref[]){amd_const(0), amd_const(0x3fe00000)}));
    ir_ref tiny = amd_sel_2(
        s, AMD_V_CMP_GT_F64, lm,
        amd_sel_join(s, true, 2, (ir_ref[]){amd_const(0), amd_const(0x10000000)}), a);
    ir_ref up = amd_sel_cndmask(s, amd_const(256), amd_const(0), tiny);
    ir_ref x = amd_sel_2(s, AMD_V_LDEXP_F64, AMD_V2, a, up);
    ir_ref y = amd_sel_1(s, AMD_V_RSQ_F64, AMD_V2, x);
    ir_ref g = amd_sel_2(s, AMD_V_MUL_F64, AMD_V2, x, y),
           h = amd_sel_2(s, AMD_V_MUL_F64, AMD_V2, y, half);
    ir_ref r = amd_sel_3(s, AMD_V_FMA_F64, AMD_V2, h, g, half);
    amd_sel_modify(s, 1u << AMD_MOD_NEG);
    g = amd_sel_3(s, AMD_V_FMA_F64, AMD_V2, g, r, g);
    h = amd_sel_3(s, AMD_V_FMA_F64, AMD_V2, h, r, h);
    for (unsigned k = 0; k < 2; k++) {
        ir_ref d = amd_sel_3(s, AMD_V_FMA_F64, AMD_V2, g, g, x);
        amd_sel_modify(s, 1u << AMD_MOD_NEG);
        g = amd_sel_3(s, AMD_V_FMA_F64, AMD_V2, d, h, g);
    }
    ir_ref down = amd_sel_cndmask(s, amd_const((uint32_t)-128), amd_const(0), tiny);
    ir_ref root = amd_sel_2(s, AMD_V_LDEXP_F64, AMD_V2, g, down);
    /* class 0x260: +0, -0, +infinity (RDNA 2 ISA, V_CMP_CLASS: bits 5, 6, 9) */
    ir_ref special = amd_sel_2(s, AMD_V_CMP_CLASS_F64, lm, a, amd_const(0x260));
    ir_ref lo = amd_sel_cndmask(s, amd_sel_half(s, a, 0), amd_sel_half(s, root, 0), special);
    ir_ref hi = amd_sel_cndmask(s, amd_sel_half(s, a, 1), amd_sel_half(s, root, 1), special);
    ir_ref sqrt = amd_sel_pair(s, true, lo, hi);
    amd_sel_set(s, i, i->op == IR_fsqrt ? sqrt : div_f64(s, one, sqrt));
}

/* In which lanes is a number too small for a normal binary16? */
static ir_ref
is_small(sel *s, ir_ref wide)
{
    enum { LEAST_NORMAL = 0x38800000 }; /* 2^-14 */
    unsigned lm = s->p->lane_mask;
    ir_ref least = amd_sel_copy(s, AMD_V1, amd_const(LEAST_NORMAL));
    ir_ref tiny = amd_sel_2(s, AMD_V_CMP_LT_F32, lm, wide, least);
    amd_sel_modify(s, 1u << AMD_MOD_ABS);
    return tiny;
}

static void
select_quantize(sel *s, const ir_instr *i)
{
    ir_ref a = amd_sel_get(s, i->refs[0]);
    ir_ref h = amd_sel_1(s, AMD_V_CVT_F16_F32, AMD_V1, a);
    ir_ref tiny = ir_none();
    bool by_class = sel_has(s, AMD_V_CMP_CLASS_F16);
    /* class 0x90: negative and positive denormals become a zero of the same sign (RDNA 2 ISA,
     * V_CMP_CLASS: bits 4 and 7) */
    if (by_class)
        tiny = amd_sel_2(s, AMD_V_CMP_CLASS_F16, s->p->lane_mask, h, amd_const(0x90));
    ir_ref wide = amd_sel_1(s, AMD_V_CVT_F32_F16, AMD_V1, h);
    if (!by_class)
        tiny = is_small(s, wide);
    ir_ref zero = amd_sel_2(s, AMD_V_AND_B32, AMD_V1, amd_const(0x80000000), wide);
    amd_sel_set(s, i, amd_sel_cndmask(s, zero, wide, tiny));
}

/* f16 ldexp and frexp_exp use f32; v_ldexp_f16 takes only 16-bit exponents. */
static void
select_half_exponent(sel *s, const ir_instr *i)
{
    ir_ref a = amd_sel_1(s, AMD_V_CVT_F32_F16, AMD_V1, amd_sel_get(s, i->refs[0]));
    if (i->op == IR_frexp_exp) {
        amd_sel_set(s, i, amd_sel_1(s, AMD_V_FREXP_EXP_I32_F32, AMD_V1, a));
        return;
    }
    ir_ref r = amd_sel_2(s, AMD_V_LDEXP_F32, AMD_V1, a, amd_sel_get(s, i->refs[1]));
    amd_sel_set(s, i, amd_sel_1(s, AMD_V_CVT_F16_F32, AMD_V1, r));
}

static void
select_fsub64(sel *s, const ir_instr *i)
{
    ir_ref r = amd_sel_2(s, AMD_V_ADD_F64, AMD_V2, amd_sel_get(s, i->refs[0]),
                         amd_sel_get(s, i->refs[1]));
    amd_sel_modify(s, 2u << AMD_MOD_NEG);
    amd_sel_set(s, i, r);
}

bool
amd_sel_float(sel *s, const ir_instr *i)
{
    unsigned bits = amd_sel_def_bits(s, i);
    switch (i->op) {
    case IR_fneg: amd_sel_set(s, i, sign_op(s, i, true)); return true;
    case IR_fabs: amd_sel_set(s, i, sign_op(s, i, false)); return true;
    case IR_fsat:
        amd_sel_set(s, i,
                    clamped(s,
                            bits == 16   ? AMD_V_MAX_F16
                            : bits == 32 ? AMD_V_MAX_F32
                                         : AMD_V_MAX_F64,
                            amd_rc(true, bits == 64 ? 8 : 4), amd_sel_get(s, i->refs[0])));
        return true;
    case IR_fsign: select_fsign(s, i); return true;
    case IR_fdiv: select_fdiv(s, i); return true;
    case IR_fsub: select_fsub64(s, i); return true;
    case IR_fsqrt:
    case IR_frsq:
    case IR_frcp: select_f64_estimate(s, i); return true;
    case IR_fsin:
    case IR_fcos: select_trig(s, i); return true;
    case IR_fpow: select_fpow(s, i); return true;
    case IR_ldexp:
    case IR_frexp_exp: select_half_exponent(s, i); return true;
    case IR_fquantize2f16: select_quantize(s, i); return true;
    default: return false;
    }
}
