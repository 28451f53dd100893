/* Combines two instructions into one: rows with the pattern and the order of the operands.
 *
 * The inner instruction's result has one use, in the outer one. The combined instruction takes the
 * outer one's position, and the inner one is removed.
 */
#include "amd/opt/combine.h"

/* Sources of the new instruction's operands. */
enum { IN_0, IN_1, OTHER, NOTHING };

/* `outer`, with the result of `inner` in one of the places `at` (bits), becomes `op`. */
typedef struct combine_row {
    uint16_t outer, inner, op;
    uint8_t at, order[3];
    uint8_t min, max; /* the inner one's second operand must be a constant in this range; max 0:
                         any operand */
} combine_row;

enum { FIRST = 1, SECOND = 2, EITHER = 3 };

#define ROW(outer, inner, op, at, a, b, c)                                                         \
    {                                                                                              \
        AMD_##outer, AMD_##inner, AMD_##op, at, {a, b, c}, 0, 0                                    \
    }
/* Rows for the vector and for the scalar instruction as the inner one. */
#define BOTH(outer, v, s, op, at, a, b, c)                                                         \
    ROW(outer, v, op, at, a, b, c), ROW(outer, s, op, at, a, b, c)
#define THREE(op2, op3) ROW(op2, op2, op3, EITHER, IN_0, IN_1, OTHER)
#define SHIFT_ADD(n)                                                                               \
    {                                                                                              \
        AMD_S_ADD_U32, AMD_S_LSHL_B32, AMD_S_LSHL##n##_ADD_U32, EITHER, {IN_0, OTHER, NOTHING}, n, \
            n                                                                                      \
    }
