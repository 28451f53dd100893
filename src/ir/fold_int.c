/* Rules for integer arithmetic. c, c1, c2 are constants; in commutative operations the constant is
 * on the right (ir_fold_prepare). */
#include "ir/bounds.h"
#include "ir/fold.h"

#define NONE IR_FOLD_NONE
#define _    ir_none()

/* ---- any operation ---- */

/* op(x, 0) = x */
static ir_fold_end
right_zero(ir_fold *n)
{
    return ir_fold_is(n, 1, 0) ? ir_fold_to(n, n->s[0]) : NONE;
}

/* op(x, 1) = x */
static ir_fold_end
right_one(ir_fold *n)
{
    return ir_fold_is(n, 1, 1) ? ir_fold_to(n, n->s[0]) : NONE;
}

/* op(x, 0) = 0 */
static ir_fold_end
right_zero_is_zero(ir_fold *n)
{
    return ir_fold_is(n, 1, 0) ? ir_fold_to_imm(n, 0) : NONE;
}

/* op(0, x) = 0 */
static ir_fold_end
left_zero_is_zero(ir_fold *n)
{
    return ir_fold_is(n, 0, 0) ? ir_fold_to_imm(n, 0) : NONE;
}

/* op(x, 1) = 0 */
static ir_fold_end
right_one_is_zero(ir_fold *n)
{
    return ir_fold_is(n, 1, 1) ? ir_fold_to_imm(n, 0) : NONE;
}

/* op(x, x) = x */
static ir_fold_end
same_is_self(ir_fold *n)
{
    return ir_same_ref(n->s[0], n->s[1]) ? ir_fold_to(n, n->s[0]) : NONE;
}

/* op(x, x) = 0 */
static ir_fold_end
same_is_zero(ir_fold *n)
{
    return ir_same_ref(n->s[0], n->s[1]) ? ir_fold_to_imm(n, 0) : NONE;
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
    const ir_instr *i = n->is_const[1] ? ir_fold_def(n, n->s[0], n->op) : NULL;
    uint64_t c1;
    if (!i || !ir_is_const(n->f, i->refs[1], &c1))
        return NONE;
    ir_ref x = i->refs[0], c = ir_build_alu(n->b, n->op, 0, i->refs[1], n->s[1], _);
    return ir_fold_again(n, n->op, x, c, _);
}

/* ---- addition ---- */

/* (c1 - x) + c2 = (c1 + c2) - x */
static ir_fold_end
add_to_difference(ir_fold *n)
{
    const ir_instr *i = n->is_const[1] ? ir_fold_def(n, n->s[0], IR_isub) : NULL;
    uint64_t c1;
    if (!i || !ir_is_const(n->f, i->refs[0], &c1))
        return NONE;
    return ir_fold_again(n, IR_isub, ir_fold_imm(n, c1 + n->c[1]), i->refs[1], _);
}

/* x + -y = x - y */
static ir_fold_end
add_negated(ir_fold *n)
{
    for (unsigned s = 0; s < 2; s++) {
        const ir_instr *i = ir_fold_def(n, n->s[s], IR_ineg);
        if (i)
            return ir_fold_again(n, IR_isub, n->s[1 - s], i->refs[0], _);
    }
    return NONE;
}

/* (x - y) + y = x */
static ir_fold_end
add_subtracted(ir_fold *n)
{
    for (unsigned s = 0; s < 2; s++) {
        const ir_instr *i = ir_fold_def(n, n->s[s], IR_isub);
        if (i && ir_same_ref(i->refs[1], n->s[1 - s]))
            return ir_fold_to(n, i->refs[0]);
    }
    return NONE;
}

static const ir_fold_rule iadd_rules[] = {
    {"right_zero", IR_FOLD_INTS, right_zero, IR_FOLD_C1},
    {"reassociate", IR_FOLD_INTS, reassociate, IR_FOLD_C1, IR_iadd},
    {"add_to_difference", IR_FOLD_INTS, add_to_difference, IR_FOLD_C1, IR_isub},
    {"add_negated", IR_FOLD_INTS, add_negated, 0, IR_ineg},
    {"add_subtracted", IR_FOLD_INTS, add_subtracted, 0, IR_isub},
    {0},
};

/* x - c = x + -c */
static ir_fold_end
sub_constant(ir_fold *n)
{
    return n->is_const[1] ? ir_fold_again(n, IR_iadd, n->s[0], ir_fold_imm(n, 0 - n->c[1]), _)
                          : NONE;
}

