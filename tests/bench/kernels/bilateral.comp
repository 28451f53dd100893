#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 16, local_size_y = 8) in;
layout(push_constant) uniform arguments { in_u8 values; out_u8 result; int width; int height; float space; float range; };

void
main()
{
    int x = int(GROUP_X * 16 + LID_X), y = int(GROUP_Y * 8 + LID_Y);
    if (x >= width || y >= height)
        return;
    float here = float(values.at[y * width + x]), sum = 0, weights = 0;
    for (int v = -2; v <= 2; v++) {
        for (int u = -2; u <= 2; u++) {
            int column = min(max(x + u, 0), width - 1), row = min(max(y + v, 0), height - 1);
            float value = float(values.at[row * width + column]), difference = value - here;
            float weight = exp2(fma(difference * difference, range, float(u * u + v * v) * space));
            sum = fma(weight, value, sum);
            weights += weight;
        }
    }
    result.at[y * width + x] = uint8_t(uint(fma(sum, 1 / weights, 0.5)));
}
