#version 450
layout(local_size_x = 16) in;
layout(std430, binding = 1000) readonly buffer F { vec2 from[]; };
layout(std430, binding = 2000) buffer O { float result[]; };
void main()
{
    uint i = gl_LocalInvocationIndex, at = i * 20;
    float x = from[i].x, y = from[i].y;
    float values[20] = {x * y + 1, 1 / y, clamp(x, 0.0, 1.0), mix(x, y, 0.25), clamp(x, -1.0, 1.0), step(x, y), smoothstep(-2.0, 2.0, x), sign(x),
        fract(x), trunc(x), floor(x), ceil(x), abs(x), min(x, y), max(x, y), x - y * trunc(x / y), roundEven(x), x / y, degrees(x), sqrt(abs(x))};
    for (uint k = 0; k < 20; k++)
        result[at + k] = values[k];
}
