/* Operations between the lanes of a subgroup. Only active lanes take part; a value read from an
 * inactive lane is 0. Where a wave is several subgroups, the mask has the lanes of one of them. */
#include "ir/eval_internal.h"

static uint64_t
value_of(const ev_wave *w, const ev_instr *i, unsigned c, uint32_t lane)
{
    bool active = lane < w->lanes && (w->mask >> lane & 1);
    return active ? ev_operand_get(w, &i->more[0], c, lane) : 0;
}

static void
set_all(ev_wave *w, const ev_instr *i, unsigned c, uint64_t v)
{
    EV_FOREACH_LANE(l, w)
        ev_def_set(w, i, c, l, v);
}

/* The first lane of the subgroup that executes. */
static unsigned
first_of_subgroup(const ev_wave *w)
{
    const unsigned lane = base_ctz64(w->mask);
    return lane - ev_lane_in_subgroup(w, lane);
}

ev_step
ev_exec_subgroups(ev_wave *w, const ev_instr *i)
{
    const uint64_t mask = w->mask, one = base_mask64(w->g->e->subgroup);
    for (unsigned first = 0; first < w->lanes; first += w->g->e->subgroup) {
        w->mask = mask & one << first;
        if (w->mask)
            i->inner(w, i);
    }
    w->mask = mask;
    return EV_NEXT;
}

/* ---- votes and masks ---- */

/* Active lanes in which the first operand, a boolean, is true. */
static uint64_t
true_lanes(const ev_wave *w, const ev_instr *i)
{
    uint64_t mask = 0;
    EV_FOREACH_LANE(l, w)
        mask |= ev_operand_get(w, &i->more[0], 0, l) << l;
    return mask;
}

static ev_step
exec_elect(ev_wave *w, const ev_instr *i)
{
    EV_FOREACH_LANE(l, w)
        ev_def_set(w, i, 0, l, l == base_ctz64(w->mask));
    return EV_NEXT;
}

static ev_step
exec_vote(ev_wave *w, const ev_instr *i)
{
    uint64_t mask = true_lanes(w, i);
    set_all(w, i, 0, i->op == IR_vote_any ? mask != 0 : mask == w->mask);
    return EV_NEXT;
}

static ev_step
exec_vote_equal(ev_wave *w, const ev_instr *i)
{
    const ev_operand *o = &i->more[0];
    ir_op op = i->op == IR_vote_feq ? IR_feq : IR_ieq;
    unsigned first = base_ctz64(w->mask);
    bool equal = true;
    for (unsigned c = 0; c < o->n; c++) {
        EV_FOREACH_LANE(l, w) {
            const uint64_t src[3] = {ev_operand_get(w, o, c, first), ev_operand_get(w, o, c, l)};
            equal &= (bool)ir_eval_alu(op, o->bits, 1, src, w->g->e->f->shader.fp);
        }
    }
    set_all(w, i, 0, equal);
    return EV_NEXT;
}

static ev_step
exec_ballot(ev_wave *w, const ev_instr *i)
{
    uint64_t mask = true_lanes(w, i) >> first_of_subgroup(w);
    set_all(w, i, 0, i->def.bits == 64 ? mask : (uint32_t)mask);
    if (i->def.bits == 32 && i->def.n > 1)
        set_all(w, i, 1, mask >> 32);
    for (unsigned c = 2; c < i->def.n; c++)
        set_all(w, i, c, 0);
    return EV_NEXT;
}

/* Subgroups have at most 64 lanes here. */
static ev_step
exec_ballot_high(ev_wave *w, const ev_instr *i)
{
    set_all(w, i, 0, 0);
    return EV_NEXT;
}

static ev_step
exec_inverse_ballot(ev_wave *w, const ev_instr *i)
{
    const ev_operand *o = &i->more[0];
    EV_FOREACH_LANE(l, w) {
        unsigned lane = ev_lane_in_subgroup(w, l), c = lane / o->bits;
        ev_def_set(w, i, 0, l, c < o->n ? ev_operand_get(w, o, c, l) >> lane % o->bits & 1 : 0);
    }
    return EV_NEXT;
}

static ev_step
exec_count_below(ev_wave *w, const ev_instr *i)
{
    EV_FOREACH_LANE(l, w)
        ev_def_set(w, i, 0, l,
                   base_popcount64(ev_operand_get(w, &i->more[0], 0, l) &
                                   base_mask64(ev_lane_in_subgroup(w, l))));
    return EV_NEXT;
}

