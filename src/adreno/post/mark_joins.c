/* Fibres wait at the places to which a branch or a jump goes forward, and behind a branch back: an
 * instruction where that may happen has (jp) (ir3_reconvergence.c of Mesa). The mark stands on more
 * blocks than need it, which costs nothing but a look at the waiting fibres. */
#include "adreno/adreno.h"
#include "ir/analysis.h"

#include <assert.h>

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

/* The first block of the outermost loop that has block b, or b; loops are ranges of blocks. */
static uint32_t *
find_loop_starts(const ir_fn *f)
{
    const uint32_t *end = ir_find_loop_ends(f, 1, f->arena);
    uint32_t *start = ARENA_ARRAY(f->arena, f->n_blocks, uint32_t), until = 0;
    for (uint32_t k = 0; k < f->n_blocks; k++) {
        start[k] = k < until ? start[k - 1] : k;
        until = end[k] > until ? end[k] : until;
    }
    return start;
}

/* The most places at which fibres wait at once. The wave is at the lowest place where fibres are:
 * at block x they wait at later ones, to which a branch goes that was before x or in a loop with
 * x. */
static uint32_t
count_places(const ir_fn *f)
{
    const uint32_t *start = find_loop_starts(f);
    int32_t *change = ARENA_ARRAY(f->arena, f->n_blocks + 1, int32_t), n = 0, most = 0;
    IR_FOREACH_BLOCK(b, f) {
        uint32_t from = b->index;
        if (!is_join(b))
            continue;
        for (uint32_t k = 0; k < b->preds[1].count; k++) {
            const uint32_t p = b->preds[1].at[k]->index;
            if (p < b->index && start[p] < from)
                from = start[p];
        }
        change[from]++;
        change[b->index]--;
    }
    for (size_t k = 0; k < f->n_blocks; k++) {
        n += change[k];
        most = n > most ? n : most;
    }
    return (uint32_t)most;
}

void
adreno_mark_joins(ir_fn *f)
{
    IR_FOREACH_BLOCK(b, f) {
        if (b->first && is_join(b)) {
            assert(b->first->op != ADRENO_P_PREFETCH); /* is no code */
            b->first->form |= ADRENO_FORM_JP;
        }
    }
    adreno_prog(f)->branch_stack = count_places(f);
}
