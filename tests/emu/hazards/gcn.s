## Wait states of GCN: gfx6 to gfx9 and what follows it. See test_hazards.c.

# rule SetregGetreg
# gens gfx6 gfx7 gfx8 gfx9 gfx908 gfx90a gfx942 gfx950
# bad
s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0
s_getreg_b32 s1, hwreg(HW_REG_MODE)
# bad
s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0
s_nop 0
s_getreg_b32 s1, hwreg(HW_REG_MODE)
# good
s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0
s_nop 1
s_getreg_b32 s1, hwreg(HW_REG_MODE)
# good
s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0
s_mov_b32 s4, 0
s_mov_b32 s5, 0
s_getreg_b32 s1, hwreg(HW_REG_MODE)
# good
s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0
s_getreg_b32 s1, hwreg(HW_REG_GPR_ALLOC)

# rule SetregSetreg
# gens gfx6 gfx7
# bad
s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0
s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s1
# good
s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0
s_nop 0
s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s1

# rule SetregSetreg
# gens gfx8 gfx9 gfx908 gfx90a gfx942 gfx950
# bad
s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0
s_nop 0
s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s1
# good
s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s0
s_nop 1
s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s1

# rule VskipGetreg
# gens gfx6 gfx7 gfx8 gfx9 gfx908 gfx90a gfx942 gfx950
# bad
s_setvskip s0, s1
s_getreg_b32 s1, hwreg(HW_REG_MODE)
# good
s_setvskip s0, s1
s_nop 1
s_getreg_b32 s1, hwreg(HW_REG_MODE)

# rule VskipVector
# gens gfx6 gfx7 gfx8 gfx9 gfx908 gfx90a gfx942 gfx950
# bad
s_setvskip s0, s1
v_mov_b32 v0, 0
# bad
s_setreg_b32 hwreg(HW_REG_MODE, 28, 1), s0
s_nop 0
v_mov_b32 v0, 0
# good
s_setreg_b32 hwreg(HW_REG_MODE, 28, 1), s0
s_nop 1
v_mov_b32 v0, 0
# good
s_setreg_b32 hwreg(HW_REG_MODE, 0, 28), s0
v_mov_b32 v0, 0

# rule SetregRfe
# gens gfx8 gfx9 gfx908 gfx90a gfx942 gfx950
# bad
s_setreg_b32 hwreg(HW_REG_TRAPSTS), s0
s_rfe_b64 s[0:1]
# good
s_setreg_b32 hwreg(HW_REG_TRAPSTS), s0
s_nop 0
s_rfe_b64 s[0:1]

# rule SaluM0Message
# gens gfx8 gfx9 gfx908 gfx90a gfx942 gfx950
# bad
s_mov_b32 m0, 0
s_sendmsg sendmsg(MSG_INTERRUPT)
# bad
s_mov_b32 m0, 0
s_ttracedata
# good
s_mov_b32 m0, 0
s_nop 0
s_sendmsg sendmsg(MSG_INTERRUPT)

# rule SaluM0Message
# gens gfx8 gfx9 gfx908
# bad
s_mov_b32 m0, 0
ds_add_u32 v0, v1 gds
# good
s_mov_b32 m0, 0
s_nop 0
ds_add_u32 v0, v1 gds
# good
s_mov_b32 m0, 0
ds_add_u32 v0, v1

# rule SaluM0Lds
# gens gfx9 gfx908 gfx90a gfx942 gfx950
# bad
s_mov_b32 m0, 0
ds_read_addtid_b32 v0
# bad
s_mov_b32 m0, 0
buffer_load_dword off, s[4:7], 0 lds
# good
s_mov_b32 m0, 0
s_nop 0
buffer_load_dword off, s[4:7], 0 lds
# good
s_mov_b32 m0, 0
ds_read_b32 v0, v1

# rule SaluM0Lds
# gens gfx9
# bad
s_mov_b32 m0, 0
v_interp_p1_f32 v0, v1, attr0.x
# good
s_mov_b32 m0, 0
s_nop 0
v_interp_p1_f32 v0, v1, attr0.x

