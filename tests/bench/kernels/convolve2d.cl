#include "kernels.h"

KERNEL(16, 8)
convolve2d(const global float *restrict in, const global float *restrict weights, global float *restrict out, int width, int height)
{
    int x = GROUP_X * 16 + LID_X, y = GROUP_Y * 8 + LID_Y;
    float sum = 0;
    if (x >= width || y >= height)
        return;
    for (int v = -2; v <= 2; v++) {
        int row = MIN(MAX(y + v, 0), height - 1);
        for (int u = -2; u <= 2; u++) {
            int column = MIN(MAX(x + u, 0), width - 1);
            sum = FMA(weights[(v + 2) * 5 + u + 2], in[row * width + column], sum);
        }
    }
    out[y * width + x] = sum;
}
