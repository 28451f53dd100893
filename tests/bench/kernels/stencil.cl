#include "kernels.h"

KERNEL(16, 4)
stencil(const global float *restrict in, global float *restrict out, int nx, int ny, int nz, float centre, float side)
{
    int x = GROUP_X * 16 + LID_X + 1, y = GROUP_Y * 4 + LID_Y + 1, plane = nx * ny;
    if (x >= nx - 1 || y >= ny - 1)
        return;
    int at = plane + y * nx + x;
    float below = in[at - plane], here = in[at];
    for (int z = 1; z < nz - 1; z++, at += plane) {
        float above = in[at + plane];
        float sum = in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] + below + above;
        out[at] = FMA(side, sum, centre * here);
        below = here;
        here = above;
    }
}
