#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 1002) readonly buffer F { uint from[]; };
layout(std430, binding = 2000) buffer G { uint to[]; };
void main()
{
    uint size = from.length() * 4, at = gl_GlobalInvocationID.x * 10;
    for (uint k = 0; k < 4; k++)
        to[at + k] = from[at + 3 - k];
    for (uint k = 4; k < 7; k++)
        to[at + k] = from[at + k] + size;
    for (uint k = 7; k < 9; k++)
        to[at + k] = floatBitsToUint(uintBitsToFloat(from[at + k]) * 0.5);
    to[at + 9] ^= from[at + 9];
}
