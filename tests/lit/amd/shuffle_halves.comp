// REQUIRES: frontend
// Shuffles of a wave64 across its halves. Through LDS they cost a store and a load; where v_permlane64 exchanges the halves and all lanes are
// active, those by a constant are it and one exchange within the halves. If LDS has no room, ds_bpermute reads the value and a copy whose halves
// are exchanged, by v_permlane64 or a shared VGPR (RSRC3, 3:0).
// RUN: %heddle compile --target-env=vulkan1.2 -t gfx1100 --wave-size 64 --emit asm %s | %FileCheck %s --check-prefixes=LDS,EXCHANGE
// RUN: %heddle compile --target-env=vulkan1.2 -t gfx1030 --wave-size 64 --emit asm %s | %FileCheck %s --check-prefix=LDS
// RUN: %heddle compile --target-env=vulkan1.2 -t gfx1100 --wave-size 64 --emit asm -DFULL=16384 %s | %FileCheck %s --check-prefix=PERMLANE
// RUN: %heddle compile --target-env=vulkan1.2 -t gfx1030 --wave-size 64 --emit asm -DFULL=16384 %s | %FileCheck %s --check-prefix=SHARED
// RUN: %heddle compile --target-env=vulkan1.2 -t gfx900 --wave-size 64 --emit asm -DFULL=16384 %s | %FileCheck %s --check-prefix=WIDE
// RUN: %heddle compile --target-env=vulkan1.2 -t gfx1200 --wave-size 64 --emit asm -DFULL=16384 %s | %FileCheck %s --check-prefix=WIDE

// LDS: 256 bytes LDS
// EXCHANGE-COUNT-2: v_permlane64_b32
// EXCHANGE-NOT: v_permlane64_b32
// EXCHANGE: row_xmask:3
// EXCHANGE-NOT: v_permlane64_b32

// PERMLANE: s_or_saveexec_b64 [[M:s\[[0-9:]+\]]], -1
// PERMLANE: v_permlane64_b32 [[T:v[0-9]+]], [[A:v[0-9]+]]
// PERMLANE: ds_bpermute_b32 [[T]], [[I:v[0-9]+]], [[T]]
// PERMLANE: s_mov_b64 exec, [[M]]
// PERMLANE: ds_bpermute_b32 [[R:v[0-9]+]], [[I]], [[A]]
// PERMLANE: v_cndmask_b32_e64 [[R]], [[R]], [[T]]
// PERMLANE-NOT: v_readlane

// SHARED: rsrc 0x{{[0-9a-f]+}} 0x{{[0-9a-f]+}} 0x00000001
// SHARED: s_bfm_b64 exec, 32, 32
// SHARED: s_mov_b64 exec, -1
// SHARED: ds_bpermute_b32
// SHARED-NOT: v_readlane

// WIDE-NOT: v_readlane
// WIDE: ds_bpermute_b32
// WIDE-NOT: s_bfm_b64
#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer b { uint d[]; };
#ifdef FULL
shared uint s[FULL];
#endif
void main()
{
    uint i = gl_LocalInvocationIndex, r = 0;
#ifdef FULL
    s[d[i] & 16383u] = i;
    barrier();
    r = s[d[i + 9] & 16383u];
#endif
    d[i] = r + subgroupShuffle(d[i + 64], d[i + 128]);
    d[i] += subgroupShuffleXor(d[i + 192], 35);
    d[i] += subgroupShuffleUp(d[i + 256], 32u);
}
