#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 16, local_size_y = 8) in;
layout(push_constant) uniform arguments { in_u8 values; out_u8 result; uint width; uint height; };

void
main()
{
    uint x = GROUP_X * 16 + LID_X, y = GROUP_Y * 8 + LID_Y;
    uint left = x == 0 ? width - 1 : x - 1, right = x + 1 == width ? 0 : x + 1;
    uint above = (y == 0 ? height - 1 : y - 1) * width, below = (y + 1 == height ? 0 : y + 1) * width, row = y * width;
    uint sum = uint(values.at[above + left]) + uint(values.at[above + x]) + uint(values.at[above + right]) + uint(values.at[row + left]) +
               uint(values.at[row + right]) + uint(values.at[below + left]) + uint(values.at[below + x]) + uint(values.at[below + right]);
    result.at[row + x] = uint8_t(sum == 3 || (sum == 2 && values.at[row + x] != 0) ? 1 : 0);
}
