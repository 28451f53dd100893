#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 256) in;
layout(push_constant) uniform arguments { in_u32 values; out_u32 result; out_u32 totals; uint n; };
shared uint sums[512];

void
main()
{
    uint l = LID_X, i = GROUP_X * 512 + 2 * l, offset = 1;
    uint first = 0, second = 0;
    if (i < n)
        first = values.at[i];
    if (i + 1 < n)
        second = values.at[i + 1];
    sums[2 * l] = first;
    sums[2 * l + 1] = second;
    for (uint d = 256; d > 0; d >>= 1, offset *= 2) {
        barrier();
        if (l < d)
            sums[offset * (2 * l + 2) - 1] += sums[offset * (2 * l + 1) - 1];
    }
    if (l == 0) {
        totals.at[GROUP_X] = sums[511];
        sums[511] = 0;
    }
    for (uint d = 1; d < 512; d *= 2) {
        offset >>= 1;
        barrier();
        if (l < d) {
            uint a = offset * (2 * l + 1) - 1, b = offset * (2 * l + 2) - 1, kept = sums[a];
            sums[a] = sums[b];
            sums[b] += kept;
        }
    }
    barrier();
    if (i < n)
        result.at[i] = sums[2 * l];
    if (i + 1 < n)
        result.at[i + 1] = sums[2 * l + 1];
}
