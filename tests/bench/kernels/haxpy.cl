#include "kernels.h"

KERNEL(64, 1)
haxpy(const global half2 *restrict x, global half2 *restrict y, float a, uint n)
{
    uint i = GROUP_X * 64 + LID_X;
    if (i < n)
        y[i] = __builtin_elementwise_fma((half2)((half)a), x[i], y[i]);
}
