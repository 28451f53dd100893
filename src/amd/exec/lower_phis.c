/* lower_phis: phis in SGPRs at logical merge points become linear phis; those of lane masks mask
 * arithmetic too.
 *
 * A divergent boolean is a lane mask in SGPRs, which live along the linear CFG. Its phi at a
 * logical merge point cannot select by the path taken, because each lane took its own. Instead the
 * mask is gathered along the paths: at the end of each logical predecessor the lanes that leave it
 * (exec) insert their bits,
 *
 *     m = (m & ~exec) | (operand & exec)
 *
 * and m is a variable along the linear CFG (ir/ssa_repair.h), from the first insertion to the phi.
 * If several predecessors in sequence have the same operand, lanes insert their bits once, in a
 * block that dominates these predecessors. The bits of lanes that leave elsewhere, or not at all in
 * this iteration, are inserted again before they count. If most predecessors have a constant, the
 * mask starts with it. So a loop with n flags and n exits has about n of these instructions, not
 * the square of n.
 *
 * A loop-carried flag whose value lanes take with them when they leave needs no separate mask: m
 * starts with the flag's initial value, lanes insert its new value in each iteration, the first
 * exits find it there, and in the loop m replaces the flag. If "or" or "and" computes the new value
 * from the flag and keeps the bits of inactive lanes, it is the mask itself.
 *
 * Where an if's arms meet and one operand is a constant, or known before the if, the mask starts
 * there with it, and only the lanes of the other arm insert their bits. In a chain of ifs that set
 * a flag each takes one instruction then.
 *
 * m starts at the loop header if lanes arrive over several iterations (phis of loop exits; there m
 * is carried around the loop) or from several continues. If the linear predecessors are the logical
 * ones, a linear phi suffices.
 */
#include "amd/exec/exec.h"
#include "ir/dominance.h"
#include "ir/pass.h"
#include "ir/ssa_repair.h"

/* The block of phis, and where their masks come from. */
typedef struct mask_region {
    ir_block *b, *first; /* masks are made from first to b */
    ir_block *latch;     /* where masks are carried around the loop of `first`, else NULL */
    uint32_t *order;     /* numbers of b's logical predecessors, in the order of the blocks */
} mask_region;

typedef struct mask_put {
    ir_block *at;
    ir_ref operand;
} mask_put;

/* The blocks where lanes insert their bits. */
typedef struct mask_plan {
    mask_put *puts;
    unsigned n,
        each_turn;  /* how many; of these in blocks that each turn of the loop goes through */
    ir_ref initial; /* the mask before the loop, or the if */
    ir_instr *flag; /* the header's phi that the mask replaces in the loop, or NULL */
} mask_plan;

/* The operand of a phi behind an if with which the mask starts: the block that opens the if, or
 * NULL; the number of the operand. */
typedef struct mask_start {
    ir_block *at;
    uint32_t known;
} mask_start;

typedef struct phi_lowering {
    ir_fn *f;
    amd_program *p;
    arena *a;
    unsigned rc;             /* of the phi that is lowered */
    bool uniform;            /* it is not a lane mask */
    ir_ref *put;             /* by block: the bits that its lanes insert at its end, or kind NONE */
    ir_replacement replaced; /* removed phis */
    ir_instr *flag;          /* the loop's flag that the mask replaces, or NULL */
    ir_ref flag_mask;        /* the mask where the region begins, or kind NONE */
    mask_region region;      /* of the running block; `b` NULL: not known yet */
    ir_block **run;          /* predecessors with the same operand */
    uint32_t *ways;  /* by block, while a region is found: its number as predecessor + 1, or 0 */
    ir_ssa_var mask; /* along the linear edges; `f` NULL: not made yet */
} phi_lowering;

static bool
same_edges(const ir_block *b)
{
    if (b->preds[0].count != b->preds[1].count)
        return false;
    for (uint32_t i = 0; i < b->preds[0].count; i++) {
        if (ir_pred_index(b, b->preds[1].at[i], 0) == UINT32_MAX)
            return false;
    }
    return true;
}

