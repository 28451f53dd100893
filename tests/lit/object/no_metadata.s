# RUN: %heddle asm --emit obj %s -o %t.ours
# RUN: %llvm/llvm-mc -triple amdgcn-amd-amdhsa -mcpu=gfx1030 -filetype=obj %s -o %t.o
# RUN: %heddle disasm %t.o | %FileCheck %s
# RUN: %heddle run %t.o --list | %FileCheck %s --check-prefix=LIST
# RUN: %heddle run %t.o --arg 7 | %FileCheck %s --check-prefix=RAN
#
# LLVM writes no metadata if the text has none. The kernels are then those that have descriptors, with as many bytes of arguments as these say.
#
# CHECK: // one: target gfx1030, hsa, wave32, 0 bytes LDS, 0 bytes scratch
# CHECK: s_load_dword s2, s[0:1], null
# LIST: one [gfx1030, wave32]: 4 bytes of arguments that are not described
# RAN: 1 passed, 0 failed, 0 skipped
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1030"
	.text
	.globl one
	.p2align 8
	.type one,@function
one:
	s_load_dword s2, s[0:1], null
	s_waitcnt lgkmcnt(0)
	v_mov_b32 v1, s2
	s_endpgm
	.section .rodata,"a"
	.p2align 6
	.amdhsa_kernel one
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_kernarg_size 4
		.amdhsa_next_free_vgpr 4
		.amdhsa_next_free_sgpr 8
	.end_amdhsa_kernel
