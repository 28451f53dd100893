// REQUIRES: frontend
// RUN: %heddle compile --emit hir --target-env vulkan1.1 %s 2>&1 | %FileCheck %s
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uvec4 r[]; };
void main()
{
    uint i = gl_SubgroupInvocationID;
    r[0].x = subgroupAdd(i);
    r[0].y = subgroupExclusiveMax(i);
    r[0].zw = subgroupClusteredMin(r[1].zw, 4);
    r[2] = subgroupBallot(i > 3u);
    r[3].x = subgroupBallotExclusiveBitCount(r[2]);
    r[3].y = uint(subgroupShuffleXor(i > 2u, 1u));
}
// CHECK: uses_subgroups
// CHECK: @reduce {{.*}}reduction_op=iadd
// CHECK: @exclusive_scan {{.*}}umax
// CHECK-COUNT-2: @reduce {{.*}}reduction_op=umin, cluster_size=4
// CHECK: 64 {{%[0-9]+}} = @ballot
// CHECK: unpack_64_2x32_x
// CHECK: @ballot_bit_count_exclusive
// CHECK: 1 {{%[0-9]+}} = @shuffle_xor
// CHECK: b2i
