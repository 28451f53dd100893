#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 64) in;
layout(push_constant) uniform arguments { in_u8x4 above; in_u8x4 below; out_u8x4 result; float opacity; uint n; };

void
main()
{
    uint i = GROUP_X * 64 + LID_X;
    if (i >= n)
        return;
    u8vec4 a = above.at[i], b = below.at[i];
    float alpha = opacity * float(a.w), x = fma(alpha, float(a.x) - float(b.x), float(b.x));
    float y = fma(alpha, float(a.y) - float(b.y), float(b.y)), z = fma(alpha, float(a.z) - float(b.z), float(b.z));
    result.at[i] = u8vec4(uint8_t(uint(x)), uint8_t(uint(y)), uint8_t(uint(z)), b.w);
}
