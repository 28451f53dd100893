#version 450
layout(local_size_x = 16) in;
layout(std430, binding = 1000) readonly buffer F { vec2 from[]; };
layout(std430, binding = 2000) buffer O { float result[]; };
void main()
{
    uint i = gl_LocalInvocationIndex;
    float x = from[i].x, y = from[i].y, ln = log(abs(x));
    float values[20] = {sin(x), cos(x), sin(x), cos(x), tan(x), asin(y), acos(y), atan(x), atan(y, x), sinh(y), cosh(y), tanh(x), exp(y), exp2(y), ln,
        log2(abs(x)), ln / log(10.0), pow(abs(x), y), inversesqrt(abs(x)), radians(x)};
    for (uint k = 0; k < 20; k++)
        result[i * 20 + k] = values[k];
}
