#version 460
#extension GL_KHR_shader_subgroup_basic : enable
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_KHR_shader_subgroup_shuffle_relative : enable
#extension GL_KHR_shader_subgroup_clustered : enable
#extension GL_KHR_shader_subgroup_quad : enable
#extension GL_KHR_memory_scope_semantics : enable
#pragma use_vulkan_memory_model
layout(local_size_x = 128) in;
layout(binding = 0) workgroupcoherent buffer Data { uint data[]; };
shared vec2 row[128];

void
main()
{
    uint id = gl_LocalInvocationIndex, x = data[id];
    float f = float(x);
    row[id] = vec2(subgroupInclusiveAdd(f), subgroupClusteredMul(f, 4u));
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
    uvec4 votes = subgroupBallot(row[id ^ 1u].x > 2.0);
    if (subgroupAny(x > 5u) && !subgroupAllEqual(x))
        x = subgroupShuffle(x, id & 3u) + subgroupShuffleUp(x, 1u) + subgroupQuadSwapHorizontal(x);
    else
        x = subgroupExclusiveMax(x) ^ subgroupBroadcastFirst(x) ^ subgroupShuffleXor(x, 5u);
    if (subgroupElect())
        atomicAdd(data[200], subgroupBallotBitCount(votes), gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
    x += subgroupBallotExclusiveBitCount(votes) + subgroupBallotFindMSB(votes) + gl_SubgroupID;
    data[id] = x + subgroupMin(uint(row[x & 127u].y));
}