/* 0 - x = -x */
static ir_fold_end
sub_from_zero(ir_fold *n)
{
    return ir_fold_is(n, 0, 0) ? ir_fold_again(n, IR_ineg, n->s[1], _, _) : NONE;
}

/* x - -y = x + y */
static ir_fold_end
sub_negated(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[1], IR_ineg);
    return i ? ir_fold_again(n, IR_iadd, n->s[0], i->refs[0], _) : NONE;
}

/* c1 - (x + c2) = (c1 - c2) - x */
static ir_fold_end
sub_sum_from_constant(ir_fold *n)
{
    ir_ref x;
    uint64_t c2;
    if (!n->is_const[0] || !ir_fold_def_const(n, n->s[1], IR_iadd, &x, &c2))
        return NONE;
    return ir_fold_again(n, IR_isub, ir_fold_imm(n, n->c[0] - c2), x, _);
}

/* (x + y) - y = x; (x + y) - x = y */
static ir_fold_end
sub_added(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[0], IR_iadd);
    for (unsigned s = 0; i && s < 2; s++) {
        if (ir_same_ref(i->refs[s], n->s[1]))
            return ir_fold_to(n, i->refs[1 - s]);
    }
    return NONE;
}

static const ir_fold_rule isub_rules[] = {
    {"same_is_zero", IR_FOLD_INTS, same_is_zero, IR_FOLD_SAME},
    {"sub_constant", IR_FOLD_INTS, sub_constant, IR_FOLD_C1},
    {"sub_from_zero", IR_FOLD_INTS, sub_from_zero, IR_FOLD_C0},
    {"sub_negated", IR_FOLD_INTS, sub_negated, 0, IR_ineg},
    {"sub_sum_from_constant", IR_FOLD_INTS, sub_sum_from_constant, IR_FOLD_C0, IR_iadd},
    {"sub_added", IR_FOLD_INTS, sub_added, 0, IR_iadd},
    {0},
};

/* --x = x */
static ir_fold_end
negate_negated(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[0], IR_ineg);
    return i ? ir_fold_to(n, i->refs[0]) : NONE;
}

/* -(x - y) = y - x */
static ir_fold_end
negate_difference(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[0], IR_isub);
    return i ? ir_fold_again(n, IR_isub, i->refs[1], i->refs[0], _) : NONE;
}

/* -(x + c) = -c - x */
static ir_fold_end
negate_sum(ir_fold *n)
{
    ir_ref x;
    uint64_t c;
    if (!ir_fold_def_const(n, n->s[0], IR_iadd, &x, &c))
        return NONE;
    return ir_fold_again(n, IR_isub, ir_fold_imm(n, 0 - c), x, _);
}

/* -(x * c) = x * -c */
static ir_fold_end
negate_product(ir_fold *n)
{
    ir_ref x;
    uint64_t c;
    if (!ir_fold_def_const(n, n->s[0], IR_imul, &x, &c))
        return NONE;
    return ir_fold_again(n, IR_imul, x, ir_fold_imm(n, 0 - c), _);
}

static const ir_fold_rule ineg_rules[] = {
    {"negate_negated", IR_FOLD_INTS, negate_negated, 0, IR_ineg},
    {"negate_difference", IR_FOLD_INTS, negate_difference, 0, IR_isub},
    {"negate_sum", IR_FOLD_INTS, negate_sum, 0, IR_iadd},
    {"negate_product", IR_FOLD_INTS, negate_product, 0, IR_imul},
    {0},
};

/* |-x| = ||x|| = |x| */
static ir_fold_end
abs_of_sign(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[0], IR_ineg);
    i = i ? i : ir_fold_def(n, n->s[0], IR_iabs);
    return i ? ir_fold_again(n, IR_iabs, i->refs[0], _, _) : NONE;
}

static const ir_fold_rule iabs_rules[] = {
    {"abs_of_sign", IR_FOLD_INTS, abs_of_sign, IR_FOLD_INNER},
    {0},
};

/* ---- multiplication ---- */

/* x * -1 = x / -1 = -x */
static ir_fold_end
times_minus_one(ir_fold *n)
{
    return ir_fold_is(n, 1, ~UINT64_C(0)) ? ir_fold_again(n, IR_ineg, n->s[0], _, _) : NONE;
}

