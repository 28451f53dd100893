#include "kernels.h"

KERNEL(16, 16)
matmul(const global float *restrict a, const global float *restrict b, global float *restrict c, uint n)
{
    local float left[16][16], right[16][16];
    uint x = LID_X, y = LID_Y, row = GROUP_Y * 16 + y, column = GROUP_X * 16 + x;
    float sum = 0;
    for (uint t = 0; t < n; t += 16) {
        left[y][x] = a[row * n + t + x];
        right[y][x] = b[(t + y) * n + column];
        sync();
        for (uint k = 0; k < 16; k++)
            sum = FMA(left[y][k], right[k][x], sum);
        sync();
    }
    c[row * n + column] = sum;
}
