#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 64) in;
layout(push_constant) uniform arguments { in_f32 values; out_f32 result; uint width; };
shared float tile[64];

void
main()
{
    uint l = LID_X, row = GROUP_X * width;
    float most = -1e30, sum = 0;
    for (uint k = l; k < width; k += 64)
        most = max(most, values.at[row + k]);
    tile[l] = most;
    for (uint step_ = 32; step_ > 0; step_ /= 2) {
        barrier();
        if (l < step_)
            tile[l] = max(tile[l], tile[l + step_]);
    }
    barrier();
    most = tile[0];
    barrier();
    for (uint k = l; k < width; k += 64)
        sum += exp2(values.at[row + k] - most);
    tile[l] = sum;
    for (uint step_ = 32; step_ > 0; step_ /= 2) {
        barrier();
        if (l < step_)
            tile[l] += tile[l + step_];
    }
    barrier();
    float scale = 1 / tile[0];
    for (uint k = l; k < width; k += 64)
        result.at[row + k] = exp2(values.at[row + k] - most) * scale;
}
