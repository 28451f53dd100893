#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(std430, binding = 2000) buffer O { uint result[]; };
void main()
{
    uint i = gl_LocalInvocationIndex, lane = gl_SubgroupInvocationID, first = i - lane, at = i * 8;
    result[at] = uint(subgroupExclusiveAdd(lane) == lane * (lane - 1) / 2);
    result[at + 1] = uint(subgroupExclusiveMul(lane % 2 + 1) == 1u << (lane / 2));
    result[at + 2] = uint(subgroupBallotExclusiveBitCount(subgroupBallot(lane % 3 == 0)) == (lane + 2) / 3);
    result[at + 3] = uint(subgroupBroadcastFirst(i) == first);
    result[at + 4] = uint(subgroupBroadcast(i * 3, 5) == (first + 5) * 3);
    uvec4 ballot = subgroupBallot(i % 8 == 1);
    result[at + 5] = ballot.x;
    result[at + 6] = ballot.z | ballot.w;
    uint across = subgroupQuadSwapHorizontal(i) - (i ^ 1), down = subgroupQuadSwapVertical(i) - (i ^ 2);
    uint both = subgroupQuadSwapDiagonal(i) - (i ^ 3);
    result[at + 7] = across | down | both | (subgroupQuadBroadcast(i, 2) ^ ((i & ~3u) + 2));
}
