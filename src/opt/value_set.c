/* Sets of an integer's values. The operations keep runs in order and apart: two neighbours have a
 * number between them that is in neither. Unsigned comparisons with constants, of the integer or of
 * its sum with a constant, and what "or" and "not" make of these, are understood. */
#include "opt/value_set.h"

#include "ir/analysis.h"

/* How deep operations on conditions are looked through. */
enum { DEPTH = 8 };

opt_value_set
opt_values_all(unsigned bits)
{
    return (opt_value_set){.at = {{0, base_mask64(bits)}}, .n = 1};
}

/* Appends a run behind those of the set; joins it with the last one if it is adjacent. */
static bool
append(opt_value_set *s, uint64_t lo, uint64_t hi)
{
    opt_value_run *last = s->n ? &s->at[s->n - 1] : NULL;
    if (last && last->hi + 1 == lo) {
        last->hi = hi;
        return true;
    }
    if (s->n == OPT_MAX_RUNS)
        return false;
    s->at[s->n++] = (opt_value_run){lo, hi};
    return true;
}

bool
opt_values_invert(const opt_value_set *s, unsigned bits, opt_value_set *out)
{
    uint64_t next = 0, most = base_mask64(bits);
    *out = (opt_value_set){.n = 0};
    for (unsigned k = 0; k < s->n; k++) {
        if (s->at[k].lo > next && !append(out, next, s->at[k].lo - 1))
            return false;
        if (s->at[k].hi == most)
            return true;
        next = s->at[k].hi + 1;
    }
    return append(out, next, most);
}

bool
opt_values_intersect(const opt_value_set *a, const opt_value_set *b, opt_value_set *out)
{
    *out = (opt_value_set){.n = 0};
    for (unsigned i = 0, k = 0; i < a->n && k < b->n;) {
        const opt_value_run *x = &a->at[i], *y = &b->at[k];
        uint64_t lo = x->lo > y->lo ? x->lo : y->lo, hi = x->hi < y->hi ? x->hi : y->hi;
        if (lo <= hi && !append(out, lo, hi))
            return false;
        i += x->hi == hi;
        k += y->hi == hi;
    }
    return true;
}

/* ---- conditions ---- */

typedef struct comparison {
    ir_ref x;
    uint64_t constant;
    bool constant_first;
} comparison;

static const ir_instr *
definition(const ir_fn *f, ir_ref r)
{
    return f->values[r.id].def;
}

static bool
is_comparison(const ir_fn *f, const ir_instr *i, comparison *c)
{
    if (i->op != IR_ieq && i->op != IR_ine && i->op != IR_ult && i->op != IR_uge)
        return false;
    c->constant_first = ir_is_const(f, i->refs[0], &c->constant);
    c->x = i->refs[c->constant_first];
    return c->constant_first || ir_is_const(f, i->refs[1], &c->constant);
}

/* The integer whose sum with `*constant` is `x`. */
static ir_ref
without_constant(const ir_fn *f, ir_ref x, uint64_t *constant)
{
    const ir_instr *i = definition(f, x);
    *constant = 0;
    if ((i->op != IR_iadd && i->op != IR_isub) || !ir_is_const(f, i->refs[1], constant))
        return x;
    if (i->op == IR_isub)
        *constant = -*constant & base_mask64(ir_type_bits(ir_ref_type(f, x)));
    return i->refs[0];
}

ir_ref
opt_tested_value(const ir_fn *f, ir_ref cond)
{
    const ir_instr *i = definition(f, cond);
    comparison c;
    uint64_t constant;
    for (unsigned depth = 0; depth < DEPTH && (i->op == IR_ior || i->op == IR_inot); depth++)
        i = definition(f, i->refs[0]);
    return is_comparison(f, i, &c) ? without_constant(f, c.x, &constant) : ir_none();
}

