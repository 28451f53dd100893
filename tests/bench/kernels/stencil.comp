#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 16, local_size_y = 4) in;
layout(push_constant) uniform arguments { in_f32 values; out_f32 result; int nx; int ny; int nz; float centre_; float side; };

void
main()
{
    int x = int(GROUP_X * 16 + LID_X) + 1, y = int(GROUP_Y * 4 + LID_Y) + 1, plane = nx * ny;
    if (x >= nx - 1 || y >= ny - 1)
        return;
    int at = plane + y * nx + x;
    float below = values.at[at - plane], here = values.at[at];
    for (int z = 1; z < nz - 1; z++, at += plane) {
        float above = values.at[at + plane];
        float sum = values.at[at - 1] + values.at[at + 1] + values.at[at - nx] + values.at[at + nx] + below + above;
        result.at[at] = fma(side, sum, centre_ * here);
        below = here;
        here = above;
    }
}
