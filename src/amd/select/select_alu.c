/* Selection of HIR's ALU operations: one machine instruction by select_rows.def if there is one,
 * otherwise a sequence. */
#include "amd/select/select_alu.h"

#include <assert.h>

static bool
any_vgpr(const ir_ref *refs, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (sel_is_vgpr(refs[i]))
            return true;
    }
    return false;
}

/* ---- one instruction ---- */

/* Where no v_fmac is, v_mad is the shorter and, on most chips before gfx9, the faster one. It
 * rounds the product too, and flushes denormals in any mode (GCN 3 ISA, V_MAD_F32; LLVM 19,
 * FeatureMadMacF32Insts). */
static bool
may_be_mad(const sel *s, const ir_instr *i)
{
    enum { F32 = 2 };
    const ir_float_controls *fp = &s->hir->shader.fp;
    return !(i->form & IR_EXACT) && !((fp->denorm_preserve | fp->round_zero) & F32) &&
           sel_has(s, AMD_V_MAD_F32) && !sel_has(s, AMD_V_FMAC_F32);
}

static bool
select_row(sel *s, const ir_instr *i)
{
    const sel_row *row = amd_sel_row(i->op);
    unsigned bits = sel_bits(s, i->refs[0]), n = i->n_refs;
    bool vgpr = sel_wants_vgpr(s, i);
    bool is_float = ir_kind_base((ir_kind)ir_alu_table[i->op].src[0]) == IR_KIND_F;
    unsigned op = bits == 64               ? (vgpr ? row->v64 : row->s64)
                  : bits == 16 && is_float ? row->v16
                  : vgpr                   ? row->v32
                                           : row->s32;
    if (op == AMD_OP_INVALID || (bits < 32 && (row->flags & SEL_FULL)))
        return false;
    if (op == AMD_V_FMA_F32 && may_be_mad(s, i))
        op = AMD_V_MAD_F32;
    ir_ref refs[3];
    for (unsigned k = 0; k < n; k++)
        refs[k] = amd_sel_source(s, i, k,
                                 k == 0 || sel_bits(s, i->refs[k]) == bits ? row->flags : 0);
    bool shift = i->op == IR_ishl || i->op == IR_ishr || i->op == IR_ushr;
    if (shift && bits < 32 && refs[1].kind != IR_REF_CONST)
        refs[1] = vgpr ? amd_sel_2(s, AMD_V_AND_B32, AMD_V1, amd_const(bits - 1), refs[1])
                       : amd_sel_2(s, AMD_S_AND_B32, AMD_S1, refs[1], amd_const(bits - 1));
    else if (shift && refs[1].kind == IR_REF_CONST)
        refs[1].id &= bits - 1;
    if (vgpr && (row->flags & SEL_REV)) {
        ir_ref t = refs[0];
        refs[0] = refs[1];
        refs[1] = t;
    }
    unsigned rc = amd_rc(vgpr, amd_sel_def_bits(s, i) == 64 ? 8 : 4);
    amd_sel_set(s, i, amd_sel_emit(s, op, rc, n, refs));
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
        amd_sel_unsupported(s, s->hir->level->ops[i->op].name);
    bool wide = s->p->wave_size == 64;
    if (s->values[i->defs[0].id].rep == SEL_MASK) {
        ir_ref a = amd_sel_get_mask(s, i->refs[0]);
        unsigned op = wide ? ops[k].s64 : ops[k].s32;
        ir_ref r = i->n_refs == 1
                       ? amd_sel_1(s, op, s->p->lane_mask, a)
                       : amd_sel_2(s, op, s->p->lane_mask, a, amd_sel_get_mask(s, i->refs[1]));
        amd_sel_set_mask(s, i, r);
        return;
    }
    ir_ref b[2];
    for (unsigned r = 0; r < i->n_refs; r++)
        b[r] = amd_sel_get_bit(s, i->refs[r]);
    if (i->op == IR_inot || i->op == IR_ieq) {
        amd_sel_2(s, AMD_S_CMP_EQ_U32, 0, b[0], i->op == IR_inot ? amd_const(0) : b[1]);
        amd_sel_set_scc(s, i, amd_sel_scc(s));
        return;
    }
    ir_ref r = amd_sel_2(s, ops[k].s32, AMD_S1, b[0], b[1]);
    if (amd_sel_feeds_only_its_branch(s, i))
        amd_sel_set_scc(s, i, amd_sel_scc(s));
    else
        amd_sel_set_bit(s, i, r);
}

