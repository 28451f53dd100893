// Registers in fields that an instruction does not use: the hardware ignores them, and the listing keeps the bits.
// RUN: %heddle run %s --arg buf:count=64 --group 32 --dump-regs --only lane=5 | %FileCheck %s --check-prefix=REGS
// RUN: %heddle asm %s -o %t.bin
// RUN: %heddle disasm -t gfx1030 --wave-size 32 %t.bin | %FileCheck %s --check-prefix=TEXT
// RUN: %heddle disasm -t gfx1030 --wave-size 32 %t.bin -o %t.again.s
// RUN: %heddle asm -t gfx1030 --wave-size 32 %t.again.s -o %t.again.bin
// RUN: cmp %t.bin %t.again.bin
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1030"
main:
	v_lshlrev_b32 v1, 2, v0
	v_mov_b32 v5, 7
	.long 0xd8340000, 0x05000001	// ds_write_b32 v1, v0, with v5 as vdst
	.long 0xd8d80000, 0x03090901	// ds_read_b32 v3, v1, with v9 as data0 and data1
	s_waitcnt lgkmcnt(0)
	s_endpgm
	.rodata
	.amdhsa_kernel main
		.amdhsa_kernarg_size 8
		.amdhsa_group_segment_fixed_size 128
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 8
	.end_amdhsa_kernel
// REGS: v3   lane 5 00000005
// REGS: v5   lane 5 00000007
// TEXT: // ds_write_b32 v1, v0 (fields that it does not use are set)
// TEXT-NEXT: .long 0xd8340000, 0x05000001
// TEXT: // ds_read_b32 v3, v1 (fields that it does not use are set)
// TEXT-NEXT: .long 0xd8d80000, 0x03090901
