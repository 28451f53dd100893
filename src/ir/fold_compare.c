/* Rules for integer comparison and for selection. */
#include "ir/bounds.h"
#include "ir/fold.h"

#define NONE IR_FOLD_NONE
#define _    ir_none()

/* ---- selection ---- */

static ir_fold_end
select_constant(ir_fold *n)
{
    return n->is_const[0] ? ir_fold_to(n, n->s[n->c[0] ? 1 : 2]) : NONE;
}

static ir_fold_end
select_same(ir_fold *n)
{
    return ir_same_ref(n->s[1], n->s[2]) ? ir_fold_to(n, n->s[1]) : NONE;
}

/* not c ? x : y = c ? y : x */
static ir_fold_end
select_by_not(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[0], IR_inot);
    return i ? ir_fold_again(n, IR_bcsel, i->refs[0], n->s[2], n->s[1]) : NONE;
}

/* c ? (c ? x : y) : z = c ? x : z, and the same in the other arm */
static ir_fold_end
select_nested(ir_fold *n)
{
    for (unsigned s = 1; s < 3; s++) {
        const ir_instr *i = ir_fold_def(n, n->s[s], IR_bcsel);
        if (!i || !ir_same_ref(i->refs[0], n->s[0]))
            continue;
        ir_ref arm = i->refs[s];
        return s == 1 ? ir_fold_again(n, IR_bcsel, n->s[0], arm, n->s[2])
                      : ir_fold_again(n, IR_bcsel, n->s[0], n->s[1], arm);
    }
    return NONE;
}

/* Is the boolean `a` the opposite of `b`? Integer comparisons alone have an opposite operation. */
static bool
are_opposite(const ir_fold *n, ir_ref a, ir_ref b)
{
    static const struct {
        uint8_t op, opposite;
    } rows[] = {{IR_ieq, IR_ine}, {IR_ilt, IR_ige}, {IR_ult, IR_uge}};
    const ir_instr *x = n->f->values[a.id].def, *y = n->f->values[b.id].def;
    if (ir_fold_def(n, a, IR_inot))
        return ir_same_ref(x->refs[0], b);
    if (ir_fold_def(n, b, IR_inot))
        return ir_same_ref(y->refs[0], a);
    for (unsigned r = 0; x && y && r < sizeof rows / sizeof *rows; r++) {
        bool opposite = (x->op == rows[r].op && y->op == rows[r].opposite) ||
                        (y->op == rows[r].op && x->op == rows[r].opposite);
        if (opposite)
            return ir_same_ref(x->refs[0], y->refs[0]) && ir_same_ref(x->refs[1], y->refs[1]);
    }
    return false;
}

/* Booleans: c ? x : not c = x or not c, c ? not c : x = x and not c */
static ir_fold_end
select_opposite(ir_fold *n)
{
    if (are_opposite(n, n->s[0], n->s[2]))
        return ir_fold_again(n, IR_ior, n->s[1], n->s[2], _);
    return are_opposite(n, n->s[0], n->s[1]) ? ir_fold_again(n, IR_iand, n->s[1], n->s[2], _)
                                             : NONE;
}

/* Booleans: c ? true : x = c or x, and so on; an arm equal to c is a constant in that arm. */
static ir_fold_end
select_bool(ir_fold *n)
{
    ir_ref c = n->s[0], x = n->s[1], y = n->s[2];
    bool x_true = (n->is_const[1] && n->c[1]) || ir_same_ref(x, c);
    bool y_false = (n->is_const[2] && !n->c[2]) || ir_same_ref(y, c);
    if (x_true && y_false)
        return ir_fold_to(n, c);
    if (x_true)
        return ir_fold_again(n, IR_ior, c, y, _);
    if (y_false)
        return ir_fold_again(n, IR_iand, c, x, _);
    if (!n->is_const[1] && !n->is_const[2])
        return NONE;
    ir_ref not_c = ir_build_alu(n->b, IR_inot, 0, c, _, _);
    return n->is_const[1] ? ir_fold_again(n, IR_iand, not_c, y, _)
                          : ir_fold_again(n, IR_ior, not_c, x, _);
}

