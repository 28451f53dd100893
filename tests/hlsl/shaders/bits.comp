#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 1000) readonly buffer F { uint from[]; };
layout(std430, binding = 2000) buffer O { uint result[]; };
void main()
{
    uint i = gl_LocalInvocationIndex, u = from[i], at = i * 12;
    int n = int(u);
    result[at] = bitCount(u);
    result[at + 1] = bitfieldReverse(u);
    result[at + 2] = findLSB(u);
    result[at + 3] = findMSB(u);
    result[at + 4] = findMSB(n);
    result[at + 5] = floatBitsToUint(unpackHalf2x16(u).x);
    result[at + 6] = packHalf2x16(vec2(uintBitsToFloat(u & 0x7f7fffff), 0));
    result[at + 7] = u ^ ~u;
    result[at + 8] = u << ((i + 20) & 31) | u >> ((i * 5) & 31);
    result[at + 9] = uint(n >> (i & 31));
    result[at + 10] = (bitfieldReverse(u) + bitCount(u)) ^ (bitfieldReverse(~u) + 1);
    result[at + 11] = uint(abs(n) + min(n, 7) + max(n, -9)) + uint(sign(n));
}
