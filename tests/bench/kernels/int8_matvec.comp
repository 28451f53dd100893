#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 64) in;
layout(push_constant) uniform arguments { in_i8x4 matrix_; in_i8x4 vector_; out_i32 result; uint quads; };

void
main()
{
    uint row = GROUP_X * 64 + LID_X;
    int sum = 0;
    for (uint k = 0; k < quads; k++) {
        i8vec4 a = matrix_.at[row * quads + k], b = vector_.at[k];
        sum += int(a.x) * int(b.x) + int(a.y) * int(b.y) + int(a.z) * int(b.z) + int(a.w) * int(b.w);
    }
    result.at[row] = sum;
}
