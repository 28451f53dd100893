#include "opt/cfg.h"

#include <assert.h>

void
opt_cfg_cut(ir_block *a)
{
    ir_instr *end = ir_terminator(a);
    if (end)
        ir_unlink(end);
    while (a->succs[0].count)
        ir_remove_edge(a, a->succs[0].at[a->succs[0].count - 1], 0);
    a->merge = a->cont = NULL;
}

void
opt_cfg_remove(ir_fn *f, uint32_t first, uint32_t end)
{
    for (uint32_t n = first; n < end; n++) {
        ir_block *b = f->blocks[n];
        if (opt_cfg_is_removed(b))
            continue;
        opt_cfg_cut(b);
        while (b->preds[0].count)
            ir_remove_edge(b->preds[0].at[b->preds[0].count - 1], b, 0);
        IR_FOREACH_INSTR(i, b) {
            for (unsigned d = 0; d < i->n_defs; d++)
                f->values[i->defs[d].id].def = NULL;
        }
        b->index = UINT32_MAX;
    }
}

void
opt_cfg_forget(ir_fn *f, ir_block *b)
{
    IR_FOREACH_INSTR(i, b) {
        for (unsigned d = 0; d < i->n_defs; d++)
            f->values[i->defs[d].id].def = NULL;
    }
    b->succs[0].count = b->preds[0].count = 0;
    b->merge = NULL;
    b->index = UINT32_MAX;
}

bool
opt_cfg_only_joins(const ir_block *b, const ir_block *to)
{
    const ir_instr *i = b->first;
    while (i->op == IR_phi)
        i = i->next;
    return i->op == IR_jump && b->succs[0].at[0] == to;
}

/* Replaces `b`'s phis by the values that come from `a`. */
static void
resolve_phis(ir_replacement *map, ir_block *b, const ir_block *a)
{
    uint32_t at = ir_pred_index(b, a, 0);
    IR_FOREACH_INSTR(i, b) {
        if (i->op != IR_phi)
            break;
        if (at != UINT32_MAX)
            ir_replace_add(map, i->defs[0].id, i->refs[at]);
        ir_remove(i);
    }
}

void
opt_cfg_join(ir_replacement *map, ir_block *a, ir_block *b)
{
    resolve_phis(map, b, a);
    opt_cfg_cut(a);
    assert(b->preds[0].count == 0);
    IR_FOREACH_INSTR(i, b) {
        ir_unlink(i);
        ir_append(a, i);
    }
    ir_move_succs(b, a);
    a->merge = b->merge;
    a->cont = b->cont;
    b->merge = b->cont = NULL;
    b->index = UINT32_MAX;
}
