#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 128) in;
layout(push_constant) uniform arguments { in_f32 values; in_f32 weights; out_f32 result; uint n; };
shared float tile[128 + 16];

void
main()
{
    uint l = LID_X, i = GROUP_X * 128 + l;
    for (uint t = l; t < 128 + 16; t += 128) {
        int at = int(GROUP_X * 128 + t) - 8;
        float value = 0;
        if (at >= 0 && at < int(n))
            value = values.at[at];
        tile[t] = value;
    }
    barrier();
    float sum = 0;
    for (uint k = 0; k <= 16; k++)
        sum = fma(weights.at[k], tile[l + k], sum);
    if (i < n)
        result.at[i] = sum;
}
