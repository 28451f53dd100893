#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 256) in;
layout(push_constant) uniform arguments { in_f32 a; in_f32 b; out_f32 result; uint n; };
shared float sums[256];

void
main()
{
    uint l = LID_X;
    float sum = 0;
    for (uint i = GROUP_X * 1024 + l; i < min(GROUP_X * 1024 + 1024, n); i += 256)
        sum = fma(a.at[i], b.at[i], sum);
    sums[l] = sum;
    for (uint d = 128; d > 0; d >>= 1) {
        barrier();
        if (l < d)
            sums[l] += sums[l + d];
    }
    if (l == 0)
        result.at[GROUP_X] = sums[0];
}