# rule SaluM0Movrel
# gens gfx9 gfx908 gfx90a gfx942 gfx950
# bad
s_mov_b32 m0, 0
s_movrels_b32 s0, s1
# good
s_mov_b32 m0, 0
s_nop 0
s_movrels_b32 s0, s1

# rule ValuSgprSmem
# gens gfx6
# bad
v_readfirstlane_b32 s4, v0
s_load_dword s0, s[4:5], 0x0
# bad
v_readfirstlane_b32 s4, v0
s_nop 2
s_load_dword s0, s[4:5], 0x0
# good
v_readfirstlane_b32 s4, v0
s_nop 3
s_load_dword s0, s[4:5], 0x0
# good
v_readfirstlane_b32 s4, v0
s_mov_b64 s[4:5], s[6:7]
s_load_dword s0, s[4:5], 0x0

# rule SaluSgprSmemBuffer
# gens gfx6
# bad
s_mov_b32 s7, 0
s_nop 2
s_buffer_load_dword s0, s[4:7], 0x0
# good
s_mov_b32 s7, 0
s_nop 3
s_buffer_load_dword s0, s[4:7], 0x0
# bad: each of the four
s_mov_b32 s4, 0
s_buffer_load_dwordx2 s[0:1], s[4:7], s8
# good: not a descriptor
s_mov_b32 s5, 0
s_load_dword s0, s[4:5], 0x0
# good: the offset
s_mov_b32 s8, 0
s_buffer_load_dword s0, s[4:7], s8

# rule SmemVccz
# gens gfx6 gfx7
# bad
s_load_dword s0, s[4:5], 0x0
v_cmp_eq_u32 vcc, v0, v1
s_cbranch_vccz x
x:
# good
s_load_dword s0, s[4:5], 0x0
s_waitcnt lgkmcnt(0)
v_cmp_eq_u32 vcc, v0, v1
s_cbranch_vccz x
x:
# good
s_load_dword s0, s[4:5], 0x0
v_cmp_eq_u32 vcc, v0, v1
s_waitcnt lgkmcnt(0)
s_mov_b64 vcc, vcc
s_cbranch_vccz x
x:
# good
s_load_dword s0, s[4:5], 0x0
v_cmp_eq_u32 vcc, v0, v1
s_cbranch_scc0 x
x:

# rule PartialVccWrite
# gens gfx6 gfx7 gfx8 gfx9 gfx908 gfx90a gfx942 gfx950
# bad
s_mov_b32 vcc_lo, 0
s_cbranch_vccnz x
x:
# good
s_mov_b32 vcc_hi, 0
s_mov_b64 vcc, vcc
s_cbranch_vccnz x
x:

# rule ValuVccDivFmas
# gens gfx6 gfx7 gfx8 gfx9 gfx908 gfx90a gfx942 gfx950
# bad
v_cmp_eq_u32 vcc, v0, v1
v_div_fmas_f32 v0, v1, v2, v3
# bad
v_div_scale_f32 v0, vcc, v1, v1, v2
s_nop 2
v_div_fmas_f32 v0, v1, v2, v3
# good
v_cmp_eq_u32 vcc, v0, v1
s_nop 3
v_div_fmas_f32 v0, v1, v2, v3
# good
v_cmp_eq_u32 s[0:1], v0, v1
v_div_fmas_f32 v0, v1, v2, v3
# good
s_mov_b64 vcc, 0
v_div_fmas_f32 v0, v1, v2, v3

# rule ValuMaskZero
# gens gfx6 gfx7 gfx8 gfx9 gfx908 gfx90a gfx942 gfx950
# bad
v_cmp_eq_u32 vcc, v0, v1
s_nop 3
v_mov_b32 v2, src_vccz
# bad
v_cmpx_eq_u32 vcc, v0, v1
v_mov_b32 v2, src_execz
# good
v_cmp_eq_u32 vcc, v0, v1
s_nop 4
v_mov_b32 v2, src_vccz
# good
v_cmp_eq_u32 vcc, v0, v1
v_mov_b32 v2, src_execz

