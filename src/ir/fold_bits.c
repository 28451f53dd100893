/* Rules for bitwise operations, shifts, bit fields, and packing. */
#include "ir/bounds.h"
#include "ir/fold.h"

#define NONE IR_FOLD_NONE
#define _    ir_none()

/* ---- and, or, xor, not; also of booleans ---- */

/* op(x, 0) = x */
static ir_fold_end
right_zero(ir_fold *n)
{
    return ir_fold_is(n, 1, 0) ? ir_fold_to(n, n->s[0]) : NONE;
}

/* op(x, 0) = 0 */
static ir_fold_end
right_zero_is_zero(ir_fold *n)
{
    return ir_fold_is(n, 1, 0) ? ir_fold_to_imm(n, 0) : NONE;
}

/* op(x, ~0) = x */
static ir_fold_end
right_ones(ir_fold *n)
{
    return ir_fold_is(n, 1, ~UINT64_C(0)) ? ir_fold_to(n, n->s[0]) : NONE;
}

/* op(x, ~0) = ~0 */
static ir_fold_end
right_ones_is_ones(ir_fold *n)
{
    return ir_fold_is(n, 1, ~UINT64_C(0)) ? ir_fold_to_imm(n, ~UINT64_C(0)) : NONE;
}

/* op(x, x) = x */
static ir_fold_end
same_is_self(ir_fold *n)
{
    return ir_same_ref(n->s[0], n->s[1]) ? ir_fold_to(n, n->s[0]) : NONE;
}

/* x & ~x = 0, x | ~x = ~0, x ^ ~x = ~0 */
static ir_fold_end
with_complement(ir_fold *n)
{
    for (unsigned s = 0; s < 2; s++) {
        const ir_instr *i = ir_fold_def(n, n->s[s], IR_inot);
        if (i && ir_same_ref(i->refs[0], n->s[1 - s]))
            return ir_fold_to_imm(n, n->op == IR_iand ? 0 : ~UINT64_C(0));
    }
    return NONE;
}

/* op(op(x, c1), c2) = op(x, op(c1, c2)) */
static ir_fold_end
reassociate(ir_fold *n)
{
    ir_ref x;
    uint64_t c1;
    if (!n->is_const[1] || !ir_fold_def_const(n, n->s[0], n->op, &x, &c1))
        return NONE;
    ir_ref c = ir_build_alu(n->b, n->op, 0, ir_fold_imm(n, c1), n->s[1], _);
    return ir_fold_again(n, n->op, x, c, _);
}

/* (x & y) & y = x & y; x & (x | y) = x; and with & and | exchanged */
static ir_fold_end
absorb(ir_fold *n)
{
    ir_op dual = n->op == IR_iand ? IR_ior : IR_iand;
    for (unsigned s = 0; s < 2; s++) {
        const ir_instr *i = ir_fold_def(n, n->s[s], n->op), *d = ir_fold_def(n, n->s[s], dual);
        const ir_instr *def = i ? i : d;
        ir_ref other = n->s[1 - s];
        if (def && (ir_same_ref(def->refs[0], other) || ir_same_ref(def->refs[1], other)))
            return ir_fold_to(n, i ? n->s[s] : other);
    }
    return NONE;
}

/* (x | c1) & c2 is x & c2 if c1 and c2 are disjoint, and c2 if c1 covers c2 */
static ir_fold_end
and_of_or(ir_fold *n)
{
    ir_ref x;
    uint64_t c1;
    if (!n->is_const[1] || !ir_fold_def_const(n, n->s[0], IR_ior, &x, &c1))
        return NONE;
    if (!(c1 & n->c[1]))
        return ir_fold_again(n, IR_iand, x, n->s[1], _);
    return (c1 & n->c[1]) == n->c[1] ? ir_fold_to(n, n->s[1]) : NONE;
}

