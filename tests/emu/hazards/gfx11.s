## Hazards of gfx11, gfx11.5 and gfx12. See test_hazards.c.

# rule VcmpxPermlaneHazard
# gens gfx11 gfx11.5 gfx12
# bad
v_cmpx_eq_u32 v0, v1
v_permlane16_b32 v0, v1, s0, s1
# bad
v_cmpx_eq_u32 v0, v1
s_nop 5
v_permlanex16_b32 v0, v1, s0, s1
# bad
v_cmpx_eq_u32 v0, v1
v_permlane64_b32 v0, v1
# good
v_cmpx_eq_u32 v0, v1
v_nop
v_permlane16_b32 v0, v1, s0, s1

# rule LdsDirectVALUHazard
# gens gfx11 gfx11.5
# bad
v_mov_b32 v0, v1
lds_direct_load v0 wait_vdst:15
# bad
v_add_f32 v2, v0, v1
v_mov_b32 v3, v4
lds_direct_load v0 wait_vdst:2
# bad
v_mov_b32 v0, v1
v_rcp_f32 v3, v4
lds_direct_load v0 wait_vdst:1
# good
v_mov_b32 v0, v1
lds_direct_load v0 wait_vdst:0
# good
v_add_f32 v2, v0, v1
v_mov_b32 v3, v4
lds_direct_load v0 wait_vdst:1
# good
v_mov_b32 v0, v1
s_waitcnt_depctr 0xfff
lds_direct_load v0 wait_vdst:15
# good
v_mov_b32 v0, v1
lds_direct_load v2 wait_vdst:15

# rule LdsDirectVMEMHazard
# gens gfx11 gfx11.5
# bad
global_load_b32 v0, v1, s[0:1]
lds_direct_load v0 wait_vdst:15
# bad
global_store_b32 v1, v0, s[0:1]
s_waitcnt vmcnt(0)
lds_direct_load v0 wait_vdst:15
# bad
ds_store_b32 v1, v0
lds_direct_load v1 wait_vdst:15
# good
global_store_b32 v1, v0, s[0:1]
s_waitcnt_vscnt null, 0x0
lds_direct_load v0 wait_vdst:15
# good
global_load_b32 v0, v1, s[0:1]
s_waitcnt_depctr 0xffe3
lds_direct_load v0 wait_vdst:15
# good
ds_store_b32 v1, v0
v_mov_b32 v5, v6
lds_direct_load v1 wait_vdst:15
# good
ds_store_b32 v1, v0
s_waitcnt lgkmcnt(0)
lds_direct_load v1 wait_vdst:15

# rule LdsDirectVALUHazard
# gens gfx12
# bad
v_mov_b32 v0, v1
ds_direct_load v0 wait_va_vdst:15 wait_vm_vsrc:1
# good
v_mov_b32 v0, v1
ds_direct_load v0 wait_va_vdst:0 wait_vm_vsrc:1

# rule LdsDirectVMEMHazard
# gens gfx12
# bad
global_load_b32 v0, v1, s[0:1]
ds_direct_load v0 wait_va_vdst:15 wait_vm_vsrc:1
# bad
global_store_b32 v1, v0, s[0:1]
s_wait_loadcnt 0x0
ds_direct_load v0 wait_va_vdst:15 wait_vm_vsrc:1
# bad
ds_store_b32 v1, v0
ds_direct_load v0 wait_va_vdst:15 wait_vm_vsrc:1
# bad
image_sample v[0:3], [v4, v5], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D
s_wait_loadcnt 0x0
ds_direct_load v4 wait_va_vdst:15 wait_vm_vsrc:1
# good
global_load_b32 v0, v1, s[0:1]
ds_direct_load v0 wait_va_vdst:15 wait_vm_vsrc:0
# good
image_sample v[0:3], [v4, v5], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D
s_wait_samplecnt 0x0
ds_direct_load v4 wait_va_vdst:15 wait_vm_vsrc:1
# good
ds_store_b32 v1, v0
s_wait_dscnt 0x0
ds_direct_load v0 wait_va_vdst:15 wait_vm_vsrc:1
# good
global_store_b32 v1, v0, s[0:1]
s_wait_storecnt 0x0
ds_direct_load v0 wait_va_vdst:15 wait_vm_vsrc:1

# rule VALUTransUseHazard
# gens gfx11
# bad
v_rcp_f32 v0, v1
v_add_f32 v2, v0, v3
# bad
v_rcp_f32 v0, v1
v_mov_b32 v4, v5
v_mov_b32 v6, v7
v_mov_b32 v4, v5
v_mov_b32 v6, v7
v_mov_b32 v4, v5
v_add_f32 v2, v0, v3
# bad
v_rcp_f32 v0, v1
v_rcp_f32 v4, v5
v_add_f32 v2, v0, v3
# good
v_rcp_f32 v0, v1
v_mov_b32 v4, v5
v_mov_b32 v6, v7
v_mov_b32 v4, v5
v_mov_b32 v6, v7
v_mov_b32 v4, v5
v_mov_b32 v6, v7
v_add_f32 v2, v0, v3
# good
v_rcp_f32 v0, v1
v_rcp_f32 v4, v5
v_rcp_f32 v6, v7
v_add_f32 v2, v0, v3
# good
v_rcp_f32 v0, v1
s_waitcnt_depctr 0xfff
v_add_f32 v2, v0, v3
# good
v_rcp_f32 v0, v1
global_load_b32 v8, v9, s[0:1]
v_add_f32 v2, v0, v3

