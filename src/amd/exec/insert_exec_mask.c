/* insert_exec_mask: sets exec to the lanes that must be active in each block.
 *
 * The blocks are walked in order with a stack of the open divergent ifs and loops. In a divergent
 * if
 *
 *     branch:  saved = exec; exec &= cond       (s_and_saveexec)
 *     invert:  exec = saved & ~cond
 *     merge:   exec = saved                     (saved & current, if lanes may have left inside)
 *
 * Where exec is still that of the then arm at its end, it is read there instead of `cond`, which a
 * comparison that writes exec need not keep; but not where it would be restored for that alone.
 *
 * A loop with divergent breaks or continues has two masks: `running`, the lanes that have not left
 * it, and `current`, those that have not finished this iteration either. They are SSA values along
 * the linear CFG, with phis where paths meet:
 *
 *     preheader: entry = exec
 *     header:    running = phi(entry, running at the latch); current = running
 *     break:     running &= ~exec; current &= ~exec
 *     continue:  current &= ~exec
 *     K:         exec = running; current = running           (where divergent continues wait)
 *     exit:      exec = entry
 *
 * Where lanes leave only by breaks that are all that an arm of an if does, and that if stands in no
 * other divergent one of the loop, exec itself is the lanes that are running: behind the arm exec
 * has the lanes of the other arm alone, and needs no mask.
 *
 * Where a temporary has exec already, because it was restored from there, that is the saved mask.
 * Where all lanes of the wave are active, nothing is saved:
 *
 *     branch: exec = cond
 *     invert: exec = ~exec
 *     merge:  exec = -1
 *
 * Branches that selection makes (select_cfg.h) skip code when exec is empty, so scalar instructions
 * never run without an active lane. Blocks are recognised by their kinds; a break or continue is
 * divergent if its linear successor differs from its logical one.
 */
#include "amd/exec/exec.h"
#include "amd/isa/table/table.h"
#include "amd/target/compare.h"
#include "ir/analysis.h"
#include "ir/ssa_repair.h"

#include <assert.h>

/* Arms of an if, as bits. */
enum { THEN = 1, ELSE = 2 };
enum { LOOK = 3 }; /* operations on masks that is_within looks through */

/* Lanes leave the loop separately by breaks, by continues; in a way that needs masks. */
enum { BREAKS = 1, CONTINUES = 2, MASKS = 4 };

/* ---- emitting ---- */

/* The mask of all lanes. */
static ir_ref
all_lanes(const exec_ctx *c)
{
    return c->p->wave_size == 64 ? amd_const64(-1) : amd_const(UINT32_MAX);
}

/* Are all lanes of the wave active? */
static bool
is_full(const exec_ctx *c)
{
    return c->all_lanes && !c->n_ifs && !c->n_left;
}

/* Emits d = op(a, b), or op(a) if `b` is none, before `at`; `to_exec` writes exec instead of a new
 * temporary. */
ir_ref
amd_exec_emit(exec_ctx *c, ir_instr *at, unsigned op, ir_ref a, ir_ref b, bool to_exec)
{
    bool two = b.kind != IR_REF_NONE || b.flags & IR_FIXED;
    ir_instr *i = amd_new(c->f, op, 2, 1 + two);
    i->refs[0] = a;
    if (two)
        i->refs[1] = b;
    ir_ref d = ir_define(c->f, i, 0, c->p->lane_mask);
    if (to_exec) {
        i->defs[0] = ir_fixed(i->defs[0], AMD_EXEC);
        c->now.held = c->now.lanes = ir_none();
    }
    ir_define(c->f, i, 1, AMD_S1);
    i->defs[1] = ir_fixed(i->defs[1], AMD_SCC);
    ir_insert_before(at, i);
    return d;
}