/* The bits that may be set in `r`. */
static uint64_t
possible_bits(const ir_fold *n, ir_ref r)
{
    unsigned bits = ir_type_bits(ir_ref_type(n->f, r));
    const ir_instr *def = n->f->values[r.id].def;
    uint64_t c, all = base_mask64(bits);
    switch (ir_fold_op_of(n, r)) {
    case IR_u2u: return all & base_mask64(ir_type_bits(ir_ref_type(n->f, def->refs[0])));
    case IR_b2i: return 1;
    case IR_extract_u8: return 0xff;
    case IR_extract_u16: return 0xffff;
    case IR_ishl:
        if (ir_is_const(n->f, def->refs[1], &c))
            return all << (c & (bits - 1)) & all;
        break;
    case IR_ushr:
        if (ir_is_const(n->f, def->refs[1], &c))
            return all >> (c & (bits - 1));
        break;
    default: break;
    }
    uint64_t most = ir_upper_bound(n->f, r);
    return most ? base_mask64(64 - base_clz64(most)) : 0;
}

/* x & c = x if c has all bits that may be set in x */
static ir_fold_end
and_of_fewer_bits(ir_fold *n)
{
    if (!n->is_const[1])
        return NONE;
    uint64_t possible = possible_bits(n, n->s[0]);
    if (!(possible & ~n->c[1]))
        return ir_fold_to(n, n->s[0]);
    return possible & n->c[1] ? NONE : ir_fold_to_imm(n, 0);
}

/* If `r` has no bits in its high half: its low half, else none. */
static ir_ref
low_half_only(const ir_fold *n, unsigned s)
{
    const ir_instr *u = ir_fold_def(n, n->s[s], IR_u2u);
    if (n->is_const[s])
        return n->c[s] >> 32 ? _ : ir_fold_imm32(n, (uint32_t)n->c[s]);
    return u && ir_type_bits(ir_ref_type(n->f, u->refs[0])) == 32 ? u->refs[0] : _;
}

/* x & y, where y has only low bits: the low half of x & y, extended */
static ir_fold_end
and_low_half(ir_fold *n)
{
    for (unsigned s = 2; s-- > 0;) {
        ir_ref y = low_half_only(n, s);
        if (!ir_is_value(y))
            continue;
        ir_ref x = ir_build_alu(n->b, IR_unpack_64_2x32_x, IR_I32, n->s[!s], _, _);
        return ir_fold_again(n, IR_u2u, ir_build_alu(n->b, IR_iand, 0, x, y, _), _, _);
    }
    return NONE;
}

static const ir_fold_rule iand_rules[] = {
    {"right_zero_is_zero", IR_FOLD_ALL, right_zero_is_zero, IR_FOLD_C1},
    {"right_ones", IR_FOLD_ALL, right_ones, IR_FOLD_C1},
    {"same_is_self", IR_FOLD_ALL, same_is_self, IR_FOLD_SAME},
    {"with_complement", IR_FOLD_ALL, with_complement, 0, IR_inot},
    {"reassociate", IR_FOLD_INTS, reassociate, IR_FOLD_C1, IR_iand},
    {"absorb", IR_FOLD_ALL, absorb, IR_FOLD_INNER},
    {"and_of_or", IR_FOLD_INTS, and_of_or, IR_FOLD_C1, IR_ior},
    {"and_of_fewer_bits", IR_FOLD_INTS, and_of_fewer_bits, IR_FOLD_C1},
    {"and_low_half", 64, and_low_half},
    {0},
};

/* (x & c1) | c2 = x | c2 if c1 | c2 has all bits set */
static ir_fold_end
or_of_and(ir_fold *n)
{
    ir_ref x;
    uint64_t c1;
    if (!n->is_const[1] || !ir_fold_def_const(n, n->s[0], IR_iand, &x, &c1))
        return NONE;
    return (c1 | n->c[1]) == base_mask64(n->bits) ? ir_fold_again(n, IR_ior, x, n->s[1], _) : NONE;
}

