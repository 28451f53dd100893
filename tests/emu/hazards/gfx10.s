## Hazards of gfx10; gfx10.3 has one of them. See test_hazards.c.

# rule VMEMtoScalarWriteHazard
# gens gfx10
# bad
buffer_load_dword v0, off, s[4:7], s8
s_mov_b32 s8, 0
# bad
global_load_dword v0, v1, s[4:5]
s_load_dword s4, s[0:1], 0x0
# bad
buffer_store_dword v0, off, s[4:7], 0
s_waitcnt vmcnt(0)
s_mov_b32 s5, 0
# bad
ds_write_b32 v0, v1
s_mov_b64 exec, -1
# bad
buffer_load_dword v0, off, s[4:7], s8
s_nop 7
s_mov_b32 s8, 0
# good
buffer_load_dword v0, off, s[4:7], s8
v_mov_b32 v1, 0
s_mov_b32 s8, 0
# good
buffer_load_dword v0, off, s[4:7], s8
s_waitcnt vmcnt(0)
s_mov_b32 s8, 0
# good
buffer_store_dword v0, off, s[4:7], 0
s_waitcnt_vscnt null, 0x0
s_mov_b32 s5, 0
# good
ds_write_b32 v0, v1
s_waitcnt lgkmcnt(0)
s_mov_b64 exec, -1
# good
buffer_load_dword v0, off, s[4:7], s8
s_waitcnt_depctr 0xffe3
s_mov_b32 s8, 0
# good
buffer_load_dword v0, off, s[4:7], s8
s_mov_b32 s9, 0

# rule SMEMtoVectorWriteHazard
# gens gfx10
# bad
s_load_dword s0, s[4:5], 0x0
v_readfirstlane_b32 s4, v0
# bad
s_load_dword s0, vcc, 0x0
v_cmp_eq_u32 vcc, v0, v1
# bad
s_load_dword s0, s[4:5], s6
s_nop 7
s_waitcnt_vscnt null, 0x0
v_readlane_b32 s6, v0, 1
# good
s_load_dword s0, s[4:5], 0x0
s_mov_b32 null, 0
v_readfirstlane_b32 s4, v0
# good
s_load_dword s0, s[4:5], 0x0
s_waitcnt lgkmcnt(0)
v_readfirstlane_b32 s4, v0
# good
s_load_dword s0, s[4:5], 0x0
v_readfirstlane_b32 s6, v0

# rule VcmpxPermlaneHazard
# gens gfx10
# bad
v_cmpx_eq_u32 v0, v1
v_permlane16_b32 v0, v1, s0, s1
# bad
v_cmpx_eq_u32 v0, v1
v_nop
v_permlanex16_b32 v0, v1, s0, s1
# good
v_cmpx_eq_u32 v0, v1
v_mov_b32 v1, v1
v_permlane16_b32 v0, v1, s0, s1
# good
v_cmp_eq_u32 vcc, v0, v1
v_permlane16_b32 v0, v1, s0, s1

# rule VcmpxExecWARHazard
# gens gfx10
# bad
s_mov_b64 s[0:1], exec
v_cmpx_eq_u32 v0, v1
# bad
global_load_dword v4, v[2:3], off
v_mov_b32 v5, 0
v_cmpx_eq_u32 v0, v1
# bad
s_cbranch_execz x
x:
v_cmpx_eq_u32 v0, v1
# good
s_mov_b64 s[0:1], exec
s_waitcnt_depctr 0xfffe
v_cmpx_eq_u32 v0, v1
# good
s_mov_b64 s[0:1], exec
v_readfirstlane_b32 s4, v5
v_cmpx_eq_u32 v0, v1
# good
s_mov_b64 s[0:1], s[2:3]
v_cmpx_eq_u32 v0, v1

# rule LdsBranchVmemWARHazard
# gens gfx10
# bad
ds_read_b32 v0, v1
s_branch x
x:
global_load_dword v2, v[4:5], off
# bad
buffer_load_dword v0, off, s[4:7], 0
s_cbranch_scc0 x
x:
ds_write_b32 v1, v2
# bad
scratch_load_dword v0, v2, off
s_cbranch_scc0 x
x:
s_waitcnt vmcnt(0)
ds_write_b32 v1, v2
# good
ds_read_b32 v0, v1
s_branch x
x:
s_waitcnt_vscnt null, 0x0
global_load_dword v2, v[4:5], off
# good
ds_read_b32 v0, v1
s_waitcnt_vscnt null, 0x0
s_branch x
x:
global_load_dword v2, v[4:5], off
# good
ds_read_b32 v0, v1
global_load_dword v2, v[4:5], off
s_branch x
x:
global_load_dword v2, v[4:5], off
# good
ds_read_b32 v0, v1
s_branch x
x:
ds_read_b32 v6, v1
global_load_dword v2, v[4:5], off

