/* Trees with eight branches per node, all of the same height. An empty branch is NULL. */
#include "cg/distance_map.h"

enum { BITS = 3, WIDTH = 1 << BITS };

typedef struct cg_map_node node;

struct cg_map_node {
    uint32_t made;     /* the clock's time */
    uint32_t d[WIDTH]; /* in a leaf the distances, else what is added to all distances below */
    node *below[];     /* not of leaves */
};

cg_maps
cg_new_maps(uint32_t n, arena *a)
{
    cg_maps s = {.a = a, .clock = 1};
    for (; n > WIDTH; n = (n + WIDTH - 1) / WIDTH)
        s.height++;
    return s;
}

void
cg_share_maps(cg_maps *s)
{
    s->clock++;
}

static node *
new_node(const cg_maps *s, unsigned height)
{
    node *n = arena_alloc(s->a, sizeof *n + (height ? WIDTH * sizeof *n->below : 0));
    n->made = s->clock;
    return n;
}

/* Branch `k` of a map's root as a map. */
static cg_map
branch(cg_map m, unsigned k, unsigned height)
{
    return (cg_map){.root = height ? m.root->below[k] : NULL, .by = cg_farther(m.root->d[k], m.by)};
}

/* A node that only this map has, and that adds nothing to its distances. */
static node *
own_root(const cg_maps *s, cg_map m, unsigned height)
{
    if (m.root && m.root->made == s->clock && !m.by)
        return m.root;
    node *n = new_node(s, height);
    for (unsigned k = 0; k < WIDTH; k++) {
        cg_map part = m.root ? branch(m, k, height) : (cg_map){.by = CG_NEVER};
        n->d[k] = part.by;
        if (height)
            n->below[k] = part.root;
    }
    return n;
}

uint32_t
cg_map_get(const cg_maps *s, cg_map m, uint32_t number)
{
    unsigned height = s->height;
    for (; m.root; height--) {
        m = branch(m, number >> height * BITS & (WIDTH - 1), height);
        if (!height)
            return m.by;
    }
    return CG_NEVER;
}

void
cg_map_set(cg_maps *s, cg_map *m, uint32_t number, uint32_t distance)
{
    unsigned height = s->height;
    if (cg_map_get(s, *m, number) == distance)
        return;
    m->root = own_root(s, *m, height);
    m->by = 0;
    node *n = m->root;
    for (; height; height--) {
        unsigned k = number >> height * BITS & (WIDTH - 1);
        n->below[k] = own_root(s, branch((cg_map){.root = n}, k, height), height - 1);
        n->d[k] = 0;
        n = n->below[k];
    }
    n->d[number & (WIDTH - 1)] = distance;
}

static bool
is_same_branch(cg_map a, cg_map b, unsigned height)
{
    return a.root == b.root && (a.by == b.by || (height && !a.root));
}

static cg_map
least(const cg_maps *s, cg_map a, cg_map b, unsigned height)
{
    if (!a.root || !b.root)
        return a.root ? a : b;
    if (a.root == b.root)
        return a.by < b.by ? a : b;
    cg_map parts[WIDTH];
    bool is_a = true, is_b = true;
    for (unsigned k = 0; k < WIDTH; k++) {
        cg_map x = branch(a, k, height), y = branch(b, k, height);
        if (height)
            parts[k] = least(s, x, y, height - 1);
        else
            parts[k] = x.by < y.by ? x : y;
        is_a &= is_same_branch(parts[k], x, height);
        is_b &= is_same_branch(parts[k], y, height);
    }
    if (is_a || is_b)
        return is_a ? a : b;
    node *n = new_node(s, height);
    for (unsigned k = 0; k < WIDTH; k++) {
        n->d[k] = parts[k].by;
        if (height)
            n->below[k] = parts[k].root;
    }
    return (cg_map){.root = n};
}

cg_map
cg_map_least(cg_maps *s, cg_map a, cg_map b)
{
    return least(s, a, b, s->height);
}

static bool
is_same(cg_map a, cg_map b, unsigned height)
{
    if (a.root == b.root)
        return !a.root || a.by == b.by;
    if (!a.root || !b.root)
        return false;
    for (unsigned k = 0; k < WIDTH; k++) {
        cg_map x = branch(a, k, height), y = branch(b, k, height);
        if (height ? !is_same(x, y, height - 1) : x.by != y.by)
            return false;
    }
    return true;
}

bool
cg_map_same(const cg_maps *s, cg_map a, cg_map b)
{
    return is_same(a, b, s->height);
}
