#include "kernels.h"

KERNEL(64, 1)
softmax(const global float *restrict in, global float *restrict out, uint width)
{
    local float tile[64];
    uint l = LID_X, row = GROUP_X * width;
    float most = -1e30f, sum = 0;
    for (uint k = l; k < width; k += 64)
        most = MAX(most, in[row + k]);
    tile[l] = most;
    for (uint step = 32; step > 0; step /= 2) {
        sync();
        if (l < step)
            tile[l] = MAX(tile[l], tile[l + step]);
    }
    sync();
    most = tile[0];
    sync();
    for (uint k = l; k < width; k += 64)
        sum += EXP2(in[row + k] - most);
    tile[l] = sum;
    for (uint step = 32; step > 0; step /= 2) {
        sync();
        if (l < step)
            tile[l] += tile[l + step];
    }
    sync();
    float scale = RCP(tile[0]);
    for (uint k = l; k < width; k += 64)
        out[row + k] = EXP2(in[row + k] - most) * scale;
}
