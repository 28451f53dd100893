/* Converts small ifs to selections.
 *
 *     if %1 then b1 else b2 merge b3
 *         block b1: 32 %4 = fneg %2  jump b3          32 %4 = fneg %2
 *         block b2: jump b3                     ->    32 %5 = bcsel %1, %4, %3
 *     block b3: 32 %5 = phi b1: %4, b2: %3
 *
 * Both arms must be single blocks of operations that may be speculated (opt/speculate.h). Their
 * cost, together with that of the selections, must not exceed that of a branch. An if is handled
 * when its merge block is reached, so inner ifs come before outer ones and nested ifs fold.
 */
#include "opt/cfg.h"
#include "opt/opt.h"
#include "opt/speculate.h"

#include "ir/builder.h"

/* In units of a simple operation: the approximate cost of the two jumps and of saving and restoring
 * the exec mask. */
enum { BUDGET = 8 };

typedef struct flatten {
    ir_fn *f;
    ir_replacement map;
    ir_builder b;
    bool changed;
} flatten;

static unsigned
cost(const ir_fn *f, const ir_instr *i)
{
    switch (i->op) {
    case IR_load_const:
    case IR_undef:
    case IR_vec:
    case IR_mov: return 0;
    case IR_fdiv:
    case IR_fsqrt:
    case IR_frsq:
    case IR_frcp:
    case IR_fexp2:
    case IR_flog2:
    case IR_fsin:
    case IR_fcos:
    case IR_fpow:
    case IR_load_ubo:
    case IR_load_ssbo:
    case IR_load_constant: return 4;
    case IR_tex:
    case IR_image_load:
    case IR_image_size: return BUDGET;
    default: return ir_type_bits(f->values[i->defs[0].id].type) == 64 ? 2 : 1;
    }
}

/* Returns true if `arm` is one block that jumps to `merge` and may be speculated. Adds its cost. */
static bool
is_small(const ir_fn *f, const ir_block *arm, const ir_block *merge, unsigned *sum)
{
    const ir_instr *end = ir_terminator(arm);
    if (end->op != IR_jump || arm->succs[0].at[0] != merge)
        return false;
    for (const ir_instr *i = arm->first; i != end; i = i->next) {
        if (!opt_may_speculate(i))
            return false;
        *sum += cost(f, i);
        if (*sum > BUDGET)
            return false;
    }
    return true;
}

/* The cost of the selections that replace the phis of `merge`. */
static unsigned
phi_cost(const ir_fn *f, const ir_block *merge)
{
    unsigned sum = 0;
    for (const ir_instr *i = merge->first; i->op == IR_phi; i = i->next) {
        ir_type t = f->values[i->defs[0].id].type;
        sum += ir_type_comps(t) * (ir_type_bits(t) == 64 ? 2u : 1u);
    }
    return sum;
}

static void
move_instrs(flatten *p, ir_block *from, ir_instr *before)
{
    IR_FOREACH_INSTR(i, from) {
        if (ir_has_flag(i, IR_OP_TERMINATOR))
            continue;
        ir_replace_in(&p->map, i);
        ir_unlink(i);
        ir_insert_before(before, i);
    }
}

static ir_ref
select(flatten *p, ir_ref cond, ir_ref yes, ir_ref no)
{
    ir_ref comps[IR_MAX_COMPS];
    unsigned n = ir_type_comps(ir_ref_type(p->f, yes));
    if (ir_same_ref(yes, no))
        return yes;
    if (yes.comp != IR_WHOLE)
        return irb_bcsel(&p->b, cond, yes, no);
    for (unsigned c = 0; c < n; c++)
        comps[c] = irb_bcsel(&p->b, cond, ir_comp(yes, c), ir_comp(no, c));
    return ir_build_vec(&p->b, comps, n);
}

/* If the if that `a` opened is small, merges it and its merge block into `a`. */
static bool
flatten_if(flatten *p, ir_block *a)
{
    ir_instr *end = ir_terminator(a);
    unsigned sum = 0;
    if (end->op != IR_if)
        return false;
    ir_block *then = a->succs[0].at[0], *otherwise = a->succs[0].at[1], *merge = a->merge;
    if (!is_small(p->f, then, merge, &sum) || !is_small(p->f, otherwise, merge, &sum) ||
        sum + phi_cost(p->f, merge) > BUDGET || !ir_may_change(p->f->ctx))
        return false;
    move_instrs(p, then, end);
    move_instrs(p, otherwise, end);
    ir_builder_before(&p->b, end);
    p->b.loc = end->loc;
    uint32_t yes = ir_pred_index(merge, then, 0);
    for (ir_instr *i = merge->first; i->op == IR_phi; i = i->next) {
        ir_ref cond = ir_replace_follow(&p->map, end->refs[0]);
        ir_ref r = select(p, cond, ir_replace_follow(&p->map, i->refs[yes]),
                          ir_replace_follow(&p->map, i->refs[!yes]));
        ir_replace_add(&p->map, i->defs[0].id, r);
    }
    opt_cfg_remove(p->f, then->index, merge->index);
    opt_cfg_join(&p->map, a, merge);
    p->changed = true;
    return true;
}

bool
opt_if_flatten(ir_fn *f)
{
    flatten p = {.f = f, .map = {.f = f}};
    ir_block **open = ARENA_ARRAY(f->ctx->scratch, f->n_blocks + 1, ir_block *);
    uint32_t depth = 0;
    ir_builder_init(&p.b, f);
    for (size_t n = 0; n < f->n_blocks; n++) {
        ir_block *b = f->blocks[n];
        if (depth && open[depth - 1]->merge == b) {
            ir_block *opener = open[--depth];
            b = flatten_if(&p, opener) ? opener : b;
        }
        if (!opt_cfg_is_removed(b) && b->merge)
            open[depth++] = b;
    }
    if (!p.changed)
        return false;
    ir_compact_blocks(f);
    ir_replace_all(&p.map);
    return true;
}
