// Findings in a text name its lines, through macros, repetitions and included files, in any executable section. Each of the
// lines that are checked uses a register that is not allocated.
// RUN: cp %S/Inputs/lines.inc %t.inc
// RUN: sed "s,lines.inc,%t.inc," %s > %t.s
// RUN: not %heddle run %t.s --kernel main --findings all > %t.out 2> %t.err
// RUN: %FileCheck %s --check-prefix=MAIN < %t.err
// RUN: %FileCheck %s --check-prefix=FAIL < %t.out
// RUN: not %heddle run %t.s --kernel other 2>&1 | %FileCheck %s --check-prefix=OTHER
// RUN: %heddle asm --emit obj -g %t.s -o %t.co
// RUN: %llvm/llvm-objdump -d -l %t.co | %FileCheck %s --check-prefix=DUMP
// RUN: %llvm/llvm-dwarfdump --verify %t.co
// RUN: %heddle disasm %t.co | %FileCheck %s --check-prefix=DISASM
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1030"
	.macro bad R
	v_mov_b32 v1, 0
	v_mov_b32 v\R, 1
	.endm
	.macro outer R
	bad \R
	.endm
main:
	v_mov_b32 v1, v20
	bad 21
	outer 22
	.rept 2
	v_mov_b32 v2, 0
	v_mov_b32 v2, v23
	.endr
	.irp r, 24, 25
	v_mov_b32 v\r, 0
	.endr
	.include "lines.inc"
	v_mov_b32 v1, 0
	v_mov_b32 v1, v26
	s_endpgm
	.section .text.other,"ax"
other:
	v_mov_b32 v1, v27
	s_endpgm
	.rodata
	.amdhsa_kernel main
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 8
	.end_amdhsa_kernel
	.amdhsa_kernel other
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 8
	.end_amdhsa_kernel
// MAIN: .s:22: memory: {{.*}}v20 is used
// MAIN-NEXT: .s:23: memory: {{.*}}v21 is used
// MAIN-NEXT: .s:24: memory: {{.*}}v22 is used
// MAIN-NEXT: .s:27: memory: {{.*}}v23 is used
// MAIN-NEXT: .s:27: memory: {{.*}}v23 is used
// MAIN-NEXT: .s:29: memory: {{.*}}v24 is used
// MAIN-NEXT: .s:29: memory: {{.*}}v25 is used
// MAIN-NEXT: .inc:1: memory: {{.*}}v9 is used
// MAIN-NEXT: .s:34: memory: {{.*}}v26 is used
// MAIN-NOT: memory
// FAIL: FAIL {{.*}}.s [gfx1030]: memory: {{.*}} [register-bounds] [{{.*}}.s:22]
// OTHER: .s:38: memory: {{.*}}v27 is used, but 8 VGPRs are allocated [register-bounds]
// DUMP: .s:22
// DUMP-NEXT: v_mov_b32_e32 v1, v20
// DUMP-NEXT: .s:23
// DUMP-NEXT: v_mov_b32_e32 v1, 0
// DUMP-NEXT: v_mov_b32_e32 v21, 1
// DUMP-NEXT: .s:24
// DUMP: .s:38
// DUMP-NEXT: v_mov_b32_e32 v1, v27
// DISASM: // {{.*}}.s:38
// DISASM-NEXT: v_mov_b32_e32 v1, v27
