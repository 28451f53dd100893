/* Rules for floats. Both sides are equal for every input, including NaNs, infinities, zeros of both
 * signs and denormals, in the function's rounding mode and denormal mode. If a rule removes an
 * operation, the function must not flush denormals of that size (ir_fold_is_transparent), because
 * the operation would. */
#include "base/fp.h"
#include "ir/fold.h"

#define NONE IR_FOLD_NONE
#define _    ir_none()

/* Returns true if source `s` is the constant `value`, including the sign of zero. */
static bool
is_number(const ir_fold *n, unsigned s, double value)
{
    return n->is_const[s] && n->c[s] == base_fp_encode(value, n->bits, BASE_ROUND_EVEN);
}

static ir_ref
negated(const ir_fold *n, uint64_t c)
{
    return ir_fold_imm(n, c ^ UINT64_C(1) << (n->bits - 1));
}

/* The operation equals its source `r`. */
static ir_fold_end
unchanged(ir_fold *n, ir_ref r)
{
    return ir_fold_is_transparent(n, n->bits) ? ir_fold_to(n, r) : NONE;
}

/* ---- addition ---- */

/* x + -0 = x; x + +0 is not x: it loses the sign of -0 */
static ir_fold_end
add_minus_zero(ir_fold *n)
{
    return is_number(n, 1, -0.0) ? unchanged(n, n->s[0]) : NONE;
}

/* x + -y = x - y */
static ir_fold_end
add_negated(ir_fold *n)
{
    for (unsigned s = 0; s < 2; s++) {
        const ir_instr *i = ir_fold_def(n, n->s[s], IR_fneg);
        if (i)
            return ir_fold_again(n, IR_fsub, n->s[1 - s], i->refs[0], _);
    }
    return NONE;
}

static const ir_fold_rule fadd_rules[] = {
    {"add_minus_zero", IR_FOLD_FLOATS, add_minus_zero, IR_FOLD_C1},
    {"add_negated", IR_FOLD_FLOATS, add_negated, 0, IR_fneg},
    {0},
};

/* x - c = x + -c */
static ir_fold_end
sub_constant(ir_fold *n)
{
    return n->is_const[1] ? ir_fold_again(n, IR_fadd, n->s[0], negated(n, n->c[1]), _) : NONE;
}

/* x - -y = x + y */
static ir_fold_end
sub_negated(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[1], IR_fneg);
    return i ? ir_fold_again(n, IR_fadd, n->s[0], i->refs[0], _) : NONE;
}

/* -0 - x = -x */
static ir_fold_end
sub_from_minus_zero(ir_fold *n)
{
    return is_number(n, 0, -0.0) ? ir_fold_again(n, IR_fneg, n->s[1], _, _) : NONE;
}

static const ir_fold_rule fsub_rules[] = {
    {"sub_constant", IR_FOLD_FLOATS, sub_constant, IR_FOLD_C1},
    {"sub_negated", IR_FOLD_FLOATS, sub_negated, 0, IR_fneg},
    {"sub_from_minus_zero", IR_FOLD_FLOATS, sub_from_minus_zero, IR_FOLD_C0},
    {0},
};

/* ---- multiplication ---- */

/* x * 1 = x / 1 = x */
static ir_fold_end
right_one(ir_fold *n)
{
    return is_number(n, 1, 1) ? unchanged(n, n->s[0]) : NONE;
}

/* x * -1 = x / -1 = -x */
static ir_fold_end
right_minus_one(ir_fold *n)
{
    return is_number(n, 1, -1) ? ir_fold_again(n, IR_fneg, n->s[0], _, _) : NONE;
}

/* -x * -y = x * y, -x * c = x * -c; also for division and the factors of ffma */
static ir_fold_end
signs_cancel(ir_fold *n)
{
    const ir_instr *a = ir_fold_def(n, n->s[0], IR_fneg), *b = ir_fold_def(n, n->s[1], IR_fneg);
    if (a && b)
        return ir_fold_again(n, n->op, a->refs[0], b->refs[0], n->s[2]);
    if (a && n->is_const[1])
        return ir_fold_again(n, n->op, a->refs[0], negated(n, n->c[1]), n->s[2]);
    return NONE;
}

/* |x| * |x| = x * x */
static ir_fold_end
square_of_abs(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[0], IR_fabs);
    bool square = i && ir_same_ref(n->s[0], n->s[1]);
    return square ? ir_fold_again(n, IR_fmul, i->refs[0], i->refs[0], _) : NONE;
}

