/* The list scheduler.
 *
 * ALU nodes are taken as long as any is ready, then fetches, then exports and stores, so that
 * clauses are few. A group takes ready nodes by the length of what waits for them, as long as
 * slots, constants and ports are left. The comparison of an `if` comes into the last group. */
#include "r600/schedule/place.h"

enum { MOST_FETCHES_OLD = 8, MOST_FETCHES = 16, GROUP_ROOM = 7, QUEUE_ROOM = 24 };
enum { TAKER_ROOM = 2 };    /* of what takes a result from the queue */
enum { MOST_REFUSED = 16 }; /* nodes that are tried in vain for a group that has some */
enum { WIDEST_WINDOW = 4096 };

/* The items before `end` that wait for nothing. */
#define FOREACH_READY(i, s, end)                                                                   \
    for (uint32_t i = (uint32_t)bitset_next((s)->g.ready, (s)->first, end); (i) < (end);           \
         (i) = (uint32_t)bitset_next((s)->g.ready, (i) + 1, end))

/* ---- clauses ---- */

static void
begin_clause(scheduler *s)
{
    s->is_open = true;
    s->must_end = false;
    s->ar_number = 0;
    s->used = 0;
    s->group.locks = (schedule_locks){.most = s->p->chip->gen >= R600_GEN_EG ? 4 : 2};
    s->number++;
}

static void
end_clause(scheduler *s)
{
    if (s->used > SCHEDULE_CLAUSE)
        diag_fail(s->p->diag, ERR_R600_NO_SCHEDULE);
    if (s->is_open && s->last)
        s->last->ends_clause = true;
    s->is_open = false;
    s->last = NULL;
}

static bool
is_special(const tree_node *n, unsigned first, unsigned last)
{
    for (unsigned i = 0; i < n->n; i++)
        for (unsigned k = 0; k < r600_tree_sources(n->slots[i].op); k++)
            if (n->slots[i].src[k].kind == TREE_SPECIAL && n->slots[i].src[k].id / 4 >= first &&
                n->slots[i].src[k].id / 4 <= last)
                return true;
    return false;
}

/* Results of LDS that the node asks for or takes. */
static int
queue_change(const tree_node *n)
{
    enum { OQ_A_POP = 221, OQ_B_POP = 222 };
    const r600_op_info *row = r600_op_row((r600_op)n->slots->op);
    if (row->format == R600_FMT_LDS)
        return n->slots->op >= R600_LDS_ADD_RET ? 1 : 0;
    return is_special(n, OQ_A_POP, OQ_B_POP) ? -1 : 0;
}

static bool
is_last_of_clause(const tree_node *n)
{
    return r600_op_row((r600_op)n->slots->op)->properties & R600_P_KILL;
}

static bool
must_be_alone(const tree_node *n)
{
    return n->slots->op == R600_GROUP_BARRIER || n->slots->op == R600_ALU_NOP;
}

/* Does the item ask for a result of LDS (+1), or take one that is still to come (-1)? */
static int
item_change(const scheduler *s, uint32_t item)
{
    const graph_item *it = &s->g.items[item];
    return it->is_done || it->n->kind != TREE_ALU ? 0 : queue_change(it->n);
}

/* One more than the last item that is looked at. What takes the results that are in the queue, and
 * the one that the first item asks for, is in reach of any window: without it the clause could
 * neither end nor go on. */
static uint32_t
find_end(scheduler *s)
{
    while (s->first < s->g.n && s->g.items[s->first].is_done)
        s->first++;
    if (s->window >= s->g.n - s->first)
        return s->g.n;
    uint32_t end = s->first + s->window;
    unsigned waiting = s->in_queue + (item_change(s, s->first) > 0);
    for (uint32_t i = s->first; waiting && i < s->g.n; i++) {
        if (item_change(s, i) >= 0)
            continue;
        waiting--;
        end = i < end ? end : i + 1;
    }
    return end;
}

/* ---- elements of arrays ---- */

static bool
is_loaded(const scheduler *s, const tree_node *n)
{
    return s->ar_number && r600_tree_same(&s->ar, &n->access->index);
}

/* Has the group before written by AR what the node may read? Up to R700 the machine gives it the
 * old value then (Mesa: r6xx_nop_after_rel_dst). */
