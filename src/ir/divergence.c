/* Divergence analysis: may lanes that execute a definition together see different values?
 *
 * Every value starts uniform. A worklist propagates divergence until nothing changes; each value
 * and each construct changes at most once. The lanes of a wave execute a loop's iterations in step.
 * A value diverges because of:
 *
 * - an opcode whose result differs by lane (a lane's id, an atomic, a shuffle), or a divergent
 *   operand;
 * - a phi where lanes meet that took different paths (sync dependence: Karrenberg and Hack,
 *   "Improving Performance of OpenCL on CPUs", 2012): at the merge block of a divergent if, at the
 *   continue block of a loop with divergent continues, at the merge block of a loop with divergent
 *   breaks;
 * - leaving a loop whose breaks diverge: lanes leave in different iterations, each with its own
 *   value (temporal divergence). In LCSSA this is the phi at the loop's merge block; a value used
 *   directly outside the loop diverges as a whole.
 *
 * A break or continue diverges if an enclosing if in its loop diverges; a break also diverges after
 * a divergent continue. A load from a uniform address is uniform.
 */
#include "ir/analysis.h"
#include "ir/hir.h"

/* Properties of a block that opens an if or a loop. */
typedef struct construct {
    bool divergent;               /* if: its condition */
    bool breaks, conts;           /* if: its arms break out of or continue the innermost loop */
    bool loop_breaks, loop_conts; /* loop: its breaks (continues) diverge */
    uint32_t loop;       /* index of the block that opens the innermost enclosing loop, or none */
    uint32_t end;        /* loop: index of the merge block */
    uint32_t last_break; /* loop: index of the last block of its body that breaks, or 0 */
} construct;

typedef struct divergence {
    ir_fn *f;
    construct *at;       /* by block index */
    uint32_t *merge_of;  /* by block: if it is a merge or continue block, the block that opens its
                          * construct */
    uint32_t *first_use; /* by value: start of its users in `users` */
    ir_instr **users;
    uint32_t *work; /* values that became divergent */
    size_t n_work;
} divergence;

#define NO_LOOP UINT32_MAX

/* ---- preparation ---- */

/* Walks the blocks in structured order once, to find the innermost loop of each block and the ifs
 * that contain its breaks and continues. */
static void
find_constructs(divergence *d)
{
    ir_fn *f = d->f;
    ir_block **open = ARENA_ARRAY(f->ctx->scratch, f->n_blocks + 1, ir_block *);
    uint32_t depth = 0;
    IR_FOREACH_BLOCK(b, f) {
        if (depth && open[depth - 1]->merge == b) {
            construct *c = &d->at[open[--depth]->index];
            bool inner_if = depth && ir_terminator(open[depth])->op == IR_if;
            if (inner_if && ir_terminator(open[depth - 1])->op == IR_if) {
                d->at[open[depth - 1]->index].breaks |= c->breaks;
                d->at[open[depth - 1]->index].conts |= c->conts;
            }
        }
        ir_block *in = depth ? open[depth - 1] : NULL;
        construct *c = &d->at[b->index];
        if (!in)
            c->loop = NO_LOOP;
        else
            c->loop = ir_terminator(in)->op == IR_loop ? in->index : d->at[in->index].loop;
        const ir_instr *end = ir_terminator(b);
        if (end->op == IR_if || end->op == IR_loop) {
            c->end = b->merge->index;
            open[depth++] = b;
        } else if (end->op == IR_jump && in && ir_terminator(in)->op == IR_if &&
                   c->loop != NO_LOOP) {
            const ir_block *loop = f->blocks[c->loop], *to = b->succs[0].at[0];
            d->at[in->index].breaks |= to == loop->merge;
            d->at[in->index].conts |= to == loop->cont;
        }
        if (end->op == IR_jump && c->loop != NO_LOOP) {
            const ir_block *loop = f->blocks[c->loop];
            if (b->succs[0].at[0] == loop->merge && b->index < loop->cont->index)
                d->at[c->loop].last_break = b->index;
        }
    }
}

