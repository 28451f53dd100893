#include "ir/ir.h"

static void
replace_pred(ir_block *b, const ir_block *from, ir_block *to)
{
    for (uint32_t p = 0; p < b->preds[0].count; p++) {
        if (b->preds[0].at[p] == from)
            b->preds[0].at[p] = to;
    }
}

/* Puts `b` behind `before_it` in the function's order. */
static void
insert_behind(ir_block *b, const ir_block *before_it)
{
    ir_fn *f = b->fn;
    if (before_it->index + 1u < f->n_blocks)
        ir_insert_block(b, f->blocks[before_it->index + 1]);
    else
        ir_append_block(f, b);
}

ir_block *
ir_split_block(ir_instr *at)
{
    ir_block *b = at->block, *rest = ir_block_new(b->fn);
    insert_behind(rest, b);
    rest->succs[0] = b->succs[0];
    rest->merge = b->merge;
    rest->cont = b->cont;
    b->succs[0] = (ir_edges){0};
    b->merge = b->cont = NULL;
    for (uint32_t s = 0; s < rest->succs[0].count; s++)
        replace_pred(rest->succs[0].at[s], b, rest);
    for (ir_instr *i = at, *next; i; i = next) {
        next = i->next;
        ir_unlink(i);
        ir_append(rest, i);
    }
    return rest;
}
