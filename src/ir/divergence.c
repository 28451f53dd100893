/* Divergence analysis: may lanes that execute a definition together see different values?
 *
 * Every value starts uniform. One walk finds what diverges; if there are loops, a worklist then
 * propagates divergence until nothing changes. Each value and each construct changes at most once.
 * The lanes of a wave execute a loop's iterations in step.
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

typedef struct user {
    ir_instr *instr;
    uint32_t next; /* the next user of the same value, or 0 */
} user;

typedef struct divergence {
    ir_fn *f;
    construct *at;      /* by block index */
    uint32_t *merge_of; /* by block: if it is a merge or continue block, the block that opens its
                          * construct */
    ir_block **open;    /* constructs around the current block */
    uint32_t depth;
    /* Of functions with loops: */
    uint32_t *last_user; /* by value: index in `users`, or 0 */
    user *users;         /* from 1 */
    size_t n_users, cap_users;
    uint32_t *work; /* values that became divergent; NULL: there are no loops */
    size_t n_work;
} divergence;

#define NO_LOOP UINT32_MAX

/* ---- preparation ---- */

/* A construct ends: what its arms do, the if around it does. */
static void
close_construct(divergence *d)
{
    const ir_block *b = d->open[--d->depth], *around = d->depth ? d->open[d->depth - 1] : NULL;
    if (!around || ir_terminator(b)->op != IR_if || ir_terminator(around)->op != IR_if)
        return;
    d->at[around->index].breaks |= d->at[b->index].breaks;
    d->at[around->index].conts |= d->at[b->index].conts;
}

static void
note_jump(divergence *d, const ir_block *b, const ir_block *in)
{
    uint32_t opener = d->at[b->index].loop;
    if (opener == NO_LOOP)
        return;
    const ir_block *loop = d->f->blocks[opener], *to = b->succs[0].at[0];
    if (ir_terminator(in)->op == IR_if) {
        d->at[in->index].breaks |= to == loop->merge;
        d->at[in->index].conts |= to == loop->cont;
    }
    if (to == loop->merge && b->index < loop->cont->index)
        d->at[opener].last_break = b->index;
}

/* Finds the innermost loop of a block, and the ifs that contain breaks and continues. Blocks come
 * in structured order. */
static void
find_constructs(divergence *d, ir_block *b)
{
    if (d->depth && d->open[d->depth - 1]->merge == b)
        close_construct(d);
    const ir_block *in = d->depth ? d->open[d->depth - 1] : NULL;
    const ir_instr *end = ir_terminator(b);
    construct *c = &d->at[b->index];
    c->loop = NO_LOOP;
    if (in)
        c->loop = ir_terminator(in)->op == IR_loop ? in->index : d->at[in->index].loop;
    if (end->op == IR_jump)
        note_jump(d, b, in);
    if (end->op != IR_if && end->op != IR_loop)
        return;
    c->end = b->merge->index;
    d->merge_of[b->merge->index] = b->index;
    if (b->cont)
        d->merge_of[b->cont->index] = b->index;
    d->open[d->depth++] = b;
}

static void
note_users(divergence *d, ir_instr *i)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (!ir_is_value(i->refs[r]))
            continue;
        uint32_t *last = &d->last_user[i->refs[r].id];
        d->users = arena_grow(d->f->ctx->scratch, d->users, &d->cap_users, d->n_users + 2,
                              sizeof *d->users);
        d->users[++d->n_users] = (user){i, *last};
        *last = (uint32_t)d->n_users;
    }
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
    uint32_t flags = ir_op_of(d->f, i)->flags;
    if (i->op == IR_phi)
        return phi_diverges(d, i);
    if (flags & IR_OP_EXCHANGE)
        return exchange_diverges(d, i);
    if (i->op == IR_reduce || i->op == IR_inclusive_scan)
        return accumulation_diverges(d, i);
    if (flags & (IR_OP_DIVERGENT | IR_OP_UNIFORM))
        return flags & IR_OP_DIVERGENT;
    return any_ref_diverges(d, i);
}

/* ---- propagation ---- */

static void
set_divergent(divergence *d, uint32_t id)
{
    if (d->f->values[id].divergent)
        return;
    d->f->values[id].divergent = true;
    if (d->work)
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
                for (uint32_t u = d->last_user[id]; u && !leaves; u = d->users[u].next) {
                    const ir_instr *by = d->users[u].instr;
                    leaves = !in_loop(d, by->block, opener) &&
                             !(by->op == IR_phi && by->block == merge);
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

static divergence
start(ir_fn *f)
{
    arena *a = f->ctx->scratch;
    divergence d = {.f = f, .at = ARENA_ARRAY(a, f->n_blocks, construct)};
    d.open = ARENA_ARRAY(a, f->n_blocks + 1, ir_block *);
    d.merge_of = ARENA_ARRAY(a, f->n_blocks, uint32_t);
    if (ir_made_op(f, IR_loop)) {
        d.last_user = ARENA_ARRAY(a, f->n_values, uint32_t);
        d.work = arena_alloc(a, f->n_values * sizeof *d.work);
    }
    memset(d.merge_of, 0xff, f->n_blocks * sizeof *d.merge_of);
    for (size_t id = 0; id < f->n_values; id++)
        f->values[id].divergent = false;
    return d;
}

/* Without loops every definition and every if comes before what depends on it: one walk is enough.
 */
static void
walk_once(divergence *d)
{
    IR_FOREACH_BLOCK(b, d->f) {
        find_constructs(d, b);
        IR_FOREACH_INSTR(i, b)
            visit_instr(d, i);
        if (b->merge && is_divergent(d, b->last->refs[0]))
            visit_if(d, b);
    }
}

/* One walk prepares and visits all instructions; then only users of values that became divergent
 * are visited again. */
static void
walk_loops(divergence *d)
{
    IR_FOREACH_BLOCK(b, d->f) {
        find_constructs(d, b);
        IR_FOREACH_INSTR(i, b) {
            note_users(d, i);
            visit_instr(d, i);
        }
    }
    while (d->n_work) {
        for (uint32_t u = d->last_user[d->work[--d->n_work]]; u; u = d->users[u].next) {
            ir_instr *by = d->users[u].instr;
            if (by->op == IR_if)
                visit_if(d, by->block);
            visit_instr(d, by);
        }
    }
}

void
ir_compute_divergence(ir_fn *f)
{
    arena_mark m = arena_save(f->ctx->scratch);
    divergence d = start(f);
    if (d.work)
        walk_loops(&d);
    else
        walk_once(&d);
    arena_release(f->ctx->scratch, m);
    f->valid |= IR_HAS_DIVERGENCE;
}
