/* Liveness over the tree, backwards: a loop's body is walked until what is live at its beginning
 * does not grow. What is known of inner loops is kept from round to round.
 *
 * A value's positions are written in runs: when it begins to live on the way backwards, the run's
 * last position is noted, and when it ends, or when what is live is replaced as a whole, the run is
 * put into the set. Most values live at few positions of a large program. Then a first walk finds
 * the words that each value's set needs; a small program's sets have all words. */
#include "r600/tree/live.h"

#include "base/sparse_set.h"

typedef struct liveness {
    tree_program *p;
    tree_live *out;
    bool finds_words;  /* the first walk of a large program */
    sparse_set live;   /* values live at the current place */
    uint32_t position; /* the last one that was reached */
    uint32_t *run_end; /* by live value: the last position of its run */
    sparse_set *exit;  /* by region that is walked: live behind it, without its phis */
    sparse_set *head;  /* by region: live at its beginning, without its loop phis; or none */
    unsigned n_loops;  /* around the current place */
    sparse_set *spare; /* sets that were given back */
    size_t n_spare, cap_spare;
} liveness;

/* An empty set, which may be one that was given back. */
static sparse_set
take_set(liveness *l)
{
    if (!l->n_spare)
        return sparse_set_new(l->p->arena, l->p->n_values);
    sparse_set set = l->spare[--l->n_spare];
    sparse_set_clear(&set);
    return set;
}

static void
give_back(liveness *l, sparse_set set)
{
    l->spare = (sparse_set *)arena_grow(l->p->arena, l->spare, &l->cap_spare, l->n_spare + 1,
                                        sizeof *l->spare);
    l->spare[l->n_spare++] = set;
}

/* The value is live from position `first` to `last`. */
static void
put_run(const liveness *l, uint32_t v, uint32_t first, uint32_t last)
{
    tree_places *p = &l->out->at[v];
    const uint32_t from = first / 64, to = last / 64;
    if (l->finds_words) {
        p->first = p->end && p->first < from ? p->first : from;
        p->end = p->end > to ? p->end : to + 1;
        return;
    }
    for (uint32_t w = from; w <= to; w++) {
        const uint64_t before = w == from ? base_mask64(first % 64) : 0;
        p->bits[w - p->first] |= base_mask64(w == to ? last % 64 + 1 : 64) & ~before;
    }
}

/* Puts a live value's run into its set; there is none if no position was reached since it began. */
static void
end_run(const liveness *l, uint32_t v)
{
    if (l->run_end[v] >= l->position)
        put_run(l, v, l->position, l->run_end[v]);
}

static bool
is_live(const liveness *l, uint32_t v)
{
    return sparse_set_has(&l->live, v);
}

static void
add(liveness *l, uint32_t v)
{
    if (is_live(l, v))
        return;
    sparse_set_add(&l->live, v);
    l->run_end[v] = l->position - 1;
}

static void
drop(liveness *l, uint32_t v)
{
    if (!is_live(l, v))
        return;
    end_run(l, v);
    sparse_set_remove(&l->live, v);
}

/* What is live is about to be replaced. */
static void
end_runs(const liveness *l)
{
    SPARSE_SET_FOREACH_WORD(w, &l->live)
        for (uint64_t set = l->live.bits[w]; set; set &= set - 1)
            end_run(l, (uint32_t)w * 64 + base_ctz64(set));
}

/* What is live was replaced, and is so at this position. */
static void
begin_runs(liveness *l, uint32_t position)
{
    l->position = position;
    SPARSE_SET_FOREACH_WORD(w, &l->live)
        for (uint64_t set = l->live.bits[w]; set; set &= set - 1)
            l->run_end[w * 64 + base_ctz64(set)] = position;
}

static void
use(void *user, tree_node *n, tree_operand *o)
{
    liveness *l = user;
    (void)n;
    if (o->kind == TREE_VALUE)
        add(l, o->id);
}

static void
use_phis(liveness *l, const tree_phi *phi, uint32_t index)
{
    for (; phi; phi = phi->next)
        if (phi->src[index].kind == TREE_VALUE)
            add(l, phi->src[index].id);
}

static void
add_phis(liveness *l, const tree_phi *phi)
{
    for (; phi; phi = phi->next)
        add(l, phi->def);
}

static void
drop_phis(liveness *l, const tree_phi *phi)
{
    for (; phi; phi = phi->next)
        drop(l, phi->def);
}

/* A definition that nothing uses still takes a register behind its node. */
static void
stamp_def(void *user, tree_node *n, uint32_t *def)
{
    put_run(user, *def, n->mark, n->mark);
}

static void
drop_def(void *user, tree_node *n, uint32_t *def)
{
    liveness *l = user;
    (void)n;
    drop(l, *def);
}

/* Does the operation write its register? One with three sources cannot but do so; results of others
 * are read from PV and PS alone if they are not live behind the group. */
static void
find_writes(const liveness *l, tree_node *n)
{
    for (unsigned i = 0; i < n->n; i++) {
        tree_slot *s = &n->slots[i];
        const bool must = r600_op_row((r600_op)s->op)->format == R600_FMT_OP3;
        s->writes = (s->def && (must || is_live(l, s->def))) || (n->access && n->access->is_write);
    }
}

static void
stamp_writes(liveness *l, tree_node *n)
{
    for (unsigned i = 0; i < n->n; i++)
        if (n->slots[i].writes && n->slots[i].def)
            stamp_def(l, n, &n->slots[i].def);
    if (n->access && n->access->is_write)
        r600_tree_defs(n, stamp_def, l);
}

