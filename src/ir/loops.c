/* Loop depth and innermost loop of each block, in one walk over the blocks in structured order.
 *
 * HIR: a loop extends from the block after its `loop` terminator to its merge block. Machine
 * levels: from a block of kind loop-header to one of kind loop-exit.
 */
#include "ir/analysis.h"
#include "ir/hir.h"

typedef struct open_loop {
    ir_block *header, *merge;
} open_loop;

static bool
opens_loop(const ir_fn *f, const ir_block *b)
{
    if (f->level->machine)
        return (b->kind & IR_BLOCK_LOOP_HEADER) != 0;
    const ir_instr *end = ir_terminator(b);
    return end && end->op == IR_loop && b->succs[0].count == 1;
}

void
ir_compute_loops(ir_fn *f)
{
    arena_mark m = arena_save(f->ctx->scratch);
    open_loop *open = ARENA_ARRAY(f->ctx->scratch, f->n_blocks + 1, open_loop);
    uint32_t depth = 0;
    bool machine = f->level->machine;
    IR_FOREACH_BLOCK(b, f)
    {
        if (depth && (machine ? (b->kind & IR_BLOCK_LOOP_EXIT) != 0 : open[depth].merge == b))
            depth--;
        if (machine && opens_loop(f, b))
            open[++depth].header = b;
        b->loop_depth = depth;
        b->loop_header = depth ? open[depth].header : NULL;
        if (!machine && opens_loop(f, b))
            open[++depth] = (open_loop){b->succs[0].at[0], b->merge};
    }
    arena_release(f->ctx->scratch, m);
    f->valid |= IR_HAS_LOOPS;
}
