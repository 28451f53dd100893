/* Selection of pairs of 16-bit operations (opt/pair_halves.h) as packed instructions.
 *
 * VOP3P instructions choose the half that they read for each of their two operations (op_sel for
 * the low one, op_sel_hi for the high one) and may negate floats (neg, neg_hi), so operands that
 * share a register are read as they are, and negations of floats disappear. Other operands are
 * packed first. Logic and selections have no packed form: 32-bit instructions compute both halves,
 * which must be in place. Conversions from f32 write the low half, then the high one by
 * v_fma_mixhi_f16. */
#include "amd/select/select_alu.h"
#include "amd/select/select_half.h"

/* EXCHANGED: the sources are the other way round. NEGATE: the second one is negated. TWICE: the
 * source is read twice, and the result is clamped. FROM_0: 0 is the first source. */
enum { EXCHANGED = 1, NEGATE = 2, TWICE = 4, FROM_0 = 8 };

typedef struct pair_row {
    uint16_t hir, op;
    uint8_t kind; /* opt_pair_kind */
    uint8_t flags;
} pair_row;

/* Packed instructions, and 32-bit ones that compute halves in place. v_xor and v_and change signs
 * by a constant, v_cndmask has two halves of one condition. */
static const pair_row rows[] = {
    {IR_fadd, AMD_V_PK_ADD_F16, OPT_PAIR_ANY, 0},
    {IR_fsub, AMD_V_PK_ADD_F16, OPT_PAIR_ANY, NEGATE},
    {IR_fmul, AMD_V_PK_MUL_F16, OPT_PAIR_ANY, 0},
    {IR_ffma, AMD_V_PK_FMA_F16, OPT_PAIR_ANY, 0},
    {IR_fmin, AMD_V_PK_MIN_F16, OPT_PAIR_ANY, 0},
    {IR_fmax, AMD_V_PK_MAX_F16, OPT_PAIR_ANY, 0},
    {IR_fsat, AMD_V_PK_MAX_F16, OPT_PAIR_ANY, TWICE},
    {IR_iadd, AMD_V_PK_ADD_U16, OPT_PAIR_ANY, 0},
    {IR_isub, AMD_V_PK_SUB_U16, OPT_PAIR_ANY, 0},
    {IR_ineg, AMD_V_PK_SUB_U16, OPT_PAIR_ANY, FROM_0},
    {IR_imul, AMD_V_PK_MUL_LO_U16, OPT_PAIR_ANY, 0},
    {IR_imin, AMD_V_PK_MIN_I16, OPT_PAIR_ANY, 0},
    {IR_imax, AMD_V_PK_MAX_I16, OPT_PAIR_ANY, 0},
    {IR_umin, AMD_V_PK_MIN_U16, OPT_PAIR_ANY, 0},
    {IR_umax, AMD_V_PK_MAX_U16, OPT_PAIR_ANY, 0},
    {IR_ishl, AMD_V_PK_LSHLREV_B16, OPT_PAIR_ANY, EXCHANGED},
    {IR_ushr, AMD_V_PK_LSHRREV_B16, OPT_PAIR_ANY, EXCHANGED},
    {IR_ishr, AMD_V_PK_ASHRREV_I16, OPT_PAIR_ANY, EXCHANGED},
    {IR_fneg, AMD_V_XOR_B32, OPT_PAIR_ALIGNED, 0},
    {IR_fabs, AMD_V_AND_B32, OPT_PAIR_ALIGNED, 0},
    {IR_iand, AMD_V_AND_B32, OPT_PAIR_ALIGNED, 0},
    {IR_ior, AMD_V_OR_B32, OPT_PAIR_ALIGNED, 0},
    {IR_ixor, AMD_V_XOR_B32, OPT_PAIR_ALIGNED, 0},
    {IR_inot, AMD_V_NOT_B32, OPT_PAIR_ALIGNED, 0},
    {IR_bcsel, AMD_V_CNDMASK_B32, OPT_PAIR_ALIGNED, 0},
    {IR_f2f, AMD_V_FMA_MIXHI_F16, OPT_PAIR_PARTS, 0},
    {IR_f2f, AMD_V_MAD_MIXHI_F16, OPT_PAIR_PARTS, 0},
};

