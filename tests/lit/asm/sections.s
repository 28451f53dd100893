// Sections, symbols, references between sections, data, loader relocations.
// RUN: %heddle asm --emit obj %s -o %t.co
// RUN: llvm-readelf -S -s -r %t.co | %FileCheck %s
// RUN: %heddle run %t.co --kernel main --arg buf:count=8 --group 1 --expect 0:values=11:22:33:44:7:3:40:2
// RUN: %heddle run %s --arg buf:count=8 --group 1 --expect 0:values=11:22:33:44:7:3:40:2
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1030"
	.text
	.globl	main
	.p2align 8
	.type	main,@function
main:
	s_load_dwordx2 s[2:3], s[0:1], 0x0
	s_getpc_b64 s[4:5]
.Lpc:
	s_add_u32 s4, s4, table@rel32@lo+4
	s_addc_u32 s5, s5, table@rel32@hi+12
	s_load_dwordx4 s[8:11], s[4:5], 0x0
	s_getpc_b64 s[6:7]
	s_add_u32 s6, s6, pointer@gotpcrel32@lo+4
	s_addc_u32 s7, s7, pointer@gotpcrel32@hi+12
	s_load_dwordx2 s[6:7], s[6:7], 0x0	// the address of pointer
	s_waitcnt lgkmcnt(0)
	s_load_dwordx2 s[6:7], s[6:7], 0x0	// what it points to
	s_waitcnt lgkmcnt(0)
	s_load_dword s12, s[6:7], 0x0
	s_mov_b32 s13, (.Lend-.Lbegin)/4
	s_mov_b32 s14, .Lend-.Lbegin+28
	s_mov_b32 s15, 2
	s_waitcnt lgkmcnt(0)
	s_branch .Lbegin
.Lbegin:
	v_mov_b32 v0, 0
	s_nop 0
	s_nop 0
.Lend:
number = 8
	v_mov_b32 v1, s8
	v_mov_b32 v2, s9
	v_mov_b32 v3, s10
	v_mov_b32 v4, s11
	global_store_dwordx4 v0, v[1:4], s[2:3]
	v_mov_b32 v5, s12
	v_mov_b32 v6, s13
	v_mov_b32 v7, s14
	v_mov_b32 v8, s15
	global_store_dwordx4 v0, v[5:8], s[2:3] offset:16
	s_endpgm
	.size	main, .-main

	.section .rodata.tables,"a",@progbits
	.p2align 4
table:	.long 11, 22
	.byte 33, 0, 0, 0
	.long .Lafter-table+28
.Lafter:
	.data
	.globl	pointer
pointer: .quad seven
	.bss
	.zero 64
	.section .rodata,"a",@progbits
seven:	.long 7
	.asciz "text", "\x41\102\n"
	.uleb128 300
	.sleb128 -129, 63
	.amdhsa_kernel main
		.amdhsa_kernarg_size 8
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr .amdgcn.next_free_vgpr
		.amdhsa_next_free_sgpr .amdgcn.next_free_sgpr
	.end_amdhsa_kernel
// CHECK: .rodata {{ *}}PROGBITS {{.*}} A
// CHECK: .text {{ *}}PROGBITS {{.*}} AX
// CHECK: .got {{ *}}PROGBITS {{.*}} WA
// CHECK: .data {{ *}}PROGBITS {{.*}} WA
// CHECK: .bss {{ *}}NOBITS {{.*}} 000040 00 {{ *}}WA
// CHECK: R_AMDGPU_RELATIVE64
// CHECK: R_AMDGPU_RELATIVE64
// CHECK: FUNC    GLOBAL DEFAULT   {{.*}} main
// CHECK: 64 OBJECT  GLOBAL DEFAULT   {{.*}} main.kd
