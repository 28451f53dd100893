#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 64) in;
layout(push_constant) uniform arguments { in_u32 sorted; in_u32 keys; out_u32 result; uint n; };

void
main()
{
    uint i = GROUP_X * 64 + LID_X, low = 0, high = n, key = keys.at[i];
    while (low < high) {
        uint middle = (low + high) / 2;
        if (sorted.at[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    result.at[i] = low;
}