static bool
is_too_early(const scheduler *s, const tree_node *n)
{
    if (s->p->chip->gen > R600_GEN_R700 || s->element_number != s->number - 1)
        return false;
    for (unsigned i = 0; i < n->n; i++)
        for (unsigned k = 0; k < r600_tree_sources(n->slots[i].op); k++) {
            const tree_operand *o = &n->slots[i].src[k];
            if (o->kind == TREE_ELEMENT || (o->kind == TREE_VALUE && s->p->values[o->id].array))
                return true;
        }
    return false;
}

/* Can the node be in this group, as far as AR matters? AR must be loaded by an earlier one, and
 * there should be a group of the clause behind that. */
static bool
may_index(const scheduler *s, const tree_node *n)
{
    if (is_too_early(s, n) || (s->ar_number == s->number && is_last_of_clause(n)))
        return false;
    return !n->access || (is_loaded(s, n) && s->ar_number != s->number);
}

/* Loads AR for the first move of an element that waits for nothing else, unless another one needs
 * what AR has. */
static void
load_address(scheduler *s)
{
    enum { ROOM = 3 * GROUP_ROOM };
    const uint32_t end = s->p->n_arrays ? find_end(s) : 0;
    const tree_node *first = NULL;
    FOREACH_READY(i, s, end) {
        const graph_item *it = &s->g.items[i];
        if (!it->n->access)
            continue;
        if (is_loaded(s, it->n))
            return;
        first = first ? first : it->n;
    }
    if (first && s->used + ROOM <= SCHEDULE_CLAUSE)
        r600_schedule_place_address(s, &first->access->index);
}

static void
forget_address(void *user, tree_node *n, uint32_t *def)
{
    scheduler *s = user;
    (void)n;
    if (s->ar.kind == TREE_VALUE && s->ar.id == *def)
        s->ar_number = 0;
}

/* ---- groups ---- */

static bool
may_enter(const scheduler *s, const graph_item *it)
{
    const tree_node *n = it->n;
    if (n->kind != TREE_ALU)
        return false;
    if (n == s->compare && s->g.n_left > 1)
        return false;
    if ((must_be_alone(n) && s->group.n_ops) || !may_index(s, n))
        return false;
    return queue_change(n) <= 0 || s->in_queue || s->used + QUEUE_ROOM <= SCHEDULE_CLAUSE;
}

/* Is what would take the item's result from the queue beyond the last item that is looked at? Then
 * the clause would end with the result in the queue. Results are taken in the order of reads. */
static bool
lacks_taker(const scheduler *s, uint32_t i, uint32_t end)
{
    unsigned takers = 0;
    if (end == s->g.n || item_change(s, i) <= 0)
        return false;
    for (uint32_t k = s->first; k < end && takers <= s->in_queue; k++)
        takers += item_change(s, k) < 0;
    return takers <= s->in_queue;
}

/* Would another group of any kind leave too few units of the clause to empty the queue? */
static bool
must_empty(const scheduler *s)
{
    return s->in_queue && s->used + s->in_queue * TAKER_ROOM + 2 * GROUP_ROOM > SCHEDULE_CLAUSE;
}

static bool
group_takes(const scheduler *s)
{
    for (unsigned i = 0; i < R600_SLOTS; i++)
        if (s->group.op[i].s && queue_change(s->group.op[i].node) < 0)
            return true;
    return false;
}

/* Which items are looked at: any, those that take results from the queue or ask for them. */
typedef enum wanted { WANTS_ANY, WANTS_TAKER, WANTS_READ } wanted;

/* The best item so far; g.n if there is none. `growth` is counted for the first tie. */
typedef struct favourite {
    uint32_t item, height;
    bool has_growth;
    int growth;
} favourite;

/* What has more behind it comes first; among equals that which leaves fewer variables alive. */
static void
compare_with(scheduler *s, favourite *best, uint32_t i)
{
    const uint32_t height = s->g.items[i].height;
    if (best->item == s->g.n || height > best->height) {
        *best = (favourite){.item = i, .height = height};
        return;
    }
    if (height < best->height)
        return;
    if (!best->has_growth)
        best->growth = r600_pressure_growth(&s->pressure, &s->g, best->item);
    best->has_growth = true;
    const int growth = r600_pressure_growth(&s->pressure, &s->g, i);
    if (growth < best->growth) {
        best->item = i;
        best->growth = growth;
    }
}

