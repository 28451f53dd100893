/* Coverage of convex polygons by edge functions in exact integers.
 *
 * An edge function is at least 0 for the samples that its edge has inside. The polygon is walked in
 * tiles: a tile outside of an edge is skipped; in a tile inside of all edges every sample is
 * covered; in the others each sample is tested.
 *
 * The area of a pixel is tested by the corners for which an edge function is most, or least. A
 * polygon has a part of it if no edge has all of it outside, and their bounding boxes meet: a
 * border that both have is not a part.
 */
#include "machine/raster/raster.h"

enum { TILE = 8 /* pixels, even */ };

/* a x + b y + c, x and y in subpixels. Below 2^50 within the range of corners. */
typedef struct edge {
    int64_t a, b, c;
    int64_t on; /* the function for what is exactly on the edge */
} edge;

typedef struct cover {
    edge edges[MACH_MAX_CORNERS];
    unsigned n_edges;
    const mach_raster *raster;
    const mach_sample_place *places;
    mach_rect box; /* of the polygon, in subpixels */
} cover;

/* ---- samples ---- */

const mach_sample_place *
mach_sample_places(unsigned n_samples)
{
    static const mach_sample_place one[] = {{8, 8}};
    static const mach_sample_place two[] = {{12, 12}, {4, 4}};
    static const mach_sample_place four[] = {{6, 2}, {14, 6}, {2, 10}, {10, 14}};
    static const mach_sample_place eight[] = {{9, 5},  {7, 11}, {13, 9},  {5, 3},
                                              {3, 13}, {1, 7},  {11, 15}, {15, 1}};
    static const mach_sample_place sixteen[] = {
        {9, 9},  {7, 5}, {5, 10}, {12, 7}, {3, 6}, {10, 13}, {13, 11}, {11, 3},
        {6, 14}, {8, 1}, {4, 2},  {2, 12}, {0, 8}, {15, 4},  {14, 15}, {1, 0}};
    switch (n_samples) {
    case 1: return one;
    case 2: return two;
    case 4: return four;
    case 8: return eight;
    case 16: return sixteen;
    default: return 0;
    }
}

/* ---- edges ---- */

int64_t
mach_polygon_area(const mach_corner *v, unsigned n)
{
    int64_t sum = 0;
    for (unsigned k = 0; k < n; k++) {
        const mach_corner *p = &v[k], *q = &v[(k + 1) % n];
        sum += (int64_t)p->x * q->y - (int64_t)q->x * p->y;
    }
    return sum;
}

/* The edge from `p` to `q` of a clockwise polygon. A sample exactly on it counts if it is a top
 * edge, which runs to the right, or a left one, which runs upwards. */
static edge
make_edge(const mach_corner *p, const mach_corner *q, mach_conservative how)
{
    int64_t dx = (int64_t)q->x - p->x, dy = (int64_t)q->y - p->y;
    bool counts = how == MACH_BY_SAMPLES && (dy < 0 || (dy == 0 && dx > 0));
    return (edge){-dy, dx, dy * p->x - dx * p->y - !counts, counts ? 0 : -1};
}

static int64_t
value_at(const edge *e, int64_t x, int64_t y)
{
    return e->a * x + e->b * y + e->c;
}

/* ---- areas ---- */

typedef enum side { OUTSIDE, CROSSED, INSIDE } side;

/* Where a square of so many pixels lies. */
static side
side_of_square(const cover *c, int32_t x, int32_t y, int32_t pixels)
{
    int64_t x0 = (int64_t)x * MACH_SUBPIXELS, y0 = (int64_t)y * MACH_SUBPIXELS;
    int64_t step = (int64_t)pixels * MACH_SUBPIXELS;
    side found = INSIDE;
    for (unsigned k = 0; k < c->n_edges; k++) {
        const edge *e = &c->edges[k];
        int64_t first = value_at(e, x0, y0);
        int64_t most = first + (e->a > 0 ? e->a * step : 0) + (e->b > 0 ? e->b * step : 0);
        int64_t least = first + (e->a < 0 ? e->a * step : 0) + (e->b < 0 ? e->b * step : 0);
        if (most < 0)
            return OUTSIDE;
        found = least < e->on ? CROSSED : found;
    }
    return found;
}

/* Has the polygon a part of the pixel's area, or all of it? */
static bool
has_area(const cover *c, int32_t x, int32_t y, bool all)
{
    side s = side_of_square(c, x, y, 1);
    int32_t left = x * MACH_SUBPIXELS, top = y * MACH_SUBPIXELS;
    if (all)
        return s == INSIDE;
    return s != OUTSIDE && left < c->box.x1 && top < c->box.y1 &&
           left + MACH_SUBPIXELS > c->box.x0 && top + MACH_SUBPIXELS > c->box.y0;
}

/* ---- tiles ---- */

static uint16_t
all_samples(const cover *c)
{
    return (uint16_t)((1u << c->raster->n_samples) - 1);
}

