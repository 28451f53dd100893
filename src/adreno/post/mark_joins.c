/* Fibres wait at the places to which a branch or a jump goes forward, and behind a branch back: an
 * instruction where that may happen has (jp) (ir3_reconvergence.c of Mesa). The mark stands on more
 * blocks than need it, which costs nothing but a look at the waiting fibres. */
#include "adreno/post/post.h"

#include "adreno/adreno.h"

static bool
is_join(const ir_block *b)
{
    for (uint32_t k = 0; k < b->preds[1].count; k++) {
        const ir_block *from = b->preds[1].at[k];
        if (from->index + 1 < b->index)
            return true;
        if (from->index + 1 != b->index)
            continue;
        for (uint32_t s = 0; s < from->succs[1].count; s++)
            if (from->succs[1].at[s]->index <= from->index)
                return true;
    }
    return false;
}

void
adreno_mark_joins(ir_fn *f)
{
    uint32_t joins = 0;
    IR_FOREACH_BLOCK(b, f) {
        if (!b->first || !is_join(b))
            continue;
        b->first->form |= ADRENO_FORM_JP;
        joins++;
    }
    adreno_prog(f)->branch_stack = joins < 64 ? joins : 64;
}
