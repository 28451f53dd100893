// An image and a sampler as arguments: each lane samples and loads one of 4x4 texels.
// RUN: %heddle run %s --arg buf:f32,count=32 --arg "image:r32g32_sfloat,4x4;f32,iota" --arg sampler:nearest,repeat --group 16 --expect 0:f32,iota | %FileCheck %s
// RUN: %heddle run %s --arg buf:f32,count=32 --arg image:r32g32_sfloat,4x4,levels=3 --arg sampler:linear,mips --group 16 --expect 0:f32,zeros | %FileCheck %s
// RUN: not %heddle run %s --arg buf:f32,count=32 --arg "image:r32g32_sfloat,4x4;f32,count=3" --arg sampler:linear --group 16 2>&1 | %FileCheck %s --check-prefix=SIZE
// RUN: not %heddle run %s --arg buf:f32,count=32 --arg image:r8g8b8_unorm,4x4 --arg sampler:linear --group 16 2>&1 | %FileCheck %s --check-prefix=FORMAT
// RUN: not %heddle run %s --arg buf:f32,count=32 --arg image:r8_unorm,4y4 --arg sampler:linear 2>&1 | %FileCheck %s --check-prefix=SYNTAX
// RUN: not %heddle run %s --arg buf:f32,count=32 --arg image:r8_unorm,4x4,faces=6 --arg sampler:linear 2>&1 | %FileCheck %s --check-prefix=ITEM
// RUN: not %heddle run %s --arg buf:f32,count=32 --arg image:r8_unorm,4x4 --arg sampler:cubic 2>&1 | %FileCheck %s --check-prefix=SAMPLER
// CHECK: PASS
// SIZE: argument 1 (global_buffer, 8 bytes): the texels have 128 bytes, 12 are given
// FORMAT: the target has no such image
// SYNTAX: expected the size after the format: W, WxH or WxHxD, up to 16384
// ITEM: an image's items are layers=N, levels=N and cube
// SAMPLER: a sampler's items are nearest, linear
	.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
main:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx2 s[2:3], s[0:1], 0x10
	s_waitcnt lgkmcnt(0)
	s_load_dwordx8 s[8:15], s[6:7], 0x0
	s_load_dwordx4 s[16:19], s[2:3], 0x0
	v_and_b32 v1, 3, v0
	v_lshrrev_b32 v2, 2, v0
	v_cvt_f32_u32 v3, v1
	v_cvt_f32_u32 v4, v2
	v_add_f32 v3, 0.5, v3
	v_add_f32 v4, 0.5, v4
	v_mul_f32 v3, 0x3e800000, v3
	v_mul_f32 v4, 0x3e800000, v4
	s_waitcnt lgkmcnt(0)
	image_sample_lz v5, v[3:4], s[8:15], s[16:19] dmask:0x1
	image_load v6, v[1:2], s[8:15] dmask:0x2 unorm
	v_lshlrev_b32 v0, 3, v0
	s_waitcnt vmcnt(0)
	global_store_dwordx2 v0, v[5:6], s[4:5]
	s_endpgm
	.rodata
	.amdhsa_kernel main
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 24
	.end_amdhsa_kernel