static const ir_fold_rule ior_rules[] = {
    {"right_zero", IR_FOLD_ALL, right_zero, IR_FOLD_C1},
    {"right_ones_is_ones", IR_FOLD_ALL, right_ones_is_ones, IR_FOLD_C1},
    {"same_is_self", IR_FOLD_ALL, same_is_self, IR_FOLD_SAME},
    {"with_complement", IR_FOLD_ALL, with_complement, 0, IR_inot},
    {"reassociate", IR_FOLD_INTS, reassociate, IR_FOLD_C1, IR_ior},
    {"absorb", IR_FOLD_ALL, absorb, IR_FOLD_INNER},
    {"or_of_and", IR_FOLD_INTS, or_of_and, IR_FOLD_C1, IR_iand},
    {0},
};

static ir_fold_end
xor_same(ir_fold *n)
{
    return ir_same_ref(n->s[0], n->s[1]) ? ir_fold_to_imm(n, 0) : NONE;
}

/* x ^ ~0 = ~x */
static ir_fold_end
xor_ones(ir_fold *n)
{
    return ir_fold_is(n, 1, ~UINT64_C(0)) ? ir_fold_again(n, IR_inot, n->s[0], _, _) : NONE;
}

/* (x ^ y) ^ y = x */
static ir_fold_end
xor_twice(ir_fold *n)
{
    for (unsigned s = 0; s < 2; s++) {
        const ir_instr *i = ir_fold_def(n, n->s[s], IR_ixor);
        for (unsigned k = 0; i && k < 2; k++) {
            if (ir_same_ref(i->refs[k], n->s[1 - s]))
                return ir_fold_to(n, i->refs[1 - k]);
        }
    }
    return NONE;
}

/* ~x ^ ~y = x ^ y; ~x ^ c = x ^ ~c */
static ir_fold_end
xor_of_not(ir_fold *n)
{
    const ir_instr *a = ir_fold_def(n, n->s[0], IR_inot), *b = ir_fold_def(n, n->s[1], IR_inot);
    if (a && b)
        return ir_fold_again(n, IR_ixor, a->refs[0], b->refs[0], _);
    if (a && n->is_const[1])
        return ir_fold_again(n, IR_ixor, a->refs[0], ir_fold_imm(n, ~n->c[1]), _);
    return NONE;
}

static const ir_fold_rule ixor_rules[] = {
    {"right_zero", IR_FOLD_ALL, right_zero, IR_FOLD_C1},
    {"xor_same", IR_FOLD_ALL, xor_same, IR_FOLD_SAME},
    {"with_complement", IR_FOLD_ALL, with_complement, 0, IR_inot},
    {"xor_of_not", IR_FOLD_ALL, xor_of_not, 0, IR_inot},
    {"xor_ones", IR_FOLD_ALL, xor_ones, IR_FOLD_C1},
    {"reassociate", IR_FOLD_INTS, reassociate, IR_FOLD_C1, IR_ixor},
    {"xor_twice", IR_FOLD_ALL, xor_twice, 0, IR_ixor},
    {0},
};

/* ~~x = x */
static ir_fold_end
not_of_not(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[0], IR_inot);
    return i ? ir_fold_to(n, i->refs[0]) : NONE;
}

/* ~(x ^ c) = x ^ ~c */
static ir_fold_end
not_of_xor(ir_fold *n)
{
    ir_ref x;
    uint64_t c;
    if (!ir_fold_def_const(n, n->s[0], IR_ixor, &x, &c))
        return NONE;
    return ir_fold_again(n, IR_ixor, x, ir_fold_imm(n, ~c), _);
}

/* The comparison that is false where `op` is true; flt and fge have none because of NaNs. */
static ir_op
opposite(ir_op op)
{
    switch (op) {
    case IR_ieq: return IR_ine;
    case IR_ine: return IR_ieq;
    case IR_ilt: return IR_ige;
    case IR_ige: return IR_ilt;
    case IR_ult: return IR_uge;
    case IR_uge: return IR_ult;
    case IR_feq: return IR_fneu;
    case IR_fneu: return IR_feq;
    case IR_fequ: return IR_fneo;
    case IR_fneo: return IR_fequ;
    default: return IR_mov;
    }
}