# rule VALUPartialForwardingHazard
# gens gfx11 gfx11.5
# bad
v_mov_b32 v0, v1
s_mov_b64 exec, s[0:1]
v_mov_b32 v2, v3
v_add_f32 v4, v0, v2
# bad
v_mov_b32 v0, v1
v_mov_b32 v10, v11
s_mov_b64 exec, s[0:1]
v_mov_b32 v12, v13
v_mov_b32 v2, v3
v_mov_b32 v10, v11
v_mov_b32 v12, v13
v_mov_b32 v10, v11
v_mov_b32 v12, v13
v_add_f32 v4, v0, v2
# good
v_mov_b32 v0, v1
s_mov_b64 exec, s[0:1]
v_mov_b32 v2, v3
s_waitcnt_depctr 0xfff
v_add_f32 v4, v0, v2
# good
v_mov_b32 v0, v1
s_mov_b64 exec, s[0:1]
v_mov_b32 v2, v3
v_mov_b32 v10, v11
v_mov_b32 v12, v13
v_mov_b32 v10, v11
v_mov_b32 v12, v13
v_mov_b32 v10, v11
v_add_f32 v4, v0, v2
# good
v_mov_b32 v0, v1
s_mov_b64 exec, s[0:1]
v_mov_b32 v10, v11
v_mov_b32 v12, v13
v_mov_b32 v10, v11
v_mov_b32 v2, v3
v_add_f32 v4, v0, v2
# good
v_mov_b32 v0, v1
v_mov_b32 v2, v3
s_mov_b64 exec, s[0:1]
v_add_f32 v4, v0, v2

# rule VALUPartialForwardingHazard
# gens gfx11 gfx11.5
# wave 32
# good
v_mov_b32 v0, v1
s_mov_b32 exec_lo, s0
v_mov_b32 v2, v3
v_add_f32 v4, v0, v2

# rule VALUMaskWriteHazard
# gens gfx11 gfx11.5
# bad
v_cndmask_b32 v0, v1, v2, s[0:1]
s_mov_b64 s[0:1], 0
s_mov_b64 s[4:5], s[0:1]
# bad
v_cndmask_b32 v0, v1, v2, vcc
s_mov_b64 vcc, 0
v_cndmask_b32 v0, v1, v2, vcc
# good
v_cndmask_b32 v0, v1, v2, s[0:1]
s_mov_b64 s[0:1], 0
s_waitcnt_depctr 0xfffe
s_mov_b64 s[4:5], s[0:1]
# good
v_cndmask_b32 v0, v1, v2, s[0:1]
v_mov_b32 v3, s2
s_mov_b64 s[0:1], 0
s_mov_b64 s[4:5], s[0:1]
# good
v_cndmask_b32 v0, v1, v2, s[0:1]
s_mov_b64 s[2:3], 0
s_mov_b64 s[4:5], s[2:3]
# good
v_cndmask_b32 v0, v1, v2, s[0:1]
s_mov_b64 s[0:1], 0
v_mov_b32 v3, s2
s_mov_b64 s[4:5], s[0:1]
# bad
v_cndmask_b32 v0, v1, v2, s[0:1]
s_mov_b64 s[0:1], 0
v_mov_b32 v3, v1
s_mov_b64 s[4:5], s[0:1]

# rule VALUMaskWriteHazard
# gens gfx11 gfx11.5
# wave 32
# good
v_cndmask_b32 v0, v1, v2, s0
s_mov_b32 s0, 0
s_mov_b32 s4, s0

# rule VALUMaskWriteHazardVALU
# gens gfx11 gfx11.5
# bad
v_cndmask_b32 v0, v1, v2, s[0:1]
v_cmp_eq_u32 s[0:1], v0, v1
v_cndmask_b32 v0, v1, v2, s[0:1]
# bad
v_cndmask_b32 v0, v1, v2, vcc
v_cmp_eq_u32 vcc, v0, v1
v_cndmask_b32 v0, v1, v2, vcc
# good
v_cndmask_b32 v0, v1, v2, s[0:1]
v_cmp_eq_u32 s[0:1], v0, v1
s_waitcnt_depctr 0xf1ff
v_cndmask_b32 v0, v1, v2, s[0:1]
# good
v_cndmask_b32 v0, v1, v2, vcc
v_cmp_eq_u32 vcc, v0, v1
s_waitcnt_depctr 0xfffd
v_cndmask_b32 v0, v1, v2, vcc
# good
v_cndmask_b32 v0, v1, v2, vcc
v_cmp_eq_u32 vcc, v0, v1
s_mov_b64 s[4:5], vcc

