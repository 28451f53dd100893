#include "kernels.h"

KERNEL(64, 1)
search(const global uint *restrict sorted, const global uint *restrict keys, global uint *restrict out, uint n)
{
    uint i = GROUP_X * 64 + LID_X, low = 0, high = n, key = keys[i];
    while (low < high) {
        uint middle = (low + high) / 2;
        if (sorted[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    out[i] = low;
}
