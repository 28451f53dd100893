/* Blocks, phis, inputs. */
#include "adreno/select/stage.h"

#include "ir/dominance.h"

/* A phi of one register, whose operands are set when all blocks are there. */
typedef struct pending_phi {
    const ir_instr *hir;
    ir_instr *made;
    unsigned part;
} pending_phi;

typedef struct program {
    adreno_sel s;
    pending_phi *phis;
    size_t n_phis, cap;
} program;

/* The predecessors that are reached: a loop that never goes round has a block that is not. */
static unsigned
count_preds(const adreno_sel *s, const ir_block *b)
{
    unsigned n = 0;
    for (uint32_t e = 0; e < b->preds[0].count; e++)
        n += s->blocks[b->preds[0].at[e]->index] != NULL;
    return n;
}

static void
select_phi(program *g, const ir_instr *i)
{
    adreno_sel *s = &g->s;
    ir_ref *out = adreno_def(s, i);
    const bool half = adreno_def_bits(s, i) == 16;
    const unsigned n = adreno_def_parts(s, i);
    for (unsigned k = 0; k < n; k++) {
        ir_instr *phi = adreno_append(s, ADRENO_P_PHI, 1, count_preds(s, i->block));
        out[k] = ir_define(s->f, phi, 0, (ir_type)adreno_class(half, 1));
        g->phis = arena_grow(s->f->arena, g->phis, &g->cap, g->n_phis + 1, sizeof *g->phis);
        g->phis[g->n_phis++] = (pending_phi){i, phi, k};
    }
}

static void
finish_phis(program *g)
{
    adreno_sel *s = &g->s;
    for (size_t k = 0; k < g->n_phis; k++) {
        const pending_phi *p = &g->phis[k];
        const ir_edges *preds = &p->hir->block->preds[0];
        for (uint32_t e = 0; e < preds->count; e++) {
            if (!s->blocks[preds->at[e]->index])
                continue;
            const uint32_t at = ir_pred_index(p->made->block, s->blocks[preds->at[e]->index], 0);
            p->made->refs[at] = adreno_get_part(s, p->hir->refs[e], p->part);
        }
    }
}

/* ---- inputs ---- */

/* Is it made of the number of an invocation in its group? */
static bool
reads_local_id(unsigned op)
{
    switch (op) {
    case IR_load_local_invocation_id:
    case IR_load_local_invocation_index:
    case IR_load_subgroup_invocation:
    case IR_load_subgroup_id:
    case IR_shuffle:
    case IR_shuffle_xor:
    case IR_shuffle_up:
    case IR_shuffle_down:
    case IR_rotate:
    case IR_reduce:
    case IR_inclusive_scan:
    case IR_exclusive_scan:
    case IR_ballot_bit_count_exclusive:
    case IR_read_invocation: return true;
    default: return false;
    }
}

/* What the optimizer has left is asked for. */
static void
find_inputs(adreno_sel *s)
{
    IR_FOREACH_BLOCK(b, s->hir) {
        IR_FOREACH_INSTR(i, b) {
            s->p->uses_local_id |= reads_local_id(i->op);
            s->p->uses_group_id |= i->op == IR_load_workgroup_id;
        }
    }
}

static ir_instr *
add_input(adreno_sel *s, ir_instr *start, unsigned first, unsigned reg, ir_ref out[3])
{
    for (unsigned k = 0; k < 3; k++) {
        out[k] = ir_define(s->f, start, first + k, reg < ADRENO_REG_SHARED ? ADRENO_F1 : ADRENO_S1);
        start->defs[first + k] = ir_fixed(start->defs[first + k], reg + 4 * k);
    }
    return start;
}

/* Local ids in r0.x to r0.z, the group's in r48.x to r48.z, which other instructions cannot all
 * read, or without shared registers in r0.w to r1.y. */
static void
select_start(adreno_sel *s)
{
    adreno_program *p = s->p;
    ir_ref group[3];
    find_inputs(s);
    ir_instr *start = ir_new_instr(s->f, ADRENO_P_START, 3 * (p->uses_local_id + p->uses_group_id),
                                   0);
    if (p->uses_local_id)
        add_input(s, start, 0, 0, s->local_id);
    if (p->uses_group_id)
        add_input(s, start, 3 * p->uses_local_id, 4 * adreno_group_id_number(p->target), group);
    ir_append(s->cur, start);
    for (unsigned k = 0; k < 3 && p->uses_group_id; k++)
        s->group_id[k] = adreno_emit_cov(s, ADRENO_U32, ADRENO_U32, ADRENO_F1, group[k]);
}

