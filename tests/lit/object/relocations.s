// An object that is not linked, with the kinds of relocations that clang's kernels do not have: entries of the table of
// addresses, for a symbol of the file and for one that is nowhere and weak; the low half of an absolute symbol; a branch
// to another section.
// REQUIRES: clang-amdgpu
// RUN: %llvm/llvm-mc -triple amdgcn-amd-amdhsa -mcpu=gfx1030 -filetype=obj %s -o %t.o
// RUN: %heddle run %t.o --arg buf:count=64 --expect 0:fill=1070
// RUN: %heddle disasm %t.o | %FileCheck %s
// CHECK: s_mov_b32 s5, 0x3e8
// CHECK: s_branch .L[[AT:[0-9A-F]+]]
// CHECK-NEXT: .L[[AT]]:
// CHECK-NEXT: over:
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1030"
	.text
	.globl main
	.p2align 8
	.type main,@function
main:
	s_load_dwordx2 s[2:3], s[0:1], 0x0
	s_getpc_b64 s[4:5]
	s_add_u32 s4, s4, value@gotpcrel32@lo+4
	s_addc_u32 s5, s5, value@gotpcrel32@hi+12
	s_load_dwordx2 s[4:5], s[4:5], 0x0
	s_getpc_b64 s[6:7]
	s_add_u32 s6, s6, nothing@gotpcrel32@lo+4
	s_addc_u32 s7, s7, nothing@gotpcrel32@hi+12
	s_load_dwordx2 s[6:7], s[6:7], 0x0
	s_waitcnt lgkmcnt(0)
	s_load_dword s4, s[4:5], 0x0
	s_waitcnt lgkmcnt(0)
	s_add_u32 s4, s4, s6
	s_mov_b32 s5, absolute@abs32@lo
	s_branch over
	.section .text.far,"ax",@progbits
	.globl over
over:
	s_add_u32 s4, s4, s5
	v_mov_b32 v1, s4
	v_lshlrev_b32 v0, 2, v0
	global_store_dword v0, v1, s[2:3]
	s_endpgm
	.weak nothing
	.globl absolute
absolute = 1000
	.data
	.globl value
	.p2align 2
value:
	.long 70
	.rodata
	.amdhsa_kernel main
		.amdhsa_kernarg_size 8
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args: [{.offset: 0, .size: 8, .value_kind: global_buffer}]
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 8
    .max_flat_workgroup_size: 1024
    .name: main
    .private_segment_fixed_size: 0
    .sgpr_count: 16
    .symbol: main.kd
    .vgpr_count: 8
    .wavefront_size: 32
amdhsa.target: amdgcn-amd-amdhsa--gfx1030
amdhsa.version: [1, 2]
...
	.end_amdgpu_metadata
