/* Live ranges as single intervals in the order of blocks, for passes that need a cheap test of
 * interference.
 *
 * A value that is live out of a block is live into a later block, and so on until its use, unless a
 * phi uses it or the edge goes back to a loop's header. So only the live-out sets of blocks with a
 * back edge are read.
 */
#include "cg/live.h"

static void
extend(cg_span *s, uint32_t start, uint32_t end)
{
    s->start = start < s->start ? start : s->start;
    s->end = end > s->end ? end : s->end;
}

static uint32_t
end_of(const ir_block *b)
{
    return b->last ? 2 * b->last->index + 2 : 0;
}

static void
add_phi(cg_span *spans, const ir_instr *phi, uint32_t entry)
{
    const ir_edges *preds = &phi->block->preds[ir_has_flag(phi, IR_OP_LINEAR_PHI)];
    if (ir_is_value(phi->defs[0]))
        extend(&spans[phi->defs[0].id], entry, entry + 1);
    for (unsigned r = 0; r < phi->n_refs; r++) {
        uint32_t end = end_of(preds->at[r]);
        if (ir_is_value(phi->refs[r]))
            extend(&spans[phi->refs[r].id], end, end);
    }
}

static void
add_instr(cg_span *spans, const ir_instr *i)
{
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (ir_is_value(i->defs[d]))
            extend(&spans[i->defs[d].id], 2 * i->index + 1, 2 * i->index + 2);
    }
    for (unsigned r = 0; r < i->n_refs; r++) {
        uint32_t late = (i->refs[r].flags & IR_LATE_KILL) != 0;
        if (ir_is_value(i->refs[r]) && (i->refs[r].flags & IR_FIRST_KILL))
            extend(&spans[i->refs[r].id], 2 * i->index, 2 * i->index + 1 + late);
    }
}

/* What is live around the loop that `b` ends is live to the end of `b`. */
static void
extend_to_end(cg_span *spans, const ir_block *b, const cg_id_set *out)
{
    for (uint32_t k = 0; k < out->count; k++)
        extend(&spans[out->ids[k]], end_of(b), end_of(b));
}

cg_span *
cg_find_spans(const ir_fn *f, const cg_live *live, arena *a)
{
    cg_span *spans = ARENA_ARRAY(a, f->n_values, cg_span);
    for (size_t id = 0; id < f->n_values; id++)
        spans[id].start = UINT32_MAX;
    IR_FOREACH_BLOCK(b, f) {
        uint32_t entry = b->first ? 2 * b->first->index : 0;
        IR_FOREACH_INSTR(i, b) {
            if (ir_has_flag(i, IR_OP_PHI))
                add_phi(spans, i, entry);
            else
                add_instr(spans, i);
        }
    }
    for (uint32_t k = 0; k < live->n_back; k++)
        extend_to_end(spans, f->blocks[live->back[k]], &live->out[live->back[k]]);
    return spans;
}