static void
make_linear(ir_instr *phi)
{
    const ir_block *b = phi->block;
    ir_ref refs[64], *sorted = refs;
    if (phi->n_refs > 64)
        sorted = ARENA_ARRAY(b->fn->arena, phi->n_refs, ir_ref);
    for (uint32_t i = 0; i < phi->n_refs; i++)
        sorted[i] = phi->refs[ir_pred_index(b, b->preds[1].at[i], 0)];
    for (uint32_t i = 0; i < phi->n_refs; i++)
        phi->refs[i] = sorted[i];
    phi->op = AMD_P_LINEAR_PHI;
}

/* The block where masks of the phis of `b` start: for a loop's exit or continue block its header,
 * otherwise the earliest predecessor. */
static ir_block *
first_block(const ir_block *b)
{
    ir_block *first = b->preds[0].at[0];
    for (uint32_t i = 1; i < b->preds[0].count; i++) {
        if (b->preds[0].at[i]->index < first->index)
            first = b->preds[0].at[i];
    }
    if (!(b->kind & (IR_BLOCK_LOOP_EXIT | IR_BLOCK_LOOP_CONTINUE)))
        return first;
    unsigned depth = 0;
    for (size_t i = b->index; i-- > 0;) {
        ir_block *h = b->fn->blocks[i];
        if (h->kind & IR_BLOCK_LOOP_EXIT)
            depth++;
        if ((h->kind & IR_BLOCK_LOOP_HEADER) && depth-- == 0)
            return h;
    }
    return first;
}

static bool
is_carried(const mask_region *g)
{
    return (g->b->kind & IR_BLOCK_LOOP_EXIT) && (g->first->kind & IR_BLOCK_LOOP_HEADER);
}

/* The only latch of the loop, if it comes after all exits; otherwise NULL. */
static ir_block *
find_latch(const mask_region *g)
{
    const ir_edges *preds = &g->first->preds[0];
    if (!is_carried(g) || preds->count != 2 || !same_edges(g->first))
        return NULL;
    ir_block *latch = preds->at[preds->at[0]->index < g->first->index];
    uint32_t last = g->order[g->b->preds[0].count - 1];
    return latch->index > g->b->preds[0].at[last]->index ? latch : NULL;
}

static void
find_region(phi_lowering *l, ir_block *b)
{
    const ir_edges *preds = &b->preds[0];
    mask_region g = {.b = b, .first = first_block(b)};
    g.order = ARENA_ARRAY(l->a, preds->count, uint32_t);
    for (uint32_t i = 0; i < preds->count; i++)
        l->ways[preds->at[i]->index] = i + 1;
    uint32_t n = 0;
    for (size_t k = g.first->index; k < b->index; k++) {
        if (l->ways[k])
            g.order[n++] = l->ways[k] - 1;
        l->ways[k] = 0;
    }
    g.latch = find_latch(&g);
    l->region = g;
}

static ir_ref
insert_before(phi_lowering *l, ir_instr *at, unsigned op, ir_ref x, ir_ref y)
{
    ir_instr *i = amd_new(l->f, op, 2, 2);
    i->refs[0] = x;
    i->refs[1] = y;
    ir_ref r = ir_define(l->f, i, 0, l->p->lane_mask);
    ir_define(l->f, i, 1, AMD_S1);
    i->defs[1] = ir_fixed(i->defs[1], AMD_SCC);
    ir_insert_before(at, i);
    return r;
}

static ir_ref
insert_before_end(phi_lowering *l, ir_block *b, unsigned op, ir_ref x, ir_ref y)
{
    ir_instr *at = b->last;
    while (at->op != AMD_P_LOGICAL_END)
        at = at->prev;
    return insert_before(l, at, op, x, y);
}