/* ---- data from other lanes ---- */

/* The lane that lane `l` reads from; `n` is the second operand. */
static uint32_t
source_lane(const ev_wave *w, const ev_instr *i, uint32_t l, uint32_t n)
{
    const uint32_t first = first_of_subgroup(w);
    uint32_t cluster;
    switch (i->op) {
    case IR_read_first_invocation: return base_ctz64(w->mask);
    case IR_shuffle_xor: return first + ((l - first) ^ n);
    case IR_shuffle_up: return l - n;
    case IR_shuffle_down: return l + n;
    case IR_rotate:
        cluster = ir_attr_get(i->ir, IR_A_CLUSTER_SIZE);
        cluster = cluster ? cluster : w->g->e->subgroup;
        return l / cluster * cluster + (l + n) % cluster;
    case IR_quad_broadcast: return (l & ~3u) + (n & 3);
    case IR_quad_swap_horizontal: return l ^ 1;
    case IR_quad_swap_vertical: return l ^ 2;
    case IR_quad_swap_diagonal: return l ^ 3;
    default: return first + n; /* read_invocation, shuffle */
    }
}

static ev_step
exec_exchange(ev_wave *w, const ev_instr *i)
{
    for (unsigned c = 0; c < i->def.n; c++) {
        uint64_t got[EV_MAX_WIDTH];
        EV_FOREACH_LANE(l, w) {
            bool two = i->ir->n_refs > 1;
            uint32_t n = two ? (uint32_t)ev_operand_get(w, &i->more[1], 0, l) : 0;
            got[l] = value_of(w, i, c, source_lane(w, i, l, n));
        }
        EV_FOREACH_LANE(l, w)
            ev_def_set(w, i, c, l, got[l]);
    }
    return EV_NEXT;
}

/* ---- reductions and scans ---- */

static uint64_t
combine(const ev_wave *w, ir_reduction op, unsigned bits, uint64_t a, uint64_t b)
{
    const uint64_t src[3] = {a, b, 0};
    return ir_eval_alu(ir_reduction_op(op), bits, bits, src, w->g->e->f->shader.fp);
}

/* Processes one component: reduces within clusters, or scans over all lanes. */
static void
accumulate(ev_wave *w, const ev_instr *i, unsigned c, unsigned cluster)
{
    const ev_operand *o = &i->more[0];
    ir_reduction op = (ir_reduction)ir_attr_get(i->ir, IR_A_REDUCTION_OP);
    uint64_t start = ir_reduction_start(op, o->bits), sum[EV_MAX_WIDTH], before[EV_MAX_WIDTH];
    uint64_t now = start;
    for (unsigned l = 0; l < w->lanes; l++) {
        if (l % cluster == 0)
            now = start;
        before[l] = now;
        if (w->mask >> l & 1)
            now = combine(w, op, o->bits, now, ev_operand_get(w, o, c, l));
        sum[l] = now;
    }
    EV_FOREACH_LANE(l, w) {
        unsigned last = l / cluster * cluster + cluster - 1;
        last = last < w->lanes ? last : w->lanes - 1;
        ev_def_set(w, i, c, l,
                   i->op == IR_exclusive_scan   ? before[l]
                   : i->op == IR_inclusive_scan ? sum[l]
                                                : sum[last]);
    }
}

static ev_step
exec_accumulate(ev_wave *w, const ev_instr *i)
{
    unsigned cluster = i->op == IR_reduce ? ir_attr_get(i->ir, IR_A_CLUSTER_SIZE) : 0;
    for (unsigned c = 0; c < i->def.n; c++)
        accumulate(w, i, c, cluster ? cluster : w->g->e->subgroup);
    return EV_NEXT;
}

ev_exec *
ev_find_subgroup(unsigned op)
{
    if (ir_hir_level.ops[op].flags & IR_OP_EXCHANGE)
        return exec_exchange;
    switch (op) {
    case IR_elect: return exec_elect;
    case IR_vote_any:
    case IR_vote_all: return exec_vote;
    case IR_vote_ieq:
    case IR_vote_feq: return exec_vote_equal;
    case IR_ballot: return exec_ballot;
    case IR_ballot_high: return exec_ballot_high;
    case IR_inverse_ballot: return exec_inverse_ballot;
    case IR_ballot_bit_count_exclusive: return exec_count_below;
    case IR_reduce:
    case IR_inclusive_scan:
    case IR_exclusive_scan: return exec_accumulate;
    default: return NULL;
    }
}
