/* Stores of outputs, which stand in the block that ends the shader: both stages of graphics read
 * and remove them, and make exports at its end. */
#include "amd/abi/abi.h"

ir_block *
amd_abi_find_end(const ir_fn *f)
{
    IR_FOREACH_BLOCK(b, f) {
        if (b->last && b->last->op == IR_return)
            return b;
    }
    return NULL;
}

bool
amd_abi_take_outputs(amd_abi *a, amd_abi_take *take, void *user)
{
    ir_fn *f = a->f;
    const ir_block *end = amd_abi_find_end(f);
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            if (i->op != IR_store_output)
                continue;
            if (b != end) {
                ir_locate(f, i->loc);
                diag_fail(f->ctx->diag, ERR_TARGET_SELECT, a->p->target->name,
                          "an output that is stored before the shader's end");
            }
            ir_builder_before(&a->b, i);
            a->b.loc = i->loc;
            take(user, i);
            ir_unlink(i);
        }
    }
    if (end)
        ir_builder_before(&a->b, end->last);
    return end != NULL;
}
