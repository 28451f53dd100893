#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 64) in;
layout(push_constant) uniform arguments { out_u32 keys; uint k; uint j; };

void
main()
{
    uint t = GROUP_X * 64 + LID_X;
    uint i = (t & ~(j - 1)) << 1 | (t & (j - 1)), other = i | j;
    uint a = keys.at[i], b = keys.at[other];
    bool up = (i & k) == 0;
    keys.at[i] = up ? min(a, b) : max(a, b);
    keys.at[other] = up ? max(a, b) : min(a, b);
}