/* b2f(p) * b2f(q) = b2f(p and q) */
static ir_fold_end
product_of_bools(ir_fold *n)
{
    const ir_instr *a = ir_fold_def(n, n->s[0], IR_b2f), *b = ir_fold_def(n, n->s[1], IR_b2f);
    if (!a || !b)
        return NONE;
    ir_ref both = ir_build_alu(n->b, IR_iand, 0, a->refs[0], b->refs[0], _);
    return ir_fold_again(n, IR_b2f, both, _, _);
}

static const ir_fold_rule fmul_rules[] = {
    {"right_one", IR_FOLD_FLOATS, right_one, IR_FOLD_C1},
    {"right_minus_one", IR_FOLD_FLOATS, right_minus_one, IR_FOLD_C1},
    {"signs_cancel", IR_FOLD_FLOATS, signs_cancel, 0, IR_fneg},
    {"square_of_abs", IR_FOLD_FLOATS, square_of_abs, IR_FOLD_SAME, IR_fabs},
    {"product_of_bools", IR_FOLD_FLOATS, product_of_bools, 0, IR_b2f},
    {0},
};

/* x / 2^k = x * 2^-k if neither constant is denormal: the exact result is the same. */
static ir_fold_end
divide_by_power_of_two(ir_fold *n)
{
    unsigned fraction = base_fp_fraction_bits(n->bits);
    uint64_t max = base_mask64(base_fp_exponent_bits(n->bits));
    uint64_t exponent = n->c[1] >> fraction & max;
    if (!n->is_const[1] || (n->c[1] & base_mask64(fraction)) || exponent == 0)
        return NONE;
    uint64_t inverse = (max >> 1) * 2 - exponent; /* biased, of 2^-k */
    if (exponent >= (max >> 1) * 2)
        return NONE;
    uint64_t sign = n->c[1] & UINT64_C(1) << (n->bits - 1);
    return ir_fold_again(n, IR_fmul, n->s[0], ir_fold_imm(n, sign | inverse << fraction), _);
}

static const ir_fold_rule fdiv_rules[] = {
    {"right_one", IR_FOLD_FLOATS, right_one, IR_FOLD_C1},
    {"right_minus_one", IR_FOLD_FLOATS, right_minus_one, IR_FOLD_C1},
    {"signs_cancel", IR_FOLD_FLOATS, signs_cancel, 0, IR_fneg},
    {"divide_by_power_of_two", IR_FOLD_FLOATS, divide_by_power_of_two, IR_FOLD_C1},
    {0},
};

/* x * 1 + z = x + z, x * -1 + z = z - x */
static ir_fold_end
fma_by_one(ir_fold *n)
{
    if (is_number(n, 1, 1))
        return ir_fold_again(n, IR_fadd, n->s[0], n->s[2], _);
    return is_number(n, 1, -1) ? ir_fold_again(n, IR_fsub, n->s[2], n->s[0], _) : NONE;
}

/* x * y + -0 = x * y */
static ir_fold_end
fma_of_minus_zero(ir_fold *n)
{
    return is_number(n, 2, -0.0) ? ir_fold_again(n, IR_fmul, n->s[0], n->s[1], _) : NONE;
}

static const ir_fold_rule ffma_rules[] = {
    {"fma_by_one", IR_FOLD_FLOATS, fma_by_one, IR_FOLD_C1},
    {"fma_of_minus_zero", IR_FOLD_FLOATS, fma_of_minus_zero, IR_FOLD_C2},
    {"signs_cancel", IR_FOLD_FLOATS, signs_cancel, 0, IR_fneg},
    {0},
};

/* ---- signs ---- */

/* --x = x */
static ir_fold_end
negate_negated(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[0], IR_fneg);
    return i ? unchanged(n, i->refs[0]) : NONE;
}

/* -(x * c) = x * -c */
static ir_fold_end
negate_product(ir_fold *n)
{
    ir_ref x;
    uint64_t c;
    if (!ir_fold_def_const(n, n->s[0], IR_fmul, &x, &c))
        return NONE;
    return ir_fold_again(n, IR_fmul, x, negated(n, c), _);
}

static const ir_fold_rule fneg_rules[] = {
    {"negate_negated", IR_FOLD_FLOATS, negate_negated, 0, IR_fneg},
    {"negate_product", IR_FOLD_FLOATS, negate_product, 0, IR_fmul},
    {0},
};

