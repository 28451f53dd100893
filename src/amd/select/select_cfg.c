#include "amd/select/select_cfg.h"
#include "amd/target/graphics.h"

#include <assert.h>

/* ---- constructs of HIR, before selection ---- */

static bool
is_divergent_if(const sel *s, const ir_block *b)
{
    const ir_instr *t = ir_terminator(b);
    return t->op == IR_if && s->hir->values[t->refs[0].id].divergent;
}

static cfg_construct *
push(cfg *c, cfg_kind kind, ir_block *hir, ir_block *second, ir_block *merge)
{
    c->stack = arena_grow(c->s->f->arena, c->stack, &c->cap, c->depth + 1, sizeof *c->stack);
    cfg_construct *k = &c->stack[c->depth++];
    *k = (cfg_construct){.kind = kind, .hir = hir, .hir_second = second, .hir_merge = merge};
    return k;
}

static cfg_construct *
top(cfg *c)
{
    return c->depth ? &c->stack[c->depth - 1] : NULL;
}

/* Index of the innermost open loop, or SIZE_MAX. */
static size_t
inner_loop(const cfg *c)
{
    for (size_t i = c->depth; i-- > 0;) {
        if (c->stack[i].kind == CFG_LOOP)
            return i;
    }
    return SIZE_MAX;
}

static bool
divergent_inside(const cfg *c, size_t loop)
{
    for (size_t i = loop + 1; i < c->depth; i++) {
        if (c->stack[i].kind == CFG_IF_DIVERGENT)
            return true;
    }
    return false;
}

enum { DIV_BREAK = 1, DIV_CONTINUE = 2 };

/* Opens the construct that begins at HIR block `b`, for the analysis. */
static void
open_for_analysis(cfg *c, ir_block *b)
{
    const ir_instr *t = ir_terminator(b);
    if (t->op == IR_if)
        push(c, is_divergent_if(c->s, b) ? CFG_IF_DIVERGENT : CFG_IF_UNIFORM, b, b->succs[0].at[1],
             b->merge);
    else if (t->op == IR_loop)
        push(c, CFG_LOOP, b, b->cont, b->merge);
}

static void
find_divergent_leaves(cfg *c)
{
    const ir_fn *f = c->s->hir;
    IR_FOREACH_BLOCK(b, f) {
        while (top(c) && b == top(c)->hir_merge)
            c->depth--;
        if (top(c) && b == top(c)->hir_second)
            top(c)->in_second = true;
        size_t loop = inner_loop(c);
        const ir_instr *t = ir_terminator(b);
        if (t->op == IR_jump && loop != SIZE_MAX && !c->dead[b->index] &&
            divergent_inside(c, loop)) {
            const cfg_construct *l = &c->stack[loop];
            uint8_t *flags = &c->loop_flags[l->hir->index];
            if (b->succs[0].at[0] == l->hir_merge)
                *flags |= DIV_BREAK;
            else if (b->succs[0].at[0] == l->hir_second && !l->in_second)
                *flags |= DIV_CONTINUE;
        }
        open_for_analysis(c, b);
    }
    c->depth = 0;
}

/* Finds blocks that no earlier block leads to. */
static void
find_dead(cfg *c)
{
    const ir_fn *f = c->s->hir;
    for (size_t i = 1; i < f->n_blocks; i++) {
        const ir_block *b = f->blocks[i];
        bool reached = false;
        for (uint32_t p = 0; p < b->preds[0].count; p++) {
            const ir_block *from = b->preds[0].at[p];
            reached |= from->index < b->index && !c->dead[from->index];
        }
        c->dead[i] = !reached;
    }
}

void
amd_cfg_init(cfg *c, sel *s)
{
    size_t n = s->hir->n_blocks;
    arena *a = s->f->arena;
    *c = (cfg){.s = s};
    c->loop_flags = ARENA_ARRAY(a, n, uint8_t);
    c->dead = ARENA_ARRAY(a, n, uint8_t);
    c->edge_block = ARENA_ARRAY(a, n, ir_block **);
    for (size_t i = 0; i < n; i++)
        c->edge_block[i] = ARENA_ARRAY(a, s->hir->blocks[i]->preds[0].count, ir_block *);
    find_dead(c);
    find_divergent_leaves(c);
}

/* ---- machine blocks ---- */

static ir_block *
new_block(cfg *c, uint32_t kind)
{
    ir_block *b = ir_block_new(c->s->f);
    b->kind = kind;
    return b;
}

static void
place(cfg *c, ir_block *b)
{
    ir_append_block(c->s->f, b);
}

static void
link_linear(ir_block *from, ir_block *to)
{
    ir_add_edge(from, to, 1);
}

static void
link_both(ir_block *from, ir_block *to)
{
    ir_add_edge(from, to, 0);
    ir_add_edge(from, to, 1);
}