static const pair_row *
find_row(unsigned hir, amd_gen gen)
{
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        unsigned op = rows[k].op;
        if (rows[k].hir == hir &&
            amd_op_number((amd_op)op, (amd_fmt)amd_op_row((amd_op)op)->fmt, gen) >= 0)
            return &rows[k];
    }
    return NULL;
}

static bool
is_float(unsigned op)
{
    return ir_kind_base((ir_kind)ir_alu_table[op].dst) == IR_KIND_F;
}

opt_pair_kind
amd_sel_pair_rule(const ir_fn *f, const ir_instr *i)
{
    const amd_target *t = f->target;
    bool divergent = f->values[i->defs[0].id].divergent;
    if (i->op == IR_phi)
        return divergent ? OPT_PAIR_ANY : OPT_PAIR_NONE;
    const pair_row *row = find_row(i->op, t->gen);
    if (!row || (!is_float(i->op) && !divergent))
        return OPT_PAIR_NONE;
    if (row->kind == OPT_PAIR_PARTS && ir_type_bits(ir_ref_type(f, i->refs[0])) != 32)
        return OPT_PAIR_NONE;
    unsigned packed = row->kind == OPT_PAIR_ALIGNED ? AMD_V_PK_ADD_U16 : row->op;
    bool there = amd_op_number((amd_op)packed, AMD_VOP3P, t->gen) >= 0;
    return there ? (opt_pair_kind)row->kind : OPT_PAIR_NONE;
}

/* ---- packed instructions ---- */

/* An operand of a packed instruction. */
typedef struct pair_source {
    ir_ref reg;
    bool low_high, high_high; /* the half that the low operation reads, and the high one */
    bool neg[2];
} pair_source;

/* Without the negations that change it: `*neg` is set if there is an odd number. */
static ir_ref
without_sign(const sel *s, ir_ref r, bool *neg)
{
    const ir_instr *def = s->hir->values[r.id].def;
    for (; def->op == IR_fneg; def = s->hir->values[r.id].def) {
        *neg = !*neg;
        r = def->refs[0];
    }
    return r;
}

/* A number that both operations read: integers are sign-extended, so that small ones are inline
 * constants. */
static ir_ref
both_constant(uint32_t value, bool floats)
{
    return amd_const(floats ? value & 0xffff : (uint32_t)(int16_t)value);
}

static pair_source
source(sel *s, const ir_instr *low, const ir_instr *high, unsigned k)
{
    pair_source p = {.high_high = true};
    bool floats = ir_kind_base((ir_kind)ir_alu_table[low->op].src[k]) == IR_KIND_F;
    ir_ref a = low->refs[k], b = high->refs[k];
    if (floats) {
        a = without_sign(s, a, &p.neg[0]);
        b = without_sign(s, b, &p.neg[1]);
    }
    ir_ref x = amd_sel_part(s, a), y = amd_sel_part(s, b);
    bool constants = x.kind == IR_REF_CONST && y.kind == IR_REF_CONST;
    if (constants && ((x.id ^ y.id) & 0xffff) == 0) {
        p.reg = both_constant(x.id, floats);
        p.high_high = false;
    } else if (ir_is_value(x) && ir_is_value(y) && x.id == y.id) {
        p.low_high = sel_is_high(x);
        p.high_high = sel_is_high(y);
        p.reg = sel_register(x);
    } else {
        p.reg = amd_sel_pack(s, x, y);
    }
    return p;
}

static uint32_t
modifiers(const pair_source *p, unsigned n)
{
    uint32_t m = 0;
    for (unsigned k = 0; k < n; k++) {
        m |= (uint32_t)p[k].low_high << (AMD_MOD_OPSEL + k);
        m |= (uint32_t)p[k].high_high << (AMD_MOD_OPSEL_HI + k);
        m |= (uint32_t)p[k].neg[0] << (AMD_MOD_NEG + k) | (uint32_t)p[k].neg[1]
                                                              << (AMD_MOD_NEG_HI + k);
    }
    return m;
}