/* The ready item of this kind that is best. Returns g.n if there is none that was not tried. */
static uint32_t
pick_one(scheduler *s, const uint32_t *tried, wanted kind)
{
    const uint32_t end = find_end(s);
    favourite best = {.item = s->g.n};
    FOREACH_READY(i, s, end) {
        if (tried[i] == s->number || !may_enter(s, &s->g.items[i]) || lacks_taker(s, i, end))
            continue;
        const int change = kind == WANTS_ANY ? 0 : queue_change(s->g.items[i].n);
        if (kind != WANTS_ANY && (kind == WANTS_TAKER ? change >= 0 : change <= 0))
            continue;
        compare_with(s, &best, i);
    }
    return best.item;
}

/* At the end of a clause the queue is emptied: what takes its results comes first, and reads that
 * stand before that. */
static uint32_t
pick(scheduler *s, const uint32_t *tried)
{
    uint32_t item = s->g.n;
    if (must_empty(s)) {
        item = pick_one(s, tried, WANTS_TAKER);
        if (item == s->g.n && group_takes(s))
            return item;
        if (item == s->g.n)
            item = pick_one(s, tried, WANTS_READ);
    }
    return item < s->g.n ? item : pick_one(s, tried, WANTS_ANY);
}

static void
finish(scheduler *s, uint32_t item)
{
    r600_graph_finish(&s->g, item);
    r600_pressure_finish(&s->pressure, &s->g, item);
    r600_tree_defs(s->g.items[item].n, forget_address, s);
    r600_graph_release(&s->g, item, true);
}

/* Makes the group's nodes the next ones of the output, in the order of their slots. */
static void
emit_group(scheduler *s)
{
    for (unsigned i = 0; i < R600_SLOTS; i++) {
        schedule_op *op = &s->group.op[i];
        if (!op->s)
            continue;
        op->s->bank = op->bank;
        if (op->s->def)
            *r600_forward_of(s, op->s->def) = (schedule_forward){s->number, op->s->slot};
        if (op->s != &op->node->slots[0])
            continue;
        op->node->ends_group = op->node->ends_clause = false;
        r600_tree_append(&s->out, op->node);
        s->must_end |= is_last_of_clause(op->node);
        s->in_queue = (unsigned)((int)s->in_queue + queue_change(op->node));
        s->last = op->node;
        if (op->node->access && op->node->access->is_write)
            s->element_number = s->number;
    }
    s->last->ends_group = true;
    s->used += s->group.n_ops + (s->group.n_literals + 1) / 2;
}

/* Returns false if no node can be in the next group of this clause. */
static bool
make_group(scheduler *s, uint32_t *tried, uint32_t *members)
{
    const schedule_locks locks = s->group.locks;
    unsigned n = 0, refused = 0;
    bool is_full = false;
    s->group = (schedule_group){.locks = locks};
    s->number++;
    load_address(s);
    for (uint32_t i; !is_full && (i = pick(s, tried)) < s->g.n;) {
        tree_node *node = s->g.items[i].n;
        tried[i] = s->number;
        if (!r600_schedule_place(s, node)) {
            is_full = n && ++refused >= MOST_REFUSED;
            continue;
        }
        finish(s, i);
        members[n++] = i;
        is_full = must_be_alone(node) || s->group.n_ops == R600_SLOTS;
    }
    if (!s->group.n_ops) {
        s->number--;
        return false;
    }
    emit_group(s);
    for (unsigned i = 0; i < n; i++)
        r600_graph_release(&s->g, members[i], false);
    return true;
}

/* ---- sequences ---- */

static bool
schedule_alu(scheduler *s, uint32_t *tried)
{
    uint32_t members[R600_SLOTS];
    bool any = false;
    for (;;) {
        if (!s->is_open)
            begin_clause(s);
        const bool is_empty = !s->used;
        const bool has_room = !s->must_end &&
                              (s->used + GROUP_ROOM <= SCHEDULE_CLAUSE || s->in_queue);
        if (has_room && make_group(s, tried, members)) {
            any = true;
            continue;
        }
        if (is_empty) {
            s->is_open = false;
            return any;
        }
        end_clause(s);
    }
}

