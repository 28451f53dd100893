#include "kernels.h"

KERNEL(16, 16)
transpose(const global float *restrict in, global float *restrict out, uint width, uint height)
{
    local float tile[16][17];
    uint x = GROUP_X * 16 + LID_X, y = GROUP_Y * 16 + LID_Y;
    if (x < width && y < height)
        tile[LID_Y][LID_X] = in[y * width + x];
    sync();
    x = GROUP_Y * 16 + LID_X;
    y = GROUP_X * 16 + LID_Y;
    if (x < height && y < width)
        out[y * height + x] = tile[LID_X][LID_Y];
}
