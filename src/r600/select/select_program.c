/* Blocks to regions.
 *
 *     if c then A else B merge M        region R { if c { A; depart R } B; depart R } phis of M
 *     loop H merge M continue C         region L { loop phis of H; body; repeat L } phis of M
 *
 * An `if` whose merge block is not reached needs no region: its second arm goes on in the list. A
 * jump to a continue block becomes the continue region itself, and so the tree has a repeat for
 * each. Phis take their operands where the jump is made, when all of them are known. */
#include "r600/select/stage.h"

#include "family/compiler.h"
#include "ir/analysis.h"

/* Where a jump to a block leads. */
typedef struct target {
    tree_node *region;
    bool repeats;
} target;

typedef struct program_state {
    r600_sel s;
    target *targets; /* by block of HIR; region NULL: the block is inlined */
} program_state;

static void
select_from(program_state *g, const ir_block *b);

/* ---- phis ---- */

/* The phis of a block, one for each component. */
static void
make_phis(program_state *g, const ir_block *b, tree_phi **list)
{
    r600_sel *s = &g->s;
    for (const ir_instr *i = b->first; i && i->op == IR_phi; i = i->next) {
        tree_operand *out = r600_sel_def(s, i);
        const unsigned n = r600_sel_parts(s, ir_use(s->hir, i->defs[0].id));
        for (unsigned k = 0; k < n; k++, list = &(*list)->next) {
            *list = ARENA_NEW(s->p->arena, tree_phi);
            (*list)->def = r600_sel_define(s, NULL);
            out[k] = r600_tree_use((*list)->def);
        }
    }
}

/* Operands come in order; their room doubles. */
static void
put_operand(program_state *g, tree_phi *phi, unsigned at, tree_operand o)
{
    if (!(at & (at - 1))) {
        tree_operand *more = ARENA_ARRAY(g->s.p->arena, at ? 2 * at : 1, tree_operand);
        for (unsigned i = 0; i < at; i++)
            more[i] = phi->src[i];
        phi->src = more;
    }
    phi->src[at] = o;
}

/* Sets operand `at` of the phis to what the edge from a predecessor gives. */
static void
set_phis(program_state *g, const ir_block *from, const ir_block *to, tree_phi *phi, unsigned at)
{
    r600_sel *s = &g->s;
    const uint32_t e = ir_pred_index(to, from, 0);
    for (const ir_instr *i = to->first; i && i->op == IR_phi; i = i->next) {
        const unsigned n = r600_sel_parts(s, ir_use(s->hir, i->defs[0].id));
        for (unsigned k = 0; k < n; k++, phi = phi->next)
            put_operand(g, phi, at, r600_sel_part(s, i->refs[e], k));
    }
}

/* Gives the phis of a block that is inlined the values of one edge. */
static void
name_phis(program_state *g, const ir_block *from, const ir_block *to)
{
    enum { MOST = 2 * IR_MAX_COMPS };
    r600_sel *s = &g->s;
    const uint32_t e = ir_pred_index(to, from, 0);
    unsigned n_phis = 0;
    for (const ir_instr *i = to->first; i && i->op == IR_phi; i = i->next)
        n_phis++;
    tree_operand(*values)[MOST] = arena_array(s->p->arena, n_phis + 1, sizeof *values);
    unsigned p = 0;
    for (const ir_instr *i = to->first; i && i->op == IR_phi; i = i->next, p++)
        for (unsigned k = 0; k < r600_sel_parts(s, ir_use(s->hir, i->defs[0].id)); k++)
            values[p][k] = r600_sel_part(s, i->refs[e], k);
    p = 0;
    for (const ir_instr *i = to->first; i && i->op == IR_phi; i = i->next, p++)
        for (unsigned k = 0; k < r600_sel_parts(s, ir_use(s->hir, i->defs[0].id)); k++)
            r600_sel_def(s, i)[k] = values[p][k];
}

/* ---- leaving ---- */