/* not (x < y) = x >= y */
static ir_fold_end
not_of_comparison(ir_fold *n)
{
    const ir_instr *i = n->f->values[n->s[0].id].def;
    ir_op op = opposite(ir_fold_op_of(n, n->s[0]));
    return op != IR_mov ? ir_fold_again(n, op, i->refs[0], i->refs[1], _) : NONE;
}

/* ~pack(x, c) = pack(~x, ~c) */
static ir_fold_end
not_of_pack(ir_fold *n)
{
    ir_ref x;
    uint64_t c;
    if (!ir_fold_def_const(n, n->s[0], IR_pack_64_2x32, &x, &c))
        return NONE;
    ir_ref low = ir_build_alu(n->b, IR_inot, 0, x, _, _);
    return ir_fold_again(n, IR_pack_64_2x32, low, ir_fold_imm32(n, ~(uint32_t)c), _);
}

static const ir_fold_rule inot_rules[] = {
    {"not_of_not", IR_FOLD_ALL, not_of_not, 0, IR_inot},
    {"not_of_xor", IR_FOLD_INTS, not_of_xor, 0, IR_ixor},
    {"not_of_pack", 64, not_of_pack, 0, IR_pack_64_2x32},
    {"not_of_comparison", IR_FOLD_BOOL, not_of_comparison, IR_FOLD_INNER},
    {0},
};

/* ---- shifts ---- */

/* shift(0, x) = 0 */
static ir_fold_end
shift_zero(ir_fold *n)
{
    return ir_fold_is(n, 0, 0) ? ir_fold_to(n, n->s[0]) : NONE;
}

/* The count is taken modulo the size: a multiple of the size is a shift by 0, and a mask that keeps
 * the used bits is redundant. */
static ir_fold_end
shift_count(ir_fold *n)
{
    ir_ref y;
    uint64_t c, modulo = n->bits - 1;
    if (n->is_const[1] && !(n->c[1] & modulo))
        return ir_fold_to(n, n->s[0]);
    if (n->is_const[1] && n->c[1] > modulo)
        return ir_fold_again(n, n->op, n->s[0], ir_fold_imm32(n, (uint32_t)(n->c[1] & modulo)), _);
    if (ir_fold_def_const(n, n->s[1], IR_iand, &y, &c) && (c & modulo) == modulo)
        return ir_fold_again(n, n->op, n->s[0], y, _);
    return NONE;
}

/* (x << c1) << c2 = x << (c1 + c2), or 0 if all bits are shifted out; the same for >> */
static ir_fold_end
shift_twice(ir_fold *n)
{
    ir_ref x;
    uint64_t c1;
    if (!n->is_const[1] || !ir_fold_def_const(n, n->s[0], n->op, &x, &c1))
        return NONE;
    uint64_t sum = (c1 & (n->bits - 1)) + (n->c[1] & (n->bits - 1));
    if (sum >= n->bits && n->op != IR_ishr)
        return ir_fold_to_imm(n, 0);
    sum = sum < n->bits ? sum : n->bits - 1;
    return ir_fold_again(n, n->op, x, ir_fold_imm32(n, (uint32_t)sum), _);
}

/* (x >> c) << c and (x << c) >> c, unsigned: x & mask */
static ir_fold_end
shift_back(ir_fold *n)
{
    ir_ref x;
    uint64_t c, all = base_mask64(n->bits);
    bool left = n->op == IR_ishl;
    if (!n->is_const[1] || !ir_fold_def_const(n, n->s[0], left ? IR_ushr : IR_ishl, &x, &c))
        return NONE;
    if (c != n->c[1] || c >= n->bits)
        return NONE;
    return ir_fold_again(n, IR_iand, x, ir_fold_imm(n, left ? all << c : all >> c), _);
}

