#include "cg/settle.h"

#include "ir/analysis.h"

typedef struct walk {
    ir_fn *f;
    const cg_settling *s;
    const uint32_t *loop_end; /* ir_find_loop_ends */
} walk;

static bool
must_repeat(const walk *w, const ir_block *header)
{
    for (uint32_t p = 0; p < header->preds[1].count; p++) {
        const ir_block *from = header->preds[1].at[p];
        if (from->index >= header->index && !w->s->is_known(w->s->user, header, from))
            return true;
    }
    return false;
}

/* If `b` has the last back edge to a header and a back edge to it has brought a state that was not
 * known there: that header; otherwise NULL. */
static const ir_block *
header_to_repeat(const walk *w, const ir_block *b)
{
    for (uint32_t s = 0; s < b->succs[1].count; s++) {
        const ir_block *header = b->succs[1].at[s];
        if (w->loop_end[header->index] == b->index + 1 && must_repeat(w, header))
            return header;
    }
    return NULL;
}

static void
visit(const walk *w, uint32_t at, bool final)
{
    w->s->visit(w->s->user, w->f->blocks[at], w->loop_end[at] != 0, final);
}

/* Walks an outermost loop until the back edges bring nothing new. Returns the index after it. */
static uint32_t
settle_loop(const walk *w, uint32_t first)
{
    uint32_t end = w->loop_end[first], at = first;
    while (at < end) {
        end = w->loop_end[at] > end ? w->loop_end[at] : end;
        visit(w, at, false);
        const ir_block *header = header_to_repeat(w, w->f->blocks[at]);
        at = header ? header->index : at + 1;
    }
    return end;
}

void
cg_walk_settled(ir_fn *f, const cg_settling *s)
{
    walk w = {.f = f, .s = s, .loop_end = ir_find_loop_ends(f, 1, f->ctx->scratch)};
    uint32_t settled = 0; /* blocks before this one are in loops that are done */
    for (uint32_t at = 0; at < f->n_blocks; at++) {
        if (at >= settled && w.loop_end[at])
            settled = settle_loop(&w, at);
        visit(&w, at, true);
    }
}
