/* Checks the structure of HIR's control flow in one walk over the blocks.
 *
 * A stack holds the open constructs. At each block the walk knows which block is expected; the
 * terminator determines the next one and opens or closes constructs.
 */
#include "ir/verify_hir.h"

typedef enum part { PART_THEN, PART_ELSE, PART_BODY, PART_CONTINUE } part;

typedef struct construct {
    part part; /* the current part */
    const ir_block *opener, *merge;
    uint32_t loop; /* index + 1 on the stack of the innermost loop, including this one; 0: none */
} construct;

typedef struct walk {
    const ir_verifier *v;
    construct *open;
    uint32_t depth;
    const ir_block *expected; /* NULL after the return */
} walk;

static void
need_succs(const walk *w, const ir_block *b, unsigned n)
{
    if (b->succs[0].count != n)
        ir_verify_fail(w->v, b, b->last, "%u successors, not %u", b->succs[0].count, n);
}

static void
push(walk *w, part p, const ir_block *b)
{
    uint32_t loop = w->depth ? w->open[w->depth - 1].loop : 0;
    w->open[w->depth++] = (construct){p, b, b->merge, p == PART_BODY ? w->depth + 1 : loop};
    if (p == PART_BODY)
        w->open[w->depth - 1].loop = w->depth;
}

static void
open_if(walk *w, const ir_block *b)
{
    need_succs(w, b, 2);
    for (unsigned s = 0; s < 2; s++) {
        const ir_block *arm = b->succs[0].at[s];
        if (arm->preds[0].count != 1)
            ir_verify_fail(w->v, b, b->last, "an arm has other predecessors");
        if (arm == b->merge)
            ir_verify_fail(w->v, b, b->last, "an arm is the merge block");
    }
    if (!b->merge)
        ir_verify_fail(w->v, b, b->last, "no merge block");
    push(w, PART_THEN, b);
    w->expected = b->succs[0].at[0];
}

static void
open_loop(walk *w, const ir_block *b)
{
    need_succs(w, b, 1);
    const ir_block *header = b->succs[0].at[0];
    if (!b->merge || !b->cont || b->cont == header || b->merge == header || b->cont == b->merge)
        ir_verify_fail(w->v, b, b->last, "header, merge and continue block must be three blocks");
    if (header->preds[0].count > 2 || header->preds[0].at[0] != b)
        ir_verify_fail(w->v, b, b->last, "the loop's opener is not its header's first predecessor");
    push(w, PART_BODY, b);
    w->expected = header;
}

/* Returns true if a jump at the end of the innermost part may go to `to`. */
static bool
may_jump(const walk *w, const ir_block *to)
{
    if (!w->depth)
        return false;
    const construct *c = &w->open[w->depth - 1];
    if (c->part == PART_CONTINUE)
        return to == c->opener->succs[0].at[0];
    if (c->part != PART_BODY && to == c->merge)
        return true;
    const construct *loop = c->loop ? &w->open[c->loop - 1] : NULL;
    if (!loop)
        return false;
    return to == loop->merge || (to == loop->opener->cont && loop->part == PART_BODY);
}

/* Ends the innermost part; the next part or the merge block follows. */
static void
close_part(walk *w)
{
    construct *c = &w->open[w->depth - 1];
    if (c->part == PART_THEN) {
        c->part = PART_ELSE;
        w->expected = c->opener->succs[0].at[1];
    } else if (c->part == PART_BODY) {
        c->part = PART_CONTINUE;
        w->expected = c->opener->cont;
    } else {
        w->expected = c->merge;
        w->depth--;
    }
}

static void
visit(walk *w, const ir_block *b)
{
    const ir_instr *end = b->last;
    if (b != w->expected)
        ir_verify_fail(w->v, b, NULL, "the block does not stand in structured order");
    if (end->op != IR_if && end->op != IR_loop && b->merge)
        ir_verify_fail(w->v, b, end, "a merge block, but no construct is opened");
    if (end->op != IR_loop && b->cont)
        ir_verify_fail(w->v, b, end, "a continue block, but no loop is opened");
    switch (end->op) {
    case IR_if: open_if(w, b); break;
    case IR_loop: open_loop(w, b); break;
    case IR_jump:
        need_succs(w, b, 1);
        if (!may_jump(w, b->succs[0].at[0]))
            ir_verify_fail(w->v, b, end, "a jump to where the construct does not allow it");
        close_part(w);
        break;
    default:
        need_succs(w, b, 0);
        if (w->depth)
            ir_verify_fail(w->v, b, end, "a return inside a construct");
        w->expected = NULL;
        break;
    }
}

void
ir_verify_structure(const ir_verifier *v)
{
    const ir_fn *f = v->f;
    walk w = {.v = v, .expected = f->blocks[0]};
    w.open = ARENA_ARRAY(f->ctx->scratch, f->n_blocks + 1, construct);
    IR_FOREACH_BLOCK(b, f) {
        visit(&w, b);
    }
    if (w.expected)
        ir_verify_fail(v, NULL, NULL, "the last block does not return");
}
