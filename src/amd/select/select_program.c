/* select_program: HIR to machine IR.
 *
 * There are three steps. select_rep.c decides the representation of each value. A walk over HIR's
 * blocks in structured order builds both CFGs (select_cfg.c) and selects each instruction
 * (select_alu.c, select_memory.c, select_image.c, select_subgroup.c). Finally the phis get their
 * operands, in the order of their machine predecessors.
 */
#include "amd/select/select_cfg.h"
#include "amd/select/select_half.h"
#include "family/compiler.h"
#include "ir/analysis.h"

#include <assert.h>

/* A phi of HIR and its machine phi, with operands by HIR predecessor, which are made in the
 * predecessors. */
typedef struct phi_pair {
    const ir_instr *hir;
    ir_instr *made;
    ir_ref *operands;
} phi_pair;

typedef struct program {
    sel s;
    cfg c;
    phi_pair *phis; /* in block order */
    size_t n_phis, cap_phis;
    uint32_t *first_phi; /* by HIR block: index of its first phi's operands in `operands` */
    ir_ref **operands;   /* by HIR phi in block order, then by predecessor */
} program;

/* ---- phis ---- */

static void
init_phi_operands(program *g)
{
    const ir_fn *f = g->s.hir;
    arena *a = g->s.f->arena;
    size_t n = 0;
    g->first_phi = ARENA_ARRAY(a, f->n_blocks, uint32_t);
    IR_FOREACH_BLOCK(b, f) {
        g->first_phi[b->index] = (uint32_t)n;
        for (ir_instr *i = b->first; i && i->op == IR_phi; i = i->next)
            n++;
    }
    g->operands = ARENA_ARRAY(a, n, ir_ref *);
    IR_FOREACH_BLOCK(b, f) {
        uint32_t k = g->first_phi[b->index];
        for (ir_instr *i = b->first; i && i->op == IR_phi; i = i->next)
            g->operands[k++] = ARENA_ARRAY(a, i->n_refs, ir_ref);
    }
}

static unsigned
phi_comps(const sel *s, const ir_instr *i)
{
    return ir_type_comps(s->hir->values[i->defs[0].id].type);
}

static unsigned
phi_class(const sel *s, const ir_instr *i)
{
    unsigned bits = sel_bits(s, i->defs[0]), n = phi_comps(s, i), bytes = (bits == 64 ? 8 : 4) * n;
    if (bits == 16 && n > 1 && s->values[i->defs[0].id].rep == SEL_VGPR)
        bytes = (n + 1) / 2 * 4;
    switch (s->values[i->defs[0].id].rep) {
    case SEL_MASK: return s->p->lane_mask;
    case SEL_BOOL: return AMD_S1;
    case SEL_SGPR: return amd_rc(false, bytes);
    default: return amd_rc(true, bytes);
    }
}

static ir_ref
phi_operand(sel *s, const ir_instr *i, ir_ref r)
{
    uint64_t v;
    bool undefined = s->hir->values[r.id].def->op == IR_undef, scalar = phi_comps(s, i) == 1;
    if (undefined)
        return amd_undef(phi_class(s, i));
    switch (s->values[i->defs[0].id].rep) {
    case SEL_MASK: return amd_sel_get_mask(s, r);
    case SEL_BOOL:
        if (ir_is_const(s->hir, r, &v))
            return amd_const((uint32_t)v & 1);
        return s->values[r.id].comps[0];
    case SEL_SGPR:
        return scalar ? amd_sel_as_sgpr(s, amd_sel_get(s, r)) : amd_sel_get_vector(s, r, true);
    default: return scalar ? amd_sel_get(s, r) : amd_sel_get_vector(s, r, false);
    }
}

/* Selects the operands that the edge from `b` gives to the phis of `to`. */
static void
select_phi_operands(program *g, const ir_block *b, const ir_block *to)
{
    uint32_t p = ir_pred_index(to, b, 0), k = g->first_phi[to->index];
    for (const ir_instr *i = to->first; i && i->op == IR_phi; i = i->next, k++) {
        g->operands[k][p] = phi_operand(&g->s, i, i->refs[p]);
    }
}

