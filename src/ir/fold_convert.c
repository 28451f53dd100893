/* Rules for conversions, and for bit searches in converted numbers. `bits` is the size of the
 * source, `dbits` that of the result. */
#include "ir/fold.h"

#define NONE IR_FOLD_NONE
#define _    ir_none()

static unsigned
size_of(const ir_fold *n, ir_ref r)
{
    return ir_type_bits(ir_ref_type(n->f, r));
}

/* Converting to the same size does nothing. */
static ir_fold_end
convert_to_same(ir_fold *n)
{
    return n->bits == n->dbits ? ir_fold_to(n, n->s[0]) : NONE;
}

/* Truncation does not depend on the sign. */
static ir_fold_end
cut_unsigned(ir_fold *n)
{
    return n->dbits < n->bits ? ir_fold_again(n, IR_u2u, n->s[0], _, _) : NONE;
}

/* Two integer conversions, from `bits` of x through n->bits to n->dbits. */
static ir_fold_end
convert_twice(ir_fold *n)
{
    const ir_instr *u = ir_fold_def(n, n->s[0], IR_u2u), *i = ir_fold_def(n, n->s[0], IR_i2i);
    if (!u && !i)
        return NONE;
    ir_ref x = (u ? u : i)->refs[0];
    ir_op inner = u ? IR_u2u : IR_i2i;
    unsigned bits = size_of(n, x);
    if (n->dbits <= n->bits)
        return ir_fold_again(n, n->dbits <= bits ? IR_u2u : inner, x, _, _);
    /* The outer one extends: the inner one must extend too and, if it is unsigned, leaves no sign.
     */
    bool as_one = bits < n->bits && (u || n->op == IR_i2i);
    return as_one ? ir_fold_again(n, inner, x, _, _) : NONE;
}

/* A converted b2i is a b2i. */
static ir_fold_end
convert_b2i(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[0], IR_b2i);
    return i ? ir_fold_again(n, IR_b2i, i->refs[0], _, _) : NONE;
}

/* A mask that keeps all bits that remain after a truncation is redundant. */
static ir_fold_end
cut_masked(ir_fold *n)
{
    ir_ref x;
    uint64_t c, left = base_mask64(n->dbits);
    if (n->dbits >= n->bits || !ir_fold_def_const(n, n->s[0], IR_iand, &x, &c))
        return NONE;
    return (c & left) == left ? ir_fold_again(n, IR_u2u, x, _, _) : NONE;
}

static const ir_fold_rule u2u_rules[] = {
    {"convert_to_same", IR_FOLD_INTS, convert_to_same},
    {"convert_twice", 16 | 32 | 64, convert_twice, IR_FOLD_INNER},
    {"convert_b2i", IR_FOLD_INTS, convert_b2i, 0, IR_b2i},
    {"cut_masked", 16 | 32 | 64, cut_masked, 0, IR_iand},
    {0},
};

static const ir_fold_rule i2i_rules[] = {
    {"convert_to_same", IR_FOLD_INTS, convert_to_same},
    {"cut_unsigned", 16 | 32 | 64, cut_unsigned},
    {"convert_twice", 16 | 32, convert_twice, IR_FOLD_INNER},
    {"convert_b2i", 8 | 16 | 32, convert_b2i, 0, IR_b2i},
    {0},
};

/* ---- booleans to floats and back ---- */

/* int -> float of b2i: b2f */
static ir_fold_end
float_of_b2i(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[0], IR_b2i);
    return i ? ir_fold_again(n, IR_b2f, i->refs[0], _, _) : NONE;
}

/* float -> int of b2f: b2i */
static ir_fold_end
int_of_b2f(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[0], IR_b2f);
    return i ? ir_fold_again(n, IR_b2i, i->refs[0], _, _) : NONE;
}

/* float -> int of ftrunc: the conversion truncates anyway */
static ir_fold_end
int_of_trunc(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[0], IR_ftrunc);
    return i ? ir_fold_again(n, n->op, i->refs[0], _, _) : NONE;
}

/* int -> float of an extended int: of the int */
static ir_fold_end
float_of_extended(ir_fold *n)
{
    const ir_instr *u = ir_fold_def(n, n->s[0], IR_u2u), *i = ir_fold_def(n, n->s[0], IR_i2i);
    if (n->op == IR_u2f)
        i = NULL;
    if ((!u && !i) || size_of(n, (u ? u : i)->refs[0]) >= n->bits)
        return NONE;
    return ir_fold_again(n, u ? IR_u2f : IR_i2f, (u ? u : i)->refs[0], _, _);
}

static const ir_fold_rule to_float_rules[] = {
    {"float_of_b2i", IR_FOLD_INTS, float_of_b2i, 0, IR_b2i},
    {"float_of_extended", 16 | 32 | 64, float_of_extended, IR_FOLD_INNER},
    {0},
};

static const ir_fold_rule to_int_rules[] = {
    {"int_of_b2f", IR_FOLD_FLOATS, int_of_b2f, 0, IR_b2f},
    {"int_of_trunc", IR_FOLD_FLOATS, int_of_trunc, 0, IR_ftrunc},
    {0},
};

/* ---- floats ---- */

static ir_fold_end
float_to_same(ir_fold *n)
{
    bool same = n->bits == n->dbits && ir_fold_is_transparent(n, n->bits);
    return same ? ir_fold_to(n, n->s[0]) : NONE;
}

/* Widening is exact, so an operation on the widened number can read the narrow one. */
static ir_fold_end
float_of_widened(ir_fold *n)
{
    const ir_instr *i = ir_fold_def(n, n->s[0], IR_f2f);
    unsigned bits = i ? size_of(n, i->refs[0]) : 0;
    if (!i || bits >= n->bits || !ir_fold_is_transparent(n, n->bits))
        return NONE;
    return ir_fold_again(n, n->op, i->refs[0], _, _);
}

static const ir_fold_rule f2f_rules[] = {
    {"float_to_same", IR_FOLD_FLOATS, float_to_same},
    {"float_of_widened", 32 | 64, float_of_widened, 0, IR_f2f},
    {0},
};

/* ---- bit searches and counts ---- */

/* Zeros above an extended number are not counted, and found only if it is 0, too. */
static ir_fold_end
search_extended(ir_fold *n)
{
    const ir_instr *u = ir_fold_def(n, n->s[0], IR_u2u);
    unsigned bits = u ? size_of(n, u->refs[0]) : 0;
    return bits >= 32 && bits < n->bits ? ir_fold_again(n, n->op, u->refs[0], _, _) : NONE;
}

static const ir_fold_rule search_rules[] = {
    {"search_extended", 64, search_extended, 0, IR_u2u},
    {0},
};

const ir_fold_rule *const ir_fold_convert_rules[IR_HIR_OP_COUNT] = {
    [IR_u2u] = u2u_rules,         [IR_i2i] = i2i_rules,          [IR_i2f] = to_float_rules,
    [IR_u2f] = to_float_rules,    [IR_f2i] = to_int_rules,       [IR_f2u] = to_int_rules,
    [IR_f2f] = f2f_rules,         [IR_f2f_rtz] = f2f_rules,      [IR_bit_count] = search_rules,
    [IR_find_lsb] = search_rules, [IR_ufind_msb] = search_rules,
};