/* The numbers for which the comparison holds. */
static bool
compared(const comparison *c, unsigned op, unsigned bits, opt_value_set *out)
{
    uint64_t most = base_mask64(bits), k = c->constant;
    bool below = op == IR_ult, invert = op == IR_ine;
    *out = (opt_value_set){.n = 0};
    if (op == IR_ieq || op == IR_ine)
        append(out, k, k);
    else if (below == c->constant_first) /* k < x, x >= k */
        (void)(below ? k < most && append(out, k + 1, most) : append(out, k, most));
    else
        (void)(below ? k > 0 && append(out, 0, k - 1) : append(out, 0, k));
    opt_value_set same = *out;
    return !invert || opt_values_invert(&same, bits, out);
}

/* The numbers that are in the set when `constant` is added to them. */
static bool
shift_back(const opt_value_set *s, uint64_t constant, unsigned bits, opt_value_set *out)
{
    uint64_t most = base_mask64(bits);
    *out = (opt_value_set){.n = 0};
    for (unsigned round = 0; round < 2; round++) {
        uint64_t lo = round ? 0 : constant, hi = round ? constant - 1 : most;
        opt_value_set part, window = {.at = {{lo, hi}}, .n = lo <= hi && (!round || constant)};
        if (!opt_values_intersect(s, &window, &part))
            return false;
        for (unsigned k = 0; k < part.n; k++) {
            if (!append(out, (part.at[k].lo - constant) & most, (part.at[k].hi - constant) & most))
                return false;
        }
    }
    return true;
}

/* The numbers in one of the sets, which are those in neither of the others'. */
static bool
unite(const opt_value_set *a, const opt_value_set *b, unsigned bits, opt_value_set *out)
{
    opt_value_set x, y, neither;
    return opt_values_invert(a, bits, &x) && opt_values_invert(b, bits, &y) &&
           opt_values_intersect(&x, &y, &neither) && opt_values_invert(&neither, bits, out);
}

static bool
values_for(const ir_fn *f, ir_ref cond, ir_ref x, unsigned depth, opt_value_set *out)
{
    const ir_instr *i = definition(f, cond);
    unsigned bits = ir_type_bits(ir_ref_type(f, x));
    comparison c;
    uint64_t constant;
    opt_value_set a, b;
    if (depth && i->op == IR_ior)
        return values_for(f, i->refs[0], x, depth - 1, &a) &&
               values_for(f, i->refs[1], x, depth - 1, &b) && unite(&a, &b, bits, out);
    if (depth && i->op == IR_inot)
        return values_for(f, i->refs[0], x, depth - 1, &a) && opt_values_invert(&a, bits, out);
    return is_comparison(f, i, &c) && ir_same_ref(without_constant(f, c.x, &constant), x) &&
           compared(&c, i->op, bits, &a) && shift_back(&a, constant, bits, out);
}

bool
opt_values_for(const ir_fn *f, ir_ref cond, ir_ref x, opt_value_set *out)
{
    return values_for(f, cond, x, DEPTH, out);
}

/* ---- building ---- */

static ir_ref
test_run(ir_builder *b, ir_ref x, const opt_value_run *r, unsigned bits)
{
    ir_ref lo = ir_build_imm(b, bits, r->lo);
    if (r->lo == r->hi)
        return irb_ieq(b, x, lo);
    if (r->hi == base_mask64(bits))
        return irb_uge(b, x, lo);
    if (r->lo)
        x = irb_isub(b, x, lo);
    return irb_uge(b, ir_build_imm(b, bits, r->hi - r->lo), x);
}

ir_ref
opt_values_test(ir_builder *b, ir_ref x, const opt_value_set *s, unsigned bits)
{
    opt_value_set others;
    if (opt_values_invert(s, bits, &others) && others.n && others.n < s->n)
        return irb_inot(b, opt_values_test(b, x, &others, bits));
    ir_ref any = test_run(b, x, &s->at[0], bits);
    for (unsigned k = 1; k < s->n; k++)
        any = irb_ior(b, any, test_run(b, x, &s->at[k], bits));
    return any;
}
