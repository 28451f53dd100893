// The same as image-gfx900.s on gfx12.
// RUN: %heddle run %s --arg buf:f32,count=32 --arg "image:r32g32_sfloat,4x4;f32,iota" --arg sampler:nearest,repeat --group 16 --expect 0:f32,iota | %FileCheck %s
// CHECK: PASS
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1200"
main:
	s_load_b128 s[4:7], s[0:1], 0x0
	s_load_b64 s[2:3], s[0:1], 0x10
	s_wait_kmcnt 0x0
	s_load_b256 s[8:15], s[6:7], 0x0
	s_load_b128 s[16:19], s[2:3], 0x0
	v_and_b32 v1, 3, v0
	v_lshrrev_b32 v2, 2, v0
	v_cvt_f32_u32 v3, v1
	v_cvt_f32_u32 v4, v2
	v_add_f32 v3, 0.5, v3
	v_add_f32 v4, 0.5, v4
	v_mul_f32 v3, 0x3e800000, v3
	v_mul_f32 v4, 0x3e800000, v4
	s_wait_kmcnt 0x0
	image_sample_lz v5, [v3, v4], s[8:15], s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_2D
	image_load v6, [v1, v2], s[8:15] dmask:0x2 dim:SQ_RSRC_IMG_2D
	v_lshlrev_b32 v0, 3, v0
	s_wait_samplecnt 0x0
	s_wait_loadcnt 0x0
	global_store_b64 v0, v[5:6], s[4:5]
	s_endpgm
	.rodata
	.amdhsa_kernel main
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 24
	.end_amdhsa_kernel
