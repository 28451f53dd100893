/* Selection of HIR's ALU operations: one machine instruction by select_rows.def where there is one,
 * else a sequence. */
#include "amd/select.h"

#include <assert.h>

enum { REV = 1, ZEXT = 2, SEXT = 4, FULL = 8 };

typedef struct alu_row {
    uint16_t v16, v32, v64, s32, s64;
    uint8_t flags;
} alu_row;

#define AMD__ AMD_OP_INVALID
static const alu_row alu_rows[IR_HIR_OP_COUNT] = {
#define ROW(op, v16, v32, v64, s32, s64, flags)                                                    \
    [IR_##op] = {AMD_##v16, AMD_##v32, AMD_##v64, AMD_##s32, AMD_##s64, flags},
#include "amd/select_rows.def"
};

/* ---- sources ---- */

/* Source `n` of `i`, extended to 32 bits where it is smaller and `how` (ZEXT, SEXT) asks for it. */
static ir_ref
source(sel *s, const ir_instr *i, unsigned n, unsigned how)
{
    ir_ref r = sel_get(s, i->refs[n]);
    unsigned bits = sel_bits(s, i->refs[n]);
    if (bits >= 32 || !(how & (ZEXT | SEXT)))
        return r;
    bool sign = (how & SEXT) != 0;
    if (r.kind == IR_REF_CONST)
        return amd_const(sign ? (uint32_t)base_sext64(r.id, bits)
                              : r.id & (uint32_t)base_mask64(bits));
    if (sel_is_vgpr(r))
        return sel_3(s, sign ? AMD_V_BFE_I32 : AMD_V_BFE_U32, AMD_V1, r, amd_const(0),
                     amd_const(bits));
    if (sign)
        return sel_1(s, bits == 8 ? AMD_S_SEXT_I32_I8 : AMD_S_SEXT_I32_I16, AMD_S1, r);
    return sel_2(s, AMD_S_AND_B32, AMD_S1, r, amd_const((uint32_t)base_mask64(bits)));
}

static unsigned
def_bits(const sel *s, const ir_instr *i)
{
    return sel_bits(s, i->defs[0]);
}

static bool
any_vgpr(const ir_ref *refs, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (sel_is_vgpr(refs[i]))
            return true;
    }
    return false;
}

static ir_ref
make_pair(sel *s, bool vgpr, ir_ref lo, ir_ref hi)
{
    return sel_join(s, !vgpr, 2, (ir_ref[]){lo, hi});
}

/* ---- one instruction ---- */

static bool
select_row(sel *s, const ir_instr *i)
{
    const alu_row *row = &alu_rows[i->op];
    unsigned bits = sel_bits(s, i->refs[0]), n = i->n_refs;
    bool vgpr = sel_wants_vgpr(s, i);
    bool is_float = ir_kind_base((ir_kind)ir_alu_table[i->op].src[0]) == IR_KIND_F;
    unsigned op = bits == 64               ? (vgpr ? row->v64 : row->s64)
                  : bits == 16 && is_float ? row->v16
                  : vgpr                   ? row->v32
                                           : row->s32;
    if (op == AMD_OP_INVALID || (bits < 32 && (row->flags & FULL)))
        return false;
    ir_ref refs[3];
    for (unsigned k = 0; k < n; k++)
        refs[k] = source(s, i, k, k == 0 || sel_bits(s, i->refs[k]) == bits ? row->flags : 0);
    bool shift = i->op == IR_ishl || i->op == IR_ishr || i->op == IR_ushr;
    if (shift && bits < 32 && refs[1].kind != IR_REF_CONST)
        refs[1] = vgpr ? sel_2(s, AMD_V_AND_B32, AMD_V1, amd_const(bits - 1), refs[1])
                       : sel_2(s, AMD_S_AND_B32, AMD_S1, refs[1], amd_const(bits - 1));
    else if (shift && refs[1].kind == IR_REF_CONST)
        refs[1].id &= bits - 1;
    if (vgpr && (row->flags & REV)) {
        ir_ref t = refs[0];
        refs[0] = refs[1];
        refs[1] = t;
    }
    unsigned rc = amd_rc(vgpr, def_bits(s, i) == 64 ? 8 : 4);
    sel_set(s, i, sel_emit(s, op, rc, n, refs));
    return true;
}

/* ---- booleans ---- */

static void
select_bool_logic(sel *s, const ir_instr *i)
{
    static const struct {
        uint16_t op, s32, s64;
    } ops[] = {
        {IR_iand, AMD_S_AND_B32, AMD_S_AND_B64},  {IR_ior, AMD_S_OR_B32, AMD_S_OR_B64},
        {IR_ixor, AMD_S_XOR_B32, AMD_S_XOR_B64},  {IR_inot, AMD_S_NOT_B32, AMD_S_NOT_B64},
        {IR_ieq, AMD_S_XNOR_B32, AMD_S_XNOR_B64}, {IR_ine, AMD_S_XOR_B32, AMD_S_XOR_B64},
    };
    unsigned k = 0;
    while (k < sizeof ops / sizeof *ops && ops[k].op != i->op)
        k++;
    if (k == sizeof ops / sizeof *ops)
        sel_unsupported(s, s->hir->level->ops[i->op].name);
    bool wide = s->p->wave_size == 64;
    if (s->values[i->defs[0].id].rep == SEL_MASK) {
        ir_ref a = sel_get_mask(s, i->refs[0]);
        unsigned op = wide ? ops[k].s64 : ops[k].s32;
        ir_ref r = i->n_refs == 1 ? sel_1(s, op, s->p->lane_mask, a)
                                  : sel_2(s, op, s->p->lane_mask, a, sel_get_mask(s, i->refs[1]));
        sel_set_mask(s, i, r);
        return;
    }
    ir_ref b[2];
    for (unsigned r = 0; r < i->n_refs; r++) {
        uint64_t v;
        b[r] = ir_is_const(s->hir, i->refs[r], &v)
                   ? amd_const((uint32_t)v & 1)
                   : sel_3(s, AMD_S_CSELECT_B32, AMD_S1, amd_const(1), amd_const(0),
                           sel_get_scc(s, i->refs[r]));
    }
    if (i->op == IR_inot || i->op == IR_ieq)
        sel_2(s, AMD_S_CMP_EQ_U32, 0, b[0], i->op == IR_inot ? amd_const(0) : b[1]);
    else
        sel_2(s, ops[k].s32, AMD_S1, b[0], b[1]);
    sel_set_scc(s, i, sel_scc(s));
}

/* ---- comparisons ---- */