# rule ValuSgprLane
# gens gfx6 gfx7 gfx8 gfx9 gfx908 gfx90a gfx942 gfx950
# bad
v_readfirstlane_b32 s0, v0
s_nop 2
v_readlane_b32 s1, v1, s0
# bad
v_readfirstlane_b32 s0, v0
v_writelane_b32 v1, 1, s0
# good
v_readfirstlane_b32 s0, v0
s_nop 3
v_readlane_b32 s1, v1, s0
# good
v_readfirstlane_b32 s0, v0
s_mov_b32 s0, 1
v_readlane_b32 s1, v1, s0
# good
s_mov_b32 s0, 1
v_readlane_b32 s1, v1, s0

# rule ValuSgprVmem
# gens gfx8 gfx9 gfx908 gfx90a gfx942 gfx950
# bad
v_readfirstlane_b32 s4, v0
buffer_load_dword v0, off, s[4:7], 0
# bad
v_readlane_b32 s8, v0, 3
s_nop 3
buffer_load_dword v0, off, s[4:7], s8
# bad
v_readfirstlane_b32 s4, v0
v_readfirstlane_b32 s5, v0
s_mov_b32 s4, 0
buffer_load_dword v0, off, s[4:7], 0
# good
v_readfirstlane_b32 s4, v0
v_readfirstlane_b32 s5, v0
s_mov_b32 s5, 0
s_mov_b32 s4, 0
buffer_load_dword v0, off, s[4:7], 0
# good
v_readfirstlane_b32 s4, v0
s_nop 4
buffer_load_dword v0, off, s[4:7], 0
# good
v_readfirstlane_b32 s4, v0
v_mov_b32 v1, v2
v_mov_b32 v1, v2
v_mov_b32 v1, v2
v_mov_b32 v1, v2
v_mov_b32 v1, v2
buffer_load_dword v0, off, s[4:7], 0
# good
v_readfirstlane_b32 s8, v0
buffer_load_dword v0, off, s[4:7], 0
# good
v_readfirstlane_b32 s4, v0
flat_load_dword v0, v[2:3]

# rule ValuSgprVmem
# gens gfx9 gfx908 gfx90a gfx942 gfx950
# bad
v_readfirstlane_b32 s4, v0
global_load_dword v0, v1, s[4:5]
# bad
v_readfirstlane_b32 s4, v0
scratch_load_dword v0, off, s4
# good
v_readfirstlane_b32 s4, v0
s_nop 4
global_load_dword v0, v1, s[4:5]

# rule StoreDataOverwrite
# gens gfx7 gfx8 gfx9 gfx908 gfx90a
# bad
buffer_store_dwordx4 v[0:3], off, s[4:7], 0
v_mov_b32 v3, 0
# bad
buffer_store_dwordx3 v[0:2], off, s[4:7], 0
v_mov_b32 v0, 0
# bad
flat_store_dwordx4 v[4:5], v[0:3]
v_mov_b32 v2, 0
# bad
flat_atomic_cmpswap_x2 v[4:5], v[0:3]
v_mov_b32 v2, 0
# good
buffer_store_dwordx4 v[0:3], off, s[4:7], 0
s_nop 0
v_mov_b32 v3, 0
# good
buffer_store_dwordx4 v[0:3], off, s[4:7], s8
v_mov_b32 v3, 0
# good
buffer_store_dwordx2 v[0:1], off, s[4:7], 0
v_mov_b32 v1, 0
# good
flat_store_dwordx4 v[4:5], v[0:3]
v_mov_b32 v4, 0

# rule StoreDataOverwrite
# gens gfx942 gfx950
# bad
global_store_dwordx4 v4, v[0:3], s[0:1]
s_nop 0
v_mov_b32 v2, 0
# bad
buffer_store_dwordx4 v[0:3], off, s[4:7], 0
s_nop 0
v_mov_b32 v1, 0
# bad
buffer_store_dwordx4 v[0:3], off, s[4:7], s8
v_mov_b32 v1, 0
# good
global_store_dwordx4 v4, v[0:3], s[0:1]
s_nop 1
v_mov_b32 v2, 0
# good
buffer_store_dwordx4 v[0:3], off, s[4:7], s8
s_nop 0
v_mov_b32 v1, 0