/* Do lanes work together in the continue region that begins with a block? */
static bool
joins_lanes(const ir_fn *f, const ir_block *cont)
{
    const ir_block *header = cont->loop_header;
    for (uint32_t k = cont->index; k < f->n_blocks && f->blocks[k]->loop_header == header; k++)
        for (const ir_instr *i = f->blocks[k]->first; i; i = i->next)
            if (ir_has_flag(i, IR_OP_CONVERGENT))
                return true;
    return false;
}

static void
leave(program_state *g, const ir_block *from, const ir_block *to)
{
    r600_sel *s = &g->s;
    const target *t = &g->targets[to->index];
    if (!t->region) {
        if (to->preds[0].count > 1 && joins_lanes(s->hir, to))
            r600_sel_lacks(s, "operations of several lanes behind several jumps");
        name_phis(g, from, to);
        select_from(g, to);
        return;
    }
    tree_node *n = r600_tree_new(s->p, t->repeats ? TREE_REPEAT : TREE_DEPART);
    n->target = t->region;
    n->id = t->repeats ? t->region->n_repeats++ : t->region->n_departs++;
    set_phis(g, from, to, t->repeats ? t->region->loop_phis : t->region->phis,
             t->repeats ? n->id + 1 : n->id);
    r600_tree_append(s->list, n);
}

/* ---- constructs ---- */

static tree_node *
open_region(program_state *g, const ir_block *merge)
{
    r600_sel *s = &g->s;
    tree_node *region = r600_tree_new(s->p, TREE_REGION);
    r600_tree_append(s->list, region);
    g->targets[merge->index] = (target){region, false};
    s->list = &region->body;
    return region;
}

/* Do the blocks of a loop store to buffers? They stand between it and its merge block. */
static bool
has_stores(const ir_fn *f, const ir_block *loop)
{
    for (uint32_t k = loop->index + 1; k < f->n_blocks && f->blocks[k] != loop->merge; k++)
        for (const ir_instr *i = f->blocks[k]->first; i; i = i->next)
            if (ir_has_flag(i, IR_OP_WRITES))
                return true;
    return false;
}

static void
select_if(program_state *g, const ir_block *b)
{
    r600_sel *s = &g->s;
    const ir_instr *t = ir_terminator(b);
    tree_list *outer = s->list;
    const bool joins = b->merge->preds[0].count;
    const uint32_t unacked = s->unacked;
    if (joins)
        make_phis(g, b->merge, &open_region(g, b->merge)->phis);
    tree_node *branch = r600_tree_new(s->p, TREE_IF);
    tree_list *rest = s->list;
    branch->n = 1;
    branch->slots = ARENA_NEW(s->p->arena, tree_slot);
    *branch->slots = (tree_slot){.op = R600_PRED_SETNE_INT,
                                 .src = {r600_sel_get(s, t->refs[0]), r600_tree_const(0)}};
    r600_tree_append(rest, branch);
    s->list = &branch->body;
    select_from(g, b->succs[0].at[0]);
    const uint32_t then_unacked = s->unacked;
    s->list = rest;
    s->unacked = unacked;
    select_from(g, b->succs[0].at[1]);
    s->list = joins ? outer : s->list;
    s->unacked |= then_unacked;
}

static void
select_loop(program_state *g, const ir_block *b)
{
    r600_sel *s = &g->s;
    const ir_block *header = b->succs[0].at[0];
    tree_list *outer = s->list;
    tree_node *region = open_region(g, b->merge);
    g->targets[header->index] = (target){region, true};
    g->targets[b->cont->index] = (target){NULL, false};
    make_phis(g, header, &region->loop_phis);
    set_phis(g, b, header, region->loop_phis, 0);
    make_phis(g, b->merge, &region->phis);
    const uint32_t unacked = has_stores(s->hir, b) ? UINT32_MAX : s->unacked;
    s->unacked = unacked;
    select_from(g, header);
    s->list = outer;
    s->unacked = unacked;
}

