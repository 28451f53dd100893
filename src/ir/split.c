#include "ir/ir.h"

static void
replace_pred(ir_block *b, const ir_block *from, ir_block *to)
{
    for (uint32_t p = 0; p < b->preds[0].count; p++) {
        if (b->preds[0].at[p] == from)
            b->preds[0].at[p] = to;
    }
}

ir_block *
ir_split_block(ir_instr *at)
{
    ir_block *b = at->block, *rest = ir_block_new(b->fn);
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