static uint16_t
samples_of(const cover *c, int32_t x, int32_t y)
{
    uint16_t covered = 0;
    const mach_rect *w = &c->raster->window;
    if (x < w->x0 || x >= w->x1 || y < w->y0 || y >= w->y1)
        return 0;
    if (c->raster->conservative != MACH_BY_SAMPLES)
        return has_area(c, x, y, c->raster->conservative == MACH_UNDERESTIMATE) ? all_samples(c)
                                                                                : 0;
    for (unsigned s = 0; s < c->raster->n_samples; s++) {
        int64_t sx = (int64_t)x * MACH_SUBPIXELS + c->places[s].x * (MACH_SUBPIXELS / 16);
        int64_t sy = (int64_t)y * MACH_SUBPIXELS + c->places[s].y * (MACH_SUBPIXELS / 16);
        bool inside = true;
        for (unsigned k = 0; k < c->n_edges && inside; k++)
            inside = value_at(&c->edges[k], sx, sy) >= 0;
        covered |= (uint16_t)(inside << s);
    }
    return covered;
}

static bool
visit_tested(const cover *c, int32_t x, int32_t y)
{
    mach_quad q = {.x = x, .y = y};
    unsigned any = 0;
    for (unsigned k = 0; k < 4; k++) {
        int32_t px = x + (int32_t)(k & 1), py = y + (int32_t)(k >> 1);
        any |= q.samples[k] = samples_of(c, px, py);
        q.full |= (uint8_t)((q.samples[k] && has_area(c, px, py, true)) << k);
    }
    return !any || c->raster->visit(c->raster->user, &q);
}

static bool
visit_full(const cover *c, int32_t x, int32_t y)
{
    enum { ALL_PIXELS = 15 };
    uint16_t all = all_samples(c);
    const mach_quad q = {.x = x, .y = y, .samples = {all, all, all, all}, .full = ALL_PIXELS};
    return c->raster->visit(c->raster->user, &q);
}

/* Where the pixels of a tile lie; one that is cut by the window is crossed. */
static side
side_of(const cover *c, int32_t x, int32_t y)
{
    const mach_rect *w = &c->raster->window;
    bool in_window = x >= w->x0 && y >= w->y0 && x + TILE <= w->x1 && y + TILE <= w->y1;
    side found = side_of_square(c, x, y, TILE);
    return found == INSIDE && !in_window ? CROSSED : found;
}

/* A row of quads, of the tiles whose first row is `top`. */
static bool
visit_row(const cover *c, const mach_rect *r, int32_t top, int32_t y)
{
    for (int32_t left = r->x0; left < r->x1; left += TILE) {
        side s = side_of(c, left, top);
        for (int32_t x = left; s != OUTSIDE && x < left + TILE; x += 2) {
            if (!(s == INSIDE ? visit_full(c, x, y) : visit_tested(c, x, y)))
                return false;
        }
    }
    return true;
}

/* ---- polygons ---- */

static int32_t
least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t
most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* The pixel that a coordinate is in. */
static int32_t
pixel_of(int32_t subpixels)
{
    return (subpixels - (subpixels < 0 ? MACH_SUBPIXELS - 1 : 0)) / MACH_SUBPIXELS;
}

static int32_t
tile_of(int32_t pixel)
{
    return (pixel - (pixel < 0 ? TILE - 1 : 0)) / TILE * TILE;
}

static mach_rect
box_of(const mach_corner *v, unsigned n)
{
    int32_t x0 = v[0].x, y0 = v[0].y, x1 = x0, y1 = y0;
    for (unsigned k = 1; k < n; k++) {
        x0 = least(x0, v[k].x);
        y0 = least(y0, v[k].y);
        x1 = most(x1, v[k].x);
        y1 = most(y1, v[k].y);
    }
    return (mach_rect){x0, y0, x1, y1};
}

/* The pixels of the bounding box in the window, from a tile's first on. */
static mach_rect
pixels_of(const mach_rect *box, const mach_rect *window)
{
    return (mach_rect){
        tile_of(most(pixel_of(box->x0), window->x0)), tile_of(most(pixel_of(box->y0), window->y0)),
        least(pixel_of(box->x1) + 1, window->x1), least(pixel_of(box->y1) + 1, window->y1)};
}

bool
mach_cover(const mach_raster *raster, const mach_corner *corners, unsigned n)
{
    cover c = {.n_edges = n, .raster = raster, .places = mach_sample_places(raster->n_samples)};
    int64_t area = mach_polygon_area(corners, n);
    if (!area || !c.places)
        return true;
    for (unsigned k = 0; k < n; k++) {
        const mach_corner *p = &corners[k], *q = &corners[(k + 1) % n];
        c.edges[k] = area > 0 ? make_edge(p, q, raster->conservative)
                              : make_edge(q, p, raster->conservative);
    }
    c.box = box_of(corners, n);
    mach_rect r = pixels_of(&c.box, &raster->window);
    for (int32_t top = r.y0; top < r.y1; top += TILE) {
        for (int32_t y = top; y < least(top + TILE, r.y1); y += 2) {
            if (!visit_row(&c, &r, top, y))
                return false;
        }
    }
    return true;
}
