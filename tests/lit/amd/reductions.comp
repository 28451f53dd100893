// REQUIRES: frontend
// RUN: env HEDDLE_DEBUG=nosched-ilp %heddle compile --emit asm --wave-size 64 -D SIZE=64 %s | %FileCheck %s --check-prefixes=CHECK,FULL
// RUN: env HEDDLE_DEBUG=nosched-ilp %heddle compile --emit asm --wave-size 64 -D SIZE=48 %s | %FileCheck %s --check-prefixes=CHECK,PART
// Sequences of reductions and scans. If the workgroup fills its waves, all lanes are active.
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_clustered : require
layout(local_size_x = SIZE) in;
layout(set = 0, binding = 0) buffer B { float f[64]; uint u[64]; uint o[64]; };
void main()
{
    uint i = gl_LocalInvocationIndex, x = u[i];
    f[0] = subgroupAdd(f[i]);
    o[i] = subgroupExclusiveAdd(x);
    f[i] = subgroupInclusiveMin(float(x));
    u[i] = subgroupClusteredMax(x, 4u);
}
// CHECK: main:
// PART: s_or_saveexec_b64 [[E:s\[[0-9:]+\]]], -1
// PART: v_cndmask_b32_e64 [[A:v[0-9]+]], 0, {{v[0-9]+}}, [[E]]
// FULL-NOT: saveexec
// CHECK: v_add_f32_dpp [[A:v[0-9]+]], [[X:v[0-9]+]], [[X]] quad_perm:[1,0,3,2]
// CHECK-NEXT: v_add_f32_dpp [[A]], [[A]], [[A]] quad_perm:[2,3,0,1]
// CHECK-NEXT: v_add_f32_dpp [[A]], [[A]], [[A]] row_half_mirror
// CHECK-NEXT: v_add_f32_dpp [[A]], [[A]], [[A]] row_mirror
// CHECK-NEXT: v_permlanex16_b32 [[B:v[0-9]+]], [[A]], 0, 0
// CHECK-NEXT: v_add_f32_e32 [[A]], [[B]], [[A]]
// CHECK-NEXT: v_readlane_b32 vcc_lo, [[A]], 0
// CHECK-NEXT: v_add_f32_e32 [[A]], vcc_lo, [[A]]
// CHECK-NEXT: v_readlane_b32 s{{[0-9]+}}, [[A]], 63
// PART-NEXT: s_mov_b64 exec, [[E]]
// CHECK: v_add_nc_u32_dpp [[A:v[0-9]+]], [[X:v[0-9]+]], [[X]] row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1
// CHECK-NEXT: v_add_nc_u32_dpp [[A]], [[A]], [[A]] row_shr:2
// CHECK-NEXT: v_add_nc_u32_dpp [[A]], [[A]], [[A]] row_shr:4
// CHECK-NEXT: v_add_nc_u32_dpp [[A]], [[A]], [[A]] row_shr:8
// CHECK-NEXT: v_permlanex16_b32 [[B:v[0-9]+]], [[A]], -1, -1
// CHECK-NEXT: v_add_nc_u32_dpp [[A]], [[B]], [[A]] quad_perm:[0,1,2,3] row_mask:0xa bank_mask:0xf
// CHECK-NEXT: s_bfm_b64 exec, 32, 32
// CHECK-NEXT: v_readlane_b32 vcc_lo, [[A]], 31
// CHECK-NEXT: v_add_nc_u32_e32 [[A]], vcc_lo, [[A]]
// CHECK-NEXT: s_mov_b64 exec,
// CHECK-NEXT: v_sub_nc_u32_e32 v{{[0-9]+}}, [[A]], v{{[0-9]+}}
// CHECK: v_min_f32_dpp [[A:v[0-9]+]], [[A]], [[A]] row_shr:1 row_mask:0xf bank_mask:0xf
// CHECK-NOT: bound_ctrl
// CHECK: v_max_u32_dpp [[A:v[0-9]+]], [[X:v[0-9]+]], [[X]] quad_perm:[1,0,3,2]
// PART: s_mov_b64 exec,
// CHECK-NEXT: v_max_u32_dpp [[D:v[0-9]+]], [[A]], [[A]] quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf fi:1
// CHECK-NOT: [[A]]
// CHECK: buffer_store_dword [[D]]