static void
emit_marker(sel *s, unsigned op)
{
    ir_instr *i = amd_new(s->f, op, 0, 0);
    i->loc = s->loc;
    ir_append(s->cur, i);
}

static void
emit_branch_in(cfg *c, ir_block *b)
{
    ir_instr *i = amd_new(c->s->f, AMD_P_BRANCH, 0, 0);
    i->loc = c->s->loc;
    ir_append(b, i);
}

/* Ends the current block, which is logical, with a jump; the caller adds the edges. */
static ir_block *
close_with_jump(cfg *c)
{
    ir_block *b = c->s->cur;
    if (b->kind & IR_BLOCK_LOGICAL)
        emit_marker(c->s, AMD_P_LOGICAL_END);
    emit_branch_in(c, b);
    c->s->cur = NULL;
    return b;
}

static void
close_with_branch(cfg *c, ir_ref cond)
{
    sel *s = c->s;
    emit_marker(s, AMD_P_LOGICAL_END);
    ir_instr *i = amd_new(s->f, AMD_P_CBRANCH_Z, 0, 1);
    i->refs[0] = cond;
    i->loc = s->loc;
    ir_append(s->cur, i);
}

static void
start_logical(cfg *c, ir_block *b)
{
    place(c, b);
    b->kind |= IR_BLOCK_LOGICAL;
    c->s->cur = b;
}

/* ---- the active lanes when exec is empty ---- */

typedef struct skip_target {
    cfg_construct *construct;
    unsigned side; /* 0 invert or K, 1 merge or X */
} skip_target;

static skip_target
find_skip_target(cfg *c)
{
    for (size_t i = c->depth; i-- > 0;) {
        cfg_construct *k = &c->stack[i];
        if (k->kind == CFG_IF_DIVERGENT)
            return (skip_target){k, k->in_second};
        if (k->kind == CFG_LOOP)
            return (skip_target){k, k->div_continue && !k->in_second ? 0 : 1};
    }
    return (skip_target){0};
}

static ir_block *
target_block(skip_target t)
{
    cfg_construct *k = t.construct;
    if (k->kind == CFG_LOOP)
        return t.side ? k->exit : k->cont;
    return t.side ? k->merge : k->invert;
}

/* p_cbranch_z exec: continues in a new logical block, or where lanes are active. */
static void
emit_guard(cfg *c)
{
    sel *s = c->s;
    skip_target t = find_skip_target(c);
    cfg_list *list = &t.construct->skips[t.side];
    ir_block *from = s->cur, *rest = new_block(c, 0), *skip = new_block(c, IR_BLOCK_UNIFORM);
    close_with_branch(c, sel_exec(s));
    link_both(from, rest);
    link_linear(from, skip);
    emit_branch_in(c, skip);
    link_linear(skip, target_block(t));
    list->at = arena_grow(s->f->arena, list->at, &list->cap, list->n + 1, sizeof *list->at);
    list->at[list->n++] = skip;
    start_logical(c, rest);
}

/* Inserts the guard blocks of a side, then the block they lead to, if any edge leads there; that
 * becomes the current block (for an invert block the caller continues). */
static void
place_target(cfg *c, cfg_construct *k, unsigned side, ir_block *b)
{
    for (size_t i = 0; i < k->skips[side].n; i++)
        place(c, k->skips[side].at[i]);
    c->s->cur = NULL;
    if (b->preds[1].count) {
        place(c, b);
        c->s->cur = b;
    }
}

static void
note_edge(cfg *c, ir_block *hir_from, ir_block *hir_to, ir_block *carrier)
{
    uint32_t p = ir_pred_index(hir_to, hir_from, 0);
    c->edge_block[hir_to->index][p] = carrier;
}

/* ---- if ---- */

/* The condition of a uniform if. If it is a vector comparison in this block, the mask has no bits
 * of inactive lanes, so the branch can test vcc. */
static ir_ref
uniform_condition(sel *s, ir_ref cond)
{
    uint64_t constant;
    if (!ir_is_const(s->hir, cond, &constant) && sel_rep_of(s, cond) == SEL_MASK) {
        ir_ref mask = amd_sel_get_mask(s, cond);
        const ir_instr *def = ir_def_of(s->f, mask);
        const amd_op_info *row = def ? amd_op_row((amd_op)def->op) : NULL;
        if (row && row->fmt == AMD_VOPC && def->block == s->cur)
            return ir_fixed(mask, AMD_VCC);
    }
    return amd_sel_get_scc(s, cond);
}