ir_ref
amd_exec_copy(exec_ctx *c, ir_instr *at, ir_ref a, bool to_exec)
{
    ir_instr *i = amd_new(c->f, AMD_P_PARALLELCOPY, 1, 1);
    i->refs[0] = a;
    ir_ref d = ir_define(c->f, i, 0, c->p->lane_mask);
    if (to_exec) {
        i->defs[0] = ir_fixed(i->defs[0], AMD_EXEC);
        c->now.held = ir_is_value(a) ? a : ir_none();
        c->now.lanes = ir_none();
    }
    ir_insert_before(at, i);
    return d;
}

/* ---- loops that lanes leave separately ---- */

static bool
leaves_alone(const ir_block *b)
{
    bool leaves = b->kind & (IR_BLOCK_BREAK | IR_BLOCK_CONTINUE);
    return leaves && b->succs[0].count && b->succs[1].count &&
           b->succs[0].at[0] != b->succs[1].at[0];
}

/* The constructs around a block. */
typedef struct nest {
    uint32_t header;        /* of the innermost loop */
    const ir_block *branch; /* of the only divergent if around the block in that loop */
    uint32_t ifs;           /* how many there are */
    bool left;              /* lanes have left the loop in the first arm of `branch` */
} nest;

/* How the lanes of `b` leave the loop. */
static uint8_t
way_to_leave(const ir_block *b, nest *n)
{
    bool is_arm = n->ifs == 1 && !n->left && b->preds[0].count == 1 &&
                  b->preds[0].at[0] == n->branch;
    n->left = true;
    if (!(b->kind & IR_BLOCK_BREAK))
        return CONTINUES | MASKS;
    return is_arm ? BREAKS : BREAKS | MASKS;
}

static void
find_leaves(exec_ctx *c, arena *a)
{
    nest *nests = ARENA_ARRAY(a, c->f->n_blocks + 1, nest);
    size_t depth = 0;
    IR_FOREACH_BLOCK(b, c->f) {
        /* The exit block may be missing if nothing leaves a loop; then nothing follows the loop
         * either. */
        if (b->kind & IR_BLOCK_LOOP_EXIT && depth)
            depth--;
        if (b->kind & IR_BLOCK_LOOP_HEADER)
            nests[depth++] = (nest){.header = b->index};
        nest *n = depth ? &nests[depth - 1] : NULL;
        if (!n)
            continue;
        if (b->kind & IR_BLOCK_MERGE && n->ifs)
            n->ifs--;
        if (leaves_alone(b))
            c->leaves[n->header] |= way_to_leave(b, n);
        if (b->kind & IR_BLOCK_BRANCH && !n->ifs++) {
            n->branch = b;
            n->left = false;
        }
    }
}

/* ---- masks along the linear CFG ---- */

static ir_ref
join(const exec_ctx *c, ir_block *b, bool running)
{
    arena *a = c->f->ctx->scratch;
    arena_mark mark = arena_save(a);
    ir_ref *refs = ARENA_ARRAY(a, b->preds[1].count, ir_ref);
    for (uint32_t i = 0; i < b->preds[1].count; i++) {
        const masks *m = &c->at_end[b->preds[1].at[i]->index];
        refs[i] = running ? m->running : m->current;
    }
    ir_ref mask = ir_meet(c->f, b, 1, c->p->lane_mask, refs);
    arena_release(a, mark);
    return mask;
}

/* What is known of exec on all ways to `b`: `held` and `lanes`. */
static masks
join_exec(const exec_ctx *c, const ir_block *b)
{
    masks now = {.held = ir_none(), .lanes = ir_none()};
    for (uint32_t i = 0; i < b->preds[1].count; i++) {
        const masks *m = &c->at_end[b->preds[1].at[i]->index];
        now.held = !i || ir_same_ref(now.held, m->held) ? m->held : ir_none();
        now.lanes = !i || ir_same_ref(now.lanes, m->lanes) ? m->lanes : ir_none();
    }
    return now;
}

