/* Acceleration structures: leaves and records. accel_tree.c makes the hierarchies. */
#include "amber/accel.h"
#include "amber/accel_tree.h"

#include <math.h>
#include <string.h>

enum {
    /* words of leaves */
    LEAF_INSTANCE = 7,
    LEAF_GEOMETRY = 10,
    LEAF_FLAGS = 15,
    /* words of records */
    RECORD_WORDS = BASE_ACCEL_RECORD / 4,
    FIRST_HIERARCHY = 6,
    FIRST_INSTANCE_FLAGS = 8,
    FIRST_ADDRESS = 20,
    INSTANCE_INDEX = 2,
    INSTANCE_OFFSET = 3,
    INSTANCE_TO_OBJECT = 4,
    INSTANCE_TO_WORLD = 20,
};

struct amber_accel {
    const amber_top_level *top; /* NULL: of the bottom level */
    amber_tree tree;
    amber_box box;           /* of what is active */
    bool is_empty;           /* nothing is */
    uint32_t instance_flags; /* BASE_INSTANCE_* of its leaves */
    uint32_t record_count;
    uint64_t offset; /* of the records; the nodes follow the parents, which follow those */
};

/* ---- maps ---- */

bool
amber_accel_invert(const float map[12], float inverse[12])
{
    double m[3][3], cofactor[3][3], det = 0;
    for (unsigned r = 0; r < 3; r++)
        for (unsigned c = 0; c < 3; c++)
            m[r][c] = map[4 * r + c];
    for (unsigned r = 0; r < 3; r++) {
        for (unsigned c = 0; c < 3; c++) {
            unsigned r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            cofactor[r][c] = m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
        }
        det += r == 0
                   ? m[0][0] * cofactor[0][0] + m[0][1] * cofactor[0][1] + m[0][2] * cofactor[0][2]
                   : 0;
    }
    if (!(fabs(det) > 0) || !isfinite(det))
        return false;
    for (unsigned r = 0; r < 3; r++) {
        double moved = 0;
        for (unsigned c = 0; c < 3; c++) {
            inverse[4 * r + c] = (float)(cofactor[c][r] / det);
            moved -= cofactor[c][r] / det * map[4 * c + 3];
        }
        inverse[4 * r + 3] = (float)moved;
    }
    for (unsigned k = 0; k < 12; k++)
        if (!isfinite(inverse[k]))
            return false;
    return true;
}

/* The box of a box's image: that of its corners, which are rounded outwards. */
static amber_box
map_box(const float map[12], const amber_box *b)
{
    amber_box out = amber_box_empty();
    for (unsigned corner = 0; corner < 8; corner++) {
        for (unsigned r = 0; r < 3; r++) {
            double at = map[4 * r + 3];
            for (unsigned c = 0; c < 3; c++)
                at += (double)map[4 * r + c] * (corner >> c & 1 ? b->upper[c] : b->lower[c]);
            at = fmax(fmin(at, 0x1p126), -0x1p126);
            out.lower[r] = fminf(out.lower[r], nextafterf((float)at, -INFINITY));
            out.upper[r] = fmaxf(out.upper[r], nextafterf((float)at, INFINITY));
        }
    }
    return out;
}

/* ---- leaves ---- */

/* Fills in the leaf of a primitive. Returns false if that is inactive. */
static bool
make_primitive(const amber_geometry *g, uint32_t k, amber_leaf *out)
{
    const unsigned n = g->boxes ? 6 : 9;
    const float *at = g->points + (size_t)n * k;
    *out = (amber_leaf){.box = amber_box_empty()};
    for (unsigned i = 0; i < n; i++) {
        if (isnan(at[i]))
            return false;
        out->box.lower[i % 3] = fminf(out->box.lower[i % 3], at[i]);
        out->box.upper[i % 3] = fmaxf(out->box.upper[i % 3], at[i]);
    }
    out->words[0] = k;
    memcpy(&out->words[1], at, n * sizeof *at);
    out->words[LEAF_FLAGS] = BASE_NODE_LEAF | (g->opaque ? 0u : BASE_NODE_NOT_OPAQUE) |
                             (g->boxes ? BASE_NODE_BOX : 0u);
    return true;
}

/* Of a structure without active leaves, and of its box. */
static void
make_nothing(amber_leaf *out, uint32_t flags)
{
    *out = (amber_leaf){0};
    out->words[LEAF_FLAGS] = BASE_NODE_LEAF | flags;
}

static uint32_t
count_primitives(const amber_bottom_level *b)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->geometry_count; i++)
        n += b->geometries[i].count;
    return n;
}