typedef struct cmp_row {
    uint16_t op, v16, v32, v64, s32, s64;
    uint8_t flags;
} cmp_row;

#define FLOAT_CMP(hir, name)                                                                       \
    {                                                                                              \
        IR_##hir, AMD_V_CMP_##name##_F16, AMD_V_CMP_##name##_F32, AMD_V_CMP_##name##_F64, 0, 0, 0  \
    }
static const cmp_row cmp_rows[] = {
    FLOAT_CMP(feq, EQ),
    FLOAT_CMP(fneu, NEQ),
    FLOAT_CMP(fequ, NLG),
    FLOAT_CMP(fneo, LG),
    FLOAT_CMP(flt, LT),
    FLOAT_CMP(fge, GE),
    {IR_ieq, 0, AMD_V_CMP_EQ_U32, AMD_V_CMP_EQ_U64, AMD_S_CMP_EQ_U32, AMD_S_CMP_EQ_U64, ZEXT},
    {IR_ine, 0, AMD_V_CMP_NE_U32, AMD_V_CMP_NE_U64, AMD_S_CMP_LG_U32, AMD_S_CMP_LG_U64, ZEXT},
    {IR_ilt, 0, AMD_V_CMP_LT_I32, AMD_V_CMP_LT_I64, AMD_S_CMP_LT_I32, 0, SEXT},
    {IR_ige, 0, AMD_V_CMP_GE_I32, AMD_V_CMP_GE_I64, AMD_S_CMP_GE_I32, 0, SEXT},
    {IR_ult, 0, AMD_V_CMP_LT_U32, AMD_V_CMP_LT_U64, AMD_S_CMP_LT_U32, 0, ZEXT},
    {IR_uge, 0, AMD_V_CMP_GE_U32, AMD_V_CMP_GE_U64, AMD_S_CMP_GE_U32, 0, ZEXT},
};

static const cmp_row *
find_cmp(unsigned op)
{
    for (unsigned k = 0; k < sizeof cmp_rows / sizeof *cmp_rows; k++) {
        if (cmp_rows[k].op == op)
            return &cmp_rows[k];
    }
    return NULL;
}

static void
select_cmp(sel *s, const ir_instr *i, const cmp_row *row)
{
    unsigned bits = sel_bits(s, i->refs[0]);
    bool is_float = row->v16 != 0;
    ir_ref refs[2] = {source(s, i, 0, row->flags), source(s, i, 1, row->flags)};
    unsigned salu = bits == 64 ? row->s64 : row->s32;
    bool scalar = salu && !any_vgpr(refs, 2);
    if (scalar) {
        sel_emit(s, salu, 0, 2, refs);
        sel_set_scc(s, i, sel_scc(s));
        return;
    }
    unsigned op = bits == 64 ? row->v64 : bits == 16 && is_float ? row->v16 : row->v32;
    sel_set_mask(s, i, sel_emit(s, op, s->p->lane_mask, 2, refs));
}

/* ---- selection between values ---- */

static ir_ref
cndmask(sel *s, ir_ref yes, ir_ref no, ir_ref mask)
{
    return sel_3(s, AMD_V_CNDMASK_B32, AMD_V1, no, yes, mask);
}

static void
select_bool_bcsel(sel *s, const ir_instr *i)
{
    if (s->values[i->defs[0].id].rep == SEL_BOOL) {
        ir_ref v[2];
        for (unsigned k = 0; k < 2; k++) {
            uint64_t c;
            v[k] = ir_is_const(s->hir, i->refs[k + 1], &c)
                       ? amd_const((uint32_t)c & 1)
                       : sel_3(s, AMD_S_CSELECT_B32, AMD_S1, amd_const(1), amd_const(0),
                               sel_get_scc(s, i->refs[k + 1]));
        }
        ir_ref r = sel_3(s, AMD_S_CSELECT_B32, AMD_S1, v[0], v[1], sel_get_scc(s, i->refs[0]));
        sel_2(s, AMD_S_CMP_LG_U32, 0, r, amd_const(0));
        sel_set_scc(s, i, sel_scc(s));
        return;
    }
    unsigned lm = s->p->lane_mask;
    ir_ref c = sel_get_mask(s, i->refs[0]);
    ir_ref yes = sel_2(s, SEL_LM(s, S_AND), lm, sel_get_mask(s, i->refs[1]), c);
    ir_ref no = sel_2(s, SEL_LM(s, S_ANDN2), lm, sel_get_mask(s, i->refs[2]), c);
    sel_set_mask(s, i, sel_2(s, SEL_LM(s, S_OR), lm, yes, no));
}

static void
select_bcsel(sel *s, const ir_instr *i)
{
    if (def_bits(s, i) == 1) {
        select_bool_bcsel(s, i);
        return;
    }
    bool wide = def_bits(s, i) == 64;
    ir_ref yes = sel_get(s, i->refs[1]), no = sel_get(s, i->refs[2]);
    if (!sel_wants_vgpr(s, i)) {
        ir_ref scc = sel_get_scc(s, i->refs[0]);
        sel_set(s, i,
                sel_3(s, wide ? AMD_S_CSELECT_B64 : AMD_S_CSELECT_B32, wide ? AMD_S2 : AMD_S1, yes,
                      no, scc));
        return;
    }
    ir_ref mask = sel_get_mask(s, i->refs[0]);
    if (!wide) {
        sel_set(s, i, cndmask(s, yes, no, mask));
        return;
    }
    ir_ref lo = cndmask(s, sel_half(s, yes, 0), sel_half(s, no, 0), mask);
    ir_ref hi = cndmask(s, sel_half(s, yes, 1), sel_half(s, no, 1), mask);
    sel_set(s, i, make_pair(s, true, lo, hi));
}

/* ---- 64-bit integers ---- */

/* a + b or a - b on the vector unit by halves, with the carry in a lane mask. */
static ir_ref
add64_vector(sel *s, bool sub, ir_ref a, ir_ref b)
{
    unsigned lm = s->p->lane_mask;
    ir_ref parts[2], carry = ir_none();
    for (unsigned h = 0; h < 2; h++) {
        ir_ref refs[3] = {sel_half(s, a, h), sel_as_vgpr(s, sel_half(s, b, h)), carry};
        unsigned op = h == 0 ? (sub ? AMD_V_SUB_CO_U32 : AMD_V_ADD_CO_U32)
                             : (sub ? AMD_V_SUB_CO_CI_U32 : AMD_V_ADD_CO_CI_U32);
        refs[0] = h == 1 && !sel_is_vgpr(refs[0]) ? sel_as_vgpr(s, refs[0]) : refs[0];
        ir_instr *i = amd_new(s->f, op, 2, 2 + h);
        for (unsigned r = 0; r < 2 + h; r++)
            i->refs[r] = refs[r];
        i->loc = s->loc;
        parts[h] = ir_define(s->f, i, 0, AMD_V1);
        carry = ir_define(s->f, i, 1, (ir_type)lm);
        ir_append(s->cur, i);
    }
    return make_pair(s, true, parts[0], parts[1]);
}

