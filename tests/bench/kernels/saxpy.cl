#include "kernels.h"

KERNEL(64, 1)
saxpy(const global float *restrict x, global float *restrict y, float a, uint n)
{
    uint i = GROUP_X * 64 + LID_X;
    if (i < n)
        y[i] = FMA(a, x[i], y[i]);
}
