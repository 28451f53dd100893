/* The count is found by evaluating the exit condition on constants, iteration by iteration. The
 * condition depends on header phis with constant initial values; where an operand is unknown, the
 * other one may decide (false and x), and where an if with a known condition joins, its arm does.
 * A phi whose initial value has a bound, such as a counter that starts at the invocation's number,
 * is in a range in each iteration; a comparison may hold for all of that or for nothing.
 *
 *     block b1:                                  copy 0: 0 >= 3  1: 1 >= 3  2: 2 >= 3  3: 3 >= 3
 *     %2 = phi b0: 0, b4: %6                             stays      stays      stays      breaks
 *     %3 = uge %2, 3                     ->
 *     if %3 then b2 (break) else b3
 *
 * An if that follows a continue is not a test: an iteration may go past it. The work for a
 * condition is limited (MAX_STEPS), so the search is linear in the number of ifs.
 */
#include "opt/trip_count.h"

#include "ir/bounds.h"
#include "ir/eval_alu.h"

enum { MAX_DEPTH = 12, MAX_STEPS = 100 };

/* Numbers from `low` to `high`, unsigned; nothing is known if low > high. */
typedef struct range {
    uint64_t low, high;
} range;

static const range unknown_range = {1, 0};

typedef struct count {
    ir_fn *f;
    const opt_loop *l;
    range *value;   /* by number: the header phis' values in this iteration */
    bool *needed;   /* by number: the condition depends on the phi */
    unsigned steps; /* left for this condition */
} count;

opt_loop
opt_loop_of(ir_block *opener)
{
    ir_unroll unroll = (ir_unroll)ir_attr_get(ir_terminator(opener), IR_A_UNROLL);
    return (opt_loop){opener, opener->succs[0].at[0], opener->cont, opener->merge, unroll};
}

/* ---- evaluation ---- */

static bool
evaluate(count *c, ir_ref r, unsigned depth, uint64_t *out);

static bool
is_known(range r)
{
    return r.low <= r.high;
}

/* The values of a constant, a header phi, or a sum of these that does not overflow. */
static range
find_range(count *c, ir_ref r, unsigned depth)
{
    uint64_t v;
    const ir_instr *i = ir_def_of(c->f, r);
    if (evaluate(c, r, depth + 1, &v))
        return (range){v, v};
    if (!i || depth == MAX_DEPTH || r.comp == IR_WHOLE || !c->steps)
        return unknown_range;
    c->steps--;
    if (i->op == IR_phi && i->block == c->l->header)
        return c->value[i->mark];
    if (i->op != IR_iadd)
        return unknown_range;
    range a = find_range(c, i->refs[0], depth + 1), b = find_range(c, i->refs[1], depth + 1);
    uint64_t all = base_mask64(ir_type_bits(c->f->values[i->defs[0].id].type));
    bool fits = is_known(a) && is_known(b) && a.high <= all - b.high;
    return fits ? (range){a.low + b.low, a.high + b.high} : unknown_range;
}

/* A comparison that is the same for all values of its operands. */
static bool
evaluate_order(count *c, const ir_instr *i, unsigned depth, uint64_t *out)
{
    bool is_signed = i->op == IR_ilt || i->op == IR_ige, less = i->op == IR_ilt || i->op == IR_ult;
    if (!is_signed && !less && i->op != IR_uge)
        return false;
    range a = find_range(c, i->refs[0], depth + 1), b = find_range(c, i->refs[1], depth + 1);
    uint64_t top = UINT64_C(1) << (ir_type_bits(ir_ref_type(c->f, i->refs[0])) - 1);
    if (!is_known(a) || !is_known(b) || (is_signed && (a.high >= top || b.high >= top)))
        return false;
    *out = (a.high < b.low) == less;
    return a.high < b.low || a.low >= b.high;
}

/* A bit operation that its one known operand decides. */
static bool
evaluate_half(const ir_instr *i, uint64_t known, unsigned bits, uint64_t *out)
{
    uint64_t absorbs = i->op == IR_ior ? base_mask64(bits) : 0;
    *out = known;
    return known == absorbs;
}