/* The instruction of `b` that defines `r`, or NULL. */
static ir_instr *
def_in(const phi_lowering *l, const ir_block *b, ir_ref r)
{
    ir_instr *def = ir_def_of(l->f, r);
    return def && def->block == b ? def : NULL;
}

/* True if `r` is the mask `m`, or the flag that it replaces. */
static bool
is_mask(const phi_lowering *l, ir_ref r, ir_ref m)
{
    return ir_same_ref(r, m) || (l->flag && ir_is_value(r) && r.id == l->flag->defs[0].id &&
                                 ir_same_ref(m, l->flag_mask));
}

/* Is `operand` a comparison of `b`, which is 0 in the other lanes? */
static bool
is_compare(const phi_lowering *l, const ir_block *b, ir_ref operand)
{
    const ir_instr *def = def_in(l, b, operand);
    const amd_op_info *row = def ? amd_op_row((amd_op)def->op) : NULL;
    return row && row->fmt == AMD_VOPC;
}

/* True if `b` computes `operand` from the mask `before` by "or" or "and" so that inactive lanes
 * keep their bits; the other operand is made 0 ("or") or 1 ("and") in these lanes. Comparisons are
 * 0 there. */
static bool
grows_from(phi_lowering *l, const ir_block *b, ir_ref before, ir_ref operand)
{
    ir_instr *def = def_in(l, b, operand);
    bool is_or = def && (def->op == AMD_S_OR_B32 || def->op == AMD_S_OR_B64);
    bool is_and = def && (def->op == AMD_S_AND_B32 || def->op == AMD_S_AND_B64);
    if (!is_or && !is_and)
        return false;
    bool second = is_mask(l, def->refs[1], before);
    if (!second && !is_mask(l, def->refs[0], before))
        return false;
    ir_ref *x = &def->refs[!second];
    bool wide = l->p->wave_size == 64;
    unsigned op = is_or  ? wide ? AMD_S_AND_B64 : AMD_S_AND_B32
                  : wide ? AMD_S_ORN2_B64
                         : AMD_S_ORN2_B32;
    if (is_and || !is_compare(l, b, *x))
        *x = insert_before(l, def, op, *x, amd_phys(AMD_EXEC, l->p->lane_mask));
    return true;
}

/* Is it the mask of no lane? */
static bool
is_zero(const phi_lowering *l, ir_ref r)
{
    const ir_instr *def = ir_def_of(l->f, r);
    if (def && def->op == AMD_P_PARALLELCOPY && def->n_defs == 1)
        r = def->refs[0];
    return r.kind == IR_REF_CONST && r.id == 0;
}

/* `operand` for the lanes of `b`'s exec, `before` for the others. */
static ir_ref
merge(phi_lowering *l, ir_block *b, ir_ref before, ir_ref operand)
{
    bool wide = l->p->wave_size == 64;
    ir_ref exec = amd_phys(AMD_EXEC, l->p->lane_mask);
    if (operand.kind == IR_REF_UNDEF)
        return before;
    if (before.kind == IR_REF_NONE || l->uniform || grows_from(l, b, before, operand) ||
        (is_zero(l, before) && is_compare(l, b, operand)))
        return operand;
    bool none = operand.kind == IR_REF_CONST && operand.id == 0,
         all = operand.kind == IR_REF_CONST && !none;
    if (all)
        return insert_before_end(l, b, wide ? AMD_S_OR_B64 : AMD_S_OR_B32, before, exec);
    ir_ref kept = insert_before_end(l, b, wide ? AMD_S_ANDN2_B64 : AMD_S_ANDN2_B32, before, exec);
    if (none)
        return kept;
    ir_ref put = insert_before_end(l, b, wide ? AMD_S_AND_B64 : AMD_S_AND_B32, operand, exec);
    return insert_before_end(l, b, wide ? AMD_S_OR_B64 : AMD_S_OR_B32, kept, put);
}

/* ---- where lanes put in their bits ---- */

