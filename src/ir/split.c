#include "ir/ir.h"

ir_block *
ir_split_block(ir_instr *at)
{
    ir_block *b = at->block, *rest = ir_block_new(b->fn);
    ir_move_succs(b, rest);
    rest->merge = b->merge;
    rest->cont = b->cont;
    b->merge = b->cont = NULL;
    for (ir_instr *i = at, *next; i; i = next) {
        next = i->next;
        ir_unlink(i);
        ir_append(rest, i);
    }
    return rest;
}