#define NEGATED(op, bits)                                                                          \
    ROW(S_##op##_##bits, S_NOT_##bits, S_##op##N2_##bits, EITHER, OTHER, IN_0, NOTHING)

/* The rows of an outer opcode are adjacent. v_lshlrev has its operands exchanged. */
static const combine_row rows[] = {
    ROW(V_ADD_NC_U32, V_LSHLREV_B32, V_LSHL_ADD_U32, EITHER, IN_1, IN_0, OTHER),
    ROW(V_ADD_NC_U32, S_LSHL_B32, V_LSHL_ADD_U32, EITHER, IN_0, IN_1, OTHER),
    BOTH(V_ADD_NC_U32, V_ADD_NC_U32, S_ADD_U32, V_ADD3_U32, EITHER, IN_0, IN_1, OTHER),
    BOTH(V_ADD_NC_U32, V_XOR_B32, S_XOR_B32, V_XAD_U32, EITHER, IN_0, IN_1, OTHER),
    BOTH(V_LSHLREV_B32, V_ADD_NC_U32, S_ADD_U32, V_ADD_LSHL_U32, SECOND, IN_0, IN_1, OTHER),
    ROW(V_OR_B32, V_LSHLREV_B32, V_LSHL_OR_B32, EITHER, IN_1, IN_0, OTHER),
    ROW(V_OR_B32, S_LSHL_B32, V_LSHL_OR_B32, EITHER, IN_0, IN_1, OTHER),
    BOTH(V_OR_B32, V_AND_B32, S_AND_B32, V_AND_OR_B32, EITHER, IN_0, IN_1, OTHER),
    BOTH(V_OR_B32, V_OR_B32, S_OR_B32, V_OR3_B32, EITHER, IN_0, IN_1, OTHER),
    THREE(V_XOR_B32, V_XOR3_B32),
    THREE(V_MIN_F32, V_MIN3_F32),
    THREE(V_MAX_F32, V_MAX3_F32),
    THREE(V_MIN_I32, V_MIN3_I32),
    THREE(V_MAX_I32, V_MAX3_I32),
    THREE(V_MIN_U32, V_MIN3_U32),
    THREE(V_MAX_U32, V_MAX3_U32),
    SHIFT_ADD(1),
    SHIFT_ADD(2),
    SHIFT_ADD(3),
    SHIFT_ADD(4),
    NEGATED(AND, B32),
    NEGATED(AND, B64),
    NEGATED(OR, B32),
    NEGATED(OR, B64),
};

/* The outer one's scc must be unused, because the new operation computes a different one. */
static bool
scc_used(const mopt_ctx *c, const ir_instr *i)
{
    return i->n_defs > 1 && c->uses.count[i->defs[1].id];
}

static bool
in_range(const combine_row *row, const ir_instr *inner)
{
    return !row->max || (inner->refs[1].kind == IR_REF_CONST && inner->refs[1].id >= row->min &&
                         inner->refs[1].id <= row->max);
}

static bool
scalar_legal(const ir_ref *refs)
{
    bool literal[2];
    for (unsigned r = 0; r < 2; r++)
        literal[r] = refs[r].kind == IR_REF_CONST && amd_const_code(refs[r], 32) == AMD_SRC_LITERAL;
    return !(literal[0] && literal[1]) || refs[0].id == refs[1].id;
}

static bool
apply(mopt_ctx *c, ir_instr *i, const combine_row *row, unsigned at)
{
    const ir_instr *inner = cg_single_def(&c->uses, i->refs[at]);
    const amd_op_info *to = amd_op_row((amd_op)row->op);
    if (amd_op_number((amd_op)row->op, (amd_fmt)to->fmt, c->p->target->gen) < 0)
        return false;
    if (!inner || inner->op != row->inner || mopt_has_words(inner) || !in_range(row, inner) ||
        !cg_can_move_refs(inner, i))
        return false;
    ir_ref refs[3];
    unsigned n = 0;
    for (; n < 3 && row->order[n] != NOTHING; n++)
        refs[n] = row->order[n] == OTHER ? i->refs[!at] : inner->refs[row->order[n]];
    bool vector = amd_words_of(row->op) == AMD_WORDS_VALU;
    if (vector ? !amd_sources_fit(c->p->target->gen, row->op, n, refs) : !scalar_legal(refs))
        return false;
    if (n > i->n_refs)
        cg_add_ref(&c->uses, i);
    cg_set_refs(&c->uses, i, n, refs);
    i->op = row->op;
    return true;
}

/* The byte of its operand that `i` extracts, or -1; `*of` is the index of the operand. */
static int
extracted_byte(const ir_instr *i, unsigned *of)
{
    const ir_ref *r = i->refs;
    bool constant = r[0].kind == IR_REF_CONST;
    *of = i->op != AMD_V_BFE_U32;
    switch (i->op) {
    case AMD_V_BFE_U32:
        return r[1].kind == IR_REF_CONST && r[1].id % 8 == 0 && r[1].id < 32 &&
                       r[2].kind == IR_REF_CONST && r[2].id == 8
                   ? (int)(r[1].id / 8)
                   : -1;
    case AMD_V_AND_B32: return constant && r[0].id == 0xff ? 0 : -1;
    case AMD_V_LSHRREV_B32: return constant && r[0].id == 24 ? 3 : -1;
    default: return -1;
    }
}

/* v_cvt_f32_u32 of an extracted byte becomes v_cvt_f32_ubyte. */
static bool
combine_byte(mopt_ctx *c, ir_instr *i)
{
    ir_instr *inner = i->op == AMD_V_CVT_F32_U32 ? cg_single_def(&c->uses, i->refs[0]) : NULL;
    unsigned of;
    if (!inner || mopt_has_words(i) || amd_words_of(inner->op) != AMD_WORDS_VALU ||
        mopt_has_words(inner) || !cg_can_move_refs(inner, i))
        return false;
    int byte = extracted_byte(inner, &of);
    if (byte < 0 || inner->refs[of].kind != IR_REF_VALUE)
        return false;
    ir_ref from = inner->refs[of];
    cg_set_refs(&c->uses, i, 1, &from);
    i->op = (uint16_t)(AMD_V_CVT_F32_UBYTE0 + byte);
    return true;
}

static bool
is_mask(ir_ref r)
{
    return r.kind == IR_REF_CONST && r.id && (r.id & (r.id + 1)) == 0;
}

/* A mask of low bits after a right shift becomes a bit field extract. */
static bool
combine_field(mopt_ctx *c, ir_instr *i)
{
    bool vector = i->op == AMD_V_AND_B32;
    if ((!vector && i->op != AMD_S_AND_B32) || mopt_has_words(i))
        return false;
    unsigned at = is_mask(i->refs[0]);
    const ir_instr *inner = cg_single_def(&c->uses, i->refs[at]);
    if (!is_mask(i->refs[!at]) || !inner || mopt_has_words(inner) || !cg_can_move_refs(inner, i) ||
        inner->op != (vector ? AMD_V_LSHRREV_B32 : AMD_S_LSHR_B32))
        return false;
    ir_ref shift = inner->refs[!vector], from = inner->refs[vector];
    if (shift.kind != IR_REF_CONST || shift.id > 31 || from.kind != IR_REF_VALUE)
        return false;
    uint32_t bits = 32 - base_clz32(i->refs[!at].id);
    ir_ref refs[3] = {from, amd_const(shift.id), amd_const(bits)};
    if (!vector) /* the offset and the number of bits share one word */
        refs[1] = amd_const(shift.id | bits << 16);
    else
        cg_add_ref(&c->uses, i);
    cg_set_refs(&c->uses, i, vector ? 3 : 2, refs);
    i->op = vector ? AMD_V_BFE_U32 : AMD_S_BFE_U32;
    return true;
}

/* A test of a bit that was made from a comparison becomes that comparison. */
static bool
combine_test(mopt_ctx *c, ir_instr *i)
{
    if (i->op != AMD_S_CMP_LG_U32 || i->refs[1].kind != IR_REF_CONST || i->refs[1].id != 0)
        return false;
    const ir_instr *bit = cg_def_of(&c->uses, i->refs[0]);
    if (!bit || bit->op != AMD_S_CSELECT_B32 || bit->refs[0].kind != IR_REF_CONST ||
        bit->refs[0].id == 0 || bit->refs[1].kind != IR_REF_CONST || bit->refs[1].id != 0)
        return false;
    const ir_instr *compare = cg_def_of(&c->uses, bit->refs[2]);
    const amd_op_info *row = compare ? amd_op_row((amd_op)compare->op) : NULL;
    if (!row || row->fmt != AMD_SOPC || compare->n_refs != 2 || !cg_can_move_refs(compare, i))
        return false;
    cg_set_refs(&c->uses, i, 2, compare->refs);
    i->op = compare->op;
    return true;
}

bool
amd_opt_combine(mopt_ctx *c, ir_instr *i)
{
    if (combine_test(c, i))
        return true;
    if (combine_byte(c, i) || combine_field(c, i))
        return true;
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (rows[k].outer != i->op)
            continue;
        if (mopt_has_words(i) || i->n_refs != 2 || (i->refs[0].flags | i->refs[1].flags) & IR_FIXED)
            return false;
        bool other = rows[k].op >= AMD_S_LSHL1_ADD_U32 && rows[k].op <= AMD_S_LSHL4_ADD_U32;
        if (other && scc_used(c, i))
            continue;
        if ((rows[k].at & FIRST && apply(c, i, &rows[k], 0)) ||
            (rows[k].at & SECOND && apply(c, i, &rows[k], 1)))
            return true;
    }
    return false;
}