static void
open_if(cfg *c, ir_block *b)
{
    sel *s = c->s;
    ir_ref cond = ir_terminator(b)->refs[0];
    bool divergent = is_divergent_if(s, b);
    cfg_construct *k = push(c, divergent ? CFG_IF_DIVERGENT : CFG_IF_UNIFORM, b, b->succs[0].at[1],
                            b->merge);
    ir_block *then = new_block(c, divergent ? 0 : IR_BLOCK_UNIFORM);
    k->branch = s->cur;
    k->otherwise = new_block(c, divergent ? 0 : IR_BLOCK_UNIFORM);
    k->merge = new_block(c, divergent ? IR_BLOCK_MERGE : IR_BLOCK_UNIFORM);
    close_with_branch(c, divergent ? amd_sel_get_mask(s, cond) : uniform_condition(s, cond));
    ir_add_edge(k->branch, then, 0);
    ir_add_edge(k->branch, k->otherwise, 0);
    link_linear(k->branch, then);
    if (divergent) {
        k->branch->kind |= IR_BLOCK_BRANCH;
        k->then_linear = new_block(c, IR_BLOCK_UNIFORM);
        k->invert = new_block(c, IR_BLOCK_INVERT);
        k->else_linear = new_block(c, IR_BLOCK_UNIFORM);
        link_linear(k->branch, k->then_linear);
    } else {
        k->branch->kind |= IR_BLOCK_UNIFORM;
        link_linear(k->branch, k->otherwise);
    }
    start_logical(c, then);
    if (b->succs[0].at[0] == b->merge) { /* an empty then arm */
        emit_marker(s, AMD_P_LOGICAL_START);
        note_edge(c, b, b->merge, then);
        ir_add_edge(then, k->merge, 0);
    }
}

static void
place_linear(cfg *c, ir_block *b, ir_block *to)
{
    place(c, b);
    emit_branch_in(c, b);
    link_linear(b, to);
}

/* Moves from the then arm to the else arm. The arm's logical edge to the merge block was made with
 * its jump. */
static void
begin_else(cfg *c, cfg_construct *k)
{
    sel *s = c->s;
    bool divergent = k->kind == CFG_IF_DIVERGENT;
    if (s->cur)
        link_linear(close_with_jump(c), divergent ? k->invert : k->merge);
    if (divergent) {
        place_linear(c, k->then_linear, k->invert);
        place_target(c, k, 0, k->invert);
        ir_instr *i = amd_new(s->f, AMD_P_CBRANCH_Z, 0, 1);
        i->refs[0] = sel_exec(s);
        ir_append(k->invert, i);
        link_linear(k->invert, k->otherwise);
        link_linear(k->invert, k->else_linear);
    }
    k->in_second = true;
    start_logical(c, k->otherwise);
    if (k->hir_second == k->hir_merge) { /* an empty else arm */
        emit_marker(s, AMD_P_LOGICAL_START);
        note_edge(c, k->hir, k->hir_merge, s->cur);
        ir_add_edge(s->cur, k->merge, 0);
    }
}

static void
end_if(cfg *c, cfg_construct *k)
{
    sel *s = c->s;
    if (!k->in_second)
        begin_else(c, k);
    if (s->cur)
        link_linear(close_with_jump(c), k->merge);
    if (k->kind == CFG_IF_DIVERGENT)
        place_linear(c, k->else_linear, k->merge);
    place_target(c, k, 1, k->merge);
    k->merge->kind |= IR_BLOCK_LOGICAL;
}

/* ---- loops ---- */

static void
open_loop(cfg *c, ir_block *b)
{
    sel *s = c->s;
    cfg_construct *k = push(c, CFG_LOOP, b, b->cont, b->merge);
    ir_block *header = new_block(c, IR_BLOCK_LOOP_HEADER), *preheader = s->cur;
    k->header = header;
    k->cont = new_block(c, IR_BLOCK_LOOP_CONTINUE);
    k->exit = new_block(c, IR_BLOCK_LOOP_EXIT);
    k->div_continue = (c->loop_flags[b->index] & DIV_CONTINUE) != 0;
    k->div_break = (c->loop_flags[b->index] & DIV_BREAK) != 0;
    preheader->kind |= IR_BLOCK_LOOP_PREHEADER;
    note_edge(c, b, b->succs[0].at[0], preheader);
    link_both(close_with_jump(c), header);
    start_logical(c, header);
}

static void
begin_continue(cfg *c, cfg_construct *k)
{
    place_target(c, k, 0, k->cont);
    k->in_second = true;
    k->cont->kind |= IR_BLOCK_LOGICAL;
}

static void
end_loop(cfg *c, cfg_construct *k)
{
    if (!k->in_second)
        place_target(c, k, 0, k->cont);
    place_target(c, k, 1, k->exit);
    k->exit->kind |= IR_BLOCK_LOGICAL;
}