static ir_ref
packed(sel *s, const ir_instr *low, const ir_instr *high, const pair_row *row)
{
    pair_source p[3];
    ir_ref refs[3];
    unsigned n = 0;
    if (row->flags & FROM_0)
        p[n++] = (pair_source){.reg = amd_const(0)};
    for (unsigned k = 0; k < low->n_refs; k++)
        p[n++] = source(s, low, high, row->flags & EXCHANGED ? 1 - k : k);
    if (row->flags & TWICE)
        p[n++] = p[0];
    if (row->flags & NEGATE) {
        p[1].neg[0] = !p[1].neg[0];
        p[1].neg[1] = !p[1].neg[1];
    }
    for (unsigned k = 0; k < n; k++)
        refs[k] = p[k].reg;
    ir_ref r = amd_sel_emit(s, row->op, AMD_V1, n, refs);
    ir_words(s->last)[0] |= modifiers(p, n);
    if (row->flags & TWICE)
        ir_words(s->last)[0] |= 1u << AMD_MOD_CLAMP;
    return r;
}

/* ---- whole registers ---- */

static ir_ref
packed_operands(sel *s, const ir_instr *low, const ir_instr *high, unsigned k)
{
    return amd_sel_pack(s, amd_sel_part(s, low->refs[k]), amd_sel_part(s, high->refs[k]));
}

static ir_ref
in_place(sel *s, const ir_instr *low, const ir_instr *high, const pair_row *row)
{
    ir_ref a = packed_operands(s, low, high, low->op == IR_bcsel);
    switch (low->op) {
    case IR_fneg: return amd_sel_2(s, row->op, AMD_V1, amd_const(0x80008000), a);
    case IR_fabs: return amd_sel_2(s, row->op, AMD_V1, amd_const(0x7fff7fff), a);
    case IR_inot: return amd_sel_1(s, row->op, AMD_V1, a);
    case IR_bcsel:
        return amd_sel_cndmask(s, a, packed_operands(s, low, high, 2),
                               amd_sel_get_mask(s, low->refs[0]));
    default: return amd_sel_2(s, row->op, AMD_V1, a, packed_operands(s, low, high, 1));
    }
}

/* ---- conversions ---- */

/* The second one is x * 1 - 0, which is x, in the high half of the first one's register: v_mad_mix
 * flushes only what is 0 in 16 bits. */
static ir_ref
converted(sel *s, const ir_instr *low, const ir_instr *high, unsigned op)
{
    ir_ref first = amd_sel_1(s, AMD_V_CVT_F16_F32, AMD_V1, amd_sel_get(s, low->refs[0]));
    ir_ref refs[4] = {amd_sel_get(s, high->refs[0]), amd_const(0x3f800000), amd_const(0), first};
    ir_ref r = amd_sel_emit(s, op, AMD_V1, 4, refs);
    ir_words(s->last)[0] |= 1u << (AMD_MOD_NEG + 2);
    return r;
}

bool
amd_sel_pair_of_halves(sel *s, const ir_instr *low, const ir_instr *high)
{
    const pair_row *row = find_row(low->op, s->p->target->gen);
    if (!row || amd_sel_pair_rule(s->hir, low) == OPT_PAIR_NONE || !sel_wants_vgpr(s, low) ||
        !sel_wants_vgpr(s, high))
        return false;
    s->loc = low->loc;
    ir_ref both = row->kind == OPT_PAIR_ANY       ? packed(s, low, high, row)
                  : row->kind == OPT_PAIR_ALIGNED ? in_place(s, low, high, row)
                                                  : converted(s, low, high, row->op);
    if (!sel_is_vgpr(both))
        both = amd_sel_copy(s, AMD_V1, both);
    amd_sel_set(s, low, both);
    amd_sel_set(s, high, amd_sel_high(both));
    return true;
}