/* (x + c1) << c2 = (x << c2) + (c1 << c2): moves constant parts of addresses outwards */
static ir_fold_end
shift_sum(ir_fold *n)
{
    ir_ref x;
    uint64_t c1;
    if (!n->is_const[1] || !ir_fold_def_const(n, n->s[0], IR_iadd, &x, &c1))
        return NONE;
    ir_ref shifted = ir_build_alu(n->b, IR_ishl, 0, x, n->s[1], _);
    return ir_fold_again(n, IR_iadd, shifted, ir_fold_imm(n, c1 << n->c[1]), _);
}

/* (x * c1) << c2 = x * (c1 << c2) */
static ir_fold_end
shift_product(ir_fold *n)
{
    ir_ref x;
    uint64_t c1;
    if (!n->is_const[1] || !ir_fold_def_const(n, n->s[0], IR_imul, &x, &c1))
        return NONE;
    return ir_fold_again(n, IR_imul, x, ir_fold_imm(n, c1 << n->c[1]), _);
}

static const ir_fold_rule ishl_rules[] = {
    {"shift_zero", IR_FOLD_INTS, shift_zero, IR_FOLD_C0},
    {"shift_count", IR_FOLD_INTS, shift_count},
    {"shift_twice", IR_FOLD_INTS, shift_twice, IR_FOLD_C1, IR_ishl},
    {"shift_back", IR_FOLD_INTS, shift_back, IR_FOLD_C1, IR_ushr},
    {"shift_sum", IR_FOLD_INTS, shift_sum, IR_FOLD_C1, IR_iadd},
    {"shift_product", IR_FOLD_INTS, shift_product, IR_FOLD_C1, IR_imul},
    {0},
};

/* An extended number shifted by a count that is masked below its own size is shifted before it is
 * extended. */
static ir_fold_end
shift_extended(ir_fold *n)
{
    const ir_instr *u = ir_fold_def(n, n->s[0], IR_u2u);
    ir_ref y;
    uint64_t c;
    if (!u || ir_type_bits(ir_ref_type(n->f, u->refs[0])) != 32 ||
        !ir_fold_def_const(n, n->s[1], IR_iand, &y, &c) || c > 31)
        return NONE;
    ir_ref low = ir_build_alu(n->b, IR_ushr, 0, u->refs[0], n->s[1], _);
    return ir_fold_again(n, IR_u2u, low, _, _);
}

/* All bits that may be set are shifted out. */
static ir_fold_end
shift_out(ir_fold *n)
{
    bool out = n->is_const[1] && n->c[1] < n->bits && !(ir_upper_bound(n->f, n->s[0]) >> n->c[1]);
    return out ? ir_fold_to_imm(n, 0) : NONE;
}

/* (x >> c, with signs) >> bits - 1: the sign of x, as a division by 2 rounds */
static ir_fold_end
shift_sign(ir_fold *n)
{
    ir_ref x;
    uint64_t c;
    if (!ir_fold_is(n, 1, n->bits - 1) || !ir_fold_def_const(n, n->s[0], IR_ishr, &x, &c))
        return NONE;
    return ir_fold_again(n, IR_ushr, x, n->s[1], _);
}

static const ir_fold_rule ushr_rules[] = {
    {"shift_extended", 64, shift_extended, 0, IR_u2u},
    {"shift_zero", IR_FOLD_INTS, shift_zero, IR_FOLD_C0},
    {"shift_count", IR_FOLD_INTS, shift_count},
    {"shift_twice", IR_FOLD_INTS, shift_twice, IR_FOLD_C1, IR_ushr},
    {"shift_back", IR_FOLD_INTS, shift_back, IR_FOLD_C1, IR_ishl},
    {"shift_sign", IR_FOLD_INTS, shift_sign, IR_FOLD_C1, IR_ishr},
    {"shift_out", IR_FOLD_INTS, shift_out, IR_FOLD_C1},
    {0},
};

