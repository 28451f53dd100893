// RUN: %heddle compile -t gfx1030 --wave-size 32 --emit asm %s | %FileCheck %s
// REQUIRES: frontend
// The components of shuffled vectors, and shuffles beside them, share lane numbers and addresses.
#version 450
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_KHR_shader_subgroup_shuffle_relative : enable
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, std430) readonly buffer A { uint n; vec4 v[]; } a;
layout(set = 0, binding = 1, std430) writeonly buffer B { vec4 r[]; } b;
void main() {
    uint i = gl_LocalInvocationIndex;
    vec4 x = a.v[i];
    // CHECK: v_lshlrev_b32_e32 [[AT:v[0-9]+]], 2, v{{[0-9]+}}
    // CHECK-NEXT: ds_bpermute_b32 v{{[0-9]+}}, [[AT]], v{{[0-9]+}}
    // CHECK-NEXT: ds_bpermute_b32 v{{[0-9]+}}, [[AT]], v{{[0-9]+}}
    // CHECK-NEXT: ds_bpermute_b32 v{{[0-9]+}}, [[AT]], v{{[0-9]+}}
    // CHECK-NEXT: ds_bpermute_b32 v{{[0-9]+}}, {{v[0-9]+}}, v{{[0-9]+}}
    b.r[i] = subgroupShuffle(x, floatBitsToUint(x.x) & 31u);
    // CHECK-COUNT-1: v_mbcnt_lo_u32_b32
    // CHECK-NOT: v_mbcnt_lo_u32_b32
    b.r[i + 32u] = subgroupShuffleUp(x, a.n) * subgroupShuffleDown(x, a.n + 1u);
}