static ir_ref
add64_scalar(sel *s, bool sub, ir_ref a, ir_ref b)
{
    ir_ref a1 = sel_half(s, a, 1), b1 = sel_half(s, b, 1), a0 = sel_half(s, a, 0),
           b0 = sel_half(s, b, 0);
    ir_ref lo = sel_2(s, sub ? AMD_S_SUB_U32 : AMD_S_ADD_U32, AMD_S1, a0, b0);
    ir_ref hi = sel_3(s, sub ? AMD_S_SUBB_U32 : AMD_S_ADDC_U32, AMD_S1, a1, b1, sel_scc(s));
    return make_pair(s, false, lo, hi);
}

static void
select_add64(sel *s, const ir_instr *i, bool sub, ir_ref a, ir_ref b)
{
    sel_set(s, i, sel_wants_vgpr(s, i) ? add64_vector(s, sub, a, b) : add64_scalar(s, sub, a, b));
}

/* Logic of 64-bit vectors by halves. */
static void
select_logic64(sel *s, const ir_instr *i)
{
    unsigned op = alu_rows[i->op].v32;
    ir_ref parts[2];
    for (unsigned h = 0; h < 2; h++) {
        ir_ref refs[2];
        for (unsigned r = 0; r < i->n_refs; r++)
            refs[r] = sel_half(s, sel_get(s, i->refs[r]), h);
        parts[h] = sel_emit(s, op, AMD_V1, i->n_refs, refs);
    }
    sel_set(s, i, make_pair(s, true, parts[0], parts[1]));
}

/* ---- float sequences ---- */

/* An instruction with `clamp`, both sources the same. */
static ir_ref
clamped(sel *s, unsigned op, unsigned rc, ir_ref a)
{
    ir_ref r = sel_2(s, op, rc, a, a);
    s->last->words[0] |= 1u << AMD_MOD_CLAMP;
    return r;
}

static ir_ref
sign_op(sel *s, const ir_instr *i, bool neg)
{
    unsigned bits = def_bits(s, i);
    ir_ref a = sel_get(s, i->refs[0]);
    unsigned op = neg ? AMD_V_XOR_B32 : AMD_V_AND_B32;
    uint32_t mask = bits == 16 ? 0x8000u : 0x80000000u;
    ir_ref m = amd_const(neg ? mask : ~mask);
    if (bits < 64)
        return sel_2(s, op, AMD_V1, m, a);
    return make_pair(s, true, sel_as_vgpr(s, sel_half(s, a, 0)),
                     sel_2(s, op, AMD_V1, m, sel_half(s, a, 1)));
}

static void
select_fsign(sel *s, const ir_instr *i)
{
    unsigned bits = def_bits(s, i), lm = s->p->lane_mask;
    ir_ref a = sel_as_vgpr(s, sel_get(s, i->refs[0]));
    ir_ref zero = bits == 64 ? amd_const64(0) : amd_const(0);
    unsigned gt = bits == 16 ? AMD_V_CMP_LT_F16 : bits == 32 ? AMD_V_CMP_LT_F32 : AMD_V_CMP_LT_F64;
    unsigned lt = bits == 16 ? AMD_V_CMP_GT_F16 : bits == 32 ? AMD_V_CMP_GT_F32 : AMD_V_CMP_GT_F64;
    uint32_t one = bits == 16 ? 0x3c00 : bits == 32 ? 0x3f800000 : 0x3ff00000;
    uint32_t minus = bits == 16 ? 0xbc00 : bits == 32 ? 0xbf800000 : 0xbff00000;
    ir_ref is_pos = sel_2(s, gt, lm, zero, a), is_neg = sel_2(s, lt, lm, zero, a);
    ir_ref top = bits == 64 ? sel_half(s, a, 1) : a;
    ir_ref r = cndmask(s, amd_const(one), top, is_pos);
    r = cndmask(s, amd_const(minus), r, is_neg);
    if (bits == 64) {
        ir_ref any = sel_2(s, SEL_LM(s, S_OR), lm, is_pos, is_neg);
        r = make_pair(s, true, cndmask(s, amd_const(0), sel_half(s, a, 0), any), r);
    }
    sel_set(s, i, r);
}

/* Division of f32 and f16: numerator times the reciprocal, within Vulkan's 2.5 ulp. f64: the scale,
 * fmas, fixup sequence of the RDNA 2 ISA guide, V_DIV_SCALE_F64. */
static ir_ref
div_f64(sel *s, ir_ref a, ir_ref b)
{
    unsigned lm = s->p->lane_mask;
    ir_ref scale[2], vcc = ir_none();
    ir_ref one = sel_copy(s, AMD_V2,
                          sel_join(s, true, 2, (ir_ref[]){amd_const(0), amd_const(0x3ff00000)}));
    a = sel_as_vgpr(s, a);
    b = sel_as_vgpr(s, b);
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
    ir_ref x = sel_1(s, AMD_V_RCP_F64, AMD_V2, scale[0]);
    for (unsigned k = 0; k < 2; k++) {
        ir_ref e = sel_3(s, AMD_V_FMA_F64, AMD_V2, scale[0], x, one);
        s->last->words[0] |= 1u << AMD_MOD_NEG;
        x = sel_3(s, AMD_V_FMA_F64, AMD_V2, x, e, x);
    }
    ir_ref q = sel_2(s, AMD_V_MUL_F64, AMD_V2, scale[1], x);
    ir_ref e = sel_3(s, AMD_V_FMA_F64, AMD_V2, scale[0], q, scale[1]);
    s->last->words[0] |= 1u << AMD_MOD_NEG;
    ir_ref refs[4] = {e, x, q, amd_fixed(vcc, AMD_VCC)};
    ir_ref r = sel_emit(s, AMD_V_DIV_FMAS_F64, AMD_V2, 4, refs);
    return sel_3(s, AMD_V_DIV_FIXUP_F64, AMD_V2, r, b, a);
}