/* x * 2^k = x << k */
static ir_fold_end
times_power_of_two(ir_fold *n)
{
    uint32_t k;
    return ir_fold_is_pow2(n, 1, &k) ? ir_fold_again(n, IR_ishl, n->s[0], ir_fold_imm32(n, k), _)
                                     : NONE;
}

/* (x << c1) * c2 = x * (c2 << c1) */
static ir_fold_end
times_shifted(ir_fold *n)
{
    ir_ref x;
    uint64_t c1;
    if (!n->is_const[1] || !ir_fold_def_const(n, n->s[0], IR_ishl, &x, &c1))
        return NONE;
    return ir_fold_again(n, IR_imul, x, ir_fold_imm(n, n->c[1] << (c1 & (n->bits - 1))), _);
}

/* -x * -y = x * y; -x * c = x * -c */
static ir_fold_end
times_negated(ir_fold *n)
{
    const ir_instr *a = ir_fold_def(n, n->s[0], IR_ineg), *b = ir_fold_def(n, n->s[1], IR_ineg);
    if (a && b)
        return ir_fold_again(n, IR_imul, a->refs[0], b->refs[0], _);
    if (a && n->is_const[1])
        return ir_fold_again(n, IR_imul, a->refs[0], ir_fold_imm(n, 0 - n->c[1]), _);
    return NONE;
}

/* (x + c1) * c2 = x * c2 + c1 * c2: moves constant parts of addresses outwards */
static ir_fold_end
times_sum(ir_fold *n)
{
    ir_ref x;
    uint64_t c1;
    if (!n->is_const[1] || !ir_fold_def_const(n, n->s[0], IR_iadd, &x, &c1))
        return NONE;
    ir_ref product = ir_build_alu(n->b, IR_imul, 0, x, n->s[1], _);
    return ir_fold_again(n, IR_iadd, product, ir_fold_imm(n, c1 * n->c[1]), _);
}

static const ir_fold_rule imul_rules[] = {
    {"right_zero_is_zero", IR_FOLD_INTS, right_zero_is_zero, IR_FOLD_C1},
    {"right_one", IR_FOLD_INTS, right_one, IR_FOLD_C1},
    {"times_minus_one", IR_FOLD_INTS, times_minus_one, IR_FOLD_C1},
    {"times_power_of_two", IR_FOLD_INTS, times_power_of_two, IR_FOLD_C1},
    {"reassociate", IR_FOLD_INTS, reassociate, IR_FOLD_C1, IR_imul},
    {"times_shifted", IR_FOLD_INTS, times_shifted, IR_FOLD_C1, IR_ishl},
    {"times_negated", IR_FOLD_INTS, times_negated, 0, IR_ineg},
    {"times_sum", IR_FOLD_INTS, times_sum, IR_FOLD_C1, IR_iadd},
    {0},
};

/* the high half of x * 1: the sign */
static ir_fold_end
high_of_one(ir_fold *n)
{
    return ir_fold_is(n, 1, 1)
               ? ir_fold_again(n, IR_ishr, n->s[0], ir_fold_imm32(n, n->bits - 1), _)
               : NONE;
}

/* the high half of x * 2^k, k > 0: x >> (bits - k) */
static ir_fold_end
high_of_power_of_two(ir_fold *n)
{
    uint32_t k;
    if (!ir_fold_is_pow2(n, 1, &k) || !k)
        return NONE;
    return ir_fold_again(n, IR_ushr, n->s[0], ir_fold_imm32(n, n->bits - k), _);
}

static const ir_fold_rule imul_high_rules[] = {
    {"right_zero_is_zero", IR_FOLD_INTS, right_zero_is_zero, IR_FOLD_C1},
    {"high_of_one", IR_FOLD_INTS, high_of_one, IR_FOLD_C1},
    {0},
};

static const ir_fold_rule umul_high_rules[] = {
    {"right_zero_is_zero", IR_FOLD_INTS, right_zero_is_zero, IR_FOLD_C1},
    {"right_one_is_zero", IR_FOLD_INTS, right_one_is_zero, IR_FOLD_C1},
    {"high_of_power_of_two", IR_FOLD_INTS, high_of_power_of_two, IR_FOLD_C1},
    {0},
};

/* 64-bit x * 1 of 32-bit x */
static ir_fold_end
extend_times_one(ir_fold *n)
{
    ir_op op = n->op == IR_imul_2x32_64 ? IR_i2i : IR_u2u;
    return ir_fold_is(n, 1, 1) ? ir_fold_again(n, op, n->s[0], _, _) : NONE;
}

