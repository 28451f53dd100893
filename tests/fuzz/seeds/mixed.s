// A line of every encoding, labels, expressions, directives.
.set count, 3
start:
	s_add_u32 s0, s1, 0x1234
	s_movk_i32 s2, -5
	s_cmp_lt_i32 s0, 64
	s_cbranch_scc1 end
	s_load_dwordx4 s[4:7], s[0:1], 0x10
	s_waitcnt vmcnt(0) & lgkmcnt(0)
	v_add_f32_e64 v0, -v1, |v2| clamp
	v_fma_f32 v3, v4, 0.5, s8
	v_mov_b32_dpp v1, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf
	v_add_nc_u32_sdwa v0, v1, v2 dst_sel:BYTE_0 dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
	v_cmp_gt_u32_e32 vcc, v0, v1
	v_pk_fma_f16 v0, v1, v2, v3 op_sel:[0,1,0] op_sel_hi:[1,0,1]
	ds_read_b64 v[0:1], v2 offset:8
	buffer_load_dwordx2 v[0:1], v2, s[4:7], s8 offen offset:16 glc
	global_store_dword v[0:1], v2, off offset:-4
	image_sample v[0:3], v[4:5], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D
	exp mrt0 v0, v1, v2, v3 done vm
	s_branch start
end:
	s_endpgm
	.long 0x12345678, count
