/* Arithmetic. */
#include "r600/select/select.h"

typedef struct alu_row {
    uint16_t op; /* 0: none */
    uint8_t n;
    bool swap;
} alu_row;

static const alu_row rows[IR_HIR_OP_COUNT] = {
#define ONE(hir, op)   [IR_##hir] = {R600_##op, 1, false},
#define TWO(hir, op)   [IR_##hir] = {R600_##op, 2, false},
#define SWAP(hir, op)  [IR_##hir] = {R600_##op, 2, true},
#define THREE(hir, op) [IR_##hir] = {R600_##op, 3, false},
#include "r600/select/select_rows.def"
#undef ONE
#undef TWO
#undef SWAP
#undef THREE
};

static tree_operand
number(uint32_t n)
{
    return r600_tree_const(n);
}

static tree_operand
source(r600_sel *s, const ir_instr *i, unsigned k)
{
    return k < i->n_refs ? r600_sel_get(s, i->refs[k]) : (tree_operand){0};
}

static unsigned
def_bits(const r600_sel *s, const ir_instr *i)
{
    return ir_type_bits(s->hir->values[i->defs[0].id].type);
}

/* ---- sizes ---- */

static tree_operand
extended(r600_sel *s, tree_operand a, unsigned from, bool is_signed)
{
    if (s->p->chip->gen >= R600_GEN_EG)
        return r600_sel_op(s, is_signed ? R600_BFE_INT : R600_BFE_UINT, a, number(0), number(from));
    if (!is_signed)
        return r600_sel_op2(s, R600_AND_INT, a, number((1u << from) - 1));
    return r600_sel_op2(s, R600_ASHR_INT, r600_sel_op2(s, R600_LSHL_INT, a, number(32 - from)),
                        number(32 - from));
}

static tree_operand
resized(r600_sel *s, tree_operand a, unsigned from, unsigned to, bool is_signed)
{
    return from < to && from < 32 ? extended(s, a, from, is_signed) : a;
}

/* The source of a comparison, whose upper bits count. */
static tree_operand
compared(r600_sel *s, const ir_instr *i, unsigned k)
{
    const unsigned bits = r600_sel_bits(s, i->refs[k]);
    const tree_operand a = source(s, i, k);
    return bits < 8 ? a : resized(s, a, bits, 32, i->op == IR_ilt || i->op == IR_ige);
}

static tree_operand
select_row(r600_sel *s, const ir_instr *i, const alu_row *row)
{
    const bool compares = i->op >= IR_ieq && i->op <= IR_uge;
    const tree_operand a = compares ? compared(s, i, 0) : source(s, i, 0);
    const tree_operand b = compares ? compared(s, i, 1) : source(s, i, 1);
    const tree_operand c = source(s, i, 2);
    return row->swap ? r600_sel_op2(s, row->op, b, a) : r600_sel_op(s, row->op, a, b, c);
}

/* ---- floats ---- */

/* A move, which changes signs or clamps. */
static tree_operand
move(r600_sel *s, tree_operand a, uint8_t mods, bool clamps)
{
    if (a.kind == TREE_CONST && !clamps) {
        a.id &= mods & TREE_ABS ? 0x7fffffff : UINT32_MAX;
        a.id ^= mods & TREE_NEG ? 0x80000000 : 0;
        return a;
    }
    a.mods = mods;
    const tree_operand r = r600_sel_op1(s, R600_MOV, a);
    s->list->last->slots->clamp = clamps;
    return r;
}

static tree_operand
negated(r600_sel *s, tree_operand a)
{
    return move(s, a, TREE_NEG, false);
}

/* 1, -1, or the number itself if it is neither greater nor less than zero. */
static tree_operand
float_sign(r600_sel *s, tree_operand a)
{
    const tree_operand below = r600_sel_op(s, R600_CNDGT, negated(s, a), number(0xbf800000), a);
    return r600_sel_op(s, R600_CNDGT, a, number(0x3f800000), below);
}

/* SIN and COS take revolutions, around zero. */
static tree_operand
turn(r600_sel *s, unsigned op, tree_operand a)
{
    enum { ONE_BY_TWO_PI = 0x3e22f983, HALF = 0x3f000000 };
    tree_operand half = number(HALF);
    const tree_operand turns = r600_sel_op(s, R600_MULADD_IEEE, a, number(ONE_BY_TWO_PI), half);
    const tree_operand part = r600_sel_op1(s, R600_FRACT, turns);
    half.id ^= 0x80000000;
    return r600_sel_op1(s, op, r600_sel_op2(s, R600_ADD, part, half));
}

/* Zero to the power of zero is 1: MUL gives 0 for -inf times 0. */
static tree_operand
power(r600_sel *s, tree_operand a, tree_operand b)
{
    const tree_operand log = r600_sel_op1(s, R600_LOG_IEEE, a);
    return r600_sel_op1(s, R600_EXP_IEEE, r600_sel_op2(s, R600_MUL, log, b));
}

