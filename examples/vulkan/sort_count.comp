#version 450
// Counts the digits of a group's keys.
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer sizes { uint keys; };
layout(std430, binding = 1) readonly buffer unsorted { uvec2 from[]; };
layout(std430, binding = 3) buffer counted { uint counts[]; };
layout(push_constant) uniform constants { uint shift; };

shared uint own[16];

void main()
{
    uint k = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
    if (k < 16)
        own[k] = 0;
    barrier();
    if (at < keys)
        atomicAdd(own[from[at].x >> shift & 15], 1);
    barrier();
    if (k < 16)
        counts[k * gl_NumWorkGroups.x + gl_WorkGroupID.x] = own[k];
}