/* c ? 1 : 0 = b2i c; c ? 0 : 1 = b2i (not c) */
static ir_fold_end
select_one_or_zero(ir_fold *n)
{
    if (!n->is_const[1] || !n->is_const[2] || n->c[1] + n->c[2] != 1 || n->c[1] > 1)
        return NONE;
    ir_ref c = n->c[1] ? n->s[0] : ir_build_alu(n->b, IR_inot, 0, n->s[0], _, _);
    return ir_fold_again(n, IR_b2i, c, _, _);
}

/* The boolean x of an arm that is b2i(x), or of a constant 0 or 1; else none. */
static ir_ref
arm_as_bool(const ir_fold *n, unsigned s)
{
    const ir_instr *i = ir_fold_def(n, n->s[s], IR_b2i);
    if (n->is_const[s])
        return n->c[s] <= 1 ? ir_build_imm(n->b, 1, n->c[s]) : ir_none();
    return i ? i->refs[0] : ir_none();
}

/* c ? b2i x : b2i y = b2i (c ? x : y), also if one arm is 0 or 1 */
static ir_fold_end
select_b2i(ir_fold *n)
{
    ir_ref x = arm_as_bool(n, 1), y = arm_as_bool(n, 2);
    if (!ir_is_value(x) || !ir_is_value(y))
        return NONE;
    return ir_fold_again(n, IR_b2i, irb_bcsel(n->b, n->s[0], x, y), _, _);
}

/* a < b ? a : b = min(a, b) and similar; integers only, because NaNs and signed zeros complicate
 * floats. Not for 64 bits, which machines lack (opt/lower_int64.c). */
static ir_fold_end
select_min_max(ir_fold *n)
{
    static const struct {
        uint8_t compare, in_order, exchanged;
    } rows[] = {
        {IR_ilt, IR_imin, IR_imax},
        {IR_ige, IR_imax, IR_imin},
        {IR_ult, IR_umin, IR_umax},
        {IR_uge, IR_umax, IR_umin},
    };
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        const ir_instr *i = ir_fold_def(n, n->s[0], (ir_op)rows[r].compare);
        if (!i)
            continue;
        ir_ref a = i->refs[0], b = i->refs[1];
        if (ir_same_ref(a, n->s[1]) && ir_same_ref(b, n->s[2]))
            return ir_fold_again(n, (ir_op)rows[r].in_order, a, b, _);
        if (ir_same_ref(a, n->s[2]) && ir_same_ref(b, n->s[1]))
            return ir_fold_again(n, (ir_op)rows[r].exchanged, a, b, _);
    }
    return NONE;
}

/* x < 0 ? -x : x = |x| */
static ir_fold_end
select_abs(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[0], IR_ilt), *neg = ir_fold_def(n, n->s[1], IR_ineg);
    uint64_t c;
    if (!i || !neg || !ir_is_const(n->f, i->refs[1], &c) || c)
        return NONE;
    if (!ir_same_ref(i->refs[0], n->s[2]) || !ir_same_ref(neg->refs[0], n->s[2]))
        return NONE;
    return ir_fold_again(n, IR_iabs, n->s[2], _, _);
}

static const ir_fold_rule bcsel_rules[] = {
    {"select_constant", IR_FOLD_ALL, select_constant, IR_FOLD_C0},
    {"select_same", IR_FOLD_ALL, select_same, IR_FOLD_SAME},
    {"select_by_not", IR_FOLD_ALL, select_by_not, 0, IR_inot},
    {"select_nested", IR_FOLD_ALL, select_nested, 0, IR_bcsel},
    {"select_bool", IR_FOLD_BOOL, select_bool},
    {"select_opposite", IR_FOLD_BOOL, select_opposite, IR_FOLD_INNER},
    {"select_one_or_zero", IR_FOLD_INTS, select_one_or_zero, IR_FOLD_C1 | IR_FOLD_C2},
    {"select_b2i", IR_FOLD_INTS, select_b2i},
    {"select_min_max", 8 | 16 | 32, select_min_max, IR_FOLD_INNER},
    {"select_abs", 8 | 16 | 32, select_abs, 0, IR_ineg},
    {0},
};