/* The group that ends with `last`. Returns its first node. */
static tree_node *
walk_group(liveness *l, tree_node *last)
{
    tree_node *first = last;
    while (first->prev && first->prev->kind == TREE_ALU && !first->prev->ends_group)
        first = first->prev;
    l->position = last->mark;
    for (tree_node *n = first; n != last->next; n = n->next)
        find_writes(l, n);
    for (tree_node *n = first; n != last->next; n = n->next) {
        stamp_writes(l, n);
        r600_tree_defs(n, drop_def, l);
    }
    for (tree_node *n = first; n != last->next; n = n->next)
        r600_tree_operands(n, use, l);
    return first;
}

static void
walk(liveness *l, tree_list *list);

static void
walk_depart(liveness *l, tree_node *n)
{
    const bool is_depart = n->kind == TREE_DEPART;
    const tree_phi *phis = is_depart ? n->target->phis : n->target->loop_phis;
    end_runs(l);
    sparse_set_copy(&l->live, is_depart ? &l->exit[n->target->id] : &l->head[n->target->id]);
    add_phis(l, phis);
    begin_runs(l, n->mark);
    drop_phis(l, phis);
    use_phis(l, phis, is_depart ? n->id : n->id + 1);
}

static void
walk_region(liveness *l, tree_node *n)
{
    sparse_set *exit = &l->exit[n->id], *head = &l->head[n->id];
    *exit = take_set(l);
    if (!head->bits)
        *head = take_set(l);
    l->n_loops += n->n_repeats != 0;
    drop_phis(l, n->phis);
    sparse_set_copy(exit, &l->live);
    do {
        end_runs(l);
        sparse_set_clear(&l->live);
        walk(l, &n->body);
        drop_phis(l, n->loop_phis);
    } while (sparse_set_union(head, &l->live) && n->n_repeats);
    end_runs(l);
    sparse_set_copy(&l->live, head);
    add_phis(l, n->loop_phis);
    begin_runs(l, n->mark);
    drop_phis(l, n->loop_phis);
    use_phis(l, n->loop_phis, 0);
    l->n_loops -= n->n_repeats != 0;
    give_back(l, *exit);
    if (n->n_repeats && l->n_loops)
        return; /* the loop around it may come here again */
    give_back(l, *head);
    *head = (sparse_set){0};
}

static void
walk_if(liveness *l, tree_node *n)
{
    sparse_set other = take_set(l);
    sparse_set_copy(&other, &l->live);
    walk(l, &n->body);
    end_runs(l);
    sparse_set_union(&l->live, &other);
    give_back(l, other);
    begin_runs(l, n->mark);
    r600_tree_operands(n, use, l);
}

static void
walk(liveness *l, tree_list *list)
{
    for (tree_node *n = list->last; n; n = n->prev) {
        switch (n->kind) {
        case TREE_DEPART:
        case TREE_REPEAT: walk_depart(l, n); break;
        case TREE_REGION: walk_region(l, n); break;
        case TREE_IF: walk_if(l, n); break;
        default:
            if (n->kind == TREE_ALU && l->p->is_scheduled) {
                n = walk_group(l, n);
                break;
            }
            l->position = n->mark;
            r600_tree_defs(n, stamp_def, l);
            r600_tree_defs(n, drop_def, l);
            r600_tree_operands(n, use, l);
        }
    }
}

/* Walks the program with empty sets. */
static void
walk_program(tree_program *p, tree_live *out, bool finds_words)
{
    const arena_mark mark = arena_save(p->arena);
    liveness l = {.p = p, .out = out, .finds_words = finds_words};
    l.live = sparse_set_new(p->arena, p->n_values);
    l.run_end = ARENA_ARRAY(p->arena, p->n_values, uint32_t);
    l.exit = ARENA_ARRAY(p->arena, p->n_regions + 1, sparse_set);
    l.head = ARENA_ARRAY(p->arena, p->n_regions + 1, sparse_set);
    l.position = out->n_positions;
    walk(&l, &p->body);
    l.position = 0;
    end_runs(&l);
    arena_release(p->arena, mark);
}

/* Gives each value's set its words. */
static void
allocate_words(tree_program *p, tree_live *out)
{
    size_t n = 0;
    for (uint32_t v = 0; v < p->n_values; v++)
        n += out->at[v].end - out->at[v].first;
    uint64_t *bits = ARENA_ARRAY(p->arena, n, uint64_t);
    for (uint32_t v = 0; v < p->n_values; v++) {
        out->at[v].bits = bits;
        bits += out->at[v].end - out->at[v].first;
    }
}

void
r600_tree_find_live(tree_program *p, tree_live *out)
{
    enum { SMALL = 1 << 14 }; /* words in all */
    uint32_t positions = 1;   /* 0: where the program starts */
    TREE_FOREACH(n, p) {
        n->mark = positions;
        positions += n->kind != TREE_ALU || n->ends_group || !p->is_scheduled;
    }
    *out = (tree_live){.n_positions = positions, .words = positions / 64 + 1};
    out->at = ARENA_ARRAY(p->arena, p->n_values, tree_places);
    if ((uint64_t)p->n_values * out->words <= SMALL) {
        for (uint32_t v = 0; v < p->n_values; v++)
            out->at[v].end = out->words;
    } else {
        walk_program(p, out, true);
    }
    allocate_words(p, out);
    walk_program(p, out, false);
}
