/* Loop depth and innermost loop of each block, in one walk over the blocks in structured order.
 *
 * HIR: a loop extends from the block after its `loop` terminator to its merge block. Machine
 * levels: the natural loops of the linear edges, each from its header to its last latch.
 */
#include "ir/analysis.h"
#include "ir/hir.h"

/* Loops that are open at a block, the innermost last. */
typedef struct open_loop {
    ir_block *header;
    uint32_t end; /* index of the first block that is not in the loop */
} open_loop;

static open_loop
hir_loop(const ir_block *b)
{
    const ir_instr *end = ir_terminator(b);
    if (!end || end->op != IR_loop || b->succs[0].count != 1)
        return (open_loop){0};
    return (open_loop){b->succs[0].at[0], b->merge->index};
}

static open_loop
machine_loop(ir_block *b)
{
    const ir_block *latch = ir_last_latch(b, 1);
    return latch ? (open_loop){b, latch->index + 1} : (open_loop){0};
}

const ir_block *
ir_last_latch(const ir_block *b, unsigned list)
{
    const ir_block *last = NULL;
    for (uint32_t p = 0; p < b->preds[list].count; p++) {
        const ir_block *from = b->preds[list].at[p];
        if (from->index >= b->index && (!last || from->index > last->index))
            last = from;
    }
    return last;
}

uint32_t *
ir_find_loop_ends(const ir_fn *f, unsigned list, arena *a)
{
    uint32_t *end = ARENA_ARRAY(a, f->n_blocks, uint32_t);
    IR_FOREACH_BLOCK(b, f) {
        for (uint32_t s = 0; s < b->succs[list].count; s++) {
            uint32_t to = b->succs[list].at[s]->index;
            if (to <= b->index)
                end[to] = b->index + 1;
        }
    }
    return end;
}

void
ir_compute_loops(ir_fn *f)
{
    arena_mark m = arena_save(f->ctx->scratch);
    open_loop *open = ARENA_ARRAY(f->ctx->scratch, f->n_blocks + 1, open_loop);
    uint32_t depth = 0;
    bool machine = f->level->machine;
    IR_FOREACH_BLOCK(b, f) {
        while (depth && open[depth].end <= b->index)
            depth--;
        open_loop opened = machine ? machine_loop(b) : hir_loop(b);
        if (machine && opened.header)
            open[++depth] = opened;
        b->loop_depth = depth;
        b->loop_header = depth ? open[depth].header : NULL;
        if (!machine && opened.header)
            open[++depth] = opened;
    }
    arena_release(f->ctx->scratch, m);
    f->valid |= IR_HAS_LOOPS;
}
