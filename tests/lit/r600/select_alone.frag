#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
// REQUIRES: frontend
// RUN: %heddle compile -t rv770 --target-env vulkan1.2 --emit tree %s | %FileCheck %s
// RUN: %heddle compile -t rv770 --target-env vulkan1.2 --emit asm %s | %FileCheck %s --check-prefix ASM
// Before Evergreen nothing numbers lanes: a fragment is a subgroup of its own.
layout(push_constant) uniform P { float x; bool lives; };
layout(location = 0) out vec4 color;

// CHECK: AND_INT 0xffffffff, 0x1
// CHECK: CNDE_INT 0xffffffff, CB0[4].x, 0x7f800000
// CHECK: [[SET:%[0-9]+]].{{.}} = SETNE_INT CB0[4].y, 0x0
// CHECK: CNDE_INT [[SET]], 0x0, %
// CHECK: UINT_TO_FLT 0x1
// CHECK: EXPORT_DONE
// ASM-NOT: MBCNT
// ASM-NOT: LDS_
void main()
{
    color = vec4(subgroupAdd(x), subgroupExclusiveMin(x), float(subgroupBallot(lives).x), float(gl_SubgroupSize));
}