/* ---- equality ---- */

/* The result of comparing equal values. */
static ir_fold_end
compare_same(ir_fold *n)
{
    bool holds = n->op == IR_ieq || n->op == IR_ige || n->op == IR_uge;
    return ir_same_ref(n->s[0], n->s[1]) ? ir_fold_to_imm(n, holds) : NONE;
}

/* Booleans: x == true and x != false are x; the others are not x. */
static ir_fold_end
equal_bool(ir_fold *n)
{
    if (!n->is_const[1])
        return NONE;
    bool same = (n->c[1] != 0) == (n->op == IR_ieq);
    return same ? ir_fold_to(n, n->s[0]) : ir_fold_again(n, IR_inot, n->s[0], _, _);
}

/* b2i(x) == c: x, not x, or never. */
static ir_fold_end
equal_b2i(ir_fold *n)
{
    const ir_instr *i = n->is_const[1] ? ir_fold_def(n, n->s[0], IR_b2i) : NULL;
    if (!i)
        return NONE;
    if (n->c[1] > 1)
        return ir_fold_to_imm(n, n->op == IR_ine);
    bool same = (n->c[1] == 1) == (n->op == IR_ieq);
    return same ? ir_fold_to(n, i->refs[0]) : ir_fold_again(n, IR_inot, i->refs[0], _, _);
}

/* x op c1 == c2 is x == c3, for invertible operations. */
static ir_fold_end
equal_undone(ir_fold *n)
{
    ir_ref x;
    uint64_t c1, c2 = n->c[1];
    if (!n->is_const[1])
        return NONE;
    if (ir_fold_def_const(n, n->s[0], IR_iadd, &x, &c1))
        return ir_fold_again(n, n->op, x, ir_fold_imm(n, c2 - c1), _);
    if (ir_fold_def_const(n, n->s[0], IR_ixor, &x, &c1))
        return ir_fold_again(n, n->op, x, ir_fold_imm(n, c2 ^ c1), _);
    const ir_instr *i = ir_fold_def(n, n->s[0], IR_ineg);
    if (i)
        return ir_fold_again(n, n->op, i->refs[0], ir_fold_imm(n, 0 - c2), _);
    i = ir_fold_def(n, n->s[0], IR_inot);
    return i ? ir_fold_again(n, n->op, i->refs[0], ir_fold_imm(n, ~c2), _) : NONE;
}

/* x - y == 0, x ^ y == 0: x == y */
static ir_fold_end
equal_difference(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[0], IR_isub);
    i = i ? i : ir_fold_def(n, n->s[0], IR_ixor);
    return i && ir_fold_is(n, 1, 0) ? ir_fold_again(n, n->op, i->refs[0], i->refs[1], _) : NONE;
}

/* x + y == x is y == 0, and x + y == x + z is y == z. */
static ir_fold_end
equal_sums(ir_fold *n)
{
    for (unsigned s = 0; s < 2; s++) {
        const ir_instr *i = ir_fold_def(n, n->s[s], IR_iadd);
        const ir_instr *o = ir_fold_def(n, n->s[1 - s], IR_iadd);
        for (unsigned k = 0; i && k < 2; k++) {
            ir_ref x = i->refs[k], y = i->refs[1 - k];
            if (ir_same_ref(x, n->s[1 - s]))
                return ir_fold_again(n, n->op, y, ir_fold_imm(n, 0), _);
            for (unsigned m = 0; o && m < 2; m++) {
                if (ir_same_ref(x, o->refs[m]))
                    return ir_fold_again(n, n->op, y, o->refs[1 - m], _);
            }
        }
    }
    return NONE;
}

