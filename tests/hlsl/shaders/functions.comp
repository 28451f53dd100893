#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 2000) buffer O { float result[]; };
void main()
{
    uint i = gl_LocalInvocationIndex;
    float a = i * 10, b = i, low = min(b * 5, 10), high = max(b * 5 - 10, 0);
    float x = a + 2, y = 1 + b;
    result[i * 5] = low * 100 + high;
    result[i * 5 + 1] = a * a + 1 + x * x + y * y - 1;
    result[i * 5 + 2] = a * 3 + a * b;
    result[i * 5 + 3] = 100 + b + low + high;
    result[i * 5 + 4] = i * 0.5;
}
