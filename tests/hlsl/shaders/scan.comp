#version 450
layout(local_size_x = 256) in;
layout(std430, binding = 1000) readonly buffer F { uint from[]; };
layout(std430, binding = 2000) buffer O { uint result[]; };
shared uint sums[2][256];
void main()
{
    uint i = gl_LocalInvocationIndex, turn = 0;
    sums[0][i] = from[gl_GlobalInvocationID.x];
    barrier();
    for (uint step = 1; step < 256; step <<= 1) {
        uint v = sums[turn][i];
        if (i >= step)
            v += sums[turn][i - step];
        turn ^= 1;
        sums[turn][i] = v;
        barrier();
    }
    result[gl_GlobalInvocationID.x] = sums[turn][i];
}