/* ---- comparisons ---- */

typedef struct cmp_row {
    uint16_t op, v16, v32, v64, s16, s32, s64; /* v16, s16: floats; smaller integers have 32 */
    uint8_t flags;
} cmp_row;

#define FLOAT_CMP(hir, name)                                                                       \
    {                                                                                              \
        IR_##hir, AMD_V_CMP_##name##_F16, AMD_V_CMP_##name##_F32, AMD_V_CMP_##name##_F64,          \
            AMD_S_CMP_##name##_F16, AMD_S_CMP_##name##_F32, 0, 0                                   \
    }
static const cmp_row cmp_rows[] = {
    FLOAT_CMP(feq, EQ),
    FLOAT_CMP(fneu, NEQ),
    FLOAT_CMP(fequ, NLG),
    FLOAT_CMP(fneo, LG),
    FLOAT_CMP(flt, LT),
    FLOAT_CMP(fge, GE),
    {IR_ieq, 0, AMD_V_CMP_EQ_U32, AMD_V_CMP_EQ_U64, 0, AMD_S_CMP_EQ_U32, AMD_S_CMP_EQ_U64,
     SEL_ZEXT},
    {IR_ine, 0, AMD_V_CMP_NE_U32, AMD_V_CMP_NE_U64, 0, AMD_S_CMP_LG_U32, AMD_S_CMP_LG_U64,
     SEL_ZEXT},
    {IR_ilt, 0, AMD_V_CMP_LT_I32, AMD_V_CMP_LT_I64, 0, AMD_S_CMP_LT_I32, 0, SEL_SEXT},
    {IR_ige, 0, AMD_V_CMP_GE_I32, AMD_V_CMP_GE_I64, 0, AMD_S_CMP_GE_I32, 0, SEL_SEXT},
    {IR_ult, 0, AMD_V_CMP_LT_U32, AMD_V_CMP_LT_U64, 0, AMD_S_CMP_LT_U32, 0, SEL_ZEXT},
    {IR_uge, 0, AMD_V_CMP_GE_U32, AMD_V_CMP_GE_U64, 0, AMD_S_CMP_GE_U32, 0, SEL_ZEXT},
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

/* The scalar comparison; AMD_OP_INVALID: the target has none. */
static unsigned
scalar_cmp(const sel *s, const cmp_row *row, unsigned bits)
{
    unsigned op = bits == 64 ? row->s64 : bits == 16 && row->s16 ? row->s16 : row->s32;
    return op && sel_has(s, op) ? op : AMD_OP_INVALID;
}

static void
select_cmp(sel *s, const ir_instr *i, const cmp_row *row)
{
    unsigned bits = sel_bits(s, i->refs[0]);
    bool is_float = row->v16 != 0;
    ir_ref refs[2] = {amd_sel_source(s, i, 0, row->flags), amd_sel_source(s, i, 1, row->flags)};
    unsigned salu = scalar_cmp(s, row, bits);
    if (salu != AMD_OP_INVALID && !any_vgpr(refs, 2)) {
        amd_sel_emit(s, salu, 0, 2, refs);
        amd_sel_set_scc(s, i, amd_sel_scc(s));
        return;
    }
    unsigned op = bits == 64 ? row->v64 : bits == 16 && is_float ? row->v16 : row->v32;
    amd_sel_set_mask(s, i, amd_sel_emit(s, op, s->p->lane_mask, 2, refs));
}

/* ---- selection between values ---- */

static void
select_bool_bcsel(sel *s, const ir_instr *i)
{
    if (s->values[i->defs[0].id].rep == SEL_BOOL) {
        ir_ref yes = amd_sel_get_bit(s, i->refs[1]), no = amd_sel_get_bit(s, i->refs[2]);
        ir_ref scc = amd_sel_get_scc(s, i->refs[0]);
        amd_sel_set_bit(s, i, amd_sel_3(s, AMD_S_CSELECT_B32, AMD_S1, yes, no, scc));
        return;
    }
    unsigned lm = s->p->lane_mask;
    ir_ref c = amd_sel_get_mask(s, i->refs[0]);
    ir_ref yes = amd_sel_2(s, SEL_LM(s, S_AND), lm, amd_sel_get_mask(s, i->refs[1]), c);
    ir_ref no = amd_sel_2(s, SEL_LM(s, S_ANDN2), lm, amd_sel_get_mask(s, i->refs[2]), c);
    amd_sel_set_mask(s, i, amd_sel_2(s, SEL_LM(s, S_OR), lm, yes, no));
}

static void
select_bcsel(sel *s, const ir_instr *i)
{
    if (amd_sel_def_bits(s, i) == 1) {
        select_bool_bcsel(s, i);
        return;
    }
    bool wide = amd_sel_def_bits(s, i) == 64;
    ir_ref yes = amd_sel_get(s, i->refs[1]), no = amd_sel_get(s, i->refs[2]);
    if (!sel_wants_vgpr(s, i)) {
        ir_ref scc = amd_sel_get_scc(s, i->refs[0]);
        amd_sel_set(s, i,
                    amd_sel_3(s, wide ? AMD_S_CSELECT_B64 : AMD_S_CSELECT_B32,
                              wide ? AMD_S2 : AMD_S1, yes, no, scc));
        return;
    }
    ir_ref mask = amd_sel_get_mask(s, i->refs[0]);
    if (!wide) {
        amd_sel_set(s, i, amd_sel_cndmask(s, yes, no, mask));
        return;
    }
    ir_ref lo = amd_sel_cndmask(s, amd_sel_half(s, yes, 0), amd_sel_half(s, no, 0), mask);
    ir_ref hi = amd_sel_cndmask(s, amd_sel_half(s, yes, 1), amd_sel_half(s, no, 1), mask);
    amd_sel_set(s, i, amd_sel_pair(s, true, lo, hi));
}

static bool
is_bool_value(const sel *s, ir_ref r)
{
    return ir_is_value(r) && sel_bits(s, r) == 1;
}

void
amd_sel_alu(sel *s, const ir_instr *i)
{
    const cmp_row *cmp = find_cmp(i->op);
    if (is_bool_value(s, i->refs[0]) && amd_sel_def_bits(s, i) == 1 && i->op != IR_bcsel)
        select_bool_logic(s, i);
    else if (cmp)
        select_cmp(s, i, cmp);
    else if (i->op == IR_bcsel)
        select_bcsel(s, i);
    else if (!amd_sel_scalar_float(s, i) && !select_row(s, i) && !amd_sel_float(s, i) &&
             !amd_sel_convert(s, i) && !amd_sel_int(s, i))
        amd_sel_unsupported(s, s->hir->level->ops[i->op].name);
}

/* For amd_sel_decide_reps: can the scalar unit compute `op` on sources of `bits` bits? */
bool
amd_sel_alu_is_scalar(const sel *s, unsigned op, unsigned bits)
{
    const sel_row *row = amd_sel_row(op);
    unsigned salu = bits <= 32 ? row->s32 : row->s64;
    if (salu)
        return sel_has(s, salu);
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
    case IR_imul_2x32_64:
    case IR_umul_2x32_64: return bits <= 32 && sel_has(s, AMD_S_MUL_HI_U32);
    case IR_iabs:
    case IR_isign:
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
amd_sel_cmp_is_scalar(const sel *s, unsigned op, unsigned bits)
{
    const cmp_row *row = find_cmp(op);
    return row && scalar_cmp(s, row, bits) != AMD_OP_INVALID;
}