/* -1 >> x = -1 */
static ir_fold_end
shift_ones(ir_fold *n)
{
    return ir_fold_is(n, 0, ~UINT64_C(0)) ? ir_fold_to(n, n->s[0]) : NONE;
}

/* (x << 24) >> 24 and (x << 16) >> 16, signed: the sign-extended low byte, half-word */
static ir_fold_end
shift_to_extract(ir_fold *n)
{
    ir_ref x;
    uint64_t c;
    if (!n->is_const[1] || !ir_fold_def_const(n, n->s[0], IR_ishl, &x, &c) || c != n->c[1])
        return NONE;
    if (c != 24 && c != 16)
        return NONE;
    ir_op op = c == 24 ? IR_extract_i8 : IR_extract_i16;
    return ir_fold_again(n, op, x, ir_fold_imm32(n, 0), _);
}

static const ir_fold_rule ishr_rules[] = {
    {"shift_zero", IR_FOLD_INTS, shift_zero, IR_FOLD_C0},
    {"shift_ones", IR_FOLD_INTS, shift_ones, IR_FOLD_C0},
    {"shift_count", IR_FOLD_INTS, shift_count},
    {"shift_twice", IR_FOLD_INTS, shift_twice, IR_FOLD_C1, IR_ishr},
    {"shift_to_extract", 32, shift_to_extract, IR_FOLD_C1, IR_ishl},
    {0},
};

/* ---- bit fields ---- */

/* A field with no bits, or entirely outside the value, is 0. */
static ir_fold_end
field_of_nothing(ir_fold *n)
{
    bool nothing = (n->is_const[2] && !n->c[2]) || (n->is_const[1] && n->c[1] >= n->bits);
    return nothing ? ir_fold_to_imm(n, 0) : NONE;
}

/* A field that reaches the top bit is a shift. */
static ir_fold_end
field_at_top(ir_fold *n)
{
    if (!n->is_const[1] || !n->is_const[2] || n->c[1] >= n->bits || n->c[1] + n->c[2] < n->bits)
        return NONE;
    if (n->c[1] + n->c[2] != n->bits)
        return NONE;
    ir_op op = n->op == IR_ubitfield_extract ? IR_ushr : IR_ishr;
    return ir_fold_again(n, op, n->s[0], n->s[1], _);
}

/* An unsigned field at the bottom is a mask. */
static ir_fold_end
field_at_bottom(ir_fold *n)
{
    if (!n->is_const[1] || n->c[1] || !n->is_const[2] || n->c[2] > n->bits)
        return NONE;
    return ir_fold_again(n, IR_iand, n->s[0], ir_fold_imm(n, base_mask64((unsigned)n->c[2])), _);
}

static const ir_fold_rule ubfe_rules[] = {
    {"field_of_nothing", IR_FOLD_INTS, field_of_nothing, IR_FOLD_CONST},
    {"field_at_top", IR_FOLD_INTS, field_at_top, IR_FOLD_C1 | IR_FOLD_C2},
    {"field_at_bottom", IR_FOLD_INTS, field_at_bottom, IR_FOLD_C1 | IR_FOLD_C2},
    {0},
};

static const ir_fold_rule ibfe_rules[] = {
    {"field_of_nothing", IR_FOLD_INTS, field_of_nothing, IR_FOLD_CONST},
    {"field_at_top", IR_FOLD_INTS, field_at_top, IR_FOLD_C1 | IR_FOLD_C2},
    {0},
};

/* selection by a mask of zeros or ones, or between equal values */
static ir_fold_end
select_known(ir_fold *n)
{
    if (ir_fold_is(n, 0, 0))
        return ir_fold_to(n, n->s[2]);
    bool first = ir_fold_is(n, 0, ~UINT64_C(0)) || ir_same_ref(n->s[1], n->s[2]);
    return first ? ir_fold_to(n, n->s[1]) : NONE;
}

static const ir_fold_rule select_rules[] = {
    {"select_known", IR_FOLD_INTS, select_known},
    {0},
};