static bool
evaluate_alu(count *c, const ir_instr *i, unsigned depth, uint64_t *out)
{
    uint64_t src[3] = {0};
    unsigned sizes[3] = {0}, unknown = 0;
    for (unsigned s = 0; s < i->n_refs; s++) {
        unknown |= (unsigned)!evaluate(c, i->refs[s], depth + 1, &src[s]) << s;
        sizes[s] = ir_type_bits(ir_ref_type(c->f, i->refs[s]));
        if (unknown && i->op != IR_iand && i->op != IR_ior)
            return evaluate_order(c, i, depth, out);
    }
    unsigned bits = ir_alu_bits((ir_op)i->op, sizes);
    if (unknown)
        return unknown != 3 && evaluate_half(i, src[unknown == 1], bits, out);
    *out = ir_eval_alu((ir_op)i->op, bits, ir_type_bits(c->f->values[i->defs[0].id].type), src,
                       c->f->shader.fp);
    return true;
}

/* A phi where the two arms of an if join, each one block. */
static bool
evaluate_join(count *c, const ir_instr *phi, unsigned depth, uint64_t *out)
{
    const ir_block *b = phi->block, *arm = b->preds[0].count == 2 ? b->preds[0].at[0] : NULL;
    const ir_block *opener = arm && arm->preds[0].count == 1 ? arm->preds[0].at[0] : NULL;
    uint64_t cond;
    if (!opener || opener->merge != b || ir_terminator(opener)->op != IR_if ||
        !evaluate(c, ir_terminator(opener)->refs[0], depth + 1, &cond))
        return false;
    uint32_t at = ir_pred_index(b, opener->succs[0].at[!cond], 0);
    return at != UINT32_MAX && evaluate(c, phi->refs[at], depth + 1, out);
}

static bool
in_loop(const count *c, const ir_block *b)
{
    return b->index > c->l->opener->index && b->index < c->l->merge->index;
}

static bool
evaluate(count *c, ir_ref r, unsigned depth, uint64_t *out)
{
    if (!ir_is_value(r))
        return false;
    if (ir_is_const(c->f, r, out))
        return true;
    const ir_instr *i = c->f->values[r.id].def;
    if (!i || depth == MAX_DEPTH || r.comp == IR_WHOLE || !c->steps)
        return false;
    c->steps--;
    if (i->op == IR_phi && i->block == c->l->header) {
        *out = c->value[i->mark].low;
        return c->value[i->mark].low == c->value[i->mark].high;
    }
    if (i->op == IR_phi && !in_loop(c, i->block))
        return false;
    if (i->op == IR_load_subgroup_size) {
        *out = c->f->shader.wave_size;
        return *out != 0;
    }
    if (i->op == IR_phi)
        return evaluate_join(c, i, depth, out);
    return ir_has_flag(i, IR_OP_ALU) && evaluate_alu(c, i, depth, out);
}

/* ---- what the condition depends on ---- */

static bool
may_know(count *c, ir_ref r, unsigned depth);

static void
need_all(count *c)
{
    for (const ir_instr *i = c->l->header->first; i->op == IR_phi; i = i->next)
        c->needed[i->mark] = true;
}

static bool
may_know_join(count *c, const ir_instr *phi, unsigned depth)
{
    const ir_block *b = phi->block, *arm = b->preds[0].count == 2 ? b->preds[0].at[0] : NULL;
    bool any = false;
    if (!in_loop(c, b) || !arm || arm->preds[0].count != 1 ||
        ir_terminator(arm->preds[0].at[0])->op != IR_if)
        return false;
    for (unsigned s = 0; s < phi->n_refs; s++)
        any |= may_know(c, phi->refs[s], depth);
    return may_know(c, ir_terminator(arm->preds[0].at[0])->refs[0], depth) && any;
}

static bool
may_know_alu(count *c, const ir_instr *i, unsigned depth)
{
    bool any = false, all = true;
    for (unsigned s = 0; s < i->n_refs; s++) {
        bool may = may_know(c, i->refs[s], depth);
        any |= may;
        all &= may;
    }
    return i->op == IR_iand || i->op == IR_ior ? any : all;
}

/* May evaluate() or find_range() know the value in some iteration? Notes the header phis whose
 * values they may read; all if there are too many ways to them. */
static bool
may_know(count *c, ir_ref r, unsigned depth)
{
    uint64_t v;
    const ir_instr *i = ir_def_of(c->f, r);
    if (!i || depth > MAX_DEPTH)
        return false;
    if (ir_is_const(c->f, r, &v))
        return true;
    if (i->op == IR_phi && i->block == c->l->header) {
        c->needed[i->mark] = true;
        return true;
    }
    if (!c->steps) {
        need_all(c);
        return true;
    }
    c->steps--;
    if (i->op == IR_load_subgroup_size)
        return c->f->shader.wave_size;
    if (i->op == IR_phi)
        return may_know_join(c, i, depth + 1);
    return ir_has_flag(i, IR_OP_ALU) && may_know_alu(c, i, depth + 1);
}