static void
select_fdiv(sel *s, const ir_instr *i)
{
    unsigned bits = def_bits(s, i);
    ir_ref a = sel_get(s, i->refs[0]), b = sel_get(s, i->refs[1]);
    if (bits == 64) {
        sel_set(s, i, div_f64(s, a, b));
        return;
    }
    ir_ref r = sel_1(s, bits == 16 ? AMD_V_RCP_F16 : AMD_V_RCP_F32, AMD_V1, b);
    sel_set(s, i, sel_2(s, bits == 16 ? AMD_V_MUL_F16 : AMD_V_MUL_F32, AMD_V1, a, r));
}

static void
select_trig(sel *s, const ir_instr *i)
{
    bool half = def_bits(s, i) == 16, sine = i->op == IR_fsin;
    ir_ref a = sel_get(s, i->refs[0]);
    if (half)
        a = sel_1(s, AMD_V_CVT_F32_F16, AMD_V1, a);
    ir_ref turns = sel_2(s, AMD_V_MUL_F32, AMD_V1, amd_const(0x3e22f983), a);
    turns = sel_1(s, AMD_V_FRACT_F32, AMD_V1, turns);
    ir_ref r = sel_1(s, sine ? AMD_V_SIN_F32 : AMD_V_COS_F32, AMD_V1, turns);
    sel_set(s, i, half ? sel_1(s, AMD_V_CVT_F16_F32, AMD_V1, r) : r);
}

static void
select_fpow(sel *s, const ir_instr *i)
{
    bool half = def_bits(s, i) == 16;
    ir_ref a = sel_get(s, i->refs[0]), b = sel_get(s, i->refs[1]);
    if (half) {
        a = sel_1(s, AMD_V_CVT_F32_F16, AMD_V1, a);
        b = sel_1(s, AMD_V_CVT_F32_F16, AMD_V1, b);
    }
    ir_ref l = sel_1(s, AMD_V_LOG_F32, AMD_V1, a);
    ir_ref r = sel_1(s, AMD_V_EXP_F32, AMD_V1, sel_2(s, AMD_V_MUL_LEGACY_F32, AMD_V1, b, l));
    sel_set(s, i, half ? sel_1(s, AMD_V_CVT_F16_F32, AMD_V1, r) : r);
}

/* f64 reciprocal, square root and its reciprocal: the hardware's estimate and Newton steps in fma.
 */
static void
select_f64_estimate(sel *s, const ir_instr *i)
{
    ir_ref a = sel_as_vgpr(s, sel_get(s, i->refs[0]));
    ir_ref one = sel_join(s, true, 2, (ir_ref[]){amd_const(0), amd_const(0x3ff00000)});
    if (i->op == IR_frcp) {
        sel_set(s, i, div_f64(s, one, a));
        return;
    }
    /* Goldschmidt's iteration from y = rsq(a): g = a y, h = y / 2; r = 1/2 - h g; g += g r; h += h
     * r. Inputs are scaled by 2^256 when tiny so that no step underflows; 0 and infinity are passed
     * through. */
    unsigned lm = s->p->lane_mask;
    ir_ref half = sel_copy(s, AMD_V2,
                           sel_join(s, true, 2, (ir_ref[]){amd_const(0), amd_const(0x3fe00000)}));
    ir_ref tiny = sel_2(s, AMD_V_CMP_GT_F64, lm,
                        sel_join(s, true, 2, (ir_ref[]){amd_const(0), amd_const(0x10000000)}), a);
    ir_ref up = cndmask(s, amd_const(256), amd_const(0), tiny);
    ir_ref x = sel_2(s, AMD_V_LDEXP_F64, AMD_V2, a, up);
    ir_ref y = sel_1(s, AMD_V_RSQ_F64, AMD_V2, x);
    ir_ref g = sel_2(s, AMD_V_MUL_F64, AMD_V2, x, y), h = sel_2(s, AMD_V_MUL_F64, AMD_V2, y, half);
    ir_ref r = sel_3(s, AMD_V_FMA_F64, AMD_V2, h, g, half);
    s->last->words[0] |= 1u << AMD_MOD_NEG;
    g = sel_3(s, AMD_V_FMA_F64, AMD_V2, g, r, g);
    h = sel_3(s, AMD_V_FMA_F64, AMD_V2, h, r, h);
    for (unsigned k = 0; k < 2; k++) {
        ir_ref d = sel_3(s, AMD_V_FMA_F64, AMD_V2, g, g, x);
        s->last->words[0] |= 1u << AMD_MOD_NEG;
        g = sel_3(s, AMD_V_FMA_F64, AMD_V2, d, h, g);
    }
    ir_ref down = cndmask(s, amd_const((uint32_t)-128), amd_const(0), tiny);
    ir_ref root = sel_2(s, AMD_V_LDEXP_F64, AMD_V2, g, down);
    /* class 0x260: +0, -0, +infinity (RDNA 2 ISA, V_CMP_CLASS: bits 5, 6, 9) */
    ir_ref special = sel_2(s, AMD_V_CMP_CLASS_F64, lm, a, amd_const(0x260));
    ir_ref lo = cndmask(s, sel_half(s, a, 0), sel_half(s, root, 0), special);
    ir_ref hi = cndmask(s, sel_half(s, a, 1), sel_half(s, root, 1), special);
    ir_ref sqrt = make_pair(s, true, lo, hi);
    sel_set(s, i, i->op == IR_fsqrt ? sqrt : div_f64(s, one, sqrt));
}

/* ---- conversions ---- */

static ir_ref
f32_of(sel *s, ir_ref a, unsigned bits)
{
    return bits == 16   ? sel_1(s, AMD_V_CVT_F32_F16, AMD_V1, a)
           : bits == 64 ? sel_1(s, AMD_V_CVT_F32_F64, AMD_V1, a)
                        : a;
}

/* f64 to f32 towards zero: where the nearest f32 is larger in magnitude, the one below it. */
static ir_ref
f32_towards_zero(sel *s, ir_ref a)
{
    ir_ref near = sel_1(s, AMD_V_CVT_F32_F64, AMD_V1, a);
    ir_ref back = sel_1(s, AMD_V_CVT_F64_F32, AMD_V2, near);
    ir_ref larger = sel_2(s, AMD_V_CMP_GT_F64, s->p->lane_mask, back, a);
    s->last->words[0] |= 3u << AMD_MOD_ABS;
    ir_ref below = sel_2(s, AMD_V_ADD_NC_U32, AMD_V1, amd_const(UINT32_MAX), near);
    return cndmask(s, below, near, larger);
}