# rule ValuVgprDpp
# gens gfx8 gfx9 gfx908 gfx90a gfx942 gfx950
# bad
v_mov_b32 v1, v2
v_mov_b32_dpp v3, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
# bad
v_mov_b32 v1, v2
s_nop 0
v_add_f32_dpp v3, v1, v4 row_shr:1 row_mask:0xf bank_mask:0xf
# good
v_mov_b32 v1, v2
s_nop 1
v_mov_b32_dpp v3, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
# good
v_mov_b32 v1, v2
v_add_f32_dpp v3, v4, v1 row_shr:1 row_mask:0xf bank_mask:0xf

# rule ValuExecDpp
# gens gfx8 gfx9 gfx908 gfx90a gfx942 gfx950
# bad
v_cmpx_eq_u32 vcc, v0, v1
s_nop 3
v_mov_b32_dpp v3, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
# good
v_cmpx_eq_u32 vcc, v0, v1
s_nop 4
v_mov_b32_dpp v3, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
# good
s_mov_b64 exec, -1
v_mov_b32_dpp v3, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf

# rule InterpReadlane
# gens gfx6
# bad
v_interp_p1_f32 v0, v1, attr0.x
v_readfirstlane_b32 s0, v0
# bad
v_interp_p1_f32 v0, v1, attr0.x
v_readlane_b32 s0, v0, 3
# good
v_interp_p1_f32 v0, v1, attr0.x
s_nop 0
v_readfirstlane_b32 s0, v0
# good
v_interp_p1_f32 v0, v1, attr0.x
v_readfirstlane_b32 s0, v2

# rule NegativeScratchOffset
# gens gfx9 gfx908 gfx90a gfx942 gfx950
# bad
scratch_load_dword v0, off, s2 offset:-4
# good
scratch_load_dword v0, off, s2 offset:4
# good
scratch_load_dword v0, v2, off offset:-4

# rule TransForwarding
# gens gfx942 gfx950
# bad
v_rcp_f32 v0, v1
v_add_f32 v2, v0, v3
# good
v_rcp_f32 v0, v1
s_nop 0
v_add_f32 v2, v0, v3
# good
v_rcp_f32 v0, v1
v_rcp_f32 v2, v0
# good
v_rcp_f32 v0, v1
v_add_f32 v2, v4, v3

# rule PartialResult
# gens gfx942 gfx950
# bad
v_add_f16_sdwa v0, v1, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD src1_sel:DWORD
v_mov_b32 v3, v0
# bad
v_mad_u16 v0, v1, v2, v3 op_sel:[0,0,0,1]
v_mov_b32 v3, v0
# good
v_mad_u16 v0, v1, v2, v3 op_sel:[0,0,0,1]
s_nop 0
v_mov_b32 v3, v0
# good
v_mad_u16 v0, v1, v2, v3
v_mov_b32 v3, v0

# rule ValuSgprValu
# gens gfx942 gfx950
# bad
v_readfirstlane_b32 s0, v0
v_mov_b32 v1, s0
# bad
v_cmp_eq_u32 vcc, v0, v1
s_nop 0
v_mov_b32 v1, vcc_lo
# good
v_readfirstlane_b32 s0, v0
s_nop 1
v_mov_b32 v1, s0
# good
v_cmp_eq_u32 vcc, v0, v1
v_cndmask_b32 v0, v1, v2, vcc

# rule CmpxLanes
# gens gfx942 gfx950
# bad
v_cmpx_eq_u32 vcc, v0, v1
s_nop 2
v_readfirstlane_b32 s0, v2
# bad
v_cmpx_eq_u32 vcc, v0, v1
v_writelane_b32 v2, s0, 1
# good
v_cmpx_eq_u32 vcc, v0, v1
s_nop 3
v_readfirstlane_b32 s0, v2

# rule ValuVgprReadlane
# gens gfx942 gfx950
# bad
v_mov_b32 v0, v1
v_readlane_b32 s0, v0, 1
# good
v_mov_b32 v0, v1
s_nop 0
v_readlane_b32 s0, v0, 1
# good
v_mov_b32 v0, v1
v_readlane_b32 s0, v2, 1

