/* Conversions between binary16 and binary32 for chips before Evergreen, by integers.
 *
 * Numbers of binary16 that are normal have the same bits in binary32 with another bias. Those below
 * are an integer times 2^-24, and so are exact; rounded to nearest even they come from the integer
 * that RNDNE gives. Above the largest one are infinity and NaN. */
#include "r600/select/select.h"

#include "base/fp.h"

enum {
    SIGN_16 = 0x8000,
    INFINITY_16 = 0x7c00,
    NAN_16 = 0x7e00,
    INFINITY_32 = 0x7f800000,
    REBIAS = 112 << 23,
    LEAST_NORMAL = 113 << 23, /* 2^-14 */
    TOO_LARGE = 143 << 23,    /* 2^16 */
    BELOW_HALF = 0xfff        /* of the last bit that stays */
};

static tree_operand
number(uint32_t n)
{
    return r600_tree_const(n);
}

static tree_operand
two(r600_sel *s, unsigned op, tree_operand a, uint32_t b)
{
    return r600_sel_op2(s, op, a, number(b));
}

static tree_operand
choose(r600_sel *s, tree_operand mask, tree_operand yes, tree_operand no)
{
    return r600_sel_op(s, R600_CNDE_INT, mask, no, yes);
}

static tree_operand
to_single(r600_sel *s, tree_operand x)
{
    const tree_operand rest = two(s, R600_AND_INT, x, SIGN_16 - 1);
    const tree_operand exponent = two(s, R600_AND_INT, x, INFINITY_16);
    const tree_operand up = two(s, R600_LSHL_INT, rest, 13);
    const tree_operand normal = two(s, R600_ADD_INT, up, REBIAS);
    const tree_operand special = two(s, R600_OR_INT, up, INFINITY_32);
    const tree_operand small = two(s, R600_MUL_IEEE, r600_sel_op1(s, R600_UINT_TO_FLT, rest),
                                   base_f32_bits(0x1p-24f));
    const tree_operand finite = choose(s, exponent, normal, small);
    const tree_operand is_special = two(s, R600_SETE_INT, exponent, INFINITY_16);
    const tree_operand sign = two(s, R600_LSHL_INT, two(s, R600_AND_INT, x, SIGN_16), 16);
    return r600_sel_op2(s, R600_OR_INT, choose(s, is_special, special, finite), sign);
}

static tree_operand
to_half(r600_sel *s, tree_operand x)
{
    const tree_operand rest = two(s, R600_AND_INT, x, INT32_MAX);
    const tree_operand odd = two(s, R600_AND_INT, two(s, R600_LSHR_INT, rest, 13), 1);
    const tree_operand biased = two(s, R600_ADD_INT, rest, BELOW_HALF - (uint32_t)REBIAS);
    const tree_operand normal = two(s, R600_LSHR_INT, r600_sel_op2(s, R600_ADD_INT, biased, odd),
                                    13);
    const tree_operand units = two(s, R600_MUL_IEEE, rest, base_f32_bits(0x1p24f));
    const tree_operand small = r600_sel_op1(s, R600_FLT_TO_INT, r600_sel_op1(s, R600_RNDNE, units));
    const tree_operand is_small = r600_sel_op2(s, R600_SETGT_INT, number(LEAST_NORMAL), rest);
    const tree_operand is_nan = two(s, R600_SETGT_INT, rest, INFINITY_32);
    const tree_operand is_large = two(s, R600_SETGE_INT, rest, TOO_LARGE);
    const tree_operand payload = r600_sel_op(s, R600_BFE_UINT, rest, number(13), number(10));
    const tree_operand nan = two(s, R600_OR_INT, payload, NAN_16);
    const tree_operand large = choose(s, is_nan, nan, number(INFINITY_16));
    const tree_operand finite = choose(s, is_small, small, normal);
    const tree_operand sign = two(s, R600_AND_INT, two(s, R600_LSHR_INT, x, 16), SIGN_16);
    return r600_sel_op2(s, R600_OR_INT, choose(s, is_large, large, finite), sign);
}

tree_operand
r600_sel_expand_half(r600_sel *s, unsigned op, tree_operand x)
{
    if (op != R600_FLT16_TO_FLT32 && op != R600_FLT32_TO_FLT16)
        return (tree_operand){0};
    const tree_operand plain = x.mods ? r600_sel_op1(s, R600_MOV, x) : x;
    return op == R600_FLT16_TO_FLT32 ? to_single(s, plain) : to_half(s, plain);
}
