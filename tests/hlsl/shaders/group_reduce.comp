#version 450
layout(local_size_x = 128) in;
layout(std430, binding = 1000) readonly buffer F { uint from[]; };
layout(std430, binding = 2000) buffer O { uint result[]; };
shared uint sums[128], largest;
void main()
{
    uint i = gl_LocalInvocationIndex, group = gl_WorkGroupID.x;
    if (i == 0)
        largest = 0;
    sums[i] = from[gl_GlobalInvocationID.x];
    barrier();
    atomicMax(largest, sums[i]);
    for (uint step = 64; step > 0; step >>= 1) {
        if (i < step)
            sums[i] += sums[i + step];
        barrier();
    }
    if (i == 0) {
        result[group * 2] = sums[0];
        result[group * 2 + 1] = largest;
    }
}
