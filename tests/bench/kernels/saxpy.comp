#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 64) in;
layout(push_constant) uniform arguments { in_f32 x; out_f32 y; float a; uint n; };

void
main()
{
    uint i = GROUP_X * 64 + LID_X;
    if (i < n)
        y.at[i] = fma(a, x.at[i], y.at[i]);
}
