#include "kernels.h"

KERNEL(64, 1)
bitonic_step(global uint *restrict keys, uint k, uint j)
{
    uint t = GROUP_X * 64 + LID_X;
    uint i = (t & ~(j - 1)) << 1 | (t & (j - 1)), other = i | j;
    uint a = keys[i], b = keys[other];
    bool up = (i & k) == 0;
    keys[i] = up ? MIN(a, b) : MAX(a, b);
    keys[other] = up ? MAX(a, b) : MIN(a, b);
}