/* Builds one array with the users of all values, and the start of each value's users in it. */
static void
find_users(divergence *d)
{
    ir_fn *f = d->f;
    arena *a = f->ctx->scratch;
    uint32_t *count = ir_count_uses(f, a), total = 0;
    d->first_use = ARENA_ARRAY(a, f->n_values + 1, uint32_t);
    for (size_t id = 0; id < f->n_values; id++) {
        d->first_use[id] = total;
        total += count[id];
    }
    d->first_use[f->n_values] = total;
    d->users = ARENA_ARRAY(a, total, ir_instr *);
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            for (unsigned r = 0; r < i->n_refs; r++) {
                uint32_t id = i->refs[r].id;
                if (ir_is_value(i->refs[r]))
                    d->users[d->first_use[id + 1] - count[id]--] = i;
            }
        }
    }
}

static uint32_t *
find_merges(const ir_fn *f)
{
    uint32_t *merge_of = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, uint32_t);
    memset(merge_of, 0xff, f->n_blocks * sizeof *merge_of);
    IR_FOREACH_BLOCK(b, f) {
        if (b->merge)
            merge_of[b->merge->index] = b->index;
        if (b->cont)
            merge_of[b->cont->index] = b->index;
    }
    return merge_of;
}

/* ---- rules ---- */

static bool
is_divergent(const divergence *d, ir_ref r)
{
    return ir_is_value(r) && d->f->values[r.id].divergent;
}

static bool
is_pinned_constant(const divergence *d, ir_ref r)
{
    const ir_instr *def = d->f->values[r.id].def;
    return def->op == IR_load_const || def->op == IR_undef;
}

/* Returns true if `b` is inside the loop that block number `opener` opens. */
static bool
in_loop(const divergence *d, const ir_block *b, uint32_t opener)
{
    return b->index > opener && b->index < d->at[opener].end;
}

/* Returns true if lanes that took different paths meet at `b`. If `b` is the merge block of a loop,
 * `*loop` is that loop, else NO_LOOP. */
static bool
lanes_meet(const divergence *d, const ir_block *b, uint32_t *loop)
{
    uint32_t opener = d->merge_of[b->index];
    *loop = NO_LOOP;
    if (opener == NO_LOOP)
        return false;
    const ir_block *o = d->f->blocks[opener];
    if (ir_terminator(o)->op == IR_if)
        return d->at[opener].divergent;
    if (o->cont == b)
        return d->at[opener].loop_conts;
    *loop = opener;
    return d->at[opener].loop_breaks;
}

static bool
phi_diverges(const divergence *d, const ir_instr *phi)
{
    uint32_t loop;
    bool meet = lanes_meet(d, phi->block, &loop);
    for (unsigned r = 0; r < phi->n_refs; r++) {
        ir_ref ref = phi->refs[r];
        if (is_divergent(d, ref))
            return true;
        if (meet && !ir_same_ref(ref, phi->refs[0]))
            return true;
        if (meet && loop != NO_LOOP && in_loop(d, d->f->values[ref.id].def->block, loop) &&
            !is_pinned_constant(d, ref))
            return true;
    }
    return false;
}

static bool
any_ref_diverges(const divergence *d, const ir_instr *i)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (is_divergent(d, i->refs[r]))
            return true;
    }
    return false;
}

/* Returns true for minimum, maximum, `and`, `or`: reducing equal values gives the value itself. */
static bool
is_idempotent(const ir_instr *reduction)
{
    switch (ir_attr_get(reduction, IR_A_REDUCTION_OP)) {
    case IR_REDUCE_iadd:
    case IR_REDUCE_fadd:
    case IR_REDUCE_imul:
    case IR_REDUCE_fmul:
    case IR_REDUCE_ixor: return false;
    default: return true;
    }
}

/* For operations that read other lanes: the value of an inactive lane is undefined, so a uniform
 * value stays uniform. */
static bool
exchange_diverges(const divergence *d, const ir_instr *i)
{
    bool one_lane = i->op == IR_read_invocation || i->op == IR_shuffle;
    return is_divergent(d, i->refs[0]) && !ir_has_flag(i, IR_OP_UNIFORM) &&
           (!one_lane || is_divergent(d, i->refs[1]));
}