static const ir_fold_rule mul_wide_rules[] = {
    {"right_zero_is_zero", 32, right_zero_is_zero, IR_FOLD_C1},
    {"extend_times_one", 32, extend_times_one, IR_FOLD_C1},
    {0},
};

/* ---- division ---- */

/* x / 2^k = x >> k, unsigned */
static ir_fold_end
divide_by_power_of_two(ir_fold *n)
{
    uint32_t k;
    return ir_fold_is_pow2(n, 1, &k) ? ir_fold_again(n, IR_ushr, n->s[0], ir_fold_imm32(n, k), _)
                                     : NONE;
}

/* x % 2^k = x & (2^k - 1) for unsigned, and for modulo with the sign of a positive divisor */
static ir_fold_end
modulo_power_of_two(ir_fold *n)
{
    uint32_t k;
    if (!ir_fold_is_pow2(n, 1, &k) || (n->op == IR_imod && k == n->bits - 1))
        return NONE;
    return ir_fold_again(n, IR_iand, n->s[0], ir_fold_imm(n, n->c[1] - 1), _);
}

/* x % -1 = 0 */
static ir_fold_end
modulo_minus_one(ir_fold *n)
{
    return ir_fold_is(n, 1, ~UINT64_C(0)) ? ir_fold_to_imm(n, 0) : NONE;
}

/* Signed division of a number that is not negative by a positive constant. */
static ir_fold_end
divide_unsigned(ir_fold *n)
{
    uint64_t top = UINT64_C(1) << (n->bits - 1);
    if (!n->is_const[1] || n->c[1] >= top || ir_upper_bound(n->f, n->s[0]) >= top)
        return NONE;
    return ir_fold_again(n, n->op == IR_idiv ? IR_udiv : IR_umod, n->s[0], n->s[1], _);
}

static const ir_fold_rule idiv_rules[] = {
    {"right_zero_is_zero", IR_FOLD_INTS, right_zero_is_zero, IR_FOLD_C1},
    {"right_one", IR_FOLD_INTS, right_one, IR_FOLD_C1},
    {"times_minus_one", IR_FOLD_INTS, times_minus_one, IR_FOLD_C1},
    {"divide_unsigned", IR_FOLD_INTS, divide_unsigned, IR_FOLD_C1},
    {0},
};

static const ir_fold_rule udiv_rules[] = {
    {"right_zero_is_zero", IR_FOLD_INTS, right_zero_is_zero, IR_FOLD_C1},
    {"right_one", IR_FOLD_INTS, right_one, IR_FOLD_C1},
    {"divide_by_power_of_two", IR_FOLD_INTS, divide_by_power_of_two, IR_FOLD_C1},
    {0},
};

static const ir_fold_rule irem_rules[] = {
    {"right_zero_is_zero", IR_FOLD_INTS, right_zero_is_zero, IR_FOLD_C1},
    {"right_one_is_zero", IR_FOLD_INTS, right_one_is_zero, IR_FOLD_C1},
    {"modulo_minus_one", IR_FOLD_INTS, modulo_minus_one, IR_FOLD_C1},
    {"divide_unsigned", IR_FOLD_INTS, divide_unsigned, IR_FOLD_C1},
    {0},
};

static const ir_fold_rule imod_rules[] = {
    {"right_zero_is_zero", IR_FOLD_INTS, right_zero_is_zero, IR_FOLD_C1},
    {"modulo_minus_one", IR_FOLD_INTS, modulo_minus_one, IR_FOLD_C1},
    {"modulo_power_of_two", IR_FOLD_INTS, modulo_power_of_two, IR_FOLD_C1},
    {"divide_unsigned", IR_FOLD_INTS, divide_unsigned, IR_FOLD_C1},
    {0},
};

static const ir_fold_rule umod_rules[] = {
    {"right_zero_is_zero", IR_FOLD_INTS, right_zero_is_zero, IR_FOLD_C1},
    {"modulo_power_of_two", IR_FOLD_INTS, modulo_power_of_two, IR_FOLD_C1},
    {0},
};

/* ---- minimum and maximum ---- */

/* The constant that min (max) returns with any other source; its complement is the identity. */
static uint64_t
extreme(const ir_fold *n)
{
    uint64_t top = UINT64_C(1) << (n->bits - 1), all = base_mask64(n->bits);
    switch (n->op) {
    case IR_imin: return top;
    case IR_imax: return all ^ top;
    case IR_umax: return all;
    default: return 0; /* umin */
    }
}

