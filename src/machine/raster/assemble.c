#include "machine/raster/primitive.h"

typedef struct walk {
    const mach_assembly *a;
    mach_visit_primitive *visit;
    void *user;
    uint32_t id;
} walk;

/* ---- primitives ---- */

/* Turns the vertices so that the provoking one comes first. */
static bool
give(walk *w, unsigned n, const uint32_t vertex[3], unsigned provoking)
{
    mach_primitive p = {.id = w->id++, .n = (uint8_t)n};
    for (unsigned k = 0; k < n; k++)
        p.vertex[k] = vertex[(k + provoking) % n];
    return w->visit(w->user, &p);
}

/* Vertices from `first` on, `step` apart. Of a line that is turned the direction is lost, which
 * matters to no rule but that of stippling. */
static bool
give_list(walk *w, unsigned n, uint32_t first, uint32_t step)
{
    const uint32_t vertex[3] = {first, first + step, first + 2 * step};
    return give(w, n, vertex, w->a->last_provokes ? n - 1 : 0);
}

/* Triangle `k` of a strip: of odd ones two vertices are exchanged, so that all face one way. The
 * provoking vertex is the first or the last of the three as they come (Vulkan 1.3, "Triangle
 * Strips"). */
static bool
give_strip(walk *w, uint32_t first, uint32_t k, uint32_t step)
{
    uint32_t at = first + k * step;
    const uint32_t even[3] = {at, at + step, at + 2 * step};
    const uint32_t odd[3] = {at, at + 2 * step, at + step};
    bool last = w->a->last_provokes;
    return k % 2 ? give(w, 3, odd, last ? 1 : 0) : give(w, 3, even, last ? 2 : 0);
}

/* The provoking vertex of a fan's triangle is its second one, or the last. */
static bool
give_fan(walk *w, uint32_t first, uint32_t k)
{
    const uint32_t vertex[3] = {first + k + 1, first + k + 2, first};
    return give(w, 3, vertex, w->a->last_provokes ? 1 : 0);
}

/* ---- runs of vertices ---- */

/* How many primitives `n` vertices make. */
static uint32_t
count_primitives(mach_topology t, uint32_t n)
{
    switch (t) {
    case MACH_POINT_LIST: return n;
    case MACH_LINE_LIST: return n / 2;
    case MACH_LINE_STRIP: return n > 1 ? n - 1 : 0;
    case MACH_TRIANGLE_LIST: return n / 3;
    case MACH_TRIANGLE_STRIP:
    case MACH_TRIANGLE_FAN: return n > 2 ? n - 2 : 0;
    case MACH_LINE_LIST_ADJACENCY: return n / 4;
    case MACH_LINE_STRIP_ADJACENCY: return n > 3 ? n - 3 : 0;
    case MACH_TRIANGLE_LIST_ADJACENCY: return n / 6;
    case MACH_TRIANGLE_STRIP_ADJACENCY: return n > 5 ? (n - 4) / 2 : 0;
    default: return 0;
    }
}

static bool
give_primitive(walk *w, uint32_t first, uint32_t k)
{
    switch (w->a->topology) {
    case MACH_POINT_LIST: return give_list(w, 1, first + k, 0);
    case MACH_LINE_LIST: return give_list(w, 2, first + 2 * k, 1);
    case MACH_LINE_STRIP: return give_list(w, 2, first + k, 1);
    case MACH_TRIANGLE_LIST: return give_list(w, 3, first + 3 * k, 1);
    case MACH_TRIANGLE_STRIP: return give_strip(w, first, k, 1);
    case MACH_TRIANGLE_FAN: return give_fan(w, first, k);
    case MACH_LINE_LIST_ADJACENCY: return give_list(w, 2, first + 4 * k + 1, 1);
    case MACH_LINE_STRIP_ADJACENCY: return give_list(w, 2, first + k + 1, 1);
    case MACH_TRIANGLE_LIST_ADJACENCY: return give_list(w, 3, first + 6 * k, 2);
    default: return give_strip(w, first, k, 2);
    }
}

/* Vertices [first, end), between restarts. */
static bool
give_run(walk *w, uint32_t first, uint32_t end)
{
    uint32_t n = count_primitives(w->a->topology, end - first);
    for (uint32_t k = 0; k < n; k++) {
        if (!give_primitive(w, first, k))
            return false;
    }
    return true;
}

unsigned
mach_primitive_vertices(mach_topology t)
{
    switch (t) {
    case MACH_POINT_LIST: return 1;
    case MACH_LINE_LIST:
    case MACH_LINE_STRIP:
    case MACH_LINE_LIST_ADJACENCY:
    case MACH_LINE_STRIP_ADJACENCY: return 2;
    default: return 3;
    }
}

bool
mach_assemble(const mach_assembly *a, mach_visit_primitive *visit, void *user)
{
    walk w = {.a = a, .visit = visit, .user = user};
    uint32_t first = 0;
    for (uint32_t v = 0; a->restart && a->index && v < a->count; v++) {
        if (a->index[v] != a->restart_index)
            continue;
        if (!give_run(&w, first, v))
            return false;
        first = v + 1;
    }
    return give_run(&w, first, a->count);
}
