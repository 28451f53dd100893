#include "machine/raster/raster.h"

static double
pixels(int32_t subpixels)
{
    return subpixels / (double)MACH_SUBPIXELS;
}

bool
mach_triangle_setup(mach_triangle *t)
{
    double x0 = pixels(t->at[0].x), y0 = pixels(t->at[0].y);
    double dx1 = pixels(t->at[1].x) - x0, dy1 = pixels(t->at[1].y) - y0;
    double dx2 = pixels(t->at[2].x) - x0, dy2 = pixels(t->at[2].y) - y0;
    t->area = dx1 * dy2 - dx2 * dy1;
    bool has_area = t->area != 0;
    double scale = has_area ? 1 / t->area : 0;
    t->ddx[0] = dy2 * scale;
    t->ddy[0] = -dx2 * scale;
    t->ddx[1] = -dy1 * scale;
    t->ddy[1] = dx1 * scale;
    return has_area;
}

mach_weights
mach_weights_at(const mach_triangle *t, double x, double y)
{
    double dx = x - pixels(t->at[0].x), dy = y - pixels(t->at[0].y);
    double i = dx * t->ddx[0] + dy * t->ddy[0], j = dx * t->ddx[1] + dy * t->ddy[1];
    double w0 = (1 - i - j) * t->inv_w[0], w1 = i * t->inv_w[1], w2 = j * t->inv_w[2];
    double sum = w0 + w1 + w2;
    return (mach_weights){{(float)i, (float)j}, {(float)(w1 / sum), (float)(w2 / sum)}};
}