/* extend(x) == c is x == truncated c, or never true. */
static ir_fold_end
equal_extended(ir_fold *n)
{
    const ir_instr *u = ir_fold_def(n, n->s[0], IR_u2u), *i = ir_fold_def(n, n->s[0], IR_i2i);
    if (!n->is_const[1] || (!u && !i))
        return NONE;
    ir_ref x = (u ? u : i)->refs[0];
    unsigned bits = ir_type_bits(ir_ref_type(n->f, x));
    uint64_t cut = n->c[1] & base_mask64(bits);
    uint64_t again = u ? cut : (uint64_t)base_sext64(cut, bits) & base_mask64(n->bits);
    if (bits >= n->bits)
        return NONE;
    if (again != n->c[1])
        return ir_fold_to_imm(n, n->op == IR_ine);
    return ir_fold_again(n, n->op, x, ir_build_imm(n->b, bits, cut), _);
}

/* (x & 2^k) == 2^k is (x & 2^k) != 0 */
static ir_fold_end
equal_single_bit(ir_fold *n)
{
    ir_ref x;
    uint64_t c;
    uint32_t k;
    if (!ir_fold_is_pow2(n, 1, &k) || !ir_fold_def_const(n, n->s[0], IR_iand, &x, &c))
        return NONE;
    if (c != n->c[1])
        return NONE;
    return ir_fold_again(n, n->op == IR_ieq ? IR_ine : IR_ieq, n->s[0], ir_fold_imm(n, 0), _);
}

/* Comparing (p ? c1 : c2) with a constant is decided for each arm. */
static ir_fold_end
compare_selected(ir_fold *n)
{
    for (unsigned s = 0; s < 2; s++) {
        const ir_instr *i = n->is_const[1 - s] ? ir_fold_def(n, n->s[s], IR_bcsel) : NULL;
        if (!i || !ir_is_const(n->f, i->refs[1], NULL) || !ir_is_const(n->f, i->refs[2], NULL))
            continue;
        ir_ref arm[2];
        for (unsigned k = 0; k < 2; k++) {
            ir_ref a = s == 0 ? i->refs[1 + k] : n->s[0], b = s == 0 ? n->s[1] : i->refs[1 + k];
            arm[k] = ir_build_alu(n->b, n->op, 0, a, b, _);
        }
        return ir_fold_again(n, IR_bcsel, i->refs[0], arm[0], arm[1]);
    }
    return NONE;
}

/* (x << k) == c is x == (c >> k), or never true, if x is so small that no bit is lost. */
static ir_fold_end
equal_shifted(ir_fold *n)
{
    ir_ref x;
    uint64_t k;
    if (!n->is_const[1] || !ir_fold_def_const(n, n->s[0], IR_ishl, &x, &k))
        return NONE;
    k &= n->bits - 1;
    if (ir_upper_bound(n->f, x) > base_mask64(n->bits) >> k)
        return NONE;
    if (n->c[1] & base_mask64((unsigned)k))
        return ir_fold_to_imm(n, n->op == IR_ine);
    return ir_fold_again(n, n->op, x, ir_fold_imm(n, n->c[1] >> k), _);
}

/* x == c is never true if x cannot be that large. */
static ir_fold_end
equal_bounded(ir_fold *n)
{
    bool never = n->is_const[1] && n->c[1] > ir_upper_bound(n->f, n->s[0]);
    return never ? ir_fold_to_imm(n, n->op == IR_ine) : NONE;
}

static const ir_fold_rule equal_rules[] = {
    {"compare_same", IR_FOLD_ALL, compare_same, IR_FOLD_SAME},
    {"equal_bool", IR_FOLD_BOOL, equal_bool, IR_FOLD_C1},
    {"equal_b2i", IR_FOLD_INTS, equal_b2i, IR_FOLD_C1, IR_b2i},
    {"equal_undone", IR_FOLD_INTS, equal_undone, IR_FOLD_C1 | IR_FOLD_INNER},
    {"equal_difference", IR_FOLD_INTS, equal_difference, IR_FOLD_C1 | IR_FOLD_INNER},
    {"equal_sums", IR_FOLD_INTS, equal_sums, 0, IR_iadd},
    {"equal_extended", 16 | 32 | 64, equal_extended, IR_FOLD_C1 | IR_FOLD_INNER},
    {"equal_single_bit", IR_FOLD_INTS, equal_single_bit, IR_FOLD_C1, IR_iand},
    {"compare_selected", IR_FOLD_INTS, compare_selected, IR_FOLD_CONST, IR_bcsel},
    {"equal_shifted", 32, equal_shifted, IR_FOLD_C1, IR_ishl},
    {"equal_bounded", IR_FOLD_INTS, equal_bounded, IR_FOLD_C1},
    {0},
};

