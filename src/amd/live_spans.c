/* Life of values as one interval of the order of blocks, for those who ask cheaply whether two
 * meet.
 */
#include "amd/live.h"

static void
extend(amd_span *s, uint32_t start, uint32_t end)
{
    s->start = start < s->start ? start : s->start;
    s->end = end > s->end ? end : s->end;
}

static void
add_instr(amd_span *spans, const ir_instr *i, uint32_t entry)
{
    bool phi = ir_has_flag(i, IR_OP_PHI);
    for (unsigned d = 0; d < i->n_defs; d++) {
        uint32_t at = phi ? entry : 2 * i->index + 1;
        if (ir_is_value(i->defs[d]))
            extend(&spans[i->defs[d].id], at, at + 1);
    }
    for (unsigned r = 0; r < i->n_refs && !phi; r++) {
        uint32_t late = (i->refs[r].flags & IR_LATE_KILL) != 0;
        if (ir_is_value(i->refs[r]) && (i->refs[r].flags & IR_FIRST_KILL))
            extend(&spans[i->refs[r].id], 2 * i->index, 2 * i->index + 1 + late);
    }
}

amd_span *
amd_find_spans(const ir_fn *f, const amd_live *live, arena *a)
{
    amd_span *spans = ARENA_ARRAY(a, f->n_values, amd_span);
    for (size_t id = 0; id < f->n_values; id++)
        spans[id].start = UINT32_MAX;
    IR_FOREACH_BLOCK(b, f)
    {
        const cg_id_set *out = &live->out[b->index];
        uint32_t entry = b->first ? 2 * b->first->index : 0;
        uint32_t end = b->last ? 2 * b->last->index + 2 : 0;
        IR_FOREACH_INSTR(i, b)
        {
            add_instr(spans, i, entry);
        }
        for (uint32_t k = 0; k < out->count; k++)
            extend(&spans[out->ids[k]], end, end);
    }
    return spans;
}
