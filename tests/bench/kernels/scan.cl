#include "kernels.h"

KERNEL(256, 1)
scan(const global uint *restrict in, global uint *restrict out, global uint *restrict totals, uint n)
{
    local uint sums[512];
    uint l = LID_X, i = GROUP_X * 512 + 2 * l, offset = 1;
    sums[2 * l] = i < n ? in[i] : 0;
    sums[2 * l + 1] = i + 1 < n ? in[i + 1] : 0;
    for (uint d = 256; d > 0; d >>= 1, offset *= 2) {
        sync();
        if (l < d)
            sums[offset * (2 * l + 2) - 1] += sums[offset * (2 * l + 1) - 1];
    }
    if (l == 0) {
        totals[GROUP_X] = sums[511];
        sums[511] = 0;
    }
    for (uint d = 1; d < 512; d *= 2) {
        offset >>= 1;
        sync();
        if (l < d) {
            uint a = offset * (2 * l + 1) - 1, b = offset * (2 * l + 2) - 1, kept = sums[a];
            sums[a] = sums[b];
            sums[b] += kept;
        }
    }
    sync();
    if (i < n)
        out[i] = sums[2 * l];
    if (i + 1 < n)
        out[i + 1] = sums[2 * l + 1];
}