# rule ValuVgprPermlane
# gens gfx950
# bad
v_mov_b32 v0, v1
v_permlane32_swap_b32 v0, v2
# bad
v_mov_b32 v2, v1
s_nop 0
v_permlane16_swap_b32 v0, v2
# good
v_mov_b32 v0, v1
s_nop 1
v_permlane32_swap_b32 v0, v2
# good
v_mov_b32 v4, v1
v_permlane16_swap_b32 v0, v2

# rule CmpxPermlane
# gens gfx950
# bad
v_cmpx_eq_u32 vcc, v0, v1
s_nop 2
v_permlane16_swap_b32 v2, v3
# good
v_cmpx_eq_u32 vcc, v0, v1
s_nop 3
v_permlane32_swap_b32 v2, v3
# good
s_mov_b64 exec, -1
v_permlane32_swap_b32 v2, v3

# rule Shift64HighRegBug
# gens gfx90a
# vgprs 8
# bad
v_lshlrev_b64 v[0:1], v7, v[2:3]
# good
v_lshlrev_b64 v[0:1], v6, v[2:3]

# rule Shift64HighRegBug
# gens gfx90a
# vgprs 16
# good
v_lshlrev_b64 v[0:1], v7, v[2:3]

## XNACK: soft clauses, which may be executed again from their start.

# rule SoftClauseSmem
# gens gfx8 gfx9 gfx908 gfx90a gfx942 gfx950 gfx10
# bad
s_load_dwordx2 s[8:9], s[0:1], 0x0
s_load_dword s10, s[8:9], 0x0
# bad
s_load_dword s8, s[0:1], 0x0
s_load_dword s9, s[4:5], 0x0
s_load_dword s1, s[2:3], 0x0
# bad
s_load_dword s0, s[0:1], 0x0
s_load_dword s8, s[2:3], 0x0
# bad
s_load_dword s8, s[0:1], 0x0
s_load_dword s2, s[2:3], 0x0
# good
s_load_dwordx2 s[8:9], s[0:1], 0x0
s_waitcnt lgkmcnt(0)
s_load_dword s10, s[8:9], 0x0
# good
s_load_dword s0, s[0:1], 0x0
s_nop 0
s_load_dword s8, s[2:3], 0x0
# good
s_load_dword s8, s[0:1], 0x0
s_load_dword s9, s[0:1], 0x4
s_load_dword s10, s[2:3], 0x0

# rule SoftClauseVmem
# gens gfx8 gfx9 gfx908 gfx90a gfx942 gfx950
# bad
buffer_load_dword v1, v0, s[4:7], 0 offen
buffer_load_dword v2, v1, s[4:7], 0 offen
# bad
buffer_load_dword v1, v0, s[4:7], 0 offen
buffer_load_dword v3, v2, s[4:7], 0 offen
buffer_load_dword v0, v2, s[4:7], 0 offen
# bad
buffer_load_dword v0, v0, s[4:7], 0 offen
buffer_load_dword v1, v2, s[4:7], 0 offen
# bad
buffer_load_dword v1, v0, s[4:7], 0 offen
buffer_load_dword v2, v2, s[4:7], 0 offen
# bad
buffer_load_dword v1, v0, s[4:7], 0 offen
buffer_store_dword v2, v3, s[4:7], 0 offen
# good
buffer_load_dword v1, v0, s[4:7], 0 offen
s_nop 0
buffer_store_dword v2, v3, s[4:7], 0 offen
buffer_store_dword v4, v3, s[4:7], 0 offen
# good
buffer_load_dword v0, v0, s[4:7], 0 offen
# good
buffer_load_dword v1, v0, s[4:7], 0 offen
v_mov_b32 v3, v4
buffer_load_dword v0, v2, s[4:7], 0 offen
# good
buffer_load_dword v1, v0, s[4:7], 0 offen
buffer_load_dword v2, v0, s[4:7], 0 offen
# good
buffer_store_dword v1, v0, s[4:7], 0 offen
buffer_load_dword v1, v2, s[4:7], 0 offen
