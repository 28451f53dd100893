#version 450
// Counts up, for as long as the buffer says.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer numbers { uint rounds; uint count[]; };

void main()
{
    for (uint k = 0; k != rounds; k++)
        atomicAdd(count[gl_LocalInvocationIndex], 1);
}
