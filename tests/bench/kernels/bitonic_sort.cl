#include "kernels.h"

KERNEL(128, 1)
bitonic_sort(global uint *restrict keys)
{
    local uint tile[256];
    uint t = LID_X, first = GROUP_X * 256;
    tile[t] = keys[first + t];
    tile[t + 128] = keys[first + t + 128];
    for (uint k = 2; k <= 256; k *= 2) {
        for (uint j = k / 2; j > 0; j /= 2) {
            sync();
            uint i = (t & ~(j - 1)) * 2 + (t & (j - 1)), other = i + j;
            uint a = tile[i], b = tile[other];
            if ((a > b) == ((i & k) == 0)) {
                tile[i] = b;
                tile[other] = a;
            }
        }
    }
    sync();
    keys[first + t] = tile[t];
    keys[first + t + 128] = tile[t + 128];
}