static void
select_f2f(sel *s, const ir_instr *i)
{
    unsigned from = sel_bits(s, i->refs[0]), to = def_bits(s, i);
    ir_ref a = sel_get(s, i->refs[0]);
    if (from == to) {
        sel_set(s, i, a);
        return;
    }
    if (i->op == IR_f2f_rtz && to == 16) {
        a = f32_of(s, a, from);
        sel_set(s, i, sel_2(s, AMD_V_CVT_PKRTZ_F16_F32, AMD_V1, a, amd_const(0)));
        return;
    }
    if (i->op == IR_f2f_rtz && from == 64) {
        sel_set(s, i, f32_towards_zero(s, a));
        return;
    }
    if (to == 16)
        a = sel_1(s, AMD_V_CVT_F16_F32, AMD_V1, f32_of(s, a, from));
    else if (to == 32)
        a = f32_of(s, a, from);
    else
        a = sel_1(s, AMD_V_CVT_F64_F32, AMD_V2, f32_of(s, a, from));
    sel_set(s, i, a);
}

/* Conversions to 8 and 16 bits saturate as those to 32 do. */
static ir_ref
saturate(sel *s, ir_ref v, unsigned bits, bool sign)
{
    uint32_t max = (uint32_t)base_mask64(sign ? bits - 1 : bits);
    if (bits >= 32)
        return v;
    if (!sign)
        return sel_2(s, AMD_V_MIN_U32, AMD_V1, amd_const(max), v);
    ir_ref low = sel_2(s, AMD_V_MAX_I32, AMD_V1, amd_const(~max), v);
    return sel_2(s, AMD_V_MIN_I32, AMD_V1, amd_const(max), low);
}

static void
select_float_to_int(sel *s, const ir_instr *i)
{
    bool sign = i->op == IR_f2i;
    unsigned from = sel_bits(s, i->refs[0]), to = def_bits(s, i);
    ir_ref a = sel_get(s, i->refs[0]);
    if (to == 64)
        sel_unsupported(s, "a conversion of a float to a 64-bit integer that was not lowered");
    if (from == 64)
        a = sel_1(s, sign ? AMD_V_CVT_I32_F64 : AMD_V_CVT_U32_F64, AMD_V1, a);
    else
        a = sel_1(s, sign ? AMD_V_CVT_I32_F32 : AMD_V_CVT_U32_F32, AMD_V1, f32_of(s, a, from));
    sel_set(s, i, saturate(s, a, to, sign));
}

static void
select_int_to_float(sel *s, const ir_instr *i)
{
    bool sign = i->op == IR_i2f;
    unsigned from = sel_bits(s, i->refs[0]), to = def_bits(s, i);
    ir_ref a = source(s, i, 0, sign ? SEXT : ZEXT);
    if (from == 64)
        sel_unsupported(s, "a conversion of a 64-bit integer to a float that was not lowered");
    if (to == 64) {
        sel_set(s, i, sel_1(s, sign ? AMD_V_CVT_F64_I32 : AMD_V_CVT_F64_U32, AMD_V2, a));
        return;
    }
    if (to == 16 && from <= 16) {
        sel_set(s, i, sel_1(s, sign ? AMD_V_CVT_F16_I16 : AMD_V_CVT_F16_U16, AMD_V1, a));
        return;
    }
    ir_ref f = sel_1(s, sign ? AMD_V_CVT_F32_I32 : AMD_V_CVT_F32_U32, AMD_V1, a);
    sel_set(s, i, to == 16 ? sel_1(s, AMD_V_CVT_F16_F32, AMD_V1, f) : f);
}

static void
select_int_resize(sel *s, const ir_instr *i)
{
    bool sign = i->op == IR_i2i;
    unsigned from = sel_bits(s, i->refs[0]), to = def_bits(s, i);
    bool vgpr = sel_wants_vgpr(s, i);
    if (to <= from) {
        ir_ref a = sel_get(s, i->refs[0]);
        sel_set(s, i, from == 64 && to < 64 ? sel_half(s, a, 0) : a);
        return;
    }
    ir_ref a = source(s, i, 0, sign ? SEXT : ZEXT);
    if (to < 64) {
        sel_set(s, i, a);
        return;
    }
    ir_ref hi = amd_const(0);
    if (sign)
        hi = vgpr ? sel_2(s, AMD_V_ASHRREV_I32, AMD_V1, amd_const(31), a)
                  : sel_2(s, AMD_S_ASHR_I32, AMD_S1, a, amd_const(31));
    sel_set(s, i, make_pair(s, vgpr, a, hi));
}

static void
select_bool_to_number(sel *s, const ir_instr *i)
{
    unsigned bits = def_bits(s, i);
    uint32_t one = i->op == IR_b2i ? 1 : bits == 16 ? 0x3c00 : bits == 32 ? 0x3f800000 : 0x3ff00000;
    bool high = i->op == IR_b2f && bits == 64, vgpr = sel_wants_vgpr(s, i);
    ir_ref r;
    if (vgpr) {
        r = cndmask(s, amd_const(one), amd_const(0), sel_get_mask(s, i->refs[0]));
    } else {
        ir_ref scc = sel_get_scc(s, i->refs[0]);
        r = sel_3(s, AMD_S_CSELECT_B32, AMD_S1, amd_const(one), amd_const(0), scc);
    }
    if (bits == 64)
        r = high ? make_pair(s, vgpr, amd_const(0), r) : make_pair(s, vgpr, r, amd_const(0));
    sel_set(s, i, r);
}

/* ---- bits ---- */

static void
select_bfe(sel *s, const ir_instr *i)
{
    bool sign = i->op == IR_ibitfield_extract;
    ir_ref a = sel_get(s, i->refs[0]), offset = sel_get(s, i->refs[1]),
           count = sel_get(s, i->refs[2]);
    if (sel_bits(s, i->refs[0]) != 32)
        sel_unsupported(s, "bit field extraction of other sizes than 32 bits that was not lowered");
    if (sel_wants_vgpr(s, i)) {
        /* The hardware takes the count modulo 32; a count of 32 (with offset 0) is the value
         * itself. */
        ir_ref r = sel_3(s, sign ? AMD_V_BFE_I32 : AMD_V_BFE_U32, AMD_V1, a, offset, count);
        if (count.kind == IR_REF_CONST) {
            sel_set(s, i, count.id >= 32 ? a : r);
            return;
        }
        ir_ref full = sel_2(s, AMD_V_CMP_LT_U32, s->p->lane_mask, amd_const(31),
                            sel_as_vgpr(s, count));
        sel_set(s, i, cndmask(s, a, r, full));
        return;
    }
    /* s_bfe takes offset and a 7-bit count in one word: offset | count << 16. */
    ir_ref packed;
    if (offset.kind == IR_REF_CONST && count.kind == IR_REF_CONST)
        packed = amd_const((offset.id & 31) | count.id << 16);
    else
        packed = sel_2(s, AMD_S_OR_B32, AMD_S1,
                       sel_2(s, AMD_S_LSHL_B32, AMD_S1, count, amd_const(16)), offset);
    sel_set(s, i, sel_2(s, sign ? AMD_S_BFE_I32 : AMD_S_BFE_U32, AMD_S1, a, packed));
}