/* |-x| = ||x|| = |x| */
static ir_fold_end
abs_of_sign(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[0], IR_fneg);
    i = i ? i : ir_fold_def(n, n->s[0], IR_fabs);
    return i ? ir_fold_again(n, IR_fabs, i->refs[0], _, _) : NONE;
}

/* Results that are never negative: |b2f|, |u2f|, |fsat| */
static ir_fold_end
abs_of_positive(ir_fold *n)
{
    ir_op op = ir_fold_op_of(n, n->s[0]);
    bool positive = op == IR_b2f || op == IR_u2f || op == IR_fsat;
    return positive ? ir_fold_to(n, n->s[0]) : NONE;
}

static const ir_fold_rule fabs_rules[] = {
    {"abs_of_sign", IR_FOLD_FLOATS, abs_of_sign, IR_FOLD_INNER},
    {"abs_of_positive", IR_FOLD_FLOATS, abs_of_positive, IR_FOLD_INNER},
    {0},
};

/* ---- minimum, maximum, saturation ---- */

static ir_fold_end
same_is_self(ir_fold *n)
{
    return ir_same_ref(n->s[0], n->s[1]) ? unchanged(n, n->s[0]) : NONE;
}

/* op(op(x, y), y) = op(x, y) */
static ir_fold_end
absorb_repeated(ir_fold *n)
{
    for (unsigned s = 0; s < 2; s++) {
        const ir_instr *i = ir_fold_def(n, n->s[s], n->op);
        ir_ref other = n->s[1 - s];
        if (i && (ir_same_ref(i->refs[0], other) || ir_same_ref(i->refs[1], other)))
            return ir_fold_to(n, n->s[s]);
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

/* min(max(x, +0), 1) = fsat(x), also for a NaN: 0 */
static ir_fold_end
min_max_to_sat(ir_fold *n)
{
    ir_ref x;
    uint64_t c;
    if (!is_number(n, 1, 1) || !ir_fold_def_const(n, n->s[0], IR_fmax, &x, &c) || c)
        return NONE;
    return ir_fold_again(n, IR_fsat, x, _, _);
}

static const ir_fold_rule fmin_rules[] = {
    {"same_is_self", IR_FOLD_FLOATS, same_is_self, IR_FOLD_SAME},
    {"absorb_repeated", IR_FOLD_FLOATS, absorb_repeated, 0, IR_fmin},
    {"reassociate", IR_FOLD_FLOATS, reassociate, IR_FOLD_C1, IR_fmin},
    {"min_max_to_sat", IR_FOLD_FLOATS, min_max_to_sat, IR_FOLD_C1, IR_fmax},
    {0},
};

static const ir_fold_rule fmax_rules[] = {
    {"same_is_self", IR_FOLD_FLOATS, same_is_self, IR_FOLD_SAME},
    {"absorb_repeated", IR_FOLD_FLOATS, absorb_repeated, 0, IR_fmax},
    {"reassociate", IR_FOLD_FLOATS, reassociate, IR_FOLD_C1, IR_fmax},
    {0},
};

/* sat(x) = x if x is already in [0, 1] */
static ir_fold_end
sat_of_sat(ir_fold *n)
{
    ir_op op = ir_fold_op_of(n, n->s[0]);
    return op == IR_fsat || op == IR_b2f ? ir_fold_to(n, n->s[0]) : NONE;
}

static const ir_fold_rule fsat_rules[] = {
    {"sat_of_sat", IR_FOLD_FLOATS, sat_of_sat, IR_FOLD_INNER},
    {0},
};

/* ---- rounding ---- */

/* Rounding a value that is already an integer. */
static ir_fold_end
round_integral(ir_fold *n)
{
    switch (ir_fold_op_of(n, n->s[0])) {
    case IR_ffloor:
    case IR_fceil:
    case IR_ftrunc:
    case IR_fround_even:
    case IR_i2f:
    case IR_u2f:
    case IR_b2f: return ir_fold_to(n, n->s[0]);
    default: return NONE;
    }
}

static const ir_fold_rule round_rules[] = {
    {"round_integral", IR_FOLD_FLOATS, round_integral, IR_FOLD_INNER},
    {0},
};

static ir_fold_end
quantize_twice(ir_fold *n)
{
    bool twice = ir_fold_def(n, n->s[0], IR_fquantize2f16) != NULL;
    return twice ? ir_fold_to(n, n->s[0]) : NONE;
}

static const ir_fold_rule quantize_rules[] = {
    {"quantize_twice", 32, quantize_twice, 0, IR_fquantize2f16},
    {0},
};

/* ldexp(x, 0) = x */
static ir_fold_end
scale_by_nothing(ir_fold *n)
{
    return n->is_const[1] && !n->c[1] ? unchanged(n, n->s[0]) : NONE;
}

static const ir_fold_rule ldexp_rules[] = {
    {"scale_by_nothing", IR_FOLD_FLOATS, scale_by_nothing, IR_FOLD_C1},
    {0},
};

/* ---- comparison ---- */

/* -x < -y is y < x; -x < c is -c < x; -x == -y, -x == c likewise */
static ir_fold_end
compare_negated(ir_fold *n)
{
    const ir_instr *i[2];
    ir_ref s[2];
    for (unsigned k = 0; k < 2; k++) {
        i[k] = ir_fold_def(n, n->s[k], IR_fneg);
        if (!i[k] && !n->is_const[k])
            return NONE;
    }
    for (unsigned k = 0; k < 2; k++)
        s[k] = i[k] ? i[k]->refs[0] : negated(n, n->c[k]);
    return ir_fold_again(n, n->op, s[1], s[0], _);
}

/* x < x and x != x (ordered) are never true, x == x (or unordered) always */
static ir_fold_end
compare_same(ir_fold *n)
{
    return ir_same_ref(n->s[0], n->s[1]) ? ir_fold_to_imm(n, n->op == IR_fequ) : NONE;
}

/* |x| == 0 is x == 0 */
static ir_fold_end
equal_abs_zero(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[0], IR_fabs);
    bool zero = is_number(n, 1, 0) || is_number(n, 1, -0.0);
    return i && zero ? ir_fold_again(n, n->op, i->refs[0], n->s[1], _) : NONE;
}

/* b2f(x) == 0 is not x, b2f(x) == 1 is x; and != */
static ir_fold_end
equal_b2f(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[0], IR_b2f);
    bool one = is_number(n, 1, 1), zero = is_number(n, 1, 0) || is_number(n, 1, -0.0);
    if (!i || (!one && !zero))
        return NONE;
    if (one == (n->op == IR_feq || n->op == IR_fequ))
        return ir_fold_to(n, i->refs[0]);
    return ir_fold_again(n, IR_inot, i->refs[0], _, _);
}

