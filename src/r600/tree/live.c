/* Liveness over the tree, backwards: a loop's body is walked until what is live at its beginning
 * does not grow. What is known of inner loops is kept from round to round. */
#include "r600/tree/live.h"

#include "base/bits.h"

typedef struct liveness {
    tree_program *p;
    tree_live *out;
    uint32_t words;  /* of a set of values */
    uint64_t *live;  /* values live at the current place */
    uint64_t **exit; /* by region: live behind it, without its phis */
    uint64_t **head; /* by region: live at its beginning, without its loop phis */
} liveness;

static void
add(uint64_t *set, uint32_t v)
{
    set[v / 64] |= UINT64_C(1) << v % 64;
}

static void
drop(uint64_t *set, uint32_t v)
{
    set[v / 64] &= ~(UINT64_C(1) << v % 64);
}

static uint64_t *
new_set(const liveness *l)
{
    return ARENA_ARRAY(l->p->arena, l->words, uint64_t);
}

static void
copy(const liveness *l, uint64_t *to, const uint64_t *from)
{
    memcpy(to, from, l->words * sizeof *to);
}

static bool
join(const liveness *l, uint64_t *to, const uint64_t *from)
{
    bool grows = false;
    for (uint32_t i = 0; i < l->words; i++) {
        grows |= (from[i] & ~to[i]) != 0;
        to[i] |= from[i];
    }
    return grows;
}

/* All that is live is so at this position. */
static void
stamp(const liveness *l, uint32_t position)
{
    for (uint32_t w = 0; w < l->words; w++)
        for (uint64_t set = l->live[w]; set; set &= set - 1) {
            uint64_t *row = r600_tree_live_row(l->out, w * 64 + base_ctz64(set));
            row[position / 64] |= UINT64_C(1) << position % 64;
        }
}

static void
use(void *user, tree_node *n, tree_operand *o)
{
    liveness *l = user;
    (void)n;
    if (o->kind == TREE_VALUE)
        add(l->live, o->id);
}

static void
use_phis(liveness *l, const tree_phi *phi, uint32_t index)
{
    for (; phi; phi = phi->next)
        if (phi->src[index].kind == TREE_VALUE)
            add(l->live, phi->src[index].id);
}

static void
add_phis(liveness *l, const tree_phi *phi)
{
    for (; phi; phi = phi->next)
        add(l->live, phi->def);
}

static void
drop_phis(liveness *l, const tree_phi *phi)
{
    for (; phi; phi = phi->next)
        drop(l->live, phi->def);
}

static bool
is_live(const liveness *l, uint32_t v)
{
    return l->live[v / 64] >> v % 64 & 1;
}

/* A definition that nothing uses still takes a register behind its node. */
static void
stamp_def(void *user, tree_node *n, uint32_t *def)
{
    liveness *l = user;
    uint64_t *row = r600_tree_live_row(l->out, *def);
    row[n->mark / 64] |= UINT64_C(1) << n->mark % 64;
}

static void
drop_def(void *user, tree_node *n, uint32_t *def)
{
    liveness *l = user;
    (void)n;
    drop(l->live, *def);
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
    stamp(l, last->mark);
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
    copy(l, l->live, is_depart ? l->exit[n->target->id] : l->head[n->target->id]);
    add_phis(l, phis);
    stamp(l, n->mark);
    drop_phis(l, phis);
    use_phis(l, phis, is_depart ? n->id : n->id + 1);
}

static void
walk_region(liveness *l, tree_node *n)
{
    uint64_t *exit = l->exit[n->id], *head = l->head[n->id];
    drop_phis(l, n->phis);
    copy(l, exit, l->live);
    do {
        memset(l->live, 0, l->words * sizeof *l->live);
        walk(l, &n->body);
        drop_phis(l, n->loop_phis);
    } while (join(l, head, l->live) && n->n_repeats);
    copy(l, l->live, head);
    add_phis(l, n->loop_phis);
    stamp(l, n->mark);
    drop_phis(l, n->loop_phis);
    use_phis(l, n->loop_phis, 0);
}

static void
walk_if(liveness *l, tree_node *n)
{
    const arena_mark mark = arena_save(l->p->arena);
    uint64_t *other = new_set(l);
    copy(l, other, l->live);
    walk(l, &n->body);
    join(l, l->live, other);
    arena_release(l->p->arena, mark);
    stamp(l, n->mark);
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
            stamp(l, n->mark);
            r600_tree_defs(n, stamp_def, l);
            r600_tree_defs(n, drop_def, l);
            r600_tree_operands(n, use, l);
        }
    }
}

void
r600_tree_find_live(tree_program *p, tree_live *out)
{
    liveness l = {.p = p, .out = out, .words = p->n_values / 64 + 1};
    uint32_t positions = 1; /* 0: where the program starts */
    TREE_FOREACH(n, p) {
        n->mark = positions;
        positions += n->kind != TREE_ALU || n->ends_group || !p->is_scheduled;
    }
    *out = (tree_live){.n_positions = positions, .words = positions / 64 + 1};
    out->at = ARENA_ARRAY(p->arena, (size_t)p->n_values * out->words, uint64_t);
    l.live = new_set(&l);
    l.exit = ARENA_ARRAY(p->arena, p->n_regions + 1, uint64_t *);
    l.head = ARENA_ARRAY(p->arena, p->n_regions + 1, uint64_t *);
    for (uint32_t i = 0; i <= p->n_regions; i++) {
        l.exit[i] = new_set(&l);
        l.head[i] = new_set(&l);
    }
    walk(&l, &p->body);
    stamp(&l, 0);
}

bool
r600_tree_overlap(const tree_live *l, uint32_t a, uint32_t b)
{
    const uint64_t *x = r600_tree_live_row(l, a), *y = r600_tree_live_row(l, b);
    for (uint32_t i = 0; i < l->words; i++)
        if (x[i] & y[i])
            return true;
    return false;
}
