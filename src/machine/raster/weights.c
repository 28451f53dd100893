#include "machine/raster/raster.h"

static double
pixels(int32_t subpixels)
{
    return subpixels / (double)MACH_SUBPIXELS;
}

static bool
set_triangle(mach_surface *s, double x0, double y0)
{
    const mach_corner *p = &s->corner[1].at, *q = &s->corner[2].at;
    double dx1 = pixels(p->x) - x0, dy1 = pixels(p->y) - y0;
    double dx2 = pixels(q->x) - x0, dy2 = pixels(q->y) - y0;
    s->area = dx1 * dy2 - dx2 * dy1;
    if (s->area == 0)
        return false;
    s->ddx[0] = dy2 / s->area;
    s->ddy[0] = -dx2 / s->area;
    s->ddx[1] = -dy1 / s->area;
    s->ddy[1] = dx1 / s->area;
    return true;
}

/* Vulkan 1.3, "Basic Line Segment Rasterization": the place is projected to the line. */
static bool
set_line(mach_surface *s, double x0, double y0)
{
    double dx = pixels(s->corner[1].at.x) - x0, dy = pixels(s->corner[1].at.y) - y0;
    double length = dx * dx + dy * dy;
    if (length == 0)
        return false;
    s->ddx[0] = dx / length;
    s->ddy[0] = dy / length;
    return true;
}

bool
mach_surface_setup(mach_surface *s, unsigned n)
{
    double x0 = pixels(s->corner[0].at.x), y0 = pixels(s->corner[0].at.y);
    s->ddx[0] = s->ddx[1] = s->ddy[0] = s->ddy[1] = s->area = 0;
    for (unsigned k = n; k < 3; k++)
        s->corner[k] = s->corner[0];
    return n == 3 ? set_triangle(s, x0, y0) : n == 2 ? set_line(s, x0, y0) : true;
}

double
mach_surface_depth(const mach_surface *s, double x, double y)
{
    const mach_surface_corner *c = s->corner;
    double dx = x - pixels(c[0].at.x), dy = y - pixels(c[0].at.y);
    double i = dx * s->ddx[0] + dy * s->ddy[0], j = dx * s->ddx[1] + dy * s->ddy[1];
    return c[0].z + i * (c[1].z - c[0].z) + j * (c[2].z - c[0].z);
}

mach_weights
mach_weights_at(const mach_surface *s, double x, double y)
{
    double dx = x - pixels(s->corner[0].at.x), dy = y - pixels(s->corner[0].at.y);
    double i = dx * s->ddx[0] + dy * s->ddy[0], j = dx * s->ddx[1] + dy * s->ddy[1];
    const double share[3] = {1 - i - j, i, j};
    double linear[2] = {0, 0}, perspective[2] = {0, 0}, w = 0;
    for (unsigned k = 0; k < 3; k++) {
        const mach_surface_corner *c = &s->corner[k];
        double p = share[k] * c->inv_w;
        w += p;
        for (unsigned v = 0; v < 2; v++) {
            linear[v] += share[k] * c->weight[v];
            perspective[v] += p * c->weight[v];
        }
    }
    return (mach_weights){{(float)linear[0], (float)linear[1]},
                          {(float)(perspective[0] / w), (float)(perspective[1] / w)},
                          mach_surface_depth(s, x, y),
                          w};
}