static const ir_fold_rule equal_rules[] = {
    {"compare_negated", IR_FOLD_FLOATS, compare_negated, 0, IR_fneg},
    {"equal_abs_zero", IR_FOLD_FLOATS, equal_abs_zero, IR_FOLD_C1, IR_fabs},
    {"equal_b2f", IR_FOLD_FLOATS, equal_b2f, IR_FOLD_C1, IR_b2f},
    {0},
};

static const ir_fold_rule known_if_same_rules[] = {
    {"compare_same", IR_FOLD_FLOATS, compare_same, IR_FOLD_SAME},
    {"compare_negated", IR_FOLD_FLOATS, compare_negated, 0, IR_fneg},
    {0},
};

static const ir_fold_rule fge_rules[] = {
    {"compare_negated", IR_FOLD_FLOATS, compare_negated, 0, IR_fneg},
    {0},
};

const ir_fold_rule *const ir_fold_float_rules[IR_HIR_OP_COUNT] = {
    [IR_fadd] = fadd_rules,
    [IR_fsub] = fsub_rules,
    [IR_fmul] = fmul_rules,
    [IR_fdiv] = fdiv_rules,
    [IR_ffma] = ffma_rules,
    [IR_fneg] = fneg_rules,
    [IR_fabs] = fabs_rules,
    [IR_fmin] = fmin_rules,
    [IR_fmax] = fmax_rules,
    [IR_fsat] = fsat_rules,
    [IR_ffloor] = round_rules,
    [IR_fceil] = round_rules,
    [IR_ftrunc] = round_rules,
    [IR_fround_even] = round_rules,
    [IR_fquantize2f16] = quantize_rules,
    [IR_ldexp] = ldexp_rules,
    [IR_feq] = equal_rules,
    [IR_fneu] = equal_rules,
    [IR_fequ] = known_if_same_rules,
    [IR_fneo] = known_if_same_rules,
    [IR_flt] = known_if_same_rules,
    [IR_fge] = fge_rules,
};
