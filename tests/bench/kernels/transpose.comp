#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 16, local_size_y = 16) in;
layout(push_constant) uniform arguments { in_f32 values; out_f32 result; uint width; uint height; };
shared float tile[16][17];

void
main()
{
    uint x = GROUP_X * 16 + LID_X, y = GROUP_Y * 16 + LID_Y;
    if (x < width && y < height)
        tile[LID_Y][LID_X] = values.at[y * width + x];
    barrier();
    x = GROUP_Y * 16 + LID_X;
    y = GROUP_X * 16 + LID_Y;
    if (x < height && y < width)
        result.at[y * height + x] = tile[LID_X][LID_Y];
}
