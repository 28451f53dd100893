#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 16, local_size_y = 16) in;
layout(push_constant) uniform arguments { in_f32 a; in_f32 b; out_f32 c; uint n; };
shared float left[16][16], right[16][16];

void
main()
{
    uint x = LID_X, y = LID_Y, row = GROUP_Y * 16 + y, column = GROUP_X * 16 + x;
    float sum = 0;
    for (uint t = 0; t < n; t += 16) {
        left[y][x] = a.at[row * n + t + x];
        right[y][x] = b.at[(t + y) * n + column];
        barrier();
        for (uint k = 0; k < 16; k++)
            sum = fma(left[y][k], right[k][x], sum);
        barrier();
    }
    c.at[row * n + column] = sum;
}