static void
join_masks(exec_ctx *c, ir_block *b)
{
    c->now = join_exec(c, b);
    c->now.exact = amd_exec_join_exact(c, b);
    if (!c->n_loops || !c->loops[c->n_loops - 1].running_phi || !b->preds[1].count)
        return;
    c->now.running = join(c, b, true);
    /* if both masks are the same on all edges, one phi suffices */
    bool same = true;
    for (uint32_t i = 0; i < b->preds[1].count; i++) {
        const masks *m = &c->at_end[b->preds[1].at[i]->index];
        same &= ir_same_ref(m->running, m->current);
    }
    c->now.current = same ? c->now.running : join(c, b, false);
}

/* ---- blocks ---- */

static void
open_loop_at(exec_ctx *c, ir_block *b)
{
    ir_block *preheader = b->preds[1].at[0];
    uint8_t leaves = c->leaves[b->index];
    c->loops = arena_grow(c->f->ctx->scratch, c->loops, &c->cap_loops, c->n_loops + 1,
                          sizeof *c->loops);
    open_loop *l = &c->loops[c->n_loops++];
    *l = (open_loop){
        .entry = ir_none(), .breaks = leaves & BREAKS, .continues = (leaves & CONTINUES) != 0};
    l->outer_running = c->at_end[preheader->index].running;
    l->outer_current = c->at_end[preheader->index].current;
    l->held = leaves ? ir_none() : c->at_end[preheader->index].held;
    c->now = (masks){.held = l->held};
    l->exact_phi = amd_exec_open_loop(c, b);
    if (!leaves)
        return;
    l->entry = is_full(c) ? all_lanes(c) : c->at_end[preheader->index].held;
    if (l->entry.kind == IR_REF_NONE)
        l->entry = amd_exec_copy(c, ir_terminator(preheader), amd_exec_ref(c), false);
    c->n_left++;
    if (!(leaves & MASKS))
        return;
    l->running_phi = ir_new_phi(c->f, b, 1, c->p->lane_mask);
    ir_prepend(b, l->running_phi);
    c->now.running = c->now.current = l->running_phi->defs[0];
}

static void
close_loop_at(exec_ctx *c, ir_block *b)
{
    open_loop *l = &c->loops[--c->n_loops];
    if (l->running_phi) {
        const ir_block *header = l->running_phi->block;
        l->running_phi->refs[0] = l->entry;
        for (uint32_t i = 1; i < header->preds[1].count; i++)
            l->running_phi->refs[i] = c->at_end[header->preds[1].at[i]->index].running;
    }
    c->now = (masks){.running = l->outer_running, .current = l->outer_current, .held = l->held};
    amd_exec_close_loop(c, b, l->exact_phi);
    if (l->breaks || l->continues) {
        c->n_left--;
        if (c->p->stage != AMD_STAGE_FRAGMENT_FS || !amd_exec_starts_exact(c, b))
            amd_exec_copy(c, ir_first_non_phi(b), l->entry, true);
    }
}

/* Sets exec to the lanes of `cond` alone; returns exec before. */
ir_ref
amd_exec_save(exec_ctx *c, ir_instr *t, ir_ref cond)
{
    ir_instr *i = amd_new(c->f, AMD_EXEC_LM(c, S_AND_SAVEEXEC), 3, 2);
    i->refs[0] = cond;
    i->refs[1] = amd_exec_ref(c);
    ir_ref saved = ir_define(c->f, i, 0, c->p->lane_mask);
    ir_define(c->f, i, 1, AMD_S1);
    i->defs[1] = ir_fixed(i->defs[1], AMD_SCC);
    ir_define(c->f, i, 2, c->p->lane_mask);
    i->defs[2] = ir_fixed(i->defs[2], AMD_EXEC);
    ir_insert_before(t, i);
    c->now.lanes = ir_none();
    return saved;
}

/* Does a vector comparison that writes exec keep the mask of `cond`, which one makes? */
static bool
keeps_mask(const exec_ctx *c, ir_ref cond)
{
    const ir_instr *i = ir_def_of(c->f, cond);
    unsigned op = i ? amd_exec_compare(c->p->target, i->op) : AMD_OP_INVALID;
    return op != AMD_OP_INVALID && amd_exec_compare_has_mask(c->p->target, op);
}

