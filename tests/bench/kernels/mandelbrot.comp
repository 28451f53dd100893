#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 16, local_size_y = 4) in;
layout(push_constant) uniform arguments { out_u32 result; float left; float top; float step_; uint width; uint limit; };

void
main()
{
    uint px = GROUP_X * 16 + LID_X, py = GROUP_Y * 4 + LID_Y, count = 0;
    float cx = fma(float(px), step_, left), cy = fma(float(py), step_, top), x = 0, y = 0;
    while (count < limit) {
        float xx = x * x, length_ = fma(y, y, xx);
        if (length_ > 4)
            break;
        float next = fma(-y, y, xx) + cx;
        y = fma(x + x, y, cy);
        x = next;
        count++;
    }
    result.at[py * width + px] = count;
}