static void
select_bitfield_select(sel *s, const ir_instr *i)
{
    ir_ref m = sel_get(s, i->refs[0]), a = sel_get(s, i->refs[1]), b = sel_get(s, i->refs[2]);
    if (def_bits(s, i) == 64)
        sel_unsupported(s, "64-bit bitfield_select that was not lowered");
    if (sel_wants_vgpr(s, i)) {
        sel_set(s, i, sel_3(s, AMD_V_BFI_B32, AMD_V1, m, a, b));
        return;
    }
    ir_ref x = sel_2(s, AMD_S_AND_B32, AMD_S1, a, m), y = sel_2(s, AMD_S_ANDN2_B32, AMD_S1, b, m);
    sel_set(s, i, sel_2(s, AMD_S_OR_B32, AMD_S1, x, y));
}

static void
select_bit_count(sel *s, const ir_instr *i)
{
    bool wide = sel_bits(s, i->refs[0]) == 64;
    ir_ref a = source(s, i, 0, ZEXT);
    if (!sel_wants_vgpr(s, i)) {
        sel_set(s, i, sel_1(s, wide ? AMD_S_BCNT1_I32_B64 : AMD_S_BCNT1_I32_B32, AMD_S1, a));
        return;
    }
    ir_ref lo = wide ? sel_half(s, a, 0) : a;
    ir_ref n = sel_2(s, AMD_V_BCNT_U32_B32, AMD_V1, lo, amd_const(0));
    sel_set(s, i, wide ? sel_2(s, AMD_V_BCNT_U32_B32, AMD_V1, sel_half(s, a, 1), n) : n);
}

/* The position of the highest bit (that differs from the sign): 31 - leading bits; -1 where the
 * hardware finds none. */
static void
select_find_msb(sel *s, const ir_instr *i)
{
    bool sign = i->op == IR_ifind_msb;
    ir_ref a = source(s, i, 0, sign ? SEXT : ZEXT);
    if (sel_bits(s, i->refs[0]) == 64)
        sel_unsupported(s, "64-bit find_msb that was not lowered");
    if (!sel_wants_vgpr(s, i)) {
        ir_ref lead = sel_1(s, sign ? AMD_S_FLBIT_I32 : AMD_S_FLBIT_I32_B32, AMD_S1, a);
        ir_ref pos = sel_2(s, AMD_S_SUB_U32, AMD_S1, amd_const(31), lead);
        sel_2(s, AMD_S_CMP_LG_U32, 0, lead, amd_const(UINT32_MAX));
        sel_set(s, i, sel_3(s, AMD_S_CSELECT_B32, AMD_S1, pos, amd_const(UINT32_MAX), sel_scc(s)));
        return;
    }
    ir_ref lead = sel_1(s, sign ? AMD_V_FFBH_I32 : AMD_V_FFBH_U32, AMD_V1, a);
    ir_ref pos = sel_2(s, AMD_V_SUB_NC_U32, AMD_V1, amd_const(31), lead);
    ir_ref found = sel_2(s, AMD_V_CMP_NE_U32, s->p->lane_mask, amd_const(UINT32_MAX), lead);
    sel_set(s, i, cndmask(s, pos, amd_const(UINT32_MAX), found));
}

static void
select_carry(sel *s, const ir_instr *i)
{
    bool sub = i->op == IR_usub_borrow, vgpr = sel_wants_vgpr(s, i);
    ir_ref a = sel_get(s, i->refs[0]), b = sel_get(s, i->refs[1]);
    if (def_bits(s, i) != 32)
        sel_unsupported(s, "carry of other sizes than 32 bits that was not lowered");
    if (!vgpr) {
        sel_2(s, sub ? AMD_S_SUB_U32 : AMD_S_ADD_U32, AMD_S1, a, b);
        sel_set(s, i, sel_3(s, AMD_S_CSELECT_B32, AMD_S1, amd_const(1), amd_const(0), sel_scc(s)));
        return;
    }
    ir_instr *add = amd_new(s->f, sub ? AMD_V_SUB_CO_U32 : AMD_V_ADD_CO_U32, 2, 2);
    add->refs[0] = a;
    add->refs[1] = sel_as_vgpr(s, b);
    add->loc = s->loc;
    ir_define(s->f, add, 0, AMD_V1);
    ir_ref carry = ir_define(s->f, add, 1, s->p->lane_mask);
    ir_append(s->cur, add);
    sel_set(s, i, cndmask(s, amd_const(1), amd_const(0), carry));
}

static void
select_mul_wide(sel *s, const ir_instr *i)
{
    bool sign = i->op == IR_imul_2x32_64, vgpr = sel_wants_vgpr(s, i);
    ir_ref a = sel_get(s, i->refs[0]), b = sel_get(s, i->refs[1]);
    if (!vgpr) {
        ir_ref lo = sel_2(s, AMD_S_MUL_I32, AMD_S1, a, b);
        ir_ref hi = sel_2(s, sign ? AMD_S_MUL_HI_I32 : AMD_S_MUL_HI_U32, AMD_S1, a, b);
        sel_set(s, i, make_pair(s, false, lo, hi));
        return;
    }
    ir_ref lo = sel_2(s, AMD_V_MUL_LO_U32, AMD_V1, a, b);
    ir_ref hi = sel_2(s, sign ? AMD_V_MUL_HI_I32 : AMD_V_MUL_HI_U32, AMD_V1, a, b);
    sel_set(s, i, make_pair(s, true, lo, hi));
}

static void
select_pack16(sel *s, const ir_instr *i)
{
    ir_ref a = sel_get(s, i->refs[0]), b = sel_get(s, i->refs[1]);
    if (!sel_wants_vgpr(s, i)) {
        sel_set(s, i, sel_2(s, AMD_S_PACK_LL_B32_B16, AMD_S1, a, b));
        return;
    }
    ir_ref lo = source(s, i, 0, ZEXT);
    ir_ref hi = sel_2(s, AMD_V_LSHLREV_B32, AMD_V1, amd_const(16), b);
    sel_set(s, i, sel_2(s, AMD_V_OR_B32, AMD_V1, lo, hi));
}

