#version 460
#extension GL_GOOGLE_include_directive : require
#include "kernels.glsl"
layout(local_size_x = 64) in;
layout(push_constant) uniform arguments { in_u32 rows; in_u32 columns; in_f32 values; in_f32 x; out_f32 y; uint n; };

void
main()
{
    uint row = GROUP_X * 64 + LID_X;
    if (row >= n)
        return;
    float sum = 0;
    for (uint k = rows.at[row]; k < rows.at[row + 1]; k++)
        sum = fma(values.at[k], x.at[columns.at[k]], sum);
    y.at[row] = sum;
}
