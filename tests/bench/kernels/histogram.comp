#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 128) in;
layout(push_constant) uniform arguments { in_u8x4 values; out_u32 bins; uint n; };
shared uint counts[256];

void
main()
{
    uint l = LID_X;
    for (uint b = l; b < 256; b += 128)
        counts[b] = 0;
    barrier();
    for (uint i = GROUP_X * 512 + l; i < min(GROUP_X * 512 + 512, n); i += 128) {
        u8vec4 v = values.at[i];
        atomicAdd(counts[uint(v.x)], 1);
        atomicAdd(counts[uint(v.y)], 1);
        atomicAdd(counts[uint(v.z)], 1);
        atomicAdd(counts[uint(v.w)], 1);
    }
    barrier();
    for (uint b = l; b < 256; b += 128)
        atomicAdd(bins.at[b], counts[b]);
}
