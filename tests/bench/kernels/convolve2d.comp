#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 16, local_size_y = 8) in;
layout(push_constant) uniform arguments { in_f32 values; in_f32 weights; out_f32 result; int width; int height; };

void
main()
{
    int x = int(GROUP_X * 16 + LID_X), y = int(GROUP_Y * 8 + LID_Y);
    float sum = 0;
    if (x >= width || y >= height)
        return;
    for (int v = -2; v <= 2; v++) {
        int row = min(max(y + v, 0), height - 1);
        for (int u = -2; u <= 2; u++) {
            int column = min(max(x + u, 0), width - 1);
            sum = fma(weights.at[(v + 2) * 5 + u + 2], values.at[row * width + column], sum);
        }
    }
    result.at[y * width + x] = sum;
}