# rule NSAToVMEMBug
# gens gfx10
# also NSAMaxSize5
# bad
image_sample_d v[0:3], [v4, v6, v8, v10, v12, v14], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D
buffer_load_dword v20, off, s[4:7], 0 offset:2
# bad
image_sample_d v[0:3], [v4, v6, v8, v10, v12, v14], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D
tbuffer_load_format_x v20, off, s[4:7], 0 format:22 offset:4

# rule NSAMaxSize5
# gens gfx10
# bad
image_sample_d v[0:3], [v4, v6, v8, v10, v12, v14], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D
# good
image_sample v[0:3], [v4, v6, v8], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_3D
buffer_load_dword v20, off, s[4:7], 0 offset:2
# good
image_sample_d v[0:3], v[4:9], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D
buffer_load_dword v20, off, s[4:7], 0 offset:2

# rule WritelaneNsa
# gens gfx10
# bad
v_writelane_b32 v4, s0, 1
image_sample v[0:3], [v4, v6, v8], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_3D
# good
v_writelane_b32 v4, s0, 1
s_nop 0
image_sample v[0:3], [v4, v6, v8], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_3D
# good
v_writelane_b32 v4, s0, 1
image_sample v[0:3], v[4:6], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_3D

# rule NSAClauseBug
# gens gfx10
# bad
s_clause 0x1
image_sample v[0:3], v[4:6], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_3D
image_sample v[0:3], [v4, v6, v8], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_3D
# good
s_clause 0x1
image_sample v[0:3], v[4:6], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_3D
image_sample v[0:3], v[4:6], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_3D
image_sample v[0:3], [v4, v6, v8], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_3D

# rule SMEMStoreLoadHazard
# gens gfx10
# bad
s_buffer_store_dword s0, s[4:7], 0x0
s_buffer_load_dword s1, s[4:7], 0x0
# bad
s_store_dword s0, s[4:5], 0x0
s_nop 7
s_load_dword s1, s[4:5], 0x0
# good
s_store_dword s0, s[4:5], 0x0
s_waitcnt lgkmcnt(0)
s_load_dword s1, s[4:5], 0x0

# rule Offset3fBug
# gens gfx10
# bad
s_branch 0x3f
# bad
s_cbranch_scc1 0x3f
# good
s_branch 0x40
# good
s_branch 0xffc1

# rule InstFwdPrefetchBug
# gens gfx10
# bad
s_inst_prefetch 0x3
# good
s_nop 3

# rule FlatSegmentOffsetBug
# gens gfx10
# bad
flat_load_dword v0, v[2:3] offset:4
# good
flat_load_dword v0, v[2:3]
# good
global_load_dword v0, v[2:3], off offset:4

# rule LdsMisalignedBug
# gens gfx10
# set v2 0x4
# set v3 0x10000
# bad
flat_load_dwordx2 v[0:1], v[2:3]
# bad
flat_store_dwordx4 v[2:3], v[4:7]
# good
flat_load_dword v0, v[2:3]

# rule LdsMisalignedBug
# gens gfx10
# set v2 0x4
# set v3 0x20000
# good
flat_load_dwordx2 v[0:1], v[2:3]

# rule NegativeUnalignedScratchOffset
# gens gfx10
# bad
scratch_load_dword v0, v2, off offset:-3
# good
scratch_load_dword v0, v2, off offset:-4
# good
scratch_load_dword v0, off, s2 offset:-3

# rule FPAtomicToDenormMode
# gens gfx10 gfx10.3
# bad
buffer_atomic_fmin v0, off, s[4:7], 0
s_denorm_mode 15
# bad
flat_atomic_fcmpswap v[2:3], v[4:5]
s_nop 1
s_denorm_mode 15
# good
buffer_atomic_fmin v0, off, s[4:7], 0
s_nop 2
s_denorm_mode 15
# good
buffer_atomic_fmin v0, off, s[4:7], 0
v_mov_b32 v1, 0
s_denorm_mode 15
# good
buffer_atomic_fmin v0, off, s[4:7], 0
s_waitcnt vmcnt(63)
s_denorm_mode 15
# good
buffer_atomic_smin v0, off, s[4:7], 0
s_denorm_mode 15