static mask_plan
new_plan(const phi_lowering *l, const ir_instr *phi)
{
    mask_plan p = {.initial = amd_undef(l->rc)};
    p.puts = ARENA_ARRAY(l->a, phi->n_refs + 1u, mask_put);
    return p;
}

static void
add_put(const phi_lowering *l, mask_plan *p, ir_block *at, ir_ref operand)
{
    const ir_block *latch = l->region.latch;
    p->puts[p->n++] = (mask_put){.at = at, .operand = operand};
    p->each_turn += latch && ir_dominates(at, latch, 0);
}

/* Each predecessor inserts its own lanes' bits, except those that have the mask's initial value. */
static mask_plan
plan_each(const phi_lowering *l, const ir_instr *phi, ir_ref initial)
{
    mask_plan p = new_plan(l, phi);
    if (initial.kind != IR_REF_NONE)
        p.initial = initial;
    for (uint32_t i = 0; i < phi->n_refs; i++) {
        if (phi->refs[i].kind != IR_REF_UNDEF && !ir_same_ref(phi->refs[i], initial))
            add_put(l, &p, phi->block->preds[0].at[i], phi->refs[i]);
    }
    return p;
}

/* Plans for the `n` predecessors in l->run, which have `operand`: one insertion in a block that
 * dominates them, if that block comes after `after`, otherwise one in each. The first need not
 * insert a flag that the mask replaces. */
static void
add_run(phi_lowering *l, mask_plan *p, unsigned n, ir_ref operand, uint32_t after)
{
    ir_block *at = l->run[0];
    if (p->flag && p->n == 0 && ir_same_ref(operand, p->flag->defs[0]))
        return;
    for (unsigned k = 1; k < n && at; k++) {
        while (at && !ir_dominates(at, l->run[k], 0))
            at = ir_idom(at, 0);
    }
    if (at && at->index >= after) {
        add_put(l, p, at, operand);
        return;
    }
    for (unsigned k = 0; k < n; k++)
        add_put(l, p, l->run[k], operand);
}

/* Takes the predecessors in order, those with the same operand together; the latch counts as one
 * whose operand is the flag's value in the next iteration. */
static mask_plan
plan_runs(phi_lowering *l, const ir_instr *phi, ir_instr *flag)
{
    const mask_region *g = &l->region;
    mask_plan p = new_plan(l, phi);
    unsigned n = 0, n_ways = phi->n_refs + (flag != NULL);
    uint32_t after = g->first->index, in = flag ? ir_pred_index(g->first, g->latch, 1) : 0;
    ir_ref operand = ir_none();
    if (flag)
        p.initial = flag->refs[1 - in];
    p.flag = flag;
    for (unsigned k = 0; k < n_ways; k++) {
        bool last = k == phi->n_refs;
        ir_ref r = last ? flag->refs[in] : phi->refs[g->order[k]];
        ir_block *way = last ? g->latch : g->b->preds[0].at[g->order[k]];
        if (r.kind == IR_REF_UNDEF)
            continue;
        if (n && !ir_same_ref(r, operand)) {
            add_run(l, &p, n, operand, after);
            after = l->run[n - 1]->index + 1;
            n = 0;
        }
        operand = r;
        l->run[n++] = way;
    }
    if (n)
        add_run(l, &p, n, operand, after);
    return p;
}

/* The constant that most predecessors take; NONE if there is none. */
static ir_ref
common_constant(const ir_instr *phi)
{
    unsigned n[2] = {0, 0};
    ir_ref constants[2];
    for (uint32_t i = 0; i < phi->n_refs; i++) {
        unsigned k = phi->refs[i].id != 0;
        if (phi->refs[i].kind == IR_REF_CONST && n[k]++ == 0)
            constants[k] = phi->refs[i];
    }
    return !n[0] && !n[1] ? ir_none() : constants[n[1] > n[0]];
}

