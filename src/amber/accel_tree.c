/* Hierarchies of boxes over leaves.
 *
 * A node with more than 8 leaves below it splits them three times into halves, at the median of
 * their centres along the axis in which the centres lie farthest apart; with 8 or fewer they are
 * its children. The boxes of its children are stored in 255 steps from a common base. They are
 * rounded outwards until what a machine computes from them with floats contains the children. */
#include "amber/accel_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MIN_EXPONENT = 8, /* the least whose step is not a denormal */
    EXPONENT_BIAS = 134,
    STEPS = 255,
    /* bytes of a node */
    BASE_AT = 4,
    BOXES_AT = 10,
    EXPONENTS_AT = 58,
    COUNT_AT = 61,
    FLAGS_AT = 62,
};

/* A leaf in the order of the hierarchy, with its centre along the axis of the split. */
typedef struct tree_row {
    double key;
    uint32_t leaf;
} tree_row;

typedef struct tree_group {
    uint32_t first, count; /* rows */
} tree_group;

typedef struct tree_builder {
    const amber_leaf *leaves;
    tree_row *rows;
    uint32_t flags;
    amber_tree *tree;
} tree_builder;

amber_box
amber_box_empty(void)
{
    return (amber_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

void
amber_box_add(amber_box *b, const amber_box *other)
{
    for (unsigned k = 0; k < 3; k++) {
        b->lower[k] = fminf(b->lower[k], other->lower[k]);
        b->upper[k] = fmaxf(b->upper[k], other->upper[k]);
    }
}

/* ---- splitting ---- */

static double
centre(const amber_leaf *l, unsigned axis)
{
    return ((double)l->box.lower[axis] + l->box.upper[axis]) / 2;
}

static unsigned
longest_axis(const tree_builder *b, tree_group g)
{
    unsigned best = 0;
    double longest = -1;
    for (unsigned k = 0; k < 3; k++) {
        double lower = INFINITY, upper = -INFINITY;
        for (uint32_t i = g.first; i < g.first + g.count; i++) {
            double at = centre(&b->leaves[b->rows[i].leaf], k);
            lower = fmin(lower, at);
            upper = fmax(upper, at);
        }
        if (upper - lower > longest) {
            longest = upper - lower;
            best = k;
        }
    }
    return best;
}

static int
compare_rows(const void *a, const void *b)
{
    const tree_row *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->leaf < y->leaf ? -1 : x->leaf > y->leaf;
}

static void
sort_group(tree_builder *b, tree_group g)
{
    unsigned axis = longest_axis(b, g);
    for (uint32_t i = g.first; i < g.first + g.count; i++)
        b->rows[i].key = centre(&b->leaves[b->rows[i].leaf], axis);
    qsort(&b->rows[g.first], g.count, sizeof *b->rows, compare_rows);
}

/* Splits a group into those of a node's children and returns their number. */
static uint32_t
split(tree_builder *b, tree_group g, tree_group out[AMBER_NODE_CHILDREN])
{
    uint32_t n = 1;
    if (g.count <= AMBER_NODE_CHILDREN) {
        for (uint32_t i = 0; i < g.count; i++)
            out[i] = (tree_group){g.first + i, 1};
        return g.count;
    }
    for (out[0] = g; n < AMBER_NODE_CHILDREN; n *= 2) {
        for (uint32_t i = n; i-- > 0;) {
            const tree_group whole = out[i];
            const uint32_t half = whole.count / 2;
            sort_group(b, whole);
            out[2 * i] = (tree_group){whole.first, half};
            out[2 * i + 1] = (tree_group){whole.first + half, whole.count - half};
        }
    }
    return n;
}

/* ---- boxes of children ---- */

static float
cut(float x)
{
    const float most = 0x1p126f;
    return x > most ? most : x < -most ? -most : x;
}

static amber_box
box_of(const tree_builder *b, tree_group g)
{
    amber_box box = amber_box_empty();
    for (uint32_t i = g.first; i < g.first + g.count; i++)
        amber_box_add(&box, &b->leaves[b->rows[i].leaf].box);
    for (unsigned k = 0; k < 3; k++) {
        box.lower[k] = cut(box.lower[k]);
        box.upper[k] = cut(box.upper[k]);
    }
    return box;
}

/* The upper half of the greatest float that has no other bits and is not above `x`, a denormal
 * aside. */
static uint16_t
base_below(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (x < 0)
        return (uint16_t)(x > -0x1p-126f ? 0x8080 : (bits >> 16) + ((bits & 0xffff) != 0));
    return (uint16_t)(x < 0x1p-126f ? 0 : bits >> 16);
}

/* Where a machine takes step `q` to be. */
static float
place(uint16_t base, int exponent, unsigned q)
{
    const uint32_t bits = (uint32_t)base << 16;
    float at;
    memcpy(&at, &bits, sizeof at);
    return at + ldexpf((float)q, exponent - EXPONENT_BIAS);
}

/* The step at or below `x`, and that at or above it, which may be more than STEPS. */
static unsigned
step_below(uint16_t base, int exponent, float x)
{
    double steps = ((double)x - place(base, exponent, 0)) / ldexp(1, exponent - EXPONENT_BIAS);
    unsigned q = steps < STEPS ? (unsigned)steps : STEPS;
    while (q && place(base, exponent, q) > x)
        q--;
    return q;
}

static unsigned
step_above(uint16_t base, int exponent, float x)
{
    double steps = ((double)x - place(base, exponent, 0)) / ldexp(1, exponent - EXPONENT_BIAS);
    unsigned q = steps < STEPS ? (unsigned)ceil(steps) : STEPS;
    while (q <= STEPS && place(base, exponent, q) < x)
        q++;
    return q;
}

static int
exponent_for(uint16_t base, float upper)
{
    int exponent = MIN_EXPONENT;
    double step = ((double)upper - place(base, exponent, 0)) / STEPS;
    if (step > 0)
        frexp(step, &exponent);
    exponent = step > 0 ? exponent - 1 + EXPONENT_BIAS : MIN_EXPONENT;
    if (exponent < MIN_EXPONENT)
        exponent = MIN_EXPONENT;
    while (step_above(base, exponent, upper) > STEPS)
        exponent++;
    return exponent;
}

/* Stores base, exponents and the children's boxes. */
static void
put_boxes(uint8_t *node, const amber_box *boxes, uint32_t n)
{
    amber_box all = amber_box_empty();
    for (uint32_t i = 0; i < n; i++)
        amber_box_add(&all, &boxes[i]);
    for (unsigned k = 0; k < 3; k++) {
        const uint16_t base = base_below(all.lower[k]);
        const int exponent = exponent_for(base, all.upper[k]);
        memcpy(node + BASE_AT + 2 * k, &base, sizeof base);
        node[EXPONENTS_AT + k] = (uint8_t)exponent;
        for (uint32_t i = 0; i < n; i++) {
            uint8_t *child = node + BOXES_AT + 6 * i;
            child[k] = (uint8_t)step_below(base, exponent, boxes[i].lower[k]);
            child[3 + k] = (uint8_t)step_above(base, exponent, boxes[i].upper[k]);
        }
    }
}

/* ---- nodes ---- */

/* Makes `node` the inner node over a group, with all that is below it. The depth is the logarithm
 * of the group's size. */
static void
put_inner(tree_builder *b, uint32_t node, tree_group g)
{
    tree_group groups[AMBER_NODE_CHILDREN];
    amber_box boxes[AMBER_NODE_CHILDREN];
    amber_tree *t = b->tree;
    const uint32_t n = split(b, g, groups), first = t->count;
    uint8_t *bytes = (uint8_t *)t->nodes[node];
    const uint16_t flags = (uint16_t)(b->flags >> 16);
    t->count += n;
    for (uint32_t i = 0; i < n; i++)
        boxes[i] = box_of(b, groups[i]);
    t->nodes[node][0] = first;
    put_boxes(bytes, boxes, n);
    bytes[COUNT_AT] = (uint8_t)n;
    memcpy(bytes + FLAGS_AT, &flags, sizeof flags);
    for (uint32_t i = 0; i < n; i++) {
        t->parents[first + i] = node;
        if (groups[i].count > 1)
            put_inner(b, first + i, groups[i]);
        else
            memcpy(t->nodes[first + i], b->leaves[b->rows[groups[i].first].leaf].words,
                   BASE_NODE_BYTES);
    }
}

void
amber_tree_build(arena *a, const amber_leaf *leaves, uint32_t n, uint32_t flags, amber_tree *out)
{
    /* each inner node but node 0 has at least two children */
    const size_t most = 2 * (size_t)n;
    tree_builder b = {.leaves = leaves, .flags = flags, .tree = out};
    b.rows = ARENA_ARRAY(a, n, tree_row);
    for (uint32_t i = 0; i < n; i++)
        b.rows[i].leaf = i;
    out->nodes = arena_array(a, most, sizeof *out->nodes);
    out->parents = ARENA_ARRAY(a, most, uint32_t);
    out->parents[0] = BASE_RAY_NO_NODE;
    out->count = 1;
    put_inner(&b, 0, (tree_group){0, n});
}
