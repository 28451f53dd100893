/* Moves loads next to earlier ones of places nearby, which vectorize_mem then merges.
 *
 *     32 %5 = @load_ubo (%1, 12)            32 %5 = @load_ubo (%1, 12)
 *     if ... {                              32x2 %7 = @load_ubo (%1, 0)
 *         32x2 %7 = @load_ubo (%1, 0)   ->  if ... {
 *
 * Only uniform loads of constant places in buffers that do not change are moved, and only to blocks
 * that dominate theirs. So the buffer is read there already, and one scalar load that reads both
 * takes the place of the first: no path executes more instructions. Time is linear: a load is
 * compared with a few leaders.
 */
#include "opt/gather_loads.h"

#include "ir/analysis.h"
#include "opt/memory.h"

enum { MAX_LEADERS = 16 };

typedef struct leader {
    ir_instr *load;
    opt_place place;
    int64_t from, to; /* bytes of the buffer: what is loaded there */
} leader;

typedef struct gather {
    const ir_replacement *map;
    leader leaders[MAX_LEADERS]; /* the last ones, in a ring */
    unsigned n;
} gather;

static bool
is_candidate(const gather *g, ir_instr *i, opt_place *p)
{
    const ir_value *values = g->map->f->values;
    if (!ir_has_flag(i, IR_OP_INTRINSIC) || !opt_find_place(g->map, i, p) || p->row->data >= 0 ||
        p->row->resource < 0 || p->base.kind != IR_REF_NONE || ir_type_bits(p->type) != 32)
        return false;
    bool constant = p->memory == OPT_MEMORY_CONSTANT && !(p->flags & IR_ACCESS_VOLATILE);
    return constant && (!ir_is_value(p->resource) || !values[p->resource.id].divergent);
}

/* Would one load of both be no larger than the scalar unit's largest, with a small hole at most? */
static bool
is_near(const leader *l, int64_t from, int64_t to)
{
    int64_t low = from < l->from ? from : l->from, high = to > l->to ? to : l->to;
    return high - low <= OPT_SCALAR_BYTES && from <= l->to + OPT_SCALAR_HOLE &&
           to >= l->from - OPT_SCALAR_HOLE;
}

/* An earlier load that can be one with `i`. */
static leader *
find_leader(gather *g, const ir_instr *i, const opt_place *p, int64_t to)
{
    for (unsigned k = 0; k < g->n && k < MAX_LEADERS; k++) {
        leader *l = &g->leaders[k];
        if (l->place.row == p->row && l->place.flags == p->flags &&
            ir_same_ref(l->place.resource, p->resource) && is_near(l, p->at, to) &&
            ir_dominates(l->load->block, i->block, 0))
            return l;
    }
    return NULL;
}

static bool
visit(gather *g, ir_instr *i)
{
    opt_place p;
    if (!is_candidate(g, i, &p))
        return false;
    int64_t to = p.at + ir_type_bits(p.type) / 8 * ir_type_comps(p.type);
    leader *l = find_leader(g, i, &p, to);
    if (!l) {
        g->leaders[g->n++ % MAX_LEADERS] = (leader){i, p, p.at, to};
        return false;
    }
    l->from = p.at < l->from ? p.at : l->from;
    l->to = to > l->to ? to : l->to;
    if (l->load->block == i->block || !ir_may_change(g->map->f->ctx))
        return false;
    ir_unlink(i);
    ir_insert_after(l->load, i);
    return true;
}

bool
opt_gather_loads(const ir_replacement *map)
{
    gather g = {.map = map};
    bool changed = false;
    IR_FOREACH_INSTR_OF(i, map->f)
        changed |= visit(&g, i);
    return changed;
}