/* ---- order ---- */

/* Comparisons with the smallest or largest number have a known result, such as x < 0 unsigned
 * (never true). */
static ir_fold_end
order_extreme(ir_fold *n)
{
    bool is_signed = n->op == IR_ilt || n->op == IR_ige, less = n->op == IR_ilt || n->op == IR_ult;
    uint64_t top = UINT64_C(1) << (n->bits - 1), all = base_mask64(n->bits);
    uint64_t least = is_signed ? top : 0, greatest = is_signed ? all ^ top : all;
    if (ir_fold_is(n, 1, least) || ir_fold_is(n, 0, greatest))
        return ir_fold_to_imm(n, !less);
    return NONE;
}

/* x < 1, 0 < x and similar, unsigned: equality */
static ir_fold_end
order_to_equality(ir_fold *n)
{
    bool less = n->op == IR_ult;
    uint64_t all = base_mask64(n->bits);
    if (ir_fold_is(n, 1, 1))
        return ir_fold_again(n, less ? IR_ieq : IR_ine, n->s[0], ir_fold_imm(n, 0), _);
    if (ir_fold_is(n, 0, 0))
        return ir_fold_again(n, less ? IR_ine : IR_ieq, n->s[1], n->s[0], _);
    if (ir_fold_is(n, 1, all))
        return ir_fold_again(n, less ? IR_ine : IR_ieq, n->s[0], n->s[1], _);
    return NONE;
}

/* Comparing with a constant that x cannot reach. Signed, a number whose bound is positive is
 * greater than negative ones. */
static ir_fold_end
order_bounded(ir_fold *n)
{
    if (n->is_const[0] == n->is_const[1])
        return NONE;
    bool is_signed = n->op == IR_ilt || n->op == IR_ige, less = n->op == IR_ilt || n->op == IR_ult;
    unsigned x = n->is_const[0];
    uint64_t top = UINT64_C(1) << (n->bits - 1), c = n->c[!x];
    uint64_t most = ir_upper_bound(n->f, n->s[x]);
    if (is_signed && most >= top)
        return NONE;
    if (is_signed && c >= top)
        return ir_fold_to_imm(n, (x == 1) == less);
    if (x == 0 && most < c)
        return ir_fold_to_imm(n, less);
    return x == 1 && most <= c ? ir_fold_to_imm(n, !less) : NONE;
}

static const ir_fold_rule signed_order_rules[] = {
    {"compare_same", IR_FOLD_INTS, compare_same, IR_FOLD_SAME},
    {"order_extreme", IR_FOLD_INTS, order_extreme, IR_FOLD_CONST},
    {"compare_selected", IR_FOLD_INTS, compare_selected, IR_FOLD_CONST, IR_bcsel},
    {"order_bounded", IR_FOLD_INTS, order_bounded, IR_FOLD_CONST},
    {0},
};

static const ir_fold_rule unsigned_order_rules[] = {
    {"compare_same", IR_FOLD_INTS, compare_same, IR_FOLD_SAME},
    {"order_extreme", IR_FOLD_INTS, order_extreme, IR_FOLD_CONST},
    {"order_to_equality", IR_FOLD_INTS, order_to_equality, IR_FOLD_CONST},
    {"compare_selected", IR_FOLD_INTS, compare_selected, IR_FOLD_CONST, IR_bcsel},
    {"order_bounded", IR_FOLD_INTS, order_bounded, IR_FOLD_CONST},
    {0},
};

const ir_fold_rule *const ir_fold_compare_rules[IR_HIR_OP_COUNT] = {
    [IR_bcsel] = bcsel_rules,        [IR_ieq] = equal_rules,        [IR_ine] = equal_rules,
    [IR_ilt] = signed_order_rules,   [IR_ige] = signed_order_rules, [IR_ult] = unsigned_order_rules,
    [IR_uge] = unsigned_order_rules,
};
