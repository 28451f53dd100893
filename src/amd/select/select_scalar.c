/* Selection of floats on the scalar unit: uniform numbers of 16 and 32 bits whose sources are in
 * SGPRs; before gfx11.5, which gave it floats, their signs alone.
 *
 *     s1: %3 = s_fmac_f32 %1, %2, %0
 *     s1: %4 = v_s_rcp_f32 %3
 *
 * Scalar instructions have no modifiers of sources: signs are changed by integer operations. A
 * uniform number is computed here even if only vector instructions read it, because these take
 * SGPRs, and integer operations on signs become their modifiers (opt/optimize_operand.c). What the
 * scalar unit lacks stays on the vector unit, and what is computed from it: moving a number back
 * costs more than it saves.
 */
#include "amd/select/select_alu.h"

/* ---- operations that are one instruction ---- */

/* By HIR opcode: the instructions for 16 and 32 bits, and the names that some targets have instead.
 */
typedef struct scalar_row {
    uint16_t op16, op32, else16, else32;
} scalar_row;

#define ONE(name)                                                                                  \
    {                                                                                              \
        AMD_##name##_F16, AMD_##name##_F32, 0, 0                                                   \
    }
#define TWO(name, more)                                                                            \
    {                                                                                              \
        AMD_##name##_F16, AMD_##name##_F32, AMD_##more##_F16, AMD_##more##_F32                     \
    }

static const scalar_row rows[IR_HIR_OP_COUNT] = {
    [IR_fadd] = ONE(S_ADD),
    [IR_fsub] = ONE(S_SUB),
    [IR_fmul] = ONE(S_MUL),
    [IR_ffma] = ONE(S_FMAC),
    [IR_fmin] = TWO(S_MIN, S_MIN_NUM),
    [IR_fmax] = TWO(S_MAX, S_MAX_NUM),
    [IR_ffloor] = ONE(S_FLOOR),
    [IR_fceil] = ONE(S_CEIL),
    [IR_ftrunc] = ONE(S_TRUNC),
    [IR_fround_even] = ONE(S_RNDNE),
    [IR_fexp2] = ONE(V_S_EXP),
    [IR_flog2] = ONE(V_S_LOG),
    [IR_frcp] = ONE(V_S_RCP),
    [IR_frsq] = ONE(V_S_RSQ),
    [IR_fsqrt] = ONE(V_S_SQRT),
};

/* The instruction for `hir` on this target; AMD_OP_INVALID: there is none. */
static unsigned
op_of(const sel *s, unsigned hir, unsigned bits)
{
    const scalar_row *row = &rows[hir];
    unsigned op = bits == 16 ? row->op16 : row->op32,
             other = bits == 16 ? row->else16 : row->else32;
    if (bits > 32 || !op)
        return AMD_OP_INVALID;
    return sel_has(s, op) ? op : other && sel_has(s, other) ? other : AMD_OP_INVALID;
}

static bool
is_number(const sel *s, ir_ref r)
{
    return ir_is_value(r) && s->hir->values[r.id].def->op == IR_load_const;
}

bool
amd_sel_float_is_scalar(const sel *s, const ir_instr *i)
{
    unsigned from = sel_bits(s, i->refs[0]), to = amd_sel_def_bits(s, i);
    if (from > 32 || to > 32)
        return false;
    if (!sel_has(s, AMD_S_ADD_F32))
        return i->op == IR_fneg || i->op == IR_fabs;
    switch (i->op) {
    case IR_fneg:
    case IR_fabs:
    case IR_fsat:
    case IR_f2f:
    case IR_f2i:
    case IR_f2u:
    case IR_i2f:
    case IR_u2f: return true;
    case IR_f2f_rtz: return to == 16;
    case IR_fdiv:
        return op_of(s, IR_frcp, to) != AMD_OP_INVALID || (to == 32 && is_number(s, i->refs[1]));
    default: return op_of(s, i->op, to) != AMD_OP_INVALID;
    }
}

/* ---- fused multiplication and addition ---- */

static bool
is_literal(const sel *s, ir_ref r, unsigned bits)
{
    return amd_is_literal(s->p->target->gen, r, bits == 16 ? AMD_T_F16 : AMD_T_F32);
}

static ir_ref
in_register(sel *s, ir_ref r)
{
    return ir_is_value(r) ? r : amd_sel_copy(s, AMD_S1, r);
}

/* s_fmac adds to its destination's register; s_fmaak and s_fmamk have a number as the addend or as
 * a factor, and their other operands are no literals. */
static ir_ref
fma_of(sel *s, unsigned bits, ir_ref a, ir_ref b, ir_ref c)
{
    bool wide = bits == 32;
    if (is_literal(s, a, bits)) {
        ir_ref t = a;
        a = b;
        b = t;
    }
    if (is_literal(s, a, bits))
        a = amd_sel_copy(s, AMD_S1, a);
    if (wide && c.kind == IR_REF_CONST)
        return amd_sel_3(s, AMD_S_FMAAK_F32, AMD_S1, a,
                         is_literal(s, b, bits) ? in_register(s, b) : b, c);
    if (wide && is_literal(s, b, bits))
        return amd_sel_3(s, AMD_S_FMAMK_F32, AMD_S1, a, b, c);
    return amd_sel_3(s, wide ? AMD_S_FMAC_F32 : AMD_S_FMAC_F16, AMD_S1, a, b, in_register(s, c));
}

/* ---- sequences ---- */