/* Only FMA does not round the product; chips with doubles have it from Evergreen on. */
static tree_operand
multiply_add(r600_sel *s, const ir_instr *i)
{
    const bool has_fma = s->p->chip->properties & R600_DOUBLES && s->p->chip->gen >= R600_GEN_EG;
    if (i->form & IR_EXACT && !has_fma)
        r600_sel_lacks(s, "a fused multiplication and addition");
    return r600_sel_op(s, i->form & IR_EXACT ? R600_FMA : R600_MULADD_IEEE, source(s, i, 0),
                       source(s, i, 1), source(s, i, 2));
}

static tree_operand
less_or_greater(r600_sel *s, tree_operand a, tree_operand b)
{
    return r600_sel_op2(s, R600_OR_INT, r600_sel_op2(s, R600_SETGT_DX10, a, b),
                        r600_sel_op2(s, R600_SETGT_DX10, b, a));
}

/* Returns kind TREE_NONE for others. */
static tree_operand
select_float(r600_sel *s, const ir_instr *i)
{
    const tree_operand a = source(s, i, 0), b = source(s, i, 1);
    switch (i->op) {
    case IR_fneg: return negated(s, a);
    case IR_fabs: return move(s, a, TREE_ABS, false);
    case IR_fsat: return move(s, a, 0, true);
    case IR_fsub: return r600_sel_op2(s, R600_ADD, a, negated(s, b));
    case IR_fdiv: return r600_sel_op2(s, R600_MUL_IEEE, a, r600_sel_op1(s, R600_RECIP_IEEE, b));
    case IR_fsign: return float_sign(s, a);
    case IR_fsin: return turn(s, R600_SIN, a);
    case IR_fcos: return turn(s, R600_COS, a);
    case IR_fpow: return power(s, a, b);
    case IR_ffma: return multiply_add(s, i);
    case IR_fneo: return less_or_greater(s, a, b);
    case IR_fequ: return r600_sel_op1(s, R600_NOT_INT, less_or_greater(s, a, b));
    default: return (tree_operand){0};
    }
}

/* ---- conversions ---- */

static tree_operand
convert(r600_sel *s, const ir_instr *i)
{
    const unsigned from = r600_sel_bits(s, i->refs[0]), to = def_bits(s, i);
    const tree_operand a = source(s, i, 0);
    switch (i->op) {
    case IR_f2f:
        if (from == 16 && to == 32)
            return r600_sel_op1(s, R600_FLT16_TO_FLT32, a);
        return from == 32 && to == 16 ? r600_sel_op1(s, R600_FLT32_TO_FLT16, a) : (tree_operand){0};
    case IR_f2i: return r600_sel_op1(s, R600_FLT_TO_INT, r600_sel_op1(s, R600_TRUNC, a));
    case IR_f2u: return r600_sel_op1(s, R600_FLT_TO_UINT, r600_sel_op1(s, R600_TRUNC, a));
    case IR_i2f: return r600_sel_op1(s, R600_INT_TO_FLT, resized(s, a, from, 32, true));
    case IR_u2f: return r600_sel_op1(s, R600_UINT_TO_FLT, resized(s, a, from, 32, false));
    case IR_i2i:
    case IR_u2u: return resized(s, a, from, to, i->op == IR_i2i);
    case IR_b2f: return r600_sel_op2(s, R600_AND_INT, a, number(0x3f800000));
    case IR_b2i: return r600_sel_op2(s, R600_AND_INT, a, number(1));
    default: return (tree_operand){0};
    }
}

/* ---- integers and bits ---- */

static tree_operand
find_highest(r600_sel *s, const ir_instr *i)
{
    const unsigned op = i->op == IR_ifind_msb ? R600_FFBH_INT : R600_FFBH_UINT;
    const tree_operand n = r600_sel_op1(s, op, source(s, i, 0));
    return r600_sel_op(s, R600_CNDGE_INT, n, r600_sel_op2(s, R600_SUB_INT, number(31), n), n);
}

/* BFE takes the width modulo 32. */
static tree_operand
take_field(r600_sel *s, const ir_instr *i)
{
    const tree_operand a = source(s, i, 0), width = source(s, i, 2);
    const unsigned op = i->op == IR_ibitfield_extract ? R600_BFE_INT : R600_BFE_UINT;
    if (width.kind == TREE_CONST)
        return width.id == 32 ? a : r600_sel_op(s, op, a, source(s, i, 1), width);
    const tree_operand rest = r600_sel_op2(s, R600_ADD_INT, width, number((uint32_t)-32));
    return r600_sel_op(s, R600_CNDE_INT, rest, a, r600_sel_op(s, op, a, source(s, i, 1), width));
}

static tree_operand
take_part(r600_sel *s, const ir_instr *i)
{
    const bool is_byte = i->op == IR_extract_u8 || i->op == IR_extract_i8;
    const bool is_signed = i->op == IR_extract_i8 || i->op == IR_extract_i16;
    const tree_operand at = source(s, i, 1);
    const uint32_t shift = is_byte ? 3 : 4;
    const tree_operand offset = at.kind == TREE_CONST
                                    ? number(at.id << shift & 31)
                                    : r600_sel_op2(s, R600_LSHL_INT, at, number(shift));
    return r600_sel_op(s, is_signed ? R600_BFE_INT : R600_BFE_UINT, source(s, i, 0), offset,
                       number(1u << shift));
}

