#version 450
layout(local_size_x = 12) in;
layout(std430, binding = 1000) readonly buffer F { uint from[]; };
layout(std430, binding = 2000) buffer O { uint result[]; };
void main()
{
    uint i = gl_LocalInvocationIndex;
    float x = uintBitsToFloat(from[i]), whole;
    float part = modf(x, whole);
    bool finite = !isnan(x) && !isinf(x);
    result[i * 7] = (isnan(x) ? 1 : 0) + (isinf(x) ? 2 : 0) + (finite ? 4 : 0);
    result[i * 7 + 1] = (x < 1 ? 1 : 0) + (x >= 1 ? 2 : 0) + (x == x ? 4 : 0) + (x != x ? 8 : 0) + (!(x < 1) ? 16 : 0);
    result[i * 7 + 2] = finite ? floatBitsToUint(part) : 0;
    result[i * 7 + 3] = finite ? floatBitsToUint(whole) : 0;
    result[i * 7 + 4] = floatBitsToUint(x * 8);
    result[i * 7 + 5] = floatBitsToUint(-x);
    int exponent;
    float mantissa = frexp(x, exponent);
    result[i * 7 + 6] = x > 0 && finite ? floatBitsToUint(mantissa + 4 * exponent) : 0;
}