/* ---- instructions ---- */

static void
select_vec(r600_sel *s, const ir_instr *i)
{
    tree_operand *out = r600_sel_def(s, i);
    unsigned n = 0;
    for (unsigned r = 0; r < i->n_refs; r++)
        for (unsigned k = 0; k < r600_sel_parts(s, i->refs[r]); k++)
            out[n++] = r600_sel_part(s, i->refs[r], k);
}

static void
select_instr(r600_sel *s, const ir_instr *i)
{
    s->loc = i->loc;
    switch (i->op) {
    case IR_phi:
    case IR_load_const:
    case IR_undef: return;
    case IR_vec:
    case IR_mov: select_vec(s, i); return;
    default: break;
    }
    if (!r600_select_alu(s, i) && !r600_select_array(s, i) && !r600_select_scratch(s, i) &&
        !r600_select_memory(s, i) && !r600_select_shared(s, i) && !r600_select_atomic(s, i) &&
        !r600_select_image(s, i) && !r600_select_stage(s, i) && !r600_select_system(s, i) &&
        !r600_select_subgroup(s, i))
        r600_sel_lacks(s, family_feature_of(s->hir, i));
}

/* Selects what begins with a block, to the jump that leaves it. */
static void
select_from(program_state *g, const ir_block *b)
{
    while (b) {
        const ir_instr *t = ir_terminator(b);
        for (const ir_instr *i = b->first; i != t; i = i->next)
            select_instr(&g->s, i);
        g->s.loc = t->loc;
        switch (t->op) {
        case IR_return:
            if (g->s.hir->shader.stage != IR_STAGE_COMPUTE)
                r600_select_stage_end(&g->s);
            return;
        case IR_jump: leave(g, b, b->succs[0].at[0]); return;
        case IR_if: select_if(g, b); break;
        default: select_loop(g, b); break;
        }
        b = b->merge->preds[0].count ? b->merge : NULL;
    }
}

/* ---- the program ---- */

tree_operand
r600_sel_input(r600_sel *s, unsigned at)
{
    const uint32_t v = r600_tree_value(s->p);
    s->p->values[v].is_input = true;
    s->p->values[v].reg = at;
    if (at / 4 >= s->p->input_gprs)
        s->p->input_gprs = at / 4 + 1;
    return r600_tree_use(v);
}

static void
add_inputs(r600_sel *s)
{
    for (unsigned c = 0; c < 3; c++) {
        s->local_id[c] = r600_sel_input(s, c);
        s->group_id[c] = r600_sel_input(s, 4 + c);
    }
}

/* Needs the analysis of loops. */
tree_program *
r600_select_program(const ir_fn *hir, r600_program *program, bool in_memory)
{
    arena *a = hir->ctx->arena;
    const r600_chip *chip = program->chip;
    program_state *g = ARENA_NEW(a, program_state);
    tree_program *p = r600_tree_open(hir->ctx->diag, a, chip);
    p->is_ssa = p->is_renamed = true;
    program->n_bound = 0;
    program->lds_bytes = (hir->shader.shared_size + 3) & ~3u;
    program->uses_returns = false;
    program->private_bytes = 0;
    g->s = (r600_sel){.hir = hir, .p = p, .program = program, .list = &p->body};
    g->s.values = ARENA_ARRAY(a, hir->n_values, tree_operand *);
    g->s.uses = ir_count_uses(hir, a);
    g->targets = ARENA_ARRAY(a, hir->n_blocks, target);
    if (hir->shader.scratch_size)
        r600_sel_find_arrays(&g->s, in_memory || chip->properties & R600_NO_MOVA_INT);
    if (hir->shader.stage == IR_STAGE_COMPUTE)
        add_inputs(&g->s);
    else
        r600_select_stage_start(&g->s);
    select_from(g, hir->blocks[0]);
    if (hir->shader.stage != IR_STAGE_COMPUTE)
        p->first_scratch = program->private_bytes / 4;
    return p;
}
