#version 450
layout(local_size_x = 1) in;
layout(std140, binding = 0) uniform K { vec4 k[19]; };
layout(std430, binding = 1000) readonly buffer P { float pairs[]; };
layout(std430, binding = 2000) buffer O { float result[]; };
void main()
{
    uint n = 0;
    for (uint r = 0; r < 3; r++) {
        for (uint c = 0; c < 4; c++) {
            result[n++] = k[r][c];
            result[n++] = k[3 + c][r];
            result[n++] = k[7 + c][r];
        }
    }
    result[n++] = k[1][2];
    result[n++] = k[3 + 2][1];
    result[n++] = k[7 + 3][0];
    result[n++] = k[11 + 4 + 3][2];
    result[n++] = k[11 + 4 + 3][0];
    result[n++] = k[1][3];
    result[n++] = pairs[16 + 4 + 2];
    result[n++] = pairs[16 + 8 + 2 * 2 + 1];
}