/* bfm(0, x) = 0 */
static ir_fold_end
mask_of_nothing(ir_fold *n)
{
    return n->is_const[0] && !(n->c[0] & 31) ? ir_fold_to_imm(n, 0) : NONE;
}

static const ir_fold_rule bfm_rules[] = {
    {"mask_of_nothing", 32, mask_of_nothing, IR_FOLD_C0},
    {0},
};

static ir_fold_end
reverse_reversed(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[0], IR_bitfield_reverse);
    return i ? ir_fold_to(n, i->refs[0]) : NONE;
}

static const ir_fold_rule reverse_rules[] = {
    {"reverse_reversed", IR_FOLD_INTS, reverse_reversed, 0, IR_bitfield_reverse},
    {0},
};

/* ---- packing ---- */

/* The value whose low half is `r` (by `unpack` or a truncation), or none. */
static ir_ref
low_half_of(const ir_fold *n, ir_ref r, ir_op unpack, unsigned whole)
{
    const ir_instr *i = ir_fold_def(n, r, unpack);
    i = i ? i : ir_fold_def(n, r, IR_u2u);
    if (!i || ir_type_bits(ir_ref_type(n->f, i->refs[0])) != whole)
        return _;
    return i->refs[0];
}

/* pack(unpack_x v, unpack_y v) = v */
static ir_fold_end
pack_unpacked(ir_fold *n)
{
    bool wide = n->op == IR_pack_64_2x32;
    ir_op low = wide ? IR_unpack_64_2x32_x : IR_unpack_32_2x16_x;
    ir_op high = wide ? IR_unpack_64_2x32_y : IR_unpack_32_2x16_y;
    const ir_instr *i = ir_fold_def(n, n->s[1], high);
    bool same = i && ir_same_ref(low_half_of(n, n->s[0], low, wide ? 64 : 32), i->refs[0]);
    return same ? ir_fold_to(n, i->refs[0]) : NONE;
}

/* pack(x, 0) is x extended */
static ir_fold_end
pack_zero(ir_fold *n)
{
    return n->is_const[1] && !n->c[1] ? ir_fold_again(n, IR_u2u, n->s[0], _, _) : NONE;
}

static const ir_fold_rule pack_64_rules[] = {
    {"pack_unpacked", 32, pack_unpacked, 0, IR_unpack_64_2x32_y},
    {"pack_zero", 32, pack_zero, IR_FOLD_C1},
    {0},
};

static const ir_fold_rule pack_32_rules[] = {
    {"pack_unpacked", 16, pack_unpacked, 0, IR_unpack_32_2x16_y},
    {"pack_zero", 16, pack_zero, IR_FOLD_C1},
    {0},
};

/* unpack_x(pack(x, y)) = x, unpack_y(pack(x, y)) = y */
static ir_fold_end
unpack_packed(ir_fold *n)
{
    bool wide = n->op == IR_unpack_64_2x32_x || n->op == IR_unpack_64_2x32_y;
    bool high = n->op == IR_unpack_64_2x32_y || n->op == IR_unpack_32_2x16_y;
    const ir_instr *i = ir_fold_def(n, n->s[0], wide ? IR_pack_64_2x32 : IR_pack_32_2x16);
    return i ? ir_fold_to(n, i->refs[high]) : NONE;
}

/* The low half of an extended x is x, extended or truncated. */
static ir_fold_end
unpack_low_of_extended(ir_fold *n)
{
    const ir_instr *u = ir_fold_def(n, n->s[0], IR_u2u), *i = ir_fold_def(n, n->s[0], IR_i2i);
    if (!u && !i)
        return NONE;
    return ir_fold_again(n, u ? IR_u2u : IR_i2i, (u ? u : i)->refs[0], _, _);
}