/* A break or continue of loop `l` (an index in the stack) to machine block `to`. */
static void
leave(cfg *c, size_t l, ir_block *b, ir_block *hir_to, bool is_break)
{
    cfg_construct *k = &c->stack[l];
    bool lanes_wait = is_break && k->div_continue && !k->in_second;
    bool divergent = divergent_inside(c, l) || lanes_wait;
    ir_block *to = is_break ? k->exit : k->cont, *from = c->s->cur;
    k->div_break |= is_break && divergent;
    from->kind |= is_break ? IR_BLOCK_BREAK : IR_BLOCK_CONTINUE;
    note_edge(c, b, hir_to, from);
    skip_target t = find_skip_target(c);
    close_with_jump(c);
    ir_add_edge(from, to, 0);
    link_linear(from, divergent ? target_block(t) : to);
    for (size_t i = l + 1; divergent && i < c->depth; i++)
        c->stack[i].leaves = true;
}

/* ---- the walk ---- */

void
amd_cfg_begin_block(cfg *c, ir_block *b)
{
    if (b->index == 0) {
        ir_block *entry = new_block(c, IR_BLOCK_TOP_LEVEL);
        start_logical(c, entry);
        return;
    }
    cfg_construct *k = top(c);
    if (!k)
        return;
    bool merge = b == k->hir_merge;
    if (k->kind == CFG_DEAD) {
        c->depth -= merge;
    } else if (k->kind == CFG_LOOP) {
        if (b == k->hir_second)
            begin_continue(c, k);
        else if (merge) {
            c->depth--;
            end_loop(c, k);
        }
    } else if (merge) {
        c->guard = k->kind == CFG_IF_DIVERGENT && k->leaves;
        end_if(c, k);
        c->depth--;
    } else if (b == k->hir_second) {
        begin_else(c, k);
    }
}

/* Only waves with an empty exec reach a block without a path in the program; outside of all loops
 * and divergent ifs, no wave does. */
static void
leave_dead_block(cfg *c)
{
    sel *s = c->s;
    emit_marker(s, AMD_P_LOGICAL_START);
    skip_target t = find_skip_target(c);
    if (t.construct) {
        link_linear(close_with_jump(c), target_block(t));
        return;
    }
    emit_marker(s, AMD_P_LOGICAL_END);
    ir_append(s->cur, amd_new(s->f, amd_end_op(s->p), 0, 0));
    s->cur = NULL;
}

void
amd_cfg_after_phis(cfg *c, ir_block *b)
{
    sel *s = c->s;
    const cfg_construct *k = top(c);
    if (!s->cur) {
        c->guard = false;
        return;
    }
    bool at_continue = k && k->kind == CFG_LOOP && k->in_second && b == k->hir_second;
    bool guard = c->guard || (at_continue && k->div_continue && k->div_break);
    c->guard = false;
    if (c->dead[b->index]) {
        leave_dead_block(c);
        return;
    }
    emit_marker(s, AMD_P_LOGICAL_START);
    if (guard) {
        emit_guard(c);
        emit_marker(s, AMD_P_LOGICAL_START);
    }
}

static void
end_with_jump(cfg *c, ir_block *b)
{
    ir_block *to = b->succs[0].at[0];
    cfg_construct *k = top(c);
    size_t l = inner_loop(c);
    if (!c->s->cur)
        return;
    if (k && k->kind != CFG_LOOP && to == k->hir_merge) {
        note_edge(c, b, to, c->s->cur);
        ir_add_edge(c->s->cur, k->merge, 0);
        return;
    }
    assert(l != SIZE_MAX);
    cfg_construct *loop = &c->stack[l];
    if (to == loop->hir_merge) {
        leave(c, l, b, to, true);
    } else if (to == loop->hir_second && !loop->in_second) {
        leave(c, l, b, to, false);
    } else {
        /* Passes rely on every loop having an exit: a loop without one gets an exit that is never
         * taken. */
        if (!loop->exit->preds[1].count) {
            emit_guard(c);
            emit_marker(c->s, AMD_P_LOGICAL_START);
        }
        note_edge(c, b, to, c->s->cur);
        link_both(close_with_jump(c), loop->header);
    }
}

void
amd_cfg_end_block(cfg *c, ir_block *b)
{
    sel *s = c->s;
    const ir_instr *t = ir_terminator(b);
    bool opens = t->op == IR_if || t->op == IR_loop;
    if (!s->cur && opens) {
        push(c, CFG_DEAD, b, NULL, b->merge);
        return;
    }
    if (!s->cur)
        return;
    s->loc = t->loc;
    switch (t->op) {
    case IR_if: open_if(c, b); break;
    case IR_loop: open_loop(c, b); break;
    case IR_jump: end_with_jump(c, b); break;
    default:
        emit_marker(s, AMD_P_LOGICAL_END);
        ir_append(s->cur, amd_new(s->f, amd_end_op(s->p), 0, 0));
        break;
    }
}
