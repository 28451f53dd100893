/* Next uses as a backward dataflow problem over the blocks.
 *
 * Distances start at "never" and only decrease. The blocks are visited from last to first, again
 * until the header of no loop changes, but at most a fixed number of times: a use that is found
 * later is several loops farther out, and there "never" is good enough.
 */
#include "cg/next_use.h"
#include "ir/analysis.h"

enum { MAX_PASSES = 4 };

typedef struct next_ctx {
    const ir_fn *f;
    unsigned list;
    const uint32_t *latch;
    cg_next_use next;
} next_ctx;

/* Numbers the values that count and that are live across blocks. */
static uint32_t
number_values(const ir_fn *f, uint32_t *number)
{
    enum { LOCAL = 1, CROSSES };
    uint32_t n = 0;
    for (size_t v = 0; v < f->n_values; v++)
        number[v] = number[v] ? LOCAL : 0;
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            for (unsigned r = 0; r < i->n_refs; r++) {
                uint32_t id = i->refs[r].id;
                if (ir_is_value(i->refs[r]) && number[id] == LOCAL &&
                    (ir_has_flag(i, IR_OP_PHI) || f->values[id].def->block != b))
                    number[id] = CROSSES;
            }
        }
    }
    for (size_t v = 0; v < f->n_values; v++)
        number[v] = number[v] == CROSSES ? ++n : 0;
    return n;
}

static void
set_distance(next_ctx *c, cg_map *m, ir_ref r, uint32_t distance)
{
    if (ir_is_value(r) && c->next.number[r.id])
        cg_map_set(&c->next.maps, m, c->next.number[r.id] - 1, distance);
}

/* The values that phis of successors take from `b` are used at its end. */
static void
use_phi_operands(next_ctx *c, const ir_block *b, unsigned list, cg_map *m)
{
    for (uint32_t s = 0; s < b->succs[list].count; s++) {
        const ir_block *to = b->succs[list].at[s];
        uint32_t pred = UINT32_MAX;
        for (const ir_instr *i = to->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
            if (ir_has_flag(i, IR_OP_LINEAR_PHI) != (list == 1))
                continue;
            pred = pred == UINT32_MAX ? ir_pred_index(to, b, list) : pred;
            set_distance(c, m, i->refs[pred], 0);
        }
    }
}

static cg_map
find_out(next_ctx *c, const ir_block *b)
{
    cg_map m = {0};
    cg_share_maps(&c->next.maps);
    for (uint32_t s = 0; s < b->succs[c->list].count; s++) {
        const ir_block *to = b->succs[c->list].at[s];
        bool exit = to->loop_depth < b->loop_depth;
        cg_map ahead = c->next.in[to->index];
        ahead.by = cg_farther(ahead.by, exit ? CG_LOOP_EXIT : 0);
        m = cg_map_least(&c->next.maps, m, ahead);
    }
    use_phi_operands(c, b, 0, &m);
    use_phi_operands(c, b, 1, &m);
    return m;
}

/* Computes the distances at the beginning of `b` from those at its end. */
static cg_map
find_in(next_ctx *c, const ir_block *b, cg_map m)
{
    uint32_t length = 0;
    cg_share_maps(&c->next.maps);
    for (const ir_instr *i = b->first; i; i = i->next)
        length++;
    m.by = cg_farther(m.by, length);
    for (const ir_instr *i = b->last; i; i = i->prev) {
        length--;
        for (unsigned d = 0; d < i->n_defs; d++)
            set_distance(c, &m, i->defs[d], CG_NEVER);
        for (unsigned r = 0; r < i->n_refs && !ir_has_flag(i, IR_OP_PHI); r++)
            set_distance(c, &m, i->refs[r], length);
    }
    return m;
}

/* By block index: the index + 1 of the last block with an edge back to the block. */
static uint32_t *
find_latches(const ir_fn *f, arena *a)
{
    uint32_t *latch = ARENA_ARRAY(a, f->n_blocks, uint32_t);
    IR_FOREACH_BLOCK(b, f) {
        for (unsigned list = 0; list < 2; list++) {
            const ir_block *last = ir_last_latch(b, list);
            if (last && last->index >= latch[b->index])
                latch[b->index] = last->index + 1;
        }
    }
    return latch;
}

/* Visits the blocks before `end`, the last one first. Returns where the next pass ends: after the
 * loops whose headers have changed. */
static uint32_t
visit_blocks(next_ctx *c, uint32_t end)
{
    uint32_t again = 0;
    for (uint32_t k = end; k-- > 0;) {
        cg_map *in = &c->next.in[k], old = *in;
        c->next.out[k] = find_out(c, c->f->blocks[k]);
        *in = find_in(c, c->f->blocks[k], c->next.out[k]);
        if (c->latch[k] > again && !cg_map_same(&c->next.maps, old, *in))
            again = c->latch[k];
    }
    return again;
}

cg_next_use
cg_compute_next_use(const ir_fn *f, uint32_t *number, unsigned list, arena *a)
{
    next_ctx c = {.f = f, .list = list, .latch = find_latches(f, a)};
    c.next.maps = cg_new_maps(number_values(f, number), a);
    c.next.number = number;
    c.next.in = ARENA_ARRAY(a, f->n_blocks, cg_map);
    c.next.out = ARENA_ARRAY(a, f->n_blocks, cg_map);
    uint32_t end = (uint32_t)f->n_blocks;
    for (unsigned pass = 0; end && pass < MAX_PASSES; pass++)
        end = visit_blocks(&c, end);
    return c.next;
}