/* Is `mask` 0 in the lanes that are not active at the end of `b`? `depth` operations are looked
 * through. Of an "and" both operands must be: optimize_postRA may narrow exec by one and then the
 * other. */
static bool
is_within(const exec_ctx *c, const ir_block *b, ir_ref mask, unsigned depth)
{
    const ir_instr *i = ir_def_of(c->f, mask);
    const amd_op_info *row = i ? amd_op_row((amd_op)i->op) : NULL;
    if (row && row->fmt == AMD_VOPC) {
        ir_ref there = c->at_end[i->block->index].body;
        if (i->block == b)
            return c->narrowed != b;
        return (ir_is_value(there) && ir_same_ref(there, c->now.held));
    }
    if (!row || row->fmt != AMD_SOP2 || !depth--)
        return false;
    if (i->op == AMD_EXEC_LM(c, S_AND) || i->op == AMD_EXEC_LM(c, S_OR))
        return is_within(c, b, i->refs[0], depth) && is_within(c, b, i->refs[1], depth);
    return i->op == AMD_EXEC_LM(c, S_ANDN2) && is_within(c, b, i->refs[0], depth);
}

/* exec becomes that of the lanes for which `cond` is true; returns what it was. */
static ir_ref
narrow_exec(exec_ctx *c, ir_instr *t, ir_ref cond)
{
    bool inside = is_within(c, t->block, cond, LOOK), keeps = keeps_mask(c, cond);
    ir_ref saved = is_full(c) ? all_lanes(c) : c->now.held;
    if (is_full(c) || (inside && saved.kind != IR_REF_NONE)) {
        amd_exec_copy(c, t, cond, true);
    } else if (saved.kind != IR_REF_NONE) {
        amd_exec_emit(c, t, AMD_EXEC_LM(c, S_AND), cond, amd_exec_ref(c), true);
    } else {
        saved = amd_exec_save(c, t, cond);
        keeps = true;
    }
    c->now.body = ir_is_value(saved) && c->narrowed != t->block ? saved : ir_none();
    c->now.held = inside && keeps ? cond : ir_none();
    return saved;
}

static void
branch(exec_ctx *c, ir_block *b)
{
    ir_instr *t = ir_terminator(b);
    ir_ref cond = t->refs[0];
    if (!is_full(c) && !ir_is_value(cond))
        cond = amd_exec_copy(c, t, cond, false);
    ir_ref lanes = c->now.lanes, saved = narrow_exec(c, t, cond);
    t->refs[0] = amd_exec_ref(c);
    c->now.lanes = cond;
    c->ifs = arena_grow(c->f->ctx->scratch, c->ifs, &c->cap_ifs, c->n_ifs + 1, sizeof *c->ifs);
    c->ifs[c->n_ifs++] = (open_if){.saved = saved,
                                   .cond = cond,
                                   .current = c->now.current,
                                   .lanes = lanes,
                                   .code = !amd_is_empty_arm(b->succs[0].at[0]),
                                   .arm = THEN};
}

static void
restore_at_merge(exec_ctx *c, ir_block *b)
{
    const open_if *k = &c->ifs[--c->n_ifs];
    ir_instr *at = ir_first_non_phi(b);
    bool ends = amd_is_empty_arm(b);
    if (c->p->stage == AMD_STAGE_FRAGMENT_FS && amd_exec_starts_exact(c, b))
        return;
    if (k->left & ELSE)
        amd_exec_emit(c, at, AMD_EXEC_LM(c, S_AND), k->saved, k->cond, true);
    else if (k->left)
        return; /* exec has been that of the other arm since it began */
    else if (c->now.current.kind == IR_REF_NONE || ir_same_ref(c->now.current, k->current)) {
        amd_exec_copy(c, at, k->saved, true);
        c->now.lanes = ends ? ir_none() : k->lanes;
    } else
        amd_exec_emit(c, at, AMD_EXEC_LM(c, S_AND), k->saved, c->now.current, true);
}