/* The phi of the loop's header that the first way out takes, or NULL. */
static ir_instr *
find_flag(const phi_lowering *l, const ir_instr *phi)
{
    const mask_region *g = &l->region;
    uint32_t k = 0;
    while (k < phi->n_refs && phi->refs[g->order[k]].kind == IR_REF_UNDEF)
        k++;
    if (!g->latch || k == phi->n_refs || !ir_is_value(phi->refs[g->order[k]]))
        return NULL;
    uint32_t id = phi->refs[g->order[k]].id;
    ir_instr *def = l->f->values[id].def;
    if (ir_is_replaced(&l->replaced, phi->refs[g->order[k]]) || def->op != AMD_P_LINEAR_PHI ||
        def->block != g->first)
        return NULL;
    uint32_t in = ir_pred_index(g->first, g->latch, 1);
    return def->refs[in].kind == IR_REF_UNDEF ? NULL : def;
}

static mask_plan
choose_plan(phi_lowering *l, const ir_instr *phi)
{
    mask_plan each = plan_each(l, phi, ir_none());
    if (l->uniform || each.n < 2)
        return each;
    mask_plan runs = plan_runs(l, phi, NULL);
    ir_ref common = is_carried(&l->region) ? common_constant(phi) : ir_none();
    if (common.kind != IR_REF_NONE) {
        mask_plan others = plan_each(l, phi, common);
        if (others.n <= runs.n)
            return others;
    }
    ir_instr *flag = find_flag(l, phi);
    if (!flag)
        return runs;
    mask_plan with = plan_runs(l, phi, flag);
    bool cheaper = with.each_turn != runs.each_turn ? with.each_turn < runs.each_turn
                                                    : with.n <= runs.n;
    return cheaper ? with : runs;
}

/* ---- masks that start before an if ---- */

/* May the mask be operand `k` before the if that `at` opens? A constant costs a move there: it may
 * if the lanes of the other arm take one instruction. */
static bool
may_start(const phi_lowering *l, const ir_instr *phi, const ir_block *at, unsigned k)
{
    ir_ref r = phi->refs[k], other = phi->refs[!k];
    const ir_instr *def = ir_def_of(l->f, r);
    if (r.kind != IR_REF_CONST)
        return def && ir_dominates(def->block, at, 0);
    return other.kind == IR_REF_CONST ||
           (r.id == 0 && is_compare(l, phi->block->preds[0].at[!k], other));
}

/* Where both operands may start, that of an arm without code does. */
static mask_start
find_start(const phi_lowering *l, const ir_instr *phi)
{
    const ir_block *b = phi->block;
    mask_start none = {NULL, 0};
    if (l->uniform || !(b->kind & IR_BLOCK_MERGE) || phi->n_refs != 2)
        return none;
    ir_block *at = ir_idom(b, 0);
    bool may[2] = {may_start(l, phi, at, 0), may_start(l, phi, at, 1)};
    if (!may[0] && !may[1])
        return none;
    bool second = !may[0] || (may[1] && !amd_is_empty_arm(b->preds[0].at[0]));
    return (mask_start){at, second};
}

/* The mask before the if: a constant in a register. */
static ir_ref
start_mask(phi_lowering *l, const mask_start *s, ir_ref r)
{
    if (r.kind != IR_REF_CONST)
        return r;
    ir_instr *copy = amd_new(l->f, AMD_P_PARALLELCOPY, 1, 1), *at = s->at->last;
    copy->refs[0] = r;
    ir_ref mask = ir_define(l->f, copy, 0, l->p->lane_mask);
    while (at->op != AMD_P_LOGICAL_END)
        at = at->prev;
    ir_insert_before(at, copy);
    return mask;
}

/* ---- the mask ---- */

/* Replaces the result of `phi` by `r` and removes it. */
static void
replace_phi(phi_lowering *l, ir_instr *phi, ir_ref r)
{
    if (ir_is_value(r)) {
        ir_replace_add(&l->replaced, phi->defs[0].id, ir_use(l->f, r.id));
    } else {
        ir_instr *copy = amd_new(l->f, AMD_P_PARALLELCOPY, 1, 1);
        copy->defs[0] = phi->defs[0];
        copy->refs[0] = r;
        l->f->values[phi->defs[0].id].def = copy;
        ir_insert_before(ir_first_non_phi(phi->block), copy);
    }
    ir_unlink(phi);
}

