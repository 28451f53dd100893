// Conflicts of LDS banks: the lanes that are served together are as many as have 128 bytes, and the busiest bank takes a cycle for each word.
// RUN: %heddle run %s --arg buf:count=16 --group 32 --counts text | %FileCheck %s
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1030"
main:
	v_lshlrev_b32 v1, 3, v0
	v_lshlrev_b32 v2, 4, v0
	v_mul_u32_u24 v3, 12, v0
	v_mov_b32 v4, 0
	v_mov_b32 v5, 0
	v_mov_b32 v6, 0
	v_mov_b32 v7, 0
	ds_write_b32 v1, v4			// 32 lanes, two of them in each second bank: 1
	ds_write_b64 v2, v[4:5]			// twice 16 lanes, two of them in each used bank: 2
	ds_write_b96 v2, v[4:6]			// four times 8 lanes: none
	ds_write_b128 v2, v[4:7]		// the same
	ds_write2_b32 v3, v4, v5 offset1:1	// each address alone has all banks: none
	s_endpgm
	.rodata
	.amdhsa_kernel main
		.amdhsa_kernarg_size 8
		.amdhsa_group_segment_fixed_size 8192
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 8
	.end_amdhsa_kernel
// CHECK: {{^}}lds                  5          160 {{.*}} 3{{$}}
