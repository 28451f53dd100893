#version 450
layout(local_size_x = 4, local_size_y = 3, local_size_z = 2) in;
layout(std430, binding = 2000) buffer O { uint result[]; };
void main()
{
    uint group = gl_WorkGroupID.x + 2 * gl_WorkGroupID.y, at = (group * 24 + gl_LocalInvocationIndex) * 2;
    result[at] = gl_GlobalInvocationID.x + 100 * gl_GlobalInvocationID.y + 10000 * gl_GlobalInvocationID.z;
    result[at + 1] = gl_LocalInvocationID.x + 10 * gl_LocalInvocationID.y + 100 * gl_LocalInvocationID.z + 1000 * group;
}
