// REQUIRES: frontend
// RUN: env HEDDLE_DEBUG=nosched-ilp,skip=schedule_program %heddle compile --emit asm -t gfx1030 --wave-size 64 %s | %FileCheck %s --check-prefixes=CHECK,W64,GFX10
// RUN: env HEDDLE_DEBUG=nosched-ilp,skip=schedule_program %heddle compile --emit asm -t gfx900 %s | %FileCheck %s --check-prefixes=CHECK,W64,GFX9
// RUN: env HEDDLE_DEBUG=nosched-ilp,skip=schedule_program %heddle compile --emit asm -t gfx1100 --wave-size 64 %s | %FileCheck %s --check-prefixes=CHECK,W64,GFX11
// RUN: env HEDDLE_DEBUG=nosched-ilp,skip=schedule_program %heddle compile --emit asm -t gfx1201 --wave-size 32 %s | %FileCheck %s --check-prefixes=CHECK,W32
// Values of other lanes without an address and in the instruction that uses them; masks where they lie.
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint u[64]; float f[64]; uint o[64]; float p[64]; uint q[64]; };
layout(push_constant) uniform P { uint n; };
void main()
{
    uint i = gl_LocalInvocationIndex, x = u[i];
    float y = f[i];
// The subtrahend is moved: the sources are exchanged. A sign stays with its source.
// CHECK: v_subrev_f32_dpp v{{[0-9]+}}, [[Y:v[0-9]+]], [[Y]] quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1
    p[i] = y - subgroupQuadSwapHorizontal(y);
// CHECK: v_add_f32_dpp v{{[0-9]+}}, [[Y]], |[[Y]]| {{quad_perm:\[2,3,0,1\]|row_xmask:2}}
    f[i] = abs(y) + subgroupShuffleXor(y, 2u);
// The other half of the wave.
// GFX10: ds_read_b32
// GFX9: ds_bpermute_b32
// GFX11: v_permlane64_b32
    o[i] = max(subgroupShuffle(x, gl_SubgroupInvocationID ^ 32u), 3u);
// The neighbour.
// GFX9: v_mov_b32_dpp {{.*}} wave_shr:1
// W32: ds_swizzle_b32 {{.*}} offset:{{swizzle\(ROTATE,1,1\)|50208}}
    q[i] = subgroupShuffleUp(x, 1u);
    if (x > 5u) {
// Active lanes are counted in exec, and 1 is added on the way.
// W64: v_mbcnt_lo_u32_b32{{.*}} [[C:v[0-9]+]], exec_lo, 1
// W64: v_mbcnt_hi_u32_b32{{.*}} v{{[0-9]+}}, exec_hi, [[C]]
// W32: v_mbcnt_lo_u32_b32 v{{[0-9]+}}, exec_lo, 1
        o[i] = subgroupBallotInclusiveBitCount(subgroupBallot(true));
// Halves of vcc are read there.
// W64: v_cmp_lt_f32_e32 vcc, 0,
// W64: v_mbcnt_lo_u32_b32{{.*}} [[D:v[0-9]+]], vcc_lo, 0
// W64: v_mbcnt_hi_u32_b32{{.*}} v{{[0-9]+}}, vcc_hi, [[D]]
        p[i] = float(subgroupBallotExclusiveBitCount(subgroupBallot(y > 0.0)));
// CHECK: v_and_b32_e32 v{{[0-9]+}}, vcc_lo, v{{[0-9]+}}
        q[i] = subgroupBallot(y < 1.0).x & x;
    }
// W64: s_bitcmp1_b64 vcc, s{{[0-9]+}}
// W32: s_bitcmp1_b32 vcc_lo, s{{[0-9]+}}
    f[i] = subgroupBroadcast(y > 2.0, n) ? 1.0 : 2.0;
// The sum of the bits of both halves needs no addition.
// W64: v_bcnt_u32_b32{{.*}} [[E:v[0-9]+]], v{{[0-9]+}}, 0
// W64: v_bcnt_u32_b32{{.*}} v{{[0-9]+}}, v{{[0-9]+}}, [[E]]
    u[i] = bitCount(x) + bitCount(o[i]);
}
