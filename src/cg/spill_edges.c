/* Spilling where blocks meet.
 *
 * A block with one predecessor begins with the values that this one has in registers. With several
 * predecessors, values that all of them have in registers come first, then those that some have,
 * each sorted by the distance of the next use. At the header of a loop the back edge is not known.
 * Values that the loop uses come first; those that are only live through it follow as far as the
 * loop's own demand leaves room (Braun and Hack, 4.2). A value that a predecessor lacks is reloaded
 * at its end; a value that many predecessors lack is reloaded once, in the block. So is a value
 * whose next use is far: until then it would take a register, and a phi at each join on the way.
 *
 * A phi whose result is not chosen becomes a memory phi: the instruction is removed, because its
 * operands are stored in the slot that they share with it.
 */
#include "cg/place.h"
#include "cg/spill.h"
#include "ir/ssa_repair.h"

#include <assert.h>

/* A value is reloaded at the ends of at most this many predecessors, or of a quarter of them. Its
 * next use is at most NEAR instructions away: measured with few registers, 30 to 50 give the fewest
 * instructions and the shortest latency. */
enum { MOST_EDGES = 2, NEAR = 40 };

typedef struct candidate {
    uint32_t id, distance;
    uint32_t n_held; /* number of visited predecessors that have it in registers */
    uint8_t rank;    /* 0: all predecessors hold it, 1: enough do, 2: too few; 0 at headers */
    bool is_phi;
} candidate;

/* ---- what predecessors have ---- */

static bool
is_done(const spill_ctx *c, const ir_block *b)
{
    return c->exit[b->index].ids != NULL;
}

static bool
is_header(const spill_ctx *c, const ir_block *b)
{
    for (uint32_t p = 0; p < b->preds[c->list].count; p++) {
        if (!is_done(c, b->preds[c->list].at[p]))
            return true;
    }
    return false;
}

static bool
is_of_bank(const spill_ctx *c, ir_ref r)
{
    return ir_is_value(r) && r.id < c->n_v && c->v[r.id].size;
}

/* From here on, if the mark of a spill_value is the clock, the value is in a register at the end of
 * `pred`, and on_edge is its name there. */
static void
take_names(spill_ctx *c, const ir_block *pred)
{
    const spill_set *s = &c->exit[pred->index];
    c->clock++;
    for (uint32_t k = 0; k < s->count; k++) {
        c->v[s->ids[k]].mark = c->clock;
        c->v[s->ids[k]].on_edge = s->names[k];
    }
}

/* ---- choosing ---- */

static bool
is_before(const candidate *a, const candidate *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank;
    return a->distance != b->distance ? a->distance < b->distance : a->id < b->id;
}

/* Merge sort; `room` has space for `n` candidates. */
static void
sort_candidates(candidate *list, size_t n, candidate *room)
{
    if (n < 2)
        return;
    size_t half = n / 2, i = 0, k = half, at = 0;
    sort_candidates(list, half, room);
    sort_candidates(list + half, n - half, room);
    while (i < half || k < n) {
        bool left = k == n || (i < half && !is_before(&list[k], &list[i]));
        room[at++] = left ? list[i++] : list[k++];
    }
    for (at = 0; at < n; at++)
        list[at] = room[at];
}

/* The registers that values must give up which are live through the loop but not used in it. */
static unsigned
loop_excess(const spill_ctx *c, const ir_block *header)
{
    unsigned demand = c->loop_demand[header->index];
    unsigned all = cg_of(c->f)->budget[c->bank->bank];
    return demand > all ? demand - all : 0;
}

static size_t
find_phis(const spill_ctx *c, const ir_block *b, candidate *list)
{
    size_t n = 0;
    for (ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
        if (!is_of_bank(c, i->defs[0]) || (i->defs[0].flags & IR_KILL))
            continue;
        uint32_t id = i->defs[0].id;
        list[n++] = (candidate){.id = id, .distance = c->v[id].next, .is_phi = true};
    }
    return n;
}

/* At a header all live-in values are candidates, because they may be reloaded before the loop. */
static size_t
find_live(const spill_ctx *c, const ir_block *b, candidate *list)
{
    const cg_id_set *in = &c->live->in[b->index];
    size_t n = 0;
    for (uint32_t k = 0; k < in->count; k++) {
        if (c->v[in->ids[k]].size)
            list[n++] = (candidate){
                .id = in->ids[k],
                .distance = cg_next_use_of(&c->next, c->next.in[b->index], in->ids[k])};
    }
    return n;
}

/* At other blocks the values that a predecessor has in registers are candidates. */
static size_t
find_held(spill_ctx *c, const ir_block *b, candidate *list)
{
    const cg_id_set *in = &c->live->in[b->index];
    size_t n = 0;
    c->clock++;
    for (uint32_t p = 0; p < b->preds[c->list].count; p++) {
        const spill_set *held = &c->exit[b->preds[c->list].at[p]->index];
        for (uint32_t k = 0; k < held->count; k++) {
            uint32_t id = held->ids[k];
            if (c->v[id].mark == c->clock)
                continue;
            c->v[id].mark = c->clock;
            uint32_t d = cg_next_use_of(&c->next, c->next.in[b->index], id);
            if (d < CG_NEVER || cg_live_has(in, id))
                list[n++] = (candidate){.id = id, .distance = d};
        }
    }
    return n;
}

