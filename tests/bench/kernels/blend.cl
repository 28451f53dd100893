#include "kernels.h"

KERNEL(64, 1)
blend(const global uchar4 *restrict above, const global uchar4 *restrict below, global uchar4 *restrict out, float opacity, uint n)
{
    uint i = GROUP_X * 64 + LID_X;
    if (i >= n)
        return;
    uchar4 a = above[i], b = below[i];
    float alpha = opacity * a.w, x = FMA(alpha, (float)a.x - (float)b.x, (float)b.x);
    float y = FMA(alpha, (float)a.y - (float)b.y, (float)b.y), z = FMA(alpha, (float)a.z - (float)b.z, (float)b.z);
    out[i] = (uchar4)((uchar)(uint)x, (uchar)(uint)y, (uchar)(uint)z, b.w);
}