static bool
accumulation_diverges(const divergence *d, const ir_instr *i)
{
    if (i->op == IR_reduce && ir_attr_get(i, IR_A_CLUSTER_SIZE) == 0)
        return false;
    return is_divergent(d, i->refs[0]) || !is_idempotent(i);
}

static bool
diverges(const divergence *d, const ir_instr *i)
{
    if (i->op == IR_phi)
        return phi_diverges(d, i);
    if (ir_has_flag(i, IR_OP_EXCHANGE))
        return exchange_diverges(d, i);
    if (i->op == IR_reduce || i->op == IR_inclusive_scan)
        return accumulation_diverges(d, i);
    if (ir_has_flag(i, IR_OP_DIVERGENT))
        return true;
    return !ir_has_flag(i, IR_OP_UNIFORM) && any_ref_diverges(d, i);
}

/* ---- propagation ---- */

static void
set_divergent(divergence *d, uint32_t id)
{
    if (d->f->values[id].divergent)
        return;
    d->f->values[id].divergent = true;
    d->work[d->n_work++] = id;
}

static void
visit_instr(divergence *d, ir_instr *i)
{
    if (i->n_defs && !d->f->values[i->defs[0].id].divergent && diverges(d, i)) {
        for (unsigned n = 0; n < i->n_defs; n++)
            set_divergent(d, i->defs[n].id);
    }
}

static void
visit_phis(divergence *d, ir_block *b)
{
    for (ir_instr *i = b->first; i && i->op == IR_phi; i = i->next)
        visit_instr(d, i);
}

/* Marks values of the loop that are used outside it other than by the phis at its merge block. */
static void
visit_values_leaving(divergence *d, uint32_t opener)
{
    ir_fn *f = d->f;
    const ir_block *merge = f->blocks[opener]->merge;
    for (uint32_t n = opener + 1; n < d->at[opener].end; n++) {
        IR_FOREACH_INSTR(i, f->blocks[n]) {
            for (unsigned k = 0; k < i->n_defs; k++) {
                uint32_t id = i->defs[k].id;
                bool leaves = false;
                for (uint32_t u = d->first_use[id]; u < d->first_use[id + 1]; u++) {
                    const ir_instr *user = d->users[u];
                    leaves |= !in_loop(d, user->block, opener) &&
                              !(user->op == IR_phi && user->block == merge);
                }
                if (leaves && !is_pinned_constant(d, i->defs[k]))
                    set_divergent(d, id);
            }
        }
    }
}

static void
breaks_diverge(divergence *d, uint32_t loop)
{
    if (d->at[loop].loop_breaks)
        return;
    d->at[loop].loop_breaks = true;
    visit_phis(d, d->f->blocks[loop]->merge);
    visit_values_leaving(d, loop);
}

static void
visit_if(divergence *d, ir_block *b)
{
    construct *c = &d->at[b->index];
    if (c->divergent)
        return;
    c->divergent = true;
    visit_phis(d, b->merge);
    if (c->conts && !d->at[c->loop].loop_conts) {
        d->at[c->loop].loop_conts = true;
        visit_phis(d, d->f->blocks[c->loop]->cont);
    }
    /* A continue after all breaks may have been the first one visited. */
    if (c->breaks || (c->conts && d->at[c->loop].last_break > b->index))
        breaks_diverge(d, c->loop);
}

void
ir_compute_divergence(ir_fn *f)
{
    arena *a = f->ctx->scratch;
    arena_mark m = arena_save(a);
    divergence d = {.f = f, .at = ARENA_ARRAY(a, f->n_blocks, construct)};
    d.work = ARENA_ARRAY(a, f->n_values, uint32_t);
    find_constructs(&d);
    find_users(&d);
    d.merge_of = find_merges(f);
    for (size_t id = 0; id < f->n_values; id++)
        f->values[id].divergent = false;
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b)
            visit_instr(&d, i);
    }
    while (d.n_work) {
        uint32_t id = d.work[--d.n_work];
        for (uint32_t u = d.first_use[id]; u < d.first_use[id + 1]; u++) {
            ir_instr *user = d.users[u];
            if (user->op == IR_if)
                visit_if(&d, user->block);
            visit_instr(&d, user);
        }
    }
    arena_release(a, m);
    f->valid |= IR_HAS_DIVERGENCE;
}
