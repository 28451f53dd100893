// Subgroup operations, also where only some lanes are active; the group's size is the application's.
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_clustered : require
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0, std430) readonly buffer A { uint v[]; } a;
layout(set = 0, binding = 1, std430) buffer B { uint r[]; } b;
void main() {
    uint i = gl_GlobalInvocationID.x, v = a.v[i], at = 12u * i;
    b.r[at] = subgroupAdd(v);
    b.r[at + 1u] = subgroupInclusiveAdd(v);
    b.r[at + 2u] = subgroupExclusiveMax(v);
    b.r[at + 3u] = subgroupClusteredXor(v, 8u);
    b.r[at + 4u] = subgroupShuffleXor(v, 5u);
    if ((v & 3u) != 0u) {
        b.r[at + 5u] = subgroupMin(v);
        b.r[at + 6u] = subgroupBallotBitCount(subgroupBallot(v > 20u));
        b.r[at + 7u] = subgroupBroadcastFirst(v);
        b.r[at + 8u] = subgroupAny(v == 21u) ? subgroupExclusiveAdd(v) : 0u;
    } else {
        b.r[at + 5u] = subgroupMul(v | 1u);
        b.r[at + 6u] = uint(subgroupElect()) + 2u * uint(subgroupAllEqual(v));
    }
    b.r[at + 9u] = subgroupShuffleXor(v, gl_SubgroupSize / 2u);
    b.r[at + 10u] = subgroupBallotExclusiveBitCount(subgroupBallot((v & 1u) == 1u));
    b.r[at + 11u] = subgroupInverseBallot(uvec4(0x5a5a5555u, 0x33u, 0u, 0u)) ? v : 7u;
}
