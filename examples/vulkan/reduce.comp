#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
// Sum, least, greatest and exclusive or of a part of the numbers, joined with what others have found.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint EACH = 4;
layout(std430, binding = 0) readonly buffer numbers { uint all[]; };
struct result {
    uint sum, least, greatest, parity;
};
layout(std430, binding = 1) buffer results { result found[]; };
layout(push_constant) uniform constants { uint first, end, slot; };

shared uvec4 partial[128];

uvec4 join(uvec4 a, uvec4 b)
{
    return uvec4(a.x + b.x, min(a.y, b.y), max(a.z, b.z), a.w ^ b.w);
}

void main()
{
    uint at = first + gl_WorkGroupID.x * gl_WorkGroupSize.x * EACH + gl_LocalInvocationIndex;
    uvec4 own = uvec4(0, ~0u, 0, 0);
    for (uint k = 0; k < EACH; k++, at += gl_WorkGroupSize.x) {
        if (at < end)
            own = join(own, all[at].xxxx);
    }
    own = uvec4(subgroupAdd(own.x), subgroupMin(own.y), subgroupMax(own.z), subgroupXor(own.w));
    if (subgroupElect())
        partial[gl_SubgroupID] = own;
    barrier();
    if (gl_LocalInvocationIndex != 0)
        return;
    for (uint k = 1; k < gl_NumSubgroups; k++)
        partial[0] = join(partial[0], partial[k]);
    atomicAdd(found[slot].sum, partial[0].x);
    atomicMin(found[slot].least, partial[0].y);
    atomicMax(found[slot].greatest, partial[0].z);
    atomicXor(found[slot].parity, partial[0].w);
}