/* exec becomes that of the else arm's lanes. Where exec still has all those of the then arm, the
 * mask of these is not read. */
static void
invert(exec_ctx *c, ir_block *b)
{
    open_if *k = &c->ifs[c->n_ifs - 1];
    bool same = k->code && ir_is_value(k->cond) && ir_same_ref(c->now.lanes, k->cond);
    ir_instr *t = ir_terminator(b);
    k->arm = ELSE;
    if (k->saved.kind == IR_REF_CONST)
        amd_exec_emit(c, t, AMD_EXEC_LM(c, S_NOT), amd_exec_ref(c), ir_none(), true);
    else
        amd_exec_emit(c, t, AMD_EXEC_LM(c, S_ANDN2), k->saved, same ? amd_exec_ref(c) : k->cond,
                      true);
}

static void
leave(exec_ctx *c, ir_block *b)
{
    ir_instr *t = ir_terminator(b);
    if (!c->loops[c->n_loops - 1].running_phi) {
        c->ifs[c->n_ifs - 1].left |= c->ifs[c->n_ifs - 1].arm;
        return;
    }
    bool one = ir_same_ref(c->now.running, c->now.current);
    if (b->kind & IR_BLOCK_BREAK) {
        c->now.running = amd_exec_emit(c, t, AMD_EXEC_LM(c, S_ANDN2), c->now.running,
                                       amd_exec_ref(c), false);
        if (one)
            c->now.current = c->now.running;
    }
    if (!(b->kind & IR_BLOCK_BREAK) || !one)
        c->now.current = amd_exec_emit(c, t, AMD_EXEC_LM(c, S_ANDN2), c->now.current,
                                       amd_exec_ref(c), false);
}

static void
visit(exec_ctx *c, ir_block *b)
{
    if (b->kind & IR_BLOCK_LOOP_HEADER)
        open_loop_at(c, b);
    else if (b->kind & IR_BLOCK_LOOP_EXIT && c->n_loops)
        close_loop_at(c, b);
    else
        join_masks(c, b);
    if (b->kind & IR_BLOCK_MERGE)
        restore_at_merge(c, b);
    if (b->kind & IR_BLOCK_INVERT)
        invert(c, b);
    if (b->kind & IR_BLOCK_LOOP_CONTINUE && c->loops[c->n_loops - 1].continues) {
        amd_exec_copy(c, ir_first_non_phi(b), c->now.running, true);
        c->now.current = c->now.running;
    }
    if (c->p->stage == AMD_STAGE_FRAGMENT_FS)
        amd_exec_visit_quads(c, b);
    c->now.body = c->narrowed == b ? ir_none() : c->now.held;
    if (b->kind & IR_BLOCK_BRANCH)
        branch(c, b);
    if (leaves_alone(b))
        leave(c, b);
    c->at_end[b->index] = c->now;
}

void
amd_insert_exec_mask(ir_fn *f)
{
    arena_mark mark = arena_save(f->ctx->scratch);
    exec_ctx c = {.f = f, .p = amd_prog(f)};
    c.at_end = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, masks);
    c.leaves = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, uint8_t);
    /* A grid of hsa may end within a group. A primitive shader starts so (lower_startpgm). */
    c.all_lanes = (!c.p->hsa && ir_waves_are_full(f)) || c.p->stage == AMD_STAGE_VERTEX_NGG;
    if (c.p->stage == AMD_STAGE_FRAGMENT_FS)
        amd_find_quad_needs(f, f->ctx->scratch, &c.quads);
    find_leaves(&c, f->ctx->scratch);
    IR_FOREACH_BLOCK(b, f)
        visit(&c, b);
    while (c.n_loops) /* those that nothing leaves */
        amd_exec_close_loop(&c, NULL, c.loops[--c.n_loops].exact_phi);
    arena_release(f->ctx->scratch, mark);
}