static void
select_phis(program *g, const ir_block *b)
{
    sel *s = &g->s;
    uint32_t k = g->first_phi[b->index];
    for (const ir_instr *i = b->first; i && i->op == IR_phi; i = i->next, k++) {
        unsigned rep = s->values[i->defs[0].id].rep;
        unsigned op = rep == SEL_MASK ? AMD_P_BOOLEAN_PHI : AMD_P_PHI;
        ir_instr *made = amd_new(s->f, op, 1, i->n_refs);
        sel_value *v = &s->values[i->defs[0].id];
        v->comps = ARENA_ARRAY(s->f->arena, phi_comps(s, i), ir_ref);
        v->comps[0] = v->whole = ir_define(s->f, made, 0, (ir_type)phi_class(s, i));
        made->loc = i->loc;
        ir_append(s->cur, made);
        g->phis = arena_grow(s->f->arena, g->phis, &g->cap_phis, g->n_phis + 1, sizeof *g->phis);
        g->phis[g->n_phis++] = (phi_pair){i, made, g->operands[k]};
    }
}

/* Splits vector phis after the block's phis. */
static void
split_vector_phis(sel *s, const ir_block *b)
{
    for (const ir_instr *i = b->first; i && i->op == IR_phi; i = i->next) {
        sel_value *v = &s->values[i->defs[0].id];
        if (phi_comps(s, i) > 1 && sel_bits(s, i->defs[0]) == 16 && v->rep == SEL_VGPR)
            amd_sel_split_halves(s, v->whole, phi_comps(s, i), v->comps);
        else if (phi_comps(s, i) > 1)
            amd_sel_split(s, v->whole, phi_comps(s, i), v->comps);
    }
}

/* By machine block: 1 + the number of the HIR edge into `hir` that it carries, if `on`; otherwise
 * 0. */
static void
number_carriers(const program *g, const ir_block *hir, bool on, uint32_t *carried)
{
    for (uint32_t p = 0; p < hir->preds[0].count; p++) {
        const ir_block *carrier = g->c.edge_block[hir->index][p];
        if (carrier && carrier->index != UINT32_MAX)
            carried[carrier->index] = on ? p + 1 : 0;
    }
}

static void
finish_phi(const phi_pair *pair, const uint32_t *carried)
{
    const ir_edges *preds = &pair->made->block->preds[0];
    assert(preds->count <= pair->hir->block->preds[0].count);
    for (uint32_t m = 0; m < preds->count; m++) {
        uint32_t p = carried[preds->at[m]->index];
        pair->made->refs[m] = p ? pair->operands[p - 1] : amd_undef(pair->made->defs[0].rc);
    }
    pair->made->n_refs = (uint16_t)preds->count;
}

static void
finish_phis(program *g)
{
    uint32_t *carried = ARENA_ARRAY(g->s.f->arena, g->s.f->n_blocks, uint32_t);
    for (size_t i = 0, end; i < g->n_phis; i = end) {
        const ir_block *hir = g->phis[i].hir->block;
        number_carriers(g, hir, true, carried);
        for (end = i; end < g->n_phis && g->phis[end].hir->block == hir; end++)
            finish_phi(&g->phis[end], carried);
        number_carriers(g, hir, false, carried);
    }
}

/* ---- arguments ---- */

static void
select_arguments(sel *s)
{
    amd_program *p = s->p;
    ir_instr *start = amd_new(s->f, AMD_P_STARTPGM, p->n_args, 0);
    s->args = ARENA_ARRAY(s->f->arena, p->n_args, ir_ref);
    for (unsigned a = 0; a < p->n_args; a++) {
        const amd_arg *arg = &p->args[a];
        s->args[a] = ir_define(s->f, start, a, (ir_type)amd_rc(arg->vgpr, arg->count * 4u));
        start->defs[a] = ir_fixed(start->defs[a], AMD_PHYS(arg->reg));
    }
    ir_append(s->cur, start);
}

/* ---- instructions ---- */

