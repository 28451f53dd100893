#include "kernels.h"

KERNEL(16, 4)
mandelbrot(global uint *restrict out, float left, float top, float step, uint width, uint limit)
{
    uint px = GROUP_X * 16 + LID_X, py = GROUP_Y * 4 + LID_Y, count = 0;
    float cx = FMA((float)px, step, left), cy = FMA((float)py, step, top), x = 0, y = 0;
    while (count < limit) {
        float xx = x * x, length = FMA(y, y, xx);
        if (length > 4)
            break;
        float next = FMA(-y, y, xx) + cx;
        y = FMA(x + x, y, cy);
        x = next;
        count++;
    }
    out[py * width + px] = count;
}
