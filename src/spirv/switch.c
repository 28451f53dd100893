/* OpSwitch: a chain of ifs for few targets, a binary search over the sorted cases for many.
 *
 * Cases with adjacent values and the same target form one run lo .. hi. A search leaves out tests
 * that the ones before decide: in a dense switch only the last case and the default need one. In a
 * search, a target that is reached from several leaves (as the default always is) must be a join;
 * structure.c asks about that.
 */
#include "base/sorted.h"
#include "spirv/structure.h"

#include <stdlib.h>

enum { MAX_CHAIN = 6 };

static int
compare_runs(const void *a, const void *b)
{
    const spirv_run *x = a, *y = b;
    return (x->lo > y->lo) - (x->lo < y->lo);
}

static int
compare_targets(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the runs and merges adjacent ones. */
static void
normalise(spirv_reader *r, spirv_switch *s)
{
    uint32_t n = 0;
    if (s->n_runs)
        qsort(s->runs, s->n_runs, sizeof *s->runs, compare_runs);
    for (uint32_t k = 0; k < s->n_runs; k++) {
        spirv_run *last = n ? &s->runs[n - 1] : NULL;
        if (last && last->hi == s->runs[k].lo)
            spirv_invalid(r, "a switch has one literal twice");
        if (last && last->hi + 1 == s->runs[k].lo && last->to == s->runs[k].to)
            last->hi = s->runs[k].hi;
        else
            s->runs[n++] = s->runs[k];
    }
    s->n_runs = n;
    s->by_target = ARENA_ARRAY(r->a, n, uint32_t);
    for (uint32_t k = 0; k < n; k++)
        s->by_target[k] = s->runs[k].to;
    if (n)
        qsort(s->by_target, n, sizeof *s->by_target, compare_targets);
}

spirv_switch
spirv_plan_switch(spirv_reader *r, spirv_block *b)
{
    spirv_insn i = spirv_insn_at(r, b->end);
    unsigned words = spirv_switch_literal_words(r, &i);
    spirv_switch s = {.otherwise = spirv_id_of(r, i.w[2])->label->index,
                      .n_targets = b->n_succs - 1,
                      .bits = spirv_operand_type(r, &i, 1)->bits,
                      .selector = spirv_scalar(r, &i, 1)};
    s.runs = ARENA_ARRAY(r->a, i.n / 2u, spirv_run);
    for (unsigned k = 3; k < i.n; k += words + 1) {
        uint64_t value = i.w[k] | (words == 2 ? (uint64_t)i.w[k + 1] << 32 : 0);
        uint32_t to = spirv_id_of(r, i.w[k + words])->label->index;
        value &= base_mask64(s.bits);
        s.runs[s.n_runs++] = (spirv_run){value, value, to};
    }
    normalise(r, &s);
    return s;
}

/* The number of runs that lead to `to`; stops counting at 2. */
static unsigned
count_runs(const spirv_switch *s, uint32_t to)
{
    uint32_t lo = base_lower_bound(s->by_target, s->n_runs, to);
    unsigned n = 0;
    while (n < 2 && lo + n < s->n_runs && s->by_target[lo + n] == to)
        n++;
    return n;
}

bool
spirv_switch_forces_join(const spirv_switch *s, uint32_t to)
{
    if (s->n_targets <= MAX_CHAIN)
        return false;
    return to == s->otherwise || count_runs(s, to) > 1;
}

/* ---- emitting ---- */

static ir_ref
in_run(spirv_reader *r, const spirv_switch *s, const spirv_run *g)
{
    ir_ref lo = spirv_imm(r, s->bits, g->lo);
    if (g->lo == g->hi)
        return irb_ieq(&r->b, s->selector, lo);
    ir_ref distance = irb_isub(&r->b, s->selector, lo);
    return irb_uge(&r->b, spirv_imm(r, s->bits, g->hi - g->lo), distance);
}

/* The same where the selector is known to be in known[0] .. known[1], which is not all in the
 * run. */
static ir_ref
in_run_within(spirv_reader *r, const spirv_switch *s, const spirv_run *g, const uint64_t known[2])
{
    if (g->lo > known[0] && g->hi < known[1])
        return in_run(r, s, g);
    if (g->lo > known[0])
        return irb_uge(&r->b, s->selector, spirv_imm(r, s->bits, g->lo));
    return irb_uge(&r->b, spirv_imm(r, s->bits, g->hi), s->selector);
}

/* Builds the condition that the selector leads to `to`. */
static ir_ref
leads_to(spirv_reader *r, const spirv_switch *s, uint32_t to)
{
    ir_ref any = ir_none();
    for (uint32_t k = 0; k < s->n_runs; k++) {
        if (s->runs[k].to != to)
            continue;
        ir_ref c = in_run(r, s, &s->runs[k]);
        any = ir_is_value(any) ? irb_ior(&r->b, any, c) : c;
    }
    return any;
}

/* Emits targets `k` and up, then the default. */
static spirv_tail
emit_chain(spirv_reader *r, spirv_block *b, const spirv_switch *s, uint32_t k, spirv_target *fall)
{
    while (k < b->n_succs && b->succs[k] == s->otherwise)
        k++;
    if (k >= b->n_succs)
        return spirv_emit_edge(r, b, s->otherwise, fall);
    spirv_arms a;
    spirv_begin_then(r, &a, leads_to(r, s, b->succs[k]));
    spirv_begin_else(r, &a, spirv_emit_edge(r, b, b->succs[k], fall));
    return spirv_end_if(r, &a, emit_chain(r, b, s, k + 1, fall));
}

/* A part of the search: runs first .. end - 1, at least one, and the values that the selector has
 * there. */
typedef struct part {
    uint32_t first, end;
    uint64_t known[2];
} part;

static spirv_tail
emit_search(spirv_reader *r, spirv_block *b, const spirv_switch *s, const part *p,
            spirv_target *fall)
{
    uint32_t mid = p->first + (p->end - p->first) / 2;
    const spirv_run *g = &s->runs[mid];
    spirv_arms a;
    if (p->end - p->first == 1) {
        if (g->lo <= p->known[0] && g->hi >= p->known[1])
            return spirv_emit_edge(r, b, g->to, fall);
        spirv_begin_then(r, &a, in_run_within(r, s, g, p->known));
        spirv_begin_else(r, &a, spirv_emit_edge(r, b, g->to, fall));
        return spirv_end_if(r, &a, spirv_emit_edge(r, b, s->otherwise, fall));
    }
    part left = {p->first, mid, {p->known[0], g->lo - 1}};
    part right = {mid, p->end, {g->lo, p->known[1]}};
    spirv_begin_then(r, &a, irb_ult(&r->b, s->selector, spirv_imm(r, s->bits, g->lo)));
    spirv_begin_else(r, &a, emit_search(r, b, s, &left, fall));
    return spirv_end_if(r, &a, emit_search(r, b, s, &right, fall));
}

/* The target of a constant selector. */
static uint32_t
known_target(const spirv_switch *s, uint64_t value)
{
    for (uint32_t k = 0; k < s->n_runs; k++) {
        if (s->runs[k].lo <= value && value <= s->runs[k].hi)
            return s->runs[k].to;
    }
    return s->otherwise;
}

spirv_tail
spirv_emit_switch(spirv_reader *r, spirv_block *b, const spirv_switch *s, spirv_target *fall)
{
    uint64_t known;
    if (ir_is_const(r->f, s->selector, &known))
        return spirv_emit_edge(r, b, known_target(s, known), fall);
    if (s->n_targets <= MAX_CHAIN)
        return emit_chain(r, b, s, 0, fall);
    part all = {0, s->n_runs, {0, base_mask64(s->bits)}};
    return emit_search(r, b, s, &all, fall);
}