static void
select_vec(sel *s, const ir_instr *i)
{
    ir_ref comps[IR_MAX_COMPS];
    for (unsigned c = 0; c < i->n_refs; c++)
        comps[c] = amd_sel_part(s, i->refs[c]);
    amd_sel_set_comps(s, i, comps);
}

static void
select_mov(sel *s, const ir_instr *i)
{
    ir_ref comps[IR_MAX_COMPS];
    unsigned n = ir_type_comps(s->hir->values[i->defs[0].id].type);
    if (sel_bits(s, i->defs[0]) == 1) {
        amd_sel_set_mask(s, i, amd_sel_get_mask(s, i->refs[0]));
        return;
    }
    for (unsigned c = 0; c < n; c++)
        comps[c] = n == 1 ? amd_sel_get(s, i->refs[0]) : amd_sel_get_comp(s, i->refs[0], c);
    amd_sel_set_comps(s, i, comps);
}

static void
select_instr(sel *s, const ir_instr *i)
{
    const ir_op_info *row = &s->hir->level->ops[i->op];
    s->loc = i->loc;
    if (row->flags & IR_OP_ALU)
        amd_sel_alu(s, i);
    else if (i->op == IR_vec)
        select_vec(s, i);
    else if (i->op == IR_mov)
        select_mov(s, i);
    else if (i->op == IR_load_const || i->op == IR_undef)
        return; /* made at their uses */
    else if (!amd_sel_memory(s, i) && !amd_sel_image(s, i) && !amd_sel_subgroup(s, i) &&
             !amd_sel_graphics(s, i) && !amd_sel_fragment(s, i))
        amd_sel_unsupported(s, family_feature_of(s->hir, i));
}

static void
select_block(program *g, ir_block *b)
{
    sel *s = &g->s;
    amd_cfg_begin_block(&g->c, b);
    if (b->index == 0)
        select_arguments(s);
    if (s->cur && !g->c.dead[b->index])
        select_phis(g, b);
    amd_cfg_after_phis(&g->c, b);
    if (s->cur)
        split_vector_phis(s, b);
    ir_instr *t = ir_terminator(b);
    if (s->cur) {
        for (const ir_instr *i = ir_first_non_phi(b); i != t; i = i->next) {
            bool pair = ir_joins_next(i, &ir_hir_bundles[0]);
            if (pair && amd_sel_pair_of_halves(s, i, i->next))
                i = i->next;
            else
                select_instr(s, i);
        }
        for (uint32_t e = 0; e < b->succs[0].count; e++)
            select_phi_operands(g, b, b->succs[0].at[e]);
    }
    amd_cfg_end_block(&g->c, b);
}

static uint16_t *
find_used_components(const ir_fn *f, arena *a)
{
    uint16_t *used = ARENA_ARRAY(a, f->n_values, uint16_t);
    IR_FOREACH_INSTR_OF(i, f) {
        for (unsigned r = 0; r < i->n_refs; r++) {
            bool whole = i->refs[r].comp == IR_WHOLE;
            if (ir_is_value(i->refs[r]))
                used[i->refs[r].id] |= (uint16_t)(whole ? 0xffff : 1u << i->refs[r].comp);
        }
    }
    return used;
}

ir_fn *
amd_select_program(ir_fn *hir, amd_program *p)
{
    ir_fn *f = ir_fn_new_from(hir, amd_level_of(p->target));
    p->fn = f;
    program *g = ARENA_NEW(f->arena, program);
    g->s = (sel){.hir = hir, .f = f, .p = p};
    g->s.values = ARENA_ARRAY(f->arena, hir->n_values, sel_value);
    g->s.uses = ir_count_uses(hir, f->arena);
    g->s.full = ir_find_full_blocks(hir, f->arena);
    g->s.used = find_used_components(hir, f->arena);
    amd_sel_decide_reps(&g->s);
    amd_cfg_init(&g->c, &g->s);
    init_phi_operands(g);
    IR_FOREACH_BLOCK(b, hir)
        select_block(g, b);
    finish_phis(g);
    return f;
}
