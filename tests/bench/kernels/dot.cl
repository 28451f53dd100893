#include "kernels.h"

KERNEL(256, 1)
dot_product(const global float *restrict a, const global float *restrict b, global float *restrict out, uint n)
{
    local float sums[256];
    uint l = LID_X;
    float sum = 0;
    for (uint i = GROUP_X * 1024 + l; i < MIN(GROUP_X * 1024 + 1024, n); i += 256)
        sum = FMA(a[i], b[i], sum);
    sums[l] = sum;
    for (uint d = 128; d > 0; d >>= 1) {
        sync();
        if (l < d)
            sums[l] += sums[l + d];
    }
    if (l == 0)
        out[GROUP_X] = sums[0];
}
