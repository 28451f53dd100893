#include "kernels.h"

KERNEL(128, 1)
convolve1d(const global float *restrict in, const global float *restrict weights, global float *restrict out, uint n)
{
    local float tile[128 + 16];
    uint l = LID_X, i = GROUP_X * 128 + l;
    for (uint t = l; t < 128 + 16; t += 128) {
        int at = (int)(GROUP_X * 128 + t) - 8;
        tile[t] = at >= 0 && at < (int)n ? in[at] : 0;
    }
    sync();
    float sum = 0;
    for (uint k = 0; k <= 16; k++)
        sum = FMA(weights[k], tile[l + k], sum);
    if (i < n)
        out[i] = sum;
}
