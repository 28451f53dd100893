#version 450
layout(local_size_x = 1) in;
layout(std140, binding = 0) uniform C { vec4 r[13]; };
layout(std430, binding = 2000) buffer O { float result[]; };
void main()
{
    const uint at[22] = uint[](0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 16, 20, 24, 25, 26, 28, 31, 32, 33, 36, 41);
    for (uint i = 0; i < 22; i++)
        result[i] = r[at[i] / 4][at[i] % 4];
    result[22] = floatBitsToUint(r[11].z) != 0 ? 1.0 : 0.0;
    result[23] = float(floatBitsToInt(r[12].x));
    result[24] = float(floatBitsToInt(r[12].z));
}
