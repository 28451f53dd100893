// REQUIRES: frontend
// RUN: %heddle compile -t gfx1201 --target-env vulkan1.2 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t gfx1201 --target-env vulkan1.2 --wave-size 32 --abi hsa --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t gfx1201 --target-env vulkan1.2 --emit lower_abi %s | %FileCheck --check-prefix=HIR %s

// The ids of the workgroup and of the wave are in ttmp registers, which are read where they are. The number of waves is a constant.
// RSRC2 enables all three dimensions: 9:7.
// HIR: arg: kind=workgroup_id
// HIR: arg: kind=workgroup_id_yz
// HIR: arg: kind=wave_id
// CHECK: rsrc {{0x[0-9a-f]+ 0x[0-9a-f]+[37bf][89a-f][0-9a-f] }}
// CHECK-DAG: s_and_b32 s{{[0-9]+}}, ttmp7, 0xffff
// CHECK-DAG: s_lshr_b32 s{{[0-9]+}}, ttmp7, 16
// CHECK-DAG: ttmp9
// CHECK-DAG: s_bfe_u32 s{{[0-9]+}}, ttmp8, 0x50019
// CHECK: s_endpgm
#version 450
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 128) in;
layout(binding = 0) buffer B { uint a[]; };

void main()
{
    uint at = gl_WorkGroupID.x * gl_WorkGroupID.y + gl_WorkGroupID.z;
    a[at] = gl_SubgroupID + gl_NumSubgroups;
}