/* ---- blocks ---- */

static void
select_vec(adreno_sel *s, const ir_instr *i)
{
    ir_ref *out = adreno_def(s, i);
    unsigned n = 0;
    for (unsigned r = 0; r < i->n_refs; r++)
        for (unsigned k = 0; k < adreno_parts(s, i->refs[r]); k++)
            out[n++] = adreno_get_part(s, i->refs[r], k);
}

static void
select_instr(program *g, const ir_instr *i)
{
    adreno_sel *s = &g->s;
    s->loc = i->loc;
    switch (i->op) {
    case IR_phi: select_phi(g, i); return;
    case IR_load_const:
    case IR_undef: return; /* made at their uses */
    case IR_vec:
    case IR_mov: select_vec(s, i); return;
    default: break;
    }
    const ir_stage stage = s->hir->shader.stage;
    if ((stage == IR_STAGE_VERTEX && adreno_select_vertex(s, i)) ||
        (stage == IR_STAGE_FRAGMENT && adreno_select_fragment(s, i)))
        return;
    if (!adreno_select_alu(s, i) && !adreno_select_array(s, i) && !adreno_select_memory(s, i) &&
        !adreno_select_system(s, i) && !adreno_select_image(s, i) && !adreno_select_subgroup(s, i))
        adreno_sel_unsupported(s, s->hir->level->ops[i->op].name);
}

static void
link_blocks(adreno_sel *s, const ir_block *b)
{
    for (uint32_t e = 0; e < b->succs[0].count; e++) {
        ir_block *to = s->blocks[b->succs[0].at[e]->index];
        ir_add_edge(s->blocks[b->index], to, 0);
        ir_add_edge(s->blocks[b->index], to, 1);
    }
}

static void
select_end(adreno_sel *s, const ir_block *b)
{
    const ir_instr *t = ir_terminator(b);
    s->loc = t->loc;
    if (t->op == IR_return)
        adreno_select_stage_end(s);
    else if (t->op == IR_if)
        adreno_emit_1(s, ADRENO_BR, 0, adreno_as_predicate(s, adreno_get(s, t->refs[0])));
    else
        adreno_emit(s, ADRENO_JUMP, 0, 0, NULL);
}

static void
select_block(program *g, ir_block *b)
{
    adreno_sel *s = &g->s;
    const ir_instr *t = ir_terminator(b);
    s->cur = s->blocks[b->index];
    if (b->index == 0 && s->hir->shader.stage == IR_STAGE_COMPUTE)
        select_start(s);
    else if (b->index == 0)
        adreno_select_stage_start(s);
    for (const ir_instr *i = b->first; i != t; i = i->next)
        select_instr(g, i);
    select_end(s, b);
}

/* Makes blocks of those that are reached. */
static void
make_blocks(adreno_sel *s)
{
    IR_FOREACH_BLOCK(b, s->hir) {
        if (ir_dom(b, 0)->pre == IR_NO_BLOCK)
            continue;
        s->blocks[b->index] = ir_block_new(s->f);
        ir_append_block(s->f, s->blocks[b->index]);
    }
    IR_FOREACH_BLOCK(b, s->hir) {
        if (s->blocks[b->index])
            link_blocks(s, b);
    }
}

ir_fn *
adreno_select_program(ir_fn *hir)
{
    adreno_program *p = adreno_prog(hir);
    ir_fn *f = ir_fn_new_from(hir, &adreno_level);
    p->fn = f;
    /* What is left of them: the optimizer makes values of arrays. */
    p->local_bytes = hir->shader.shared_size;
    program *g = ARENA_NEW(f->arena, program);
    g->s = (adreno_sel){.hir = hir, .f = f, .p = p};
    g->s.values = ARENA_ARRAY(f->arena, hir->n_values, ir_ref *);
    g->s.blocks = ARENA_ARRAY(f->arena, hir->n_blocks, ir_block *);
    adreno_find_arrays(&g->s);
    make_blocks(&g->s);
    IR_FOREACH_BLOCK(b, hir) {
        if (g->s.blocks[b->index])
            select_block(g, b);
    }
    finish_phis(g);
    return f;
}