static bool
schedule_fetches(scheduler *s)
{
    const unsigned most = s->p->chip->gen == R600_GEN_R600 ? MOST_FETCHES_OLD : MOST_FETCHES;
    const tree_node *first = NULL;
    uint32_t members[MOST_FETCHES];
    unsigned n = 0, instructions = 0;
    const uint32_t end = find_end(s);
    FOREACH_READY(i, s, end) {
        const graph_item *it = &s->g.items[i];
        if (it->n->kind != TREE_FETCH)
            continue;
        if (first && (it->n->id != first->id || it->n->bank != first->bank))
            continue;
        if (instructions + it->n->n > most)
            break;
        first = first ? first : it->n;
        instructions += it->n->n;
        members[n++] = i;
    }
    for (unsigned i = 0; i < n; i++) {
        finish(s, members[i]);
        r600_tree_append(&s->out, s->g.items[members[i]].n);
    }
    for (unsigned i = 0; i < n; i++)
        r600_graph_release(&s->g, members[i], false);
    if (n)
        s->out.last->ends_clause = true;
    return n;
}

static bool
schedule_flow(scheduler *s)
{
    const uint32_t end = find_end(s);
    FOREACH_READY(i, s, end) {
        const graph_item *it = &s->g.items[i];
        if (it->n->kind != TREE_FLOW)
            continue;
        finish(s, i);
        r600_tree_append(&s->out, it->n);
        r600_graph_release(&s->g, i, false);
        return true;
    }
    return false;
}

/* Puts the nodes from `first` on in order, and the comparison of the `if` behind them. */
static void
schedule_sequence(scheduler *s, tree_node *first, tree_node *end, tree_list *list)
{
    s->compare = NULL;
    if (end && end->kind == TREE_IF) {
        s->compare = r600_tree_alu(s->p, end->slots->op);
        *s->compare->slots = *end->slots;
        s->compare->mark = end->mark;
        end->n = 0;
        r600_tree_insert_before(end, s->compare);
        first = first ? first : s->compare;
    }
    if (!first)
        return;
    r600_graph_build(&s->builder, first, end, &s->g);
    r600_pressure_begin(&s->pressure, &s->g);
    s->longest = s->g.n > s->longest ? s->g.n : s->longest;
    for (uint32_t i = 0; i < s->g.n; i++)
        r600_tree_remove(s->g.items[i].n);
    s->out = (tree_list){0};
    s->first = 0;
    uint32_t *tried = ARENA_ARRAY(s->p->arena, s->g.n + 1, uint32_t);
    while (s->g.n_left) {
        if (schedule_alu(s, tried) || schedule_fetches(s) || schedule_flow(s))
            continue;
        diag_fail(s->p->diag, ERR_R600_NO_SCHEDULE);
    }
    for (tree_node *n = s->out.first, *next; n; n = next) {
        next = n->next;
        if (end)
            r600_tree_insert_before(end, n);
        else
            r600_tree_append(list, n);
    }
}

/* What stands before a region that is no loop executes at its beginning as well. */
static void
move_into(tree_node *first, tree_node *region)
{
    for (tree_node *n = region->prev, *prev; first && n; n = prev) {
        prev = n == first ? NULL : n->prev;
        r600_tree_remove(n);
        if (region->body.first)
            r600_tree_insert_before(region->body.first, n);
        else
            r600_tree_append(&region->body, n);
    }
}

static void
schedule_list(scheduler *s, tree_list *list)
{
    tree_node *first = NULL;
    for (tree_node *n = list->first; n; n = n->next) {
        if (n->kind <= TREE_FLOW) {
            first = first ? first : n;
            continue;
        }
        if (n->kind == TREE_REGION && !n->n_repeats)
            move_into(first, n);
        else
            schedule_sequence(s, first, n, list);
        first = NULL;
        if (n->kind == TREE_REGION || n->kind == TREE_IF)
            schedule_list(s, &n->body);
    }
    schedule_sequence(s, first, NULL, list);
}

uint32_t
r600_schedule(tree_program *p, ra_state *ra, uint32_t window)
{
    scheduler *s = ARENA_NEW(p->arena, scheduler);
    s->p = p;
    s->ra = ra;
    s->window = window < WIDEST_WINDOW ? window : WIDEST_WINDOW;
    s->number = 1;
    r600_graph_open(&s->builder, p);
    r600_schedule_legalize(p, ra);
    r600_pressure_open(&s->pressure, ra);
    schedule_list(s, &p->body);
    p->is_scheduled = true;
    return s->longest;
}