/* The high half of a zero-extended x is 0, that of a sign-extended x is the sign. */
static ir_fold_end
unpack_high_of_extended(ir_fold *n)
{
    const ir_instr *u = ir_fold_def(n, n->s[0], IR_u2u), *i = ir_fold_def(n, n->s[0], IR_i2i);
    if (!u && !i)
        return NONE;
    ir_ref x = (u ? u : i)->refs[0];
    unsigned bits = ir_type_bits(ir_ref_type(n->f, x));
    if (u)
        return bits <= n->dbits ? ir_fold_to_imm(n, 0) : NONE;
    if (bits != n->dbits)
        return NONE;
    return ir_fold_again(n, IR_ishr, x, ir_fold_imm32(n, bits - 1), _);
}

/* The halves of x >> half are the high half and 0. */
static ir_fold_end
unpack_shifted(ir_fold *n)
{
    ir_ref x;
    uint64_t c;
    if (!ir_fold_def_const(n, n->s[0], IR_ushr, &x, &c) || c != n->dbits)
        return NONE;
    switch (n->op) {
    case IR_unpack_64_2x32_x: return ir_fold_again(n, IR_unpack_64_2x32_y, x, _, _);
    case IR_unpack_32_2x16_x: return ir_fold_again(n, IR_unpack_32_2x16_y, x, _, _);
    default: return ir_fold_to_imm(n, 0);
    }
}

#define UNPACK_RULES(name, size, extended)                                                         \
    static const ir_fold_rule name[] = {                                                           \
        {"unpack_packed", size, unpack_packed, IR_FOLD_INNER},                                     \
        {#extended, size, extended, IR_FOLD_INNER},                                                \
        {"unpack_shifted", size, unpack_shifted, 0, IR_ushr},                                      \
        {0},                                                                                       \
    };
UNPACK_RULES(unpack_64_x_rules, 64, unpack_low_of_extended)
UNPACK_RULES(unpack_64_y_rules, 64, unpack_high_of_extended)
UNPACK_RULES(unpack_32_x_rules, 32, unpack_low_of_extended)
UNPACK_RULES(unpack_32_y_rules, 32, unpack_high_of_extended)

/* Byte b of x >> 8k is byte b + k, or 0; b counts modulo 4. */
static ir_fold_end
extract_shifted(ir_fold *n)
{
    ir_ref x;
    uint64_t c;
    if (!n->is_const[1] || !ir_fold_def_const(n, n->s[0], IR_ushr, &x, &c))
        return NONE;
    c &= 31;
    uint64_t byte = (n->c[1] & 3) + c / 8;
    if (c % 8)
        return NONE;
    if (byte > 3)
        return ir_fold_to_imm(n, 0);
    return ir_fold_again(n, n->op, x, ir_fold_imm32(n, (uint32_t)byte), _);
}

static const ir_fold_rule extract_rules[] = {
    {"extract_shifted", 32, extract_shifted, IR_FOLD_C1, IR_ushr},
    {0},
};

const ir_fold_rule *const ir_fold_bit_rules[IR_HIR_OP_COUNT] = {
    [IR_iand] = iand_rules,
    [IR_ior] = ior_rules,
    [IR_ixor] = ixor_rules,
    [IR_inot] = inot_rules,
    [IR_ishl] = ishl_rules,
    [IR_ushr] = ushr_rules,
    [IR_ishr] = ishr_rules,
    [IR_ubitfield_extract] = ubfe_rules,
    [IR_ibitfield_extract] = ibfe_rules,
    [IR_bitfield_select] = select_rules,
    [IR_bfm] = bfm_rules,
    [IR_bitfield_reverse] = reverse_rules,
    [IR_pack_64_2x32] = pack_64_rules,
    [IR_pack_32_2x16] = pack_32_rules,
    [IR_unpack_64_2x32_x] = unpack_64_x_rules,
    [IR_unpack_64_2x32_y] = unpack_64_y_rules,
    [IR_unpack_32_2x16_x] = unpack_32_x_rules,
    [IR_unpack_32_2x16_y] = unpack_32_y_rules,
    [IR_extract_u8] = extract_rules,
    [IR_extract_i8] = extract_rules,
};