# rule DeallocVgprsNop
# gens gfx11 gfx11.5 gfx12
# bad
s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
# bad
v_mov_b32 v0, v1
s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
# good
s_nop 0
s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)

# rule FlatScratchSVSSwizzleBug
# gens gfx11 gfx11.5
# set v1 0x2
# set s2 0x3
# bad
scratch_load_b32 v0, v1, s2
# good
scratch_load_b32 v0, v1, off
# good
scratch_load_b32 v0, v1, s2 offset:1

# rule MADIntraFwdBug
# gens gfx11
# bad
v_mad_u64_u32 v[0:1], null, v0, v2, v[4:5]
# good
v_mad_u64_u32 v[0:1], null, v3, v2, v[4:5]

# rule WMMAHazard
# gens gfx11 gfx11.5
# wave 32
# bad
v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]
v_wmma_f32_16x16x16_f16 v[24:31], v[0:7], v[16:23], v[24:31]
# good
v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]
v_nop
v_wmma_f32_16x16x16_f16 v[24:31], v[0:7], v[16:23], v[24:31]
# good
v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]
v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]

# rule WMMAHazard
# gens gfx12
# wave 32
# bad
v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]
v_wmma_f32_16x16x16_f16 v[24:31], v[0:3], v[12:15], v[24:31]
# good
v_wmma_f32_16x16x16_f16 v[0:7], v[8:11], v[12:15], v[0:7]
v_nop
v_wmma_f32_16x16x16_f16 v[24:31], v[0:3], v[12:15], v[24:31]

# rule WMMAHazard
# gens gfx12
# wave 64
# bad
v_wmma_f32_16x16x16_f16 v[0:3], v[8:9], v[12:13], v[0:3]
v_swmmac_f32_16x16x32_f16 v[24:27], v[8:9], v[12:15], v3
# bad
v_swmmac_f32_16x16x32_f16 v[0:3], v[8:9], v[12:15], v20
v_swmmac_f32_16x16x32_f16 v[24:27], v[8:9], v[2:5], v20
# good
v_swmmac_f32_16x16x32_f16 v[0:3], v[8:9], v[12:15], v20
v_swmmac_f32_16x16x32_f16 v[0:3], v[8:9], v[12:15], v20
# good
v_swmmac_f32_16x16x32_f16 v[0:3], v[8:9], v[12:15], v20
v_swmmac_f32_16x16x32_f16 v[24:27], v[8:9], v[4:7], v20

# rule VALUReadSGPRHazard
# gens gfx12
# bad
v_mov_b32 v0, s0
s_mov_b32 s0, 0
v_mov_b32 v1, s0
# bad
v_mov_b32 v0, s1
s_mov_b32 s0, 0
s_mov_b32 s4, s0
# bad
v_mov_b32 v0, s0
v_readfirstlane_b32 s0, v3
v_mov_b32 v1, s0
# bad
v_cndmask_b32 v0, v1, v2, vcc
v_cmp_eq_u32 vcc, v0, v1
v_cndmask_b32 v0, v1, v2, vcc
# good
v_mov_b32 v0, s0
s_mov_b32 s0, 0
s_wait_alu 0xfffe
v_mov_b32 v1, s0
# good
v_mov_b32 v0, s0
v_readfirstlane_b32 s0, v3
s_wait_alu 0xf1ff
v_mov_b32 v1, s0
# good
v_cndmask_b32 v0, v1, v2, vcc
v_cmp_eq_u32 vcc, v0, v1
s_wait_alu 0xfffd
v_cndmask_b32 v0, v1, v2, vcc
# good
v_mov_b32 v0, s0
s_mov_b32 s0, 0
s_mov_b32 s4, 0
s_mov_b32 s5, 0
s_mov_b32 s6, 0
s_mov_b32 s7, 0
s_mov_b32 s4, 0
s_mov_b32 s5, 0
s_mov_b32 s6, 0
s_mov_b32 s7, 0
s_mov_b32 s8, 0
s_mov_b32 s9, 0
v_mov_b32 v1, s0
# good
v_mov_b32 v0, s0
s_mov_b32 s2, 0
v_mov_b32 v1, s2
# good
v_mov_b32 v0, s0
s_mov_b32 s0, 0
v_mov_b32 v1, s4
v_mov_b32 v2, s0
# good
v_mov_b32 v0, s0
s_mov_b32 s0, 0
s_load_b32 s8, s[4:5], 0x0
v_mov_b32 v1, s0
# good
v_mov_b32 v0, s0
v_readfirstlane_b32 s0, v3
s_mov_b32 s8, s6
v_mov_b32 v1, s0
# bad
v_mov_b32 v0, s0
s_mov_b32 s0, 0
ds_load_b32 v2, v3
v_mov_b32 v1, s0
