// REQUIRES: frontend
// RUN: env HEDDLE_DEBUG=nosched-ilp,nosched %heddle compile -t gfx700 --emit asm %s | %FileCheck %s --check-prefixes=CHECK,SWIZZLE
// RUN: env HEDDLE_DEBUG=nosched-ilp,nosched %heddle compile -t gfx600 --emit asm %s | %FileCheck %s --check-prefixes=CHECK,SWIZZLE
// RUN: env HEDDLE_DEBUG=nosched-ilp,nosched %heddle compile -t gfx803 --emit asm %s | %FileCheck %s --check-prefixes=CHECK,DPP
// Without DPP, reductions, scans and quad operations read other lanes by ds_swizzle_b32.
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint a[]; };
void main()
{
    uint i = gl_LocalInvocationIndex, v = a[i];
    a[i + 64] = subgroupQuadSwapHorizontal(v);
    a[i + 128] = subgroupClusteredMin(v, 4u);
    a[i + 192] = subgroupExclusiveMax(v);
}
// CHECK: main:
// SWIZZLE-NOT: dpp
// SWIZZLE: ds_swizzle_b32 v{{[0-9]+}}, [[V:v[0-9]+]] offset:swizzle(QUAD_PERM,1,0,3,2)
// DPP: v_mov_b32_dpp v{{[0-9]+}}, [[V:v[0-9]+]] quad_perm:[1,0,3,2]
// SWIZZLE: ds_swizzle_b32 [[O:v[0-9]+]], [[V]] offset:swizzle(SWAP,1)
// SWIZZLE: v_min_u32_e32 [[A:v[0-9]+]], [[O]], [[V]]
// SWIZZLE: ds_swizzle_b32 [[O]], [[A]] offset:swizzle(SWAP,2)
// The shift by one lane, whose first lanes of groups are corrected.
// SWIZZLE: ds_swizzle_b32 [[S:v[0-9]+]], [[V]] offset:swizzle(QUAD_PERM,0,0,1,2)
// SWIZZLE-NEXT: ds_swizzle_b32 [[T:v[0-9]+]], [[V]] offset:swizzle(BROADCAST,8,3)
// SWIZZLE-NEXT: s_mov_b32 exec_lo, 0x10101010
// SWIZZLE-NEXT: s_mov_b32 exec_hi, exec_lo
// SWIZZLE-NEXT: s_waitcnt lgkmcnt(0)
// SWIZZLE-NEXT: v_mov_b32_e32 [[S]], [[T]]
// SWIZZLE-NEXT: s_mov_b64 exec, -1
// SWIZZLE-NEXT: ds_swizzle_b32 [[T]], [[V]] offset:swizzle(BROADCAST,16,7)
// SWIZZLE: s_mov_b32 exec_lo, 0x1000100
// SWIZZLE: ds_swizzle_b32 [[T]], [[V]] offset:swizzle(BROADCAST,32,15)
// SWIZZLE: s_mov_b32 exec_lo, 0x10000
// SWIZZLE: v_writelane_b32 [[S]], 0, 0
// The steps of the scan.
// SWIZZLE: ds_swizzle_b32 [[O:v[0-9]+]], [[S]] offset:swizzle(BROADCAST,2,0)
// SWIZZLE-NEXT: s_mov_b32 exec_lo, 0xaaaaaaaa
// SWIZZLE-NEXT: s_mov_b32 exec_hi, exec_lo
// SWIZZLE-NEXT: s_waitcnt lgkmcnt(0)
// SWIZZLE-NEXT: v_max_u32_e32 [[S]], [[O]], [[S]]
// SWIZZLE-NEXT: s_mov_b64 exec, -1
// SWIZZLE-NEXT: ds_swizzle_b32 [[O]], [[S]] offset:swizzle(BROADCAST,4,1)
// SWIZZLE-NEXT: s_mov_b32 exec_lo, 0xcccccccc
// SWIZZLE: ds_swizzle_b32 [[O]], [[S]] offset:swizzle(BROADCAST,8,3)
// SWIZZLE-NEXT: s_mov_b32 exec_lo, 0xf0f0f0f0
// SWIZZLE: ds_swizzle_b32 [[O]], [[S]] offset:swizzle(BROADCAST,16,7)
// SWIZZLE-NEXT: s_mov_b32 exec_lo, 0xff00ff00
// SWIZZLE: ds_swizzle_b32 [[O]], [[S]] offset:swizzle(BROADCAST,32,15)
// SWIZZLE-NEXT: s_bfm_b32 exec_lo, 16, 16
// SWIZZLE: s_bfm_b64 exec, 32, 32
// SWIZZLE: v_readlane_b32 vcc_lo, [[S]], 31
// DPP: v_max_u32_dpp