/* True if predecessor `p`, whose names are set, has the candidate in registers. */
static bool
is_held(const spill_ctx *c, const candidate *k, uint32_t p)
{
    if (!k->is_phi)
        return c->v[k->id].mark == c->clock;
    ir_ref ref = c->f->values[k->id].def->refs[p];
    return !is_of_bank(c, ref) || c->v[ref.id].mark == c->clock;
}

static uint8_t
rank_of(uint32_t have, uint32_t done, uint32_t distance)
{
    uint32_t lack = done - have;
    bool some = have && distance <= NEAR && (lack <= MOST_EDGES || lack <= done / 4);
    return lack == 0 ? 0 : some ? 1 : 2;
}

/* For each candidate, counts the predecessors that have it in registers. Returns the number of
 * predecessors that have been visited. */
static uint32_t
count_held(spill_ctx *c, const ir_block *b, candidate *list, size_t n)
{
    const ir_edges *preds = &b->preds[c->list];
    uint32_t done = 0;
    for (uint32_t p = 0; p < preds->count; p++) {
        if (!is_done(c, preds->at[p]))
            continue;
        done++;
        take_names(c, preds->at[p]);
        for (size_t k = 0; k < n; k++)
            list[k].n_held += is_held(c, &list[k], p);
    }
    for (size_t k = 0; k < n && done == preds->count; k++)
        list[k].rank = rank_of(list[k].n_held, done, list[k].distance);
    return done;
}

/* The registers for values at the beginning of the block, which must also exist at the ends of its
 * predecessors. */
static unsigned
entry_room(const spill_ctx *c, const ir_block *b)
{
    const ir_edges *preds = &b->preds[c->list];
    unsigned room = c->room[b->index];
    for (uint32_t p = 0; p < preds->count; p++) {
        unsigned other = c->room[preds->at[p]->index];
        room = other < room ? other : room;
    }
    return room;
}

/* The values of a single predecessor usually have room, and then their order does not matter. */
static bool
is_order_needed(const spill_ctx *c, const ir_block *b, const candidate *list, size_t n)
{
    unsigned size = 0;
    for (size_t k = 0; k < n; k++)
        size += c->v[list[k].id].size;
    return b->preds[c->list].count != 1 || size > entry_room(c, b);
}

static void
choose(spill_ctx *c, ir_block *b, const candidate *list, size_t n, uint32_t done)
{
    bool header = done < b->preds[c->list].count;
    unsigned limit = entry_room(c, b);
    unsigned excess = header ? loop_excess(c, b) : 0, unused = 0;
    for (size_t k = 0; k < n; k++)
        unused += list[k].distance >= CG_LOOP_EXIT ? c->v[list[k].id].size : 0;
    unsigned room_unused = unused > excess ? unused - excess : 0;
    for (size_t k = 0; k < n; k++) {
        unsigned size = c->v[list[k].id].size;
        bool far = header && list[k].distance >= CG_LOOP_EXIT;
        if (c->in_regs + size > limit || (!header && list[k].rank == 2))
            continue;
        bool stays = !list[k].is_phi && list[k].n_held == done; /* held before the loop */
        if (far && (room_unused < size || !stays))
            continue;
        room_unused -= far ? size : 0;
        cg_spill_add(c, list[k].id, list[k].id);
        c->v[list[k].id].next = list[k].distance;
    }
}

/* ---- edges ---- */

static ir_instr *
end_of(const spill_ctx *c, const ir_block *b)
{
    return cg_place_at_end(b, c->list);
}

/* The name of `id` at the end of `pred`, whose names are set. Reloads the value (once) if it is not
 * in a register there. */
static uint32_t
name_on_edge(spill_ctx *c, const ir_block *pred, uint32_t id)
{
    spill_value *v = &c->v[id];
    if (v->mark != c->clock) {
        v->mark = c->clock;
        v->on_edge = cg_spill_reload(c, id, end_of(c, pred));
    }
    return v->on_edge;
}

static void
name_phi_operands(spill_ctx *c, ir_block *b, uint32_t p)
{
    for (ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
        if (ir_has_flag(i, IR_OP_LINEAR_PHI) == (c->list == 1) && is_of_bank(c, i->refs[p]))
            i->refs[p].id = name_on_edge(c, b->preds[c->list].at[p], i->refs[p].id);
    }
}

/* Completes the edge from predecessor `p`, which has been visited, to the block, whose entry set is
 * known. */
static void
connect(spill_ctx *c, ir_block *b, uint32_t p)
{
    const spill_set *entry = &c->entry[b->index];
    take_names(c, b->preds[c->list].at[p]);
    name_phi_operands(c, b, p);
    for (uint32_t k = 0; k < entry->count; k++) {
        ir_instr *phi = c->entry_phis[b->index][k];
        if (phi)
            phi->refs[p] = ir_use(c->f, name_on_edge(c, b->preds[c->list].at[p], entry->ids[k]));
    }
}