static void
select_extract(sel *s, const ir_instr *i)
{
    bool sign = i->op == IR_extract_i8 || i->op == IR_extract_i16;
    unsigned bits = i->op == IR_extract_u8 || i->op == IR_extract_i8 ? 8 : 16;
    ir_ref a = sel_get(s, i->refs[0]), n = sel_get(s, i->refs[1]);
    bool vgpr = sel_wants_vgpr(s, i);
    if (n.kind != IR_REF_CONST)
        sel_unsupported(s, "extract of a part that is not constant");
    unsigned at = n.id * bits % 32;
    if (vgpr)
        sel_set(s, i,
                sel_3(s, sign ? AMD_V_BFE_I32 : AMD_V_BFE_U32, AMD_V1, a, amd_const(at),
                      amd_const(bits)));
    else
        sel_set(
            s, i,
            sel_2(s, sign ? AMD_S_BFE_I32 : AMD_S_BFE_U32, AMD_S1, a, amd_const(at | bits << 16)));
}

static void
select_dot(sel *s, const ir_instr *i)
{
    bool sign = i->op == IR_sdot_4x8_iadd || i->op == IR_sdot_4x8_iadd_sat;
    bool sat = i->op == IR_sdot_4x8_iadd_sat || i->op == IR_udot_4x8_uadd_sat;
    if (i->op == IR_sudot_4x8_iadd || i->op == IR_sudot_4x8_iadd_sat)
        sel_unsupported(s, "a dot product of mixed signs that was not lowered");
    ir_ref refs[3] = {sel_get(s, i->refs[0]), sel_get(s, i->refs[1]), sel_get(s, i->refs[2])};
    sel_set(s, i, sel_emit(s, sign ? AMD_V_DOT4_I32_I8 : AMD_V_DOT4_U32_U8, AMD_V1, 3, refs));
    if (sat)
        s->last->words[0] |= 1u << AMD_MOD_CLAMP;
}

static void
select_iabs(sel *s, const ir_instr *i)
{
    ir_ref a = source(s, i, 0, SEXT);
    if (def_bits(s, i) == 64)
        sel_unsupported(s, "64-bit iabs that was not lowered");
    if (!sel_wants_vgpr(s, i)) {
        sel_set(s, i, sel_1(s, AMD_S_ABS_I32, AMD_S1, a));
        return;
    }
    ir_ref n = sel_2(s, AMD_V_SUB_NC_U32, AMD_V1, amd_const(0), a);
    sel_set(s, i, sel_2(s, AMD_V_MAX_I32, AMD_V1, a, n));
}

static void
select_isign(sel *s, const ir_instr *i)
{
    ir_ref a = source(s, i, 0, SEXT);
    if (def_bits(s, i) == 64)
        sel_unsupported(s, "64-bit isign that was not lowered");
    if (sel_wants_vgpr(s, i)) {
        sel_set(s, i, sel_3(s, AMD_V_MED3_I32, AMD_V1, amd_const(UINT32_MAX), a, amd_const(1)));
        return;
    }
    ir_ref low = sel_2(s, AMD_S_MAX_I32, AMD_S1, a, amd_const(UINT32_MAX));
    sel_set(s, i, sel_2(s, AMD_S_MIN_I32, AMD_S1, low, amd_const(1)));
}

static void
select_saturating(sel *s, const ir_instr *i)
{
    static const struct {
        uint16_t op, valu;
    } ops[] = {{IR_iadd_sat, AMD_V_ADD_NC_I32},
               {IR_uadd_sat, AMD_V_ADD_NC_U32},
               {IR_isub_sat, AMD_V_SUB_NC_I32},
               {IR_usub_sat, AMD_V_SUB_NC_U32}};
    if (def_bits(s, i) != 32)
        sel_unsupported(s,
                        "saturating arithmetic of other sizes than 32 bits that was not lowered");
    unsigned k = 0;
    while (ops[k].op != i->op)
        k++;
    ir_ref r = sel_2(s, ops[k].valu, AMD_V1, sel_get(s, i->refs[0]), sel_get(s, i->refs[1]));
    s->last->words[0] |= 1u << AMD_MOD_CLAMP;
    sel_set(s, i, r);
}

static void
select_quantize(sel *s, const ir_instr *i)
{
    ir_ref a = sel_get(s, i->refs[0]);
    ir_ref h = sel_1(s, AMD_V_CVT_F16_F32, AMD_V1, a);
    /* class 0x90: negative and positive denormals become a zero of the same sign (RDNA 2 ISA,
     * V_CMP_CLASS: bits 4 and 7) */
    ir_ref tiny = sel_2(s, AMD_V_CMP_CLASS_F16, s->p->lane_mask, h, amd_const(0x90));
    ir_ref wide = sel_1(s, AMD_V_CVT_F32_F16, AMD_V1, h);
    ir_ref zero = sel_2(s, AMD_V_AND_B32, AMD_V1, amd_const(0x80000000), wide);
    sel_set(s, i, cndmask(s, zero, wide, tiny));
}

/* f16 ldexp and frexp_exp go through f32; v_ldexp_f16 takes only 16-bit exponents. */
static void
select_half_exponent(sel *s, const ir_instr *i)
{
    ir_ref a = sel_1(s, AMD_V_CVT_F32_F16, AMD_V1, sel_get(s, i->refs[0]));
    if (i->op == IR_frexp_exp) {
        sel_set(s, i, sel_1(s, AMD_V_FREXP_EXP_I32_F32, AMD_V1, a));
        return;
    }
    ir_ref r = sel_2(s, AMD_V_LDEXP_F32, AMD_V1, a, sel_get(s, i->refs[1]));
    sel_set(s, i, sel_1(s, AMD_V_CVT_F16_F32, AMD_V1, r));
}

static void
select_fsub64(sel *s, const ir_instr *i)
{
    ir_ref r = sel_2(s, AMD_V_ADD_F64, AMD_V2, sel_get(s, i->refs[0]), sel_get(s, i->refs[1]));
    s->last->words[0] |= 2u << AMD_MOD_NEG;
    sel_set(s, i, r);
}

static void
select_find_lsb64(sel *s, const ir_instr *i)
{
    ir_ref a = sel_get(s, i->refs[0]);
    ir_ref lo = sel_1(s, AMD_V_FFBL_B32, AMD_V1, sel_half(s, a, 0));
    ir_ref hi = sel_1(s, AMD_V_FFBL_B32, AMD_V1, sel_half(s, a, 1));
    /* 32 added with saturation keeps "none" (all ones) the largest */
    hi = sel_2(s, AMD_V_ADD_NC_U32, AMD_V1, amd_const(32), hi);
    s->last->words[0] |= 1u << AMD_MOD_CLAMP;
    sel_set(s, i, sel_2(s, AMD_V_MIN_U32, AMD_V1, lo, hi));
}

