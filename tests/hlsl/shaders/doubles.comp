#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 1000) readonly buffer F { double from[]; };
layout(std430, binding = 1001) readonly buffer W { uvec2 words[]; };
layout(std430, binding = 2000) buffer O { double result[]; };
void main()
{
    uint i = gl_LocalInvocationIndex;
    double d = from[i];
    result[i * 5] = d * d + 1.0lf;
    result[i * 5 + 1] = d / 3.0lf;
    result[i * 5 + 2] = packDouble2x32(words[i]) - d;
    result[i * 5 + 3] = double(float(d)) + int(d);
    result[i * 5 + 4] = d > 2.0lf ? min(d, 5.0lf) : -d;
}