/* The names of the chosen values that are the same at the ends of all predecessors; 0 for the
 * others. */
static void
find_common_names(spill_ctx *c, const ir_block *b)
{
    const spill_set *entry = &c->entry[b->index];
    const ir_edges *preds = &b->preds[c->list];
    for (uint32_t p = 0; p < preds->count; p++) {
        take_names(c, preds->at[p]);
        for (uint32_t k = 0; k < entry->count; k++) {
            spill_value *v = &c->v[entry->ids[k]];
            uint32_t name = v->mark == c->clock ? v->on_edge : 0;
            v->name = p == 0 || v->name == name ? name : 0;
        }
    }
}

/* Makes phis for the chosen values that have no name yet. At the header of a loop these are all; a
 * phi that merges one name with itself is removed at the end. */
static void
merge_names(spill_ctx *c, ir_block *b)
{
    spill_set *entry = &c->entry[b->index];
    bool header = is_header(c, b);
    c->entry_phis[b->index] = ARENA_ARRAY(c->a, entry->count, ir_instr *);
    if (!header)
        find_common_names(c, b);
    for (uint32_t k = 0; k < entry->count; k++) {
        spill_value *v = &c->v[entry->ids[k]];
        if (!header && v->name)
            continue;
        ir_instr *phi = ir_new_phi(c->f, b, c->list, c->f->values[entry->ids[k]].type);
        c->entry_phis[b->index][k] = phi;
        v->name = phi->defs[0].id;
    }
    for (uint32_t p = 0; p < b->preds[c->list].count; p++) {
        if (is_done(c, b->preds[c->list].at[p]))
            connect(c, b, p);
    }
    for (uint32_t k = 0; k < entry->count; k++) {
        ir_instr *phi = c->entry_phis[b->index][k];
        if (!phi)
            continue;
        ir_prepend(b, phi);
        c->phis = arena_grow(c->a, c->phis, &c->cap_phis, c->n_phis + 1, sizeof *c->phis);
        c->phis[c->n_phis++] = phi;
    }
}

/* Removes phis whose results are not used, too. */
static void
take_out_memory_phis(spill_ctx *c, ir_block *b)
{
    IR_FOREACH_INSTR(i, b) {
        if (!ir_has_flag(i, IR_OP_PHI))
            break;
        if (!is_of_bank(c, i->defs[0]) || c->v[i->defs[0].id].at)
            continue;
        if (!(i->defs[0].flags & IR_KILL))
            c->v[i->defs[0].id].memory_phi = i;
        ir_unlink(i);
    }
}

/* The values in registers that are not phis of the block. */
static spill_set
entry_set(const spill_ctx *c, const ir_block *b)
{
    spill_set s = {.ids = arena_alloc(c->a, c->n_regs * sizeof *s.ids)};
    for (uint32_t k = 0; k < c->n_regs; k++) {
        const ir_instr *def = c->f->values[c->regs[k]].def;
        if (def->block != b || !ir_has_flag(def, IR_OP_PHI))
            s.ids[s.count++] = c->regs[k];
    }
    return s;
}

void
cg_spill_enter_block(spill_ctx *c, ir_block *b)
{
    bool header = is_header(c, b);
    size_t most = header ? c->live->in[b->index].count : 0;
    while (c->n_regs)
        cg_spill_remove(c, c->regs[0]);
    for (ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next)
        most++;
    for (uint32_t p = 0; p < b->preds[c->list].count && !header; p++)
        most += c->exit[b->preds[c->list].at[p]->index].count;
    arena_mark mark = arena_save(c->a);
    candidate *list = arena_alloc(c->a, 2 * most * sizeof *list);
    size_t n = find_phis(c, b, list);
    n += header ? find_live(c, b, list + n) : find_held(c, b, list + n);
    uint32_t done = count_held(c, b, list, n);
    if (is_order_needed(c, b, list, n))
        sort_candidates(list, n, list + most);
    choose(c, b, list, n, done);
    arena_release(c->a, mark);
    take_out_memory_phis(c, b);
    c->entry[b->index] = entry_set(c, b);
    merge_names(c, b);
}

void
cg_spill_leave_block(spill_ctx *c, ir_block *b)
{
    spill_set *s = &c->exit[b->index];
    s->ids = arena_alloc(c->a, c->n_regs * sizeof *s->ids);
    s->names = arena_alloc(c->a, c->n_regs * sizeof *s->names);
    s->count = c->n_regs;
    for (uint32_t k = 0; k < s->count; k++) {
        s->ids[k] = c->regs[k];
        s->names[k] = c->v[s->ids[k]].name;
    }
    for (uint32_t k = 0; k < b->succs[c->list].count; k++) {
        ir_block *to = b->succs[c->list].at[k];
        if (c->entry_phis[to->index])
            connect(c, to, ir_pred_index(to, b, c->list));
    }
}

/* ---- clean-up ---- */

void
cg_spill_remove_trivial_phis(spill_ctx *c)
{
    ir_replacement map = {.f = c->f};
    ir_replace_trivial_phis(&map, c->phis, c->n_phis, NULL, NULL);
    ir_replace_all(&map);
}