static ir_fold_end
against_extreme(ir_fold *n)
{
    if (ir_fold_is(n, 1, extreme(n)))
        return ir_fold_to(n, n->s[1]);
    return ir_fold_is(n, 1, ~extreme(n)) ? ir_fold_to(n, n->s[0]) : NONE;
}

/* The other source cannot get beyond the constant. */
static ir_fold_end
against_bound(ir_fold *n)
{
    bool is_signed = n->op == IR_imin || n->op == IR_imax;
    bool least = n->op == IR_imin || n->op == IR_umin;
    uint64_t top = UINT64_C(1) << (n->bits - 1);
    if (!n->is_const[1])
        return NONE;
    uint64_t most = ir_upper_bound(n->f, n->s[0]);
    if (is_signed && most >= top)
        return NONE;
    if (is_signed && n->c[1] >= top)
        return ir_fold_to(n, n->s[least]);
    return most <= n->c[1] ? ir_fold_to(n, n->s[!least]) : NONE;
}

static const ir_fold_rule minmax_rules[] = {
    {"same_is_self", IR_FOLD_INTS, same_is_self, IR_FOLD_SAME},
    {"against_extreme", IR_FOLD_INTS, against_extreme, IR_FOLD_C1},
    {"against_bound", IR_FOLD_INTS, against_bound, IR_FOLD_C1},
    {"absorb_repeated", IR_FOLD_INTS, absorb_repeated, IR_FOLD_INNER},
    {"reassociate", IR_FOLD_INTS, reassociate, IR_FOLD_C1 | IR_FOLD_INNER},
    {0},
};

/* ---- carries and saturation ---- */

static const ir_fold_rule carry_rules[] = {
    {"right_zero_is_zero", IR_FOLD_INTS, right_zero_is_zero, IR_FOLD_C1},
    {0},
};

static const ir_fold_rule borrow_rules[] = {
    {"right_zero_is_zero", IR_FOLD_INTS, right_zero_is_zero, IR_FOLD_C1},
    {"same_is_zero", IR_FOLD_INTS, same_is_zero, IR_FOLD_SAME},
    {0},
};

static const ir_fold_rule add_sat_rules[] = {
    {"right_zero", IR_FOLD_INTS, right_zero, IR_FOLD_C1},
    {0},
};

static const ir_fold_rule isub_sat_rules[] = {
    {"right_zero", IR_FOLD_INTS, right_zero, IR_FOLD_C1},
    {"same_is_zero", IR_FOLD_INTS, same_is_zero, IR_FOLD_SAME},
    {0},
};

static const ir_fold_rule usub_sat_rules[] = {
    {"right_zero", IR_FOLD_INTS, right_zero, IR_FOLD_C1},
    {"same_is_zero", IR_FOLD_INTS, same_is_zero, IR_FOLD_SAME},
    {"left_zero_is_zero", IR_FOLD_INTS, left_zero_is_zero, IR_FOLD_C0},
    {0},
};

const ir_fold_rule *const ir_fold_int_rules[IR_HIR_OP_COUNT] = {
    [IR_iadd] = iadd_rules,
    [IR_isub] = isub_rules,
    [IR_ineg] = ineg_rules,
    [IR_iabs] = iabs_rules,
    [IR_imul] = imul_rules,
    [IR_imul_high] = imul_high_rules,
    [IR_umul_high] = umul_high_rules,
    [IR_imul_2x32_64] = mul_wide_rules,
    [IR_umul_2x32_64] = mul_wide_rules,
    [IR_idiv] = idiv_rules,
    [IR_udiv] = udiv_rules,
    [IR_irem] = irem_rules,
    [IR_imod] = imod_rules,
    [IR_umod] = umod_rules,
    [IR_imin] = minmax_rules,
    [IR_imax] = minmax_rules,
    [IR_umin] = minmax_rules,
    [IR_umax] = minmax_rules,
    [IR_uadd_carry] = carry_rules,
    [IR_usub_borrow] = borrow_rules,
    [IR_iadd_sat] = add_sat_rules,
    [IR_uadd_sat] = add_sat_rules,
    [IR_isub_sat] = isub_sat_rules,
    [IR_usub_sat] = usub_sat_rules,
};