/* Finds the phis of the condition, and those that their next values depend on. Returns false if the
 * condition is unknown in all iterations. */
static bool
find_needed(count *c, ir_ref cond, unsigned n)
{
    bool *seen = ARENA_ARRAY(c->f->ctx->scratch, n, bool);
    c->needed = ARENA_ARRAY(c->f->ctx->scratch, n, bool);
    c->steps = MAX_STEPS;
    if (!may_know(c, cond, 0))
        return false;
    for (const ir_instr *i = c->l->header->first; i->op == IR_phi;) {
        bool is_new = c->needed[i->mark] && !seen[i->mark];
        seen[i->mark] = c->needed[i->mark];
        c->steps = MAX_STEPS;
        if (is_new)
            may_know(c, i->refs[1], 0);
        i = is_new ? c->l->header->first : i->next;
    }
    return true;
}

/* ---- iterations ---- */

/* The values before the loop. */
static range
initial_range(const count *c, ir_ref r)
{
    uint64_t v, all = base_mask64(ir_type_bits(ir_ref_type(c->f, r)));
    if (ir_is_const(c->f, r, &v))
        return (range){v, v};
    if (r.comp == IR_WHOLE)
        return unknown_range;
    v = ir_upper_bound(c->f, r);
    return v < all / 2 ? (range){0, v} : unknown_range;
}

/* Numbers the header's phis, sets their initial values, and returns their number. */
static unsigned
start_phis(count *c)
{
    unsigned n = 0;
    for (ir_instr *i = c->l->header->first; i->op == IR_phi; i = i->next)
        i->mark = n++;
    c->value = ARENA_ARRAY(c->f->ctx->scratch, n, range);
    for (ir_instr *i = c->l->header->first; i->op == IR_phi; i = i->next)
        c->value[i->mark] = initial_range(c, i->refs[0]);
    return n;
}

/* Returns false if no value changes: then no later iteration is different either. */
static bool
next_iteration(count *c, unsigned n)
{
    range *value = ARENA_ARRAY(c->f->ctx->scratch, n, range);
    bool changed = false;
    for (ir_instr *i = c->l->header->first; i->op == IR_phi; i = i->next) {
        range last = c->value[i->mark], *now = &value[i->mark];
        if (!c->needed[i->mark])
            continue;
        c->steps = MAX_STEPS;
        *now = find_range(c, i->refs[1], 0);
        changed |= last.low != now->low || last.high != now->high;
    }
    c->value = value;
    return changed;
}

/* Fills `out->copies` and `out->decided` for its test. */
static bool
count_copies(count *c, ir_ref cond, opt_trips *out)
{
    unsigned n = start_phis(c);
    if (!find_needed(c, cond, n))
        return false;
    out->all_decided = true;
    for (out->copies = 1; out->copies <= OPT_MAX_TRIPS; out->copies++) {
        uint64_t v;
        c->steps = MAX_STEPS;
        bool decided = evaluate(c, cond, 0, &v);
        out->decided[out->copies - 1] = decided;
        out->all_decided &= decided;
        if (decided && v == out->break_on)
            return true;
        if (!next_iteration(c, n))
            return false;
    }
    return false;
}

/* ---- the search ---- */

static bool
breaks(const opt_loop *l, const ir_block *arm)
{
    return ir_terminator(arm)->op == IR_jump && arm->succs[0].at[0] == l->merge;
}

/* Index of the first block that continues before the body's end. */
static uint32_t
first_continue(const opt_loop *l)
{
    uint32_t first = UINT32_MAX;
    for (uint32_t p = 0; p < l->cont->preds[0].count; p++) {
        uint32_t at = l->cont->preds[0].at[p]->index;
        first = at < first ? at : first;
    }
    return first;
}

bool
opt_find_trips(ir_fn *f, const opt_loop *l, opt_trips *out)
{
    count c = {.f = f, .l = l};
    uint32_t last = first_continue(l);
    for (ir_block *b = l->header; b;) {
        const ir_instr *end = ir_terminator(b);
        if (end->op == IR_if) {
            bool on = breaks(l, b->succs[0].at[0]), off = breaks(l, b->succs[0].at[1]);
            out->test = b;
            out->break_on = on;
            if (on != off && count_copies(&c, end->refs[0], out))
                return true;
        }
        if (b->merge && (b->index >= l->cont->index || b->merge->index <= last))
            b = b->merge;
        else
            b = b->index < l->cont->index ? l->cont : NULL;
    }
    return false;
}
