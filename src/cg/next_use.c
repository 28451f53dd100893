/* Next uses as a backward dataflow problem over the blocks: distances only fall, from "never", and
 * the blocks are visited from last to first until no loop's header changes, but only so often: what
 * is found after that is used only some loops farther out, and for that "never" is near enough. */
#include "cg/next_use.h"

enum { MAX_PASSES = 4 };

typedef struct next_ctx {
    const ir_fn *f;
    const cg_liveness *live;
    const uint32_t *loop_depth;
    cg_next_use next;
    uint32_t *now; /* by value: distance from the point that the walk is at */
} next_ctx;

uint32_t
cg_find_id(const cg_id_set *s, uint32_t id)
{
    uint32_t lo = 0, hi = s->count;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (s->ids[mid] < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < s->count && s->ids[lo] == id ? lo : UINT32_MAX;
}

/* The last block from which an edge of the list goes back to `b`; NULL if `b` opens no loop. */
static const ir_block *
last_back_edge(const ir_block *b, unsigned list)
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
cg_loop_depths(const ir_fn *f, arena *a)
{
    /* at first what is added from the block on, modulo 2^32 */
    uint32_t *depth = ARENA_ARRAY(a, f->n_blocks + 1, uint32_t);
    IR_FOREACH_BLOCK(b, f)
    {
        const ir_block *last = last_back_edge(b, 1);
        if (!last)
            continue;
        depth[b->index]++;
        depth[last->index + 1]--;
    }
    for (size_t k = 1; k < f->n_blocks; k++)
        depth[k] += depth[k - 1];
    return depth;
}

static uint32_t
farther(uint32_t distance, uint32_t by)
{
    return distance >= CG_NEVER - by ? CG_NEVER : distance + by;
}

/* Takes the distances at the beginning of successor `to`, for values that live along `list`. Both
 * sets are sorted. */
static void
look_ahead(const next_ctx *c, const ir_block *b, const ir_block *to, unsigned list)
{
    const cg_id_set *out = &c->live->out[b->index], *in = &c->live->in[to->index];
    uint32_t *distance = c->next.out[b->index];
    uint32_t exit = c->loop_depth[to->index] < c->loop_depth[b->index] ? CG_LOOP_EXIT : 0;
    for (uint32_t k = 0, at = 0; k < out->count && at < in->count; k++) {
        while (at < in->count && in->ids[at] < out->ids[k])
            at++;
        if (at == in->count || in->ids[at] != out->ids[k] ||
            c->live->edges(c->f->values[out->ids[k]].type) != list)
            continue;
        uint32_t d = farther(c->next.in[to->index][at], exit);
        distance[k] = d < distance[k] ? d : distance[k];
    }
}

/* Values that phis of successors take from `b` are used at its end. */
static void
use_phi_operands(const next_ctx *c, const ir_block *b, unsigned list)
{
    const cg_id_set *out = &c->live->out[b->index];
    for (uint32_t s = 0; s < b->succs[list].count; s++) {
        const ir_block *to = b->succs[list].at[s];
        uint32_t pred = ir_pred_index(to, b, list);
        for (const ir_instr *i = to->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
            if (ir_has_flag(i, IR_OP_LINEAR_PHI) != (list == 1) || !ir_is_value(i->refs[pred]))
                continue;
            uint32_t at = cg_find_id(out, i->refs[pred].id);
            if (at != UINT32_MAX)
                c->next.out[b->index][at] = 0;
        }
    }
}

static void
find_out(const next_ctx *c, const ir_block *b)
{
    for (uint32_t k = 0; k < c->live->out[b->index].count; k++)
        c->next.out[b->index][k] = CG_NEVER;
    for (unsigned list = 0; list < 2; list++) {
        for (uint32_t s = 0; s < b->succs[list].count; s++)
            look_ahead(c, b, b->succs[list].at[s], list);
    }
    use_phi_operands(c, b, 0);
    use_phi_operands(c, b, 1);
}

/* True if a distance at the block's beginning changed. */
static bool
find_in(const next_ctx *c, const ir_block *b)
{
    const cg_id_set *in = &c->live->in[b->index], *out = &c->live->out[b->index];
    uint32_t length = 0;
    bool changed = false;
    for (const ir_instr *i = b->first; i; i = i->next)
        length++;
    for (uint32_t k = 0; k < out->count; k++)
        c->now[out->ids[k]] = farther(c->next.out[b->index][k], length);
    for (const ir_instr *i = b->last; i && !ir_has_flag(i, IR_OP_PHI); i = i->prev) {
        length--;
        for (unsigned r = 0; r < i->n_refs; r++) {
            if (ir_is_value(i->refs[r]))
                c->now[i->refs[r].id] = length;
        }
    }
    for (uint32_t k = 0; k < in->count; k++) {
        uint32_t d = c->now[in->ids[k]];
        changed |= c->next.in[b->index][k] != d;
        c->next.in[b->index][k] = d;
    }
    return changed;
}

static bool
is_header(const ir_block *b)
{
    return last_back_edge(b, 0) || last_back_edge(b, 1);
}

static uint32_t **
new_distances(const ir_fn *f, const cg_id_set *sets, arena *a)
{
    uint32_t **d = ARENA_ARRAY(a, f->n_blocks, uint32_t *);
    for (size_t b = 0; b < f->n_blocks; b++) {
        d[b] = ARENA_ARRAY(a, sets[b].count, uint32_t);
        for (uint32_t k = 0; k < sets[b].count; k++)
            d[b][k] = CG_NEVER;
    }
    return d;
}

cg_next_use
cg_compute_next_use(const ir_fn *f, const cg_liveness *live, const uint32_t *loop_depth, arena *a)
{
    next_ctx c = {.f = f, .live = live, .loop_depth = loop_depth};
    c.next.in = new_distances(f, live->in, a);
    c.next.out = new_distances(f, live->out, a);
    c.now = ARENA_ARRAY(a, f->n_values, uint32_t);
    bool changed = true;
    for (unsigned pass = 0; changed && pass < MAX_PASSES; pass++) {
        changed = false;
        for (size_t k = f->n_blocks; k-- > 0;) {
            find_out(&c, f->blocks[k]);
            changed |= find_in(&c, f->blocks[k]) && is_header(f->blocks[k]);
        }
    }
    return c.next;
}