/* Sequences; false if `i` is none of them. */
static bool
select_sequence(sel *s, const ir_instr *i)
{
    unsigned bits = def_bits(s, i);
    switch (i->op) {
    case IR_fneg: sel_set(s, i, sign_op(s, i, true)); return true;
    case IR_fabs: sel_set(s, i, sign_op(s, i, false)); return true;
    case IR_fsat:
        sel_set(s, i,
                clamped(s,
                        bits == 16   ? AMD_V_MAX_F16
                        : bits == 32 ? AMD_V_MAX_F32
                                     : AMD_V_MAX_F64,
                        amd_rc(true, bits == 64 ? 8 : 4), sel_get(s, i->refs[0])));
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
    case IR_bcsel: select_bcsel(s, i); return true;
    default: return false;
    }
}

static bool
select_int_sequence(sel *s, const ir_instr *i)
{
    unsigned bits = def_bits(s, i);
    bool vgpr = sel_wants_vgpr(s, i);
    ir_ref zero = bits == 64 ? amd_const64(0) : amd_const(0);
    switch (i->op) {
    case IR_iadd:
    case IR_isub:
        select_add64(s, i, i->op == IR_isub, sel_get(s, i->refs[0]), sel_get(s, i->refs[1]));
        return true;
    case IR_ineg:
        if (bits == 64)
            select_add64(s, i, true, zero, sel_get(s, i->refs[0]));
        else
            sel_set(s, i,
                    sel_2(s, vgpr ? AMD_V_SUB_NC_U32 : AMD_S_SUB_U32, vgpr ? AMD_V1 : AMD_S1, zero,
                          sel_get(s, i->refs[0])));
        return true;
    case IR_iand:
    case IR_ior:
    case IR_ixor:
    case IR_inot: select_logic64(s, i); return true;
    case IR_iabs: select_iabs(s, i); return true;
    case IR_isign: select_isign(s, i); return true;
    case IR_iadd_sat:
    case IR_uadd_sat:
    case IR_isub_sat:
    case IR_usub_sat: select_saturating(s, i); return true;
    case IR_uadd_carry:
    case IR_usub_borrow: select_carry(s, i); return true;
    case IR_imul_2x32_64:
    case IR_umul_2x32_64: select_mul_wide(s, i); return true;
    case IR_ubitfield_extract:
    case IR_ibitfield_extract: select_bfe(s, i); return true;
    case IR_bitfield_select: select_bitfield_select(s, i); return true;
    case IR_bit_count: select_bit_count(s, i); return true;
    case IR_find_lsb: select_find_lsb64(s, i); return true;
    case IR_ufind_msb:
    case IR_ifind_msb: select_find_msb(s, i); return true;
    case IR_pack_64_2x32:
        sel_set(s, i, make_pair(s, vgpr, sel_get(s, i->refs[0]), sel_get(s, i->refs[1])));
        return true;
    case IR_unpack_64_2x32_x:
    case IR_unpack_64_2x32_y:
        sel_set(s, i, sel_half(s, sel_get(s, i->refs[0]), i->op == IR_unpack_64_2x32_y));
        return true;
    case IR_pack_32_2x16: select_pack16(s, i); return true;
    case IR_unpack_32_2x16_x: sel_set(s, i, sel_get(s, i->refs[0])); return true;
    case IR_unpack_32_2x16_y:
        sel_set(s, i,
                vgpr ? sel_2(s, AMD_V_LSHRREV_B32, AMD_V1, amd_const(16), sel_get(s, i->refs[0]))
                     : sel_2(s, AMD_S_LSHR_B32, AMD_S1, sel_get(s, i->refs[0]), amd_const(16)));
        return true;
    case IR_extract_u8:
    case IR_extract_i8:
    case IR_extract_u16:
    case IR_extract_i16: select_extract(s, i); return true;
    case IR_sdot_4x8_iadd:
    case IR_udot_4x8_uadd:
    case IR_sudot_4x8_iadd:
    case IR_sdot_4x8_iadd_sat:
    case IR_udot_4x8_uadd_sat:
    case IR_sudot_4x8_iadd_sat: select_dot(s, i); return true;
    default: return false;
    }
}

static bool
is_bool_value(const sel *s, ir_ref r)
{
    return ir_is_value(r) && sel_bits(s, r) == 1;
}

void
sel_alu(sel *s, const ir_instr *i)
{
    const cmp_row *cmp = find_cmp(i->op);
    if (is_bool_value(s, i->refs[0]) && def_bits(s, i) == 1 && i->op != IR_bcsel)
        select_bool_logic(s, i);
    else if (cmp)
        select_cmp(s, i, cmp);
    else if (!select_row(s, i) && !select_sequence(s, i) && !select_int_sequence(s, i))
        sel_unsupported(s, s->hir->level->ops[i->op].name);
}

/* For sel_decide_reps: can the scalar unit compute `op` on sources of `bits` bits? */
bool
sel_alu_is_scalar(unsigned op, unsigned bits)
{
    const alu_row *row = &alu_rows[op];
    if (bits <= 32 ? row->s32 : row->s64)
        return true;
    switch (op) {
    case IR_iadd:
    case IR_isub:
    case IR_ineg:
    case IR_i2i:
    case IR_u2u:
    case IR_b2f:
    case IR_b2i:
    case IR_bcsel:
    case IR_bit_count:
    case IR_pack_64_2x32:
    case IR_unpack_64_2x32_x:
    case IR_unpack_64_2x32_y: return true;
    case IR_iabs:
    case IR_isign:
    case IR_imul_2x32_64:
    case IR_umul_2x32_64:
    case IR_uadd_carry:
    case IR_usub_borrow:
    case IR_ubitfield_extract:
    case IR_ibitfield_extract:
    case IR_bitfield_select:
    case IR_ufind_msb:
    case IR_ifind_msb:
    case IR_pack_32_2x16:
    case IR_unpack_32_2x16_x:
    case IR_unpack_32_2x16_y:
    case IR_extract_u8:
    case IR_extract_i8:
    case IR_extract_u16:
    case IR_extract_i16: return bits <= 32;
    default: return false;
    }
}

/* ... and can it compare? */
bool
sel_cmp_is_scalar(unsigned op, unsigned bits)
{
    const cmp_row *row = find_cmp(op);
    return row && (bits == 64 ? row->s64 : row->s32);
}