/* Finds where lanes put in their bits, and where masks meet. */
static mask_plan
begin_mask(phi_lowering *l, const ir_instr *phi)
{
    const mask_region *g = &l->region;
    mask_start start = find_start(l, phi);
    ir_ssa_begin(&l->mask, (ir_type)l->rc, start.at ? start.at : g->first, g->b);
    l->flag_mask = ir_none();
    if (is_carried(g))
        l->flag_mask = ir_ssa_force_phi(&l->mask, g->first)->defs[0];
    mask_plan plan = start.at ? plan_each(l, phi, phi->refs[start.known]) : choose_plan(l, phi);
    l->flag = plan.flag;
    l->mask.initial = start.at        ? start_mask(l, &start, plan.initial)
                      : is_carried(g) ? plan.initial
                                      : ir_none();
    for (unsigned k = 0; k < plan.n; k++) {
        l->put[plan.puts[k].at->index] = plan.puts[k].operand;
        ir_ssa_define(&l->mask, plan.puts[k].at);
    }
    ir_ssa_place(&l->mask);
    return plan;
}

static void
gather(phi_lowering *l, ir_instr *phi)
{
    arena_mark mark = arena_save(l->a);
    mask_plan plan = begin_mask(l, phi);
    for (uint32_t i = 0; i < l->mask.n; i++) {
        ir_block *at = l->mask.by_index[i];
        ir_ref put = l->put[at->index], in = ir_ssa_at_start(&l->mask, at);
        if (put.kind != IR_REF_NONE)
            ir_ssa_set_end(&l->mask, at, merge(l, at, in, put));
    }
    ir_ssa_finish(&l->mask);
    for (unsigned k = 0; k < plan.n; k++)
        l->put[plan.puts[k].at->index] = ir_none();
    arena_release(l->a, mark);
    if (l->flag)
        replace_phi(l, l->flag, l->flag_mask);
    ir_ref r = ir_ssa_at_start(&l->mask, l->region.b);
    replace_phi(l, phi, r.kind == IR_REF_NONE ? amd_undef(l->rc) : r);
}

static void
lower(phi_lowering *l, ir_instr *phi)
{
    ir_block *b = phi->block;
    /* At a header all lanes of the loop come from the latch, and bits of lanes that left do not
     * matter. */
    if (same_edges(b)) {
        make_linear(phi);
        return;
    }
    if (!l->mask.f) {
        ir_require(l->f, IR_HAS_DOMINANCE);
        l->mask = ir_ssa_open(l->f, 1, l->a);
    }
    if (l->region.b != b)
        find_region(l, b);
    gather(l, phi);
}

void
amd_lower_phis(ir_fn *f)
{
    phi_lowering l = {.f = f, .p = amd_prog(f), .a = f->ctx->scratch, .replaced = {.f = f}};
    arena_mark mark = arena_save(l.a);
    l.put = ARENA_ARRAY(l.a, f->n_blocks, ir_ref);
    l.ways = ARENA_ARRAY(l.a, f->n_blocks, uint32_t);
    l.run = ARENA_ARRAY(l.a, f->n_blocks, ir_block *);
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            if (!ir_has_flag(i, IR_OP_PHI))
                break;
            bool scalar = i->op == AMD_P_PHI && !amd_rc_is_vgpr(i->defs[0].rc);
            l.rc = i->defs[0].rc;
            l.uniform = i->op != AMD_P_BOOLEAN_PHI;
            if (scalar || i->op == AMD_P_BOOLEAN_PHI)
                lower(&l, i);
        }
    }
    ir_replace_all(&l.replaced);
    arena_release(l.a, mark);
}