/* Makes a structure of `n` leaves, of which there is room for one. */
static amber_accel *
make_accel(arena *a, amber_leaf *leaves, uint32_t n, uint32_t flags)
{
    amber_accel *made = ARENA_NEW(a, amber_accel);
    made->is_empty = n == 0;
    made->record_count = 1;
    if (!n)
        make_nothing(&leaves[n++], flags);
    made->box = amber_box_empty();
    for (uint32_t i = 0; i < n; i++)
        amber_box_add(&made->box, &leaves[i].box);
    amber_tree_build(a, leaves, n, flags, &made->tree);
    return made;
}

static amber_accel *
make_bottom(arena *a, const amber_bottom_level *b)
{
    amber_leaf *leaves = ARENA_ARRAY(a, (size_t)count_primitives(b) + 1, amber_leaf);
    uint32_t n = 0, flags = BASE_INSTANCE_ALL_OPAQUE | BASE_INSTANCE_ALL_NOT_OPAQUE;
    for (uint32_t i = 0; i < b->geometry_count; i++) {
        const amber_geometry *g = &b->geometries[i];
        flags &= g->opaque ? ~(uint32_t)BASE_INSTANCE_ALL_NOT_OPAQUE
                           : ~(uint32_t)BASE_INSTANCE_ALL_OPAQUE;
        for (uint32_t k = 0; k < g->count; k++) {
            if (!make_primitive(g, k, &leaves[n]))
                continue;
            leaves[n++].words[LEAF_GEOMETRY] = i;
        }
    }
    amber_accel *made = make_accel(a, leaves, n, 0);
    made->instance_flags = flags | (b->geometries[0].boxes ? BASE_INSTANCE_ALL_BOXES : 0u);
    return made;
}

/* What all leaves of an instance are: those of its structure, if it does not force opacity. */
static uint32_t
instance_flags(const amber_instance *i, const amber_accel *bottom)
{
    const uint32_t both = BASE_INSTANCE_ALL_OPAQUE | BASE_INSTANCE_ALL_NOT_OPAQUE;
    uint32_t flags = bottom->instance_flags;
    if (i->flags & (AMBER_INSTANCE_OPAQUE | AMBER_INSTANCE_NOT_OPAQUE))
        flags &= ~both;
    if (i->flags & AMBER_INSTANCE_OPAQUE)
        flags |= BASE_INSTANCE_ALL_OPAQUE;
    else if (i->flags & AMBER_INSTANCE_NOT_OPAQUE)
        flags |= BASE_INSTANCE_ALL_NOT_OPAQUE;
    return flags;
}

static void
make_instance(const amber_instance *i, const amber_accel *bottom, uint32_t number, amber_leaf *out)
{
    *out = (amber_leaf){.box = map_box(i->transform, &bottom->box)};
    out->words[0] = number;
    memcpy(&out->words[1], &out->box, sizeof out->box);
    out->words[LEAF_INSTANCE] = instance_flags(i, bottom) | (uint32_t)i->mask << 8;
    out->words[LEAF_FLAGS] = BASE_NODE_LEAF | BASE_NODE_INSTANCES;
}

static amber_accel *
make_top(arena *a, const amber_top_level *t, const amber_accels *all)
{
    amber_leaf *leaves = ARENA_ARRAY(a, (size_t)t->instance_count + 1, amber_leaf);
    uint32_t n = 0;
    for (uint32_t k = 0; k < t->instance_count; k++) {
        const amber_instance *i = &t->instances[k];
        const amber_accel *bottom = all->bottoms[i->bottom->index];
        if (!bottom->is_empty)
            make_instance(i, bottom, k, &leaves[n++]);
    }
    amber_accel *made = make_accel(a, leaves, n, BASE_NODE_INSTANCES);
    made->top = t;
    made->record_count = 1 + t->instance_count;
    return made;
}

/* ---- places ---- */

static uint64_t
align_up(uint64_t size, uint64_t to)
{
    return (size + to - 1) & ~(to - 1);
}

/* Where the nodes are, from the records on. */
static uint64_t
nodes_at(const amber_accel *s)
{
    return s->record_count * (uint64_t)BASE_ACCEL_RECORD +
           align_up(s->tree.count * UINT64_C(4), BASE_NODE_BYTES);
}

static void
place(amber_accels *all, amber_accel *s)
{
    s->offset = all->size;
    all->size += align_up(nodes_at(s) + s->tree.count * (uint64_t)BASE_NODE_BYTES,
                          AMBER_ACCEL_ALIGN);
}

