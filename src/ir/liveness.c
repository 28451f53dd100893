/* Live-in and live-out sets of HIR, as bit sets over value ids.
 *
 * A phi's result is live from the start of its block but is not in live_in; its references are
 * live-out of the corresponding predecessors. Blocks are visited backwards until nothing changes:
 * once, plus once for each level of loop nesting.
 */
#include "base/bitset.h"
#include "ir/analysis.h"

typedef struct live {
    const ir_fn *f;
    ir_liveness *sets;
    uint64_t *now; /* scratch */
} live;

/* Adds what `from`'s successor `to` needs: its live-in values and the references of its phis. */
static void
add_successor(live *l, const ir_block *from, const ir_block *to)
{
    uint64_t *out = l->sets->live_out[from->index];
    uint32_t p = ir_pred_index(to, from, 0);
    bitset_union(out, l->sets->live_in[to->index], l->sets->n_values);
    for (const ir_instr *i = to->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
        if (ir_is_value(i->refs[p]))
            bitset_add(out, i->refs[p].id);
    }
}

/* Returns true if the block's live-in set grew. */
static bool
visit(live *l, const ir_block *b)
{
    for (uint32_t s = 0; s < b->succs[0].count; s++)
        add_successor(l, b, b->succs[0].at[s]);
    memcpy(l->now, l->sets->live_out[b->index], BITSET_WORDS(l->sets->n_values) * sizeof *l->now);
    IR_FOREACH_INSTR_REVERSE(i, b)
    {
        for (unsigned d = 0; d < i->n_defs; d++)
            bitset_remove(l->now, i->defs[d].id);
        for (unsigned r = 0; r < i->n_refs && !ir_has_flag(i, IR_OP_PHI); r++) {
            if (ir_is_value(i->refs[r]))
                bitset_add(l->now, i->refs[r].id);
        }
    }
    return bitset_union(l->sets->live_in[b->index], l->now, l->sets->n_values);
}

ir_liveness
ir_compute_liveness(ir_fn *f, arena *a)
{
    ir_liveness sets = {.n_values = f->n_values};
    sets.live_in = ARENA_ARRAY(a, f->n_blocks, uint64_t *);
    sets.live_out = ARENA_ARRAY(a, f->n_blocks, uint64_t *);
    for (size_t b = 0; b < f->n_blocks; b++) {
        sets.live_in[b] = bitset_new(a, f->n_values);
        sets.live_out[b] = bitset_new(a, f->n_values);
    }
    live l = {f, &sets, bitset_new(a, f->n_values)};
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t b = f->n_blocks; b-- > 0;)
            changed |= visit(&l, f->blocks[b]);
    }
    f->valid |= IR_HAS_LIVENESS;
    return sets;
}