static ir_ref
sign_of(sel *s, const ir_instr *i, ir_ref a)
{
    uint32_t top = amd_sel_def_bits(s, i) == 16 ? 0x8000u : 0x80000000u;
    return i->op == IR_fneg ? amd_sel_2(s, AMD_S_XOR_B32, AMD_S1, a, amd_const(top))
                            : amd_sel_2(s, AMD_S_AND_B32, AMD_S1, a, amd_const(~top));
}

/* The maximum with 0 turns NaN into 0. */
static ir_ref
saturated(sel *s, unsigned bits, ir_ref a)
{
    uint32_t one = bits == 16 ? 0x3c00 : 0x3f800000;
    a = amd_sel_2(s, op_of(s, IR_fmax, bits), AMD_S1, a, amd_const(0));
    return amd_sel_2(s, op_of(s, IR_fmin, bits), AMD_S1, a, amd_const(one));
}

static ir_ref
quotient(sel *s, unsigned bits, ir_ref a, ir_ref b)
{
    unsigned rcp = op_of(s, IR_frcp, bits), mul = op_of(s, IR_fmul, bits);
    if (bits == 32 && b.kind == IR_REF_CONST && amd_sel_has_reciprocal(b.id))
        return amd_sel_2(s, mul, AMD_S1, a, amd_const(amd_sel_reciprocal(b.id)));
    if (rcp != AMD_OP_INVALID)
        return amd_sel_2(s, mul, AMD_S1, a, amd_sel_1(s, rcp, AMD_S1, b));
    ir_ref r = amd_sel_1(s, bits == 16 ? AMD_V_RCP_F16 : AMD_V_RCP_F32, AMD_V1, b);
    return amd_sel_2(s, mul, AMD_S1, a, amd_sel_as_sgpr(s, r));
}

/* ---- conversions ---- */

static ir_ref
resized(sel *s, const ir_instr *i, ir_ref a, unsigned from, unsigned to)
{
    if (from == to)
        return a;
    if (to == 32)
        return amd_sel_1(s, AMD_S_CVT_F32_F16, AMD_S1, a);
    if (i->op == IR_f2f_rtz)
        return amd_sel_2(s, AMD_S_CVT_PK_RTZ_F16_F32, AMD_S1, a, amd_const(0));
    return amd_sel_1(s, AMD_S_CVT_F16_F32, AMD_S1, a);
}

static ir_ref
to_int(sel *s, const ir_instr *i, ir_ref a, unsigned from, unsigned to)
{
    bool sign = i->op == IR_f2i;
    uint32_t max = (uint32_t)base_mask64(sign ? to - 1 : to);
    if (from == 16)
        a = amd_sel_1(s, AMD_S_CVT_F32_F16, AMD_S1, a);
    a = amd_sel_1(s, sign ? AMD_S_CVT_I32_F32 : AMD_S_CVT_U32_F32, AMD_S1, a);
    if (to == 32)
        return a;
    if (!sign)
        return amd_sel_2(s, AMD_S_MIN_U32, AMD_S1, a, amd_const(max));
    a = amd_sel_2(s, AMD_S_MAX_I32, AMD_S1, a, amd_const(~max));
    return amd_sel_2(s, AMD_S_MIN_I32, AMD_S1, a, amd_const(max));
}

static ir_ref
to_float(sel *s, const ir_instr *i, unsigned to)
{
    bool sign = i->op == IR_i2f;
    ir_ref a = amd_sel_source(s, i, 0, sign ? SEL_SEXT : SEL_ZEXT);
    a = amd_sel_1(s, sign ? AMD_S_CVT_F32_I32 : AMD_S_CVT_F32_U32, AMD_S1, a);
    return to == 16 ? amd_sel_1(s, AMD_S_CVT_F16_F32, AMD_S1, a) : a;
}

/* ---- the entry ---- */

static ir_ref
select_row(sel *s, const ir_instr *i, unsigned bits)
{
    ir_ref refs[3];
    for (unsigned k = 0; k < i->n_refs; k++)
        refs[k] = amd_sel_get(s, i->refs[k]);
    if (i->op == IR_ffma)
        return fma_of(s, bits, refs[0], refs[1], refs[2]);
    return amd_sel_emit(s, op_of(s, i->op, bits), AMD_S1, i->n_refs, refs);
}

bool
amd_sel_scalar_float(sel *s, const ir_instr *i)
{
    if (sel_rep_of(s, i->defs[0]) != SEL_SGPR || !amd_sel_float_is_scalar(s, i))
        return false;
    unsigned from = sel_bits(s, i->refs[0]), to = amd_sel_def_bits(s, i);
    ir_ref r;
    switch (i->op) {
    case IR_fneg:
    case IR_fabs: r = sign_of(s, i, amd_sel_get(s, i->refs[0])); break;
    case IR_fsat: r = saturated(s, to, amd_sel_get(s, i->refs[0])); break;
    case IR_fdiv:
        r = quotient(s, to, amd_sel_get(s, i->refs[0]), amd_sel_get(s, i->refs[1]));
        break;
    case IR_f2f:
    case IR_f2f_rtz: r = resized(s, i, amd_sel_get(s, i->refs[0]), from, to); break;
    case IR_f2i:
    case IR_f2u: r = to_int(s, i, amd_sel_get(s, i->refs[0]), from, to); break;
    case IR_i2f:
    case IR_u2f: r = to_float(s, i, to); break;
    default: r = select_row(s, i, to);
    }
    amd_sel_set(s, i, r);
    return true;
}