void
amber_accel_count(const amber_binding *bindings, uint32_t n, uint32_t *tops, uint32_t *bottoms)
{
    *tops = *bottoms = 0;
    for (uint32_t k = 0; k < n; k++) {
        const amber_top_level *t = bindings[k].accel;
        if (t && t->index >= *tops)
            *tops = t->index + 1;
        for (uint32_t i = 0; t && i < t->instance_count; i++) {
            const uint32_t index = t->instances[i].bottom->index;
            if (index >= *bottoms)
                *bottoms = index + 1;
        }
    }
}

static void
add_top(arena *a, const amber_top_level *t, amber_accels *all)
{
    for (uint32_t i = 0; i < t->instance_count; i++) {
        const amber_bottom_level *b = t->instances[i].bottom;
        if (all->bottoms[b->index])
            continue;
        all->bottoms[b->index] = make_bottom(a, b);
        place(all, all->bottoms[b->index]);
    }
    all->tops[t->index] = make_top(a, t, all);
    place(all, all->tops[t->index]);
}

void
amber_accel_build(arena *a, const amber_pipeline *p, amber_accels *out)
{
    *out = (amber_accels){0};
    amber_accel_count(p->bindings, p->binding_count, &out->top_count, &out->bottom_count);
    out->tops = ARENA_ARRAY(a, out->top_count, amber_accel *);
    out->bottoms = ARENA_ARRAY(a, out->bottom_count, amber_accel *);
    for (uint32_t k = 0; k < p->binding_count; k++) {
        const amber_top_level *t = p->bindings[k].accel;
        if (t && !out->tops[t->index])
            add_top(a, t, out);
    }
}

amber_accel_place
amber_accel_find(const amber_accels *all, const amber_top_level *t)
{
    const amber_accel *s = all->tops[t->index];
    return (amber_accel_place){s->offset, s->record_count * (uint64_t)BASE_ACCEL_RECORD};
}

/* ---- bytes ---- */

static void
put_instance(const amber_instance *i, uint64_t hierarchy, uint32_t out[RECORD_WORDS])
{
    float inverse[12];
    amber_accel_invert(i->transform, inverse);
    memcpy(out, &hierarchy, sizeof hierarchy);
    out[INSTANCE_INDEX] = i->custom_index;
    out[INSTANCE_OFFSET] = i->offset | (uint32_t)i->flags << 24;
    memcpy(&out[INSTANCE_TO_OBJECT], inverse, sizeof inverse);
    memcpy(&out[INSTANCE_TO_WORLD], i->transform, sizeof i->transform);
}

static void
put_records(const amber_accels *all, const amber_accel *s, uint64_t base, uint8_t *bytes)
{
    uint32_t record[RECORD_WORDS] = {0};
    const uint64_t own = base + s->offset, hierarchy = own + nodes_at(s);
    memcpy(&record[FIRST_HIERARCHY], &hierarchy, sizeof hierarchy);
    record[FIRST_INSTANCE_FLAGS] = s->instance_flags;
    memcpy(&record[FIRST_ADDRESS], &own, sizeof own);
    memcpy(bytes, record, sizeof record);
    for (uint32_t k = 1; k < s->record_count; k++) {
        const amber_instance *i = &s->top->instances[k - 1];
        const amber_accel *bottom = all->bottoms[i->bottom->index];
        memset(record, 0, sizeof record);
        put_instance(i, base + bottom->offset + nodes_at(bottom), record);
        memcpy(bytes + (size_t)k * sizeof record, record, sizeof record);
    }
}

static void
put_accel(const amber_accels *all, const amber_accel *s, uint64_t base, uint8_t *bytes)
{
    uint8_t *own = bytes + s->offset, *nodes = own + nodes_at(s);
    put_records(all, s, base, own);
    for (uint32_t n = 0; n < s->tree.count; n++)
        memcpy(nodes - 4 * ((size_t)n + 1), &s->tree.parents[n], 4);
    memcpy(nodes, s->tree.nodes, s->tree.count * (size_t)BASE_NODE_BYTES);
}

void
amber_accel_store(const amber_accels *all, uint64_t base, uint8_t *bytes)
{
    for (uint32_t k = 0; k < all->bottom_count; k++)
        if (all->bottoms[k])
            put_accel(all, all->bottoms[k], base, bytes);
    for (uint32_t k = 0; k < all->top_count; k++)
        if (all->tops[k])
            put_accel(all, all->tops[k], base, bytes);
}
