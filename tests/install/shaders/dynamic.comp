#version 450
// The second: dynamic buffers, push constants by a computed index, and the number of workgroups.
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 4) buffer Sums { uint sums[]; };
layout(set = 0, binding = 5) uniform Weights { uvec4 weight; };
layout(push_constant) uniform Push { uint first; uint second; uint table[4]; };
shared uint total;
void main()
{
    if (gl_LocalInvocationIndex == 0)
        total = 0;
    barrier();
    atomicAdd(total, weight.x * gl_LocalInvocationIndex + table[gl_LocalInvocationID.y]);
    barrier();
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (gl_LocalInvocationIndex == 0)
        sums[group] = total + first + group * weight.w;
}
