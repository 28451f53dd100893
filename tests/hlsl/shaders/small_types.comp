#version 450
layout(local_size_x = 16) in;
layout(std430, binding = 1000) readonly buffer F { int from[]; };
layout(std430, binding = 2000) buffer O { float result[]; };
void main()
{
    uint i = gl_LocalInvocationIndex;
    mediump float h = from[i] * 0.25;
    result[i * 6] = h;
    result[i * 6 + 1] = from[i] * 2 - 1;
    result[i * 6 + 2] = abs(from[i]) / 3;
    result[i * 6 + 3] = from[i] * 2;
    result[i * 6 + 4] = h * h + 2 * h;
    result[i * 6 + 5] = unpackHalf2x16(packHalf2x16(vec2(h))).x;
}
