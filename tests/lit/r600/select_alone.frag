#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
// REQUIRES: frontend
// RUN: %heddle compile -t rv770 --target-env vulkan1.2 --emit tree %s | %FileCheck %s
// RUN: %heddle compile -t rv770 --target-env vulkan1.2 --emit asm %s | %FileCheck %s --check-prefix ASM
// RUN: %heddle targets | %FileCheck %s --check-prefix TARGETS
// Before Evergreen nothing numbers lanes: a fragment is a subgroup of its own, lane 0 of one, and has no quad of lanes that numbers are
// shuffled in.
layout(push_constant) uniform P { float x; bool lives; };
layout(location = 0) out vec4 color;
layout(location = 1) out uvec4 above;

// CHECK: AND_INT 0xffffffff, 0x1
// CHECK: CNDE_INT 0xffffffff, CB0[4].x, 0x7f800000
// CHECK: [[SET:%[0-9]+]].{{.}} = SETNE_INT CB0[4].y, 0x0
// CHECK: CNDE_INT [[SET]], 0x0, %
// CHECK: "EXPORT_DONE PIX[0], {{.*}} [%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, 0x3f800000]
// ASM-NOT: MBCNT
// ASM-NOT: LDS_
// TARGETS: rv770 {{.*}} subgroup 1
// TARGETS-NOT: cypress {{.*}} subgroup
void main()
{
    uint lane = subgroupShuffle(gl_SubgroupInvocationID, (gl_SubgroupInvocationID & ~3u) + 1u);
    above = (gl_SubgroupGeMask & ~gl_SubgroupEqMask) + lane;
    color = vec4(subgroupAdd(x), subgroupExclusiveMin(x), float(subgroupBallot(lives).x), float(gl_SubgroupSize));
}