static tree_operand
select_int(r600_sel *s, const ir_instr *i)
{
    const tree_operand a = source(s, i, 0);
    switch (i->op) {
    case IR_ineg: return r600_sel_op2(s, R600_SUB_INT, number(0), a);
    case IR_iabs:
        return r600_sel_op2(s, R600_MAX_INT, a, r600_sel_op2(s, R600_SUB_INT, number(0), a));
    case IR_isign:
        return r600_sel_op2(s, R600_MAX_INT, r600_sel_op2(s, R600_MIN_INT, a, number(1)),
                            number(UINT32_MAX));
    case IR_ufind_msb:
    case IR_ifind_msb: return find_highest(s, i);
    case IR_ubitfield_extract:
    case IR_ibitfield_extract: return take_field(s, i);
    case IR_extract_u8:
    case IR_extract_i8:
    case IR_extract_u16:
    case IR_extract_i16: return take_part(s, i);
    case IR_pack_32_2x16:
        return r600_sel_op(s, R600_BFI_INT, number(0xffff), a,
                           r600_sel_op2(s, R600_LSHL_INT, source(s, i, 1), number(16)));
    case IR_unpack_32_2x16_x: return a;
    case IR_unpack_32_2x16_y: return r600_sel_op2(s, R600_LSHR_INT, a, number(16));
    case IR_unpack_64_2x32_x: return a;
    case IR_unpack_64_2x32_y: return r600_sel_part(s, i->refs[0], 1);
    default: return convert(s, i);
    }
}

/* ---- several components ---- */

static void
select_choice(r600_sel *s, const ir_instr *i)
{
    const unsigned n = r600_sel_parts(s, i->refs[1]);
    tree_operand *out = r600_sel_def(s, i);
    for (unsigned k = 0; k < n; k++)
        out[k] = r600_sel_op(s, R600_CNDE_INT, source(s, i, 0), r600_sel_part(s, i->refs[2], k),
                             r600_sel_part(s, i->refs[1], k));
}

/* Integers of 64 bits: to and from others, and products. Returns false for others. */
static bool
select_wide(r600_sel *s, const ir_instr *i)
{
    const unsigned from = r600_sel_bits(s, i->refs[0]), to = def_bits(s, i);
    const tree_operand a = source(s, i, 0), b = source(s, i, 1);
    const bool resizes = i->op == IR_i2i || i->op == IR_u2u || i->op == IR_b2i;
    tree_operand low, high;
    switch (i->op) {
    case IR_pack_64_2x32: low = a, high = b; break;
    case IR_umul_2x32_64:
        low = r600_sel_op2(s, R600_MULLO_UINT, a, b);
        high = r600_sel_op2(s, R600_MULHI_UINT, a, b);
        break;
    case IR_imul_2x32_64:
        low = r600_sel_op2(s, R600_MULLO_INT, a, b);
        high = r600_sel_op2(s, R600_MULHI_INT, a, b);
        break;
    default:
        if (!resizes || to != 64)
            return false;
        low = i->op == IR_b2i ? r600_sel_op2(s, R600_AND_INT, a, number(1))
                              : resized(s, a, from, 32, i->op == IR_i2i);
        high = from == 64        ? r600_sel_part(s, i->refs[0], 1)
               : i->op == IR_i2i ? r600_sel_op2(s, R600_ASHR_INT, low, number(31))
                                 : number(0);
        break;
    }
    tree_operand *out = r600_sel_def(s, i);
    out[0] = low;
    out[1] = high;
    return true;
}

/* Doubles are selected already, and lower_values leaves no integers of 64 bits. */
static void
check_sizes(const r600_sel *s, const ir_instr *i)
{
    const bool is_part = i->op == IR_unpack_64_2x32_x || i->op == IR_unpack_64_2x32_y ||
                         i->op == IR_i2i || i->op == IR_u2u;
    for (unsigned k = 0; k < i->n_refs; k++)
        if (r600_sel_bits(s, i->refs[k]) == 64 && !is_part)
            r600_sel_lacks(s, "64-bit floats");
    if (def_bits(s, i) == 64)
        r600_sel_lacks(s, "64-bit floats");
}

bool
r600_select_alu(r600_sel *s, const ir_instr *i)
{
    tree_operand r;
    if (!(s->hir->level->ops[i->op].flags & IR_OP_ALU))
        return false;
    if (i->op == IR_bcsel) {
        select_choice(s, i);
        return true;
    }
    if (select_wide(s, i) || r600_select_double(s, i))
        return true;
    check_sizes(s, i);
    if (rows[i->op].op)
        r = select_row(s, i, &rows[i->op]);
    else
        r = select_float(s, i);
    if (!r.kind)
        r = select_int(s, i);
    if (!r.kind)
        r600_sel_lacks(s, s->hir->level->ops[i->op].name);
    *r600_sel_def(s, i) = r;
    return true;
}
