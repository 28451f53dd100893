// The live-register view of machine code.
// RUN: %heddle asm -t gfx1030 %s -o %t.bin
// RUN: %heddle disasm -t gfx1030 --livereg %t.bin | %FileCheck %s --match-full-lines --strict-whitespace
// RUN: %heddle disasm -t gfx1030 --live-registers %t.bin > %t.s
// RUN: %heddle asm -t gfx1030 %t.s -o %t.again && cmp %t.bin %t.again

// The maxima, and where they are.
//      CHECK:// SGPR: at most 8 live, at instruction 2, 3, 4; 11 used
// CHECK-NEXT:// VGPR: at most 5 live, at instruction 3, 4, 5 and 1 more; 9 used
// CHECK-NEXT://                                                       //      | SGP VGP | s0......... | v0....... | vvms

// Both sides of an if write v7: it is not live before, although each writes only its lanes.
// CHECK-NEXT:	v_cmp_eq_u32_e64 s[0:1], 0x60, v0                //    1 |   6   4 | ^^  ::::    | v : :   : |
	v_cmp_eq_u32_e64 s[0:1], 0x60, v0
// CHECK-NEXT:	s_and_saveexec_b64 s[2:3], s[0:1]                //    2 |   8   4 | vv^^::::    | : : :   : |    ^
	s_and_saveexec_b64 s[2:3], s[0:1]
// CHECK-NEXT:	v_mov_b32_e32 v7, 0                              //    3 |   8   5 | ::::::::    | : : :  ^: |
	v_mov_b32_e32 v7, 0
	s_andn2_b64 exec, s[2:3], s[0:1]
	s_cbranch_execz L1
// CHECK:	v_mul_f32_e32 v7, v4, v0                         //    6 |   6   5 |   ::::::    | v : v  ^: |
	v_mul_f32_e32 v7, v4, v0
L1:
	s_mov_b64 exec, s[2:3]
	buffer_store_dword v7, v2, s[4:7], 0 offen

// v8 is written in some lanes alone, and read in all: its value of before stays live.
// CHECK:	v_cmp_eq_u32_e32 vcc, 1, v2                      //    9 |   4   2 |     ::::    |   v     : | ^^
	v_cmp_eq_u32_e32 vcc, 1, v2
	s_and_saveexec_b64 s[2:3], vcc
	v_mov_b32_e32 v8, 0
	s_mov_b64 exec, s[2:3]
	buffer_store_dword v8, v2, s[4:7], 0 offen

// A write of the low half leaves the high one.
// CHECK:	v_mov_b32_e32 v0, 0                              //   14 |   4   2 |     ::::    | ^ :       |
	v_mov_b32_e32 v0, 0
// CHECK-NEXT:	v_cvt_f16_f32_e32 v0, v2                         //   15 |   4   2 |     ::::    | ^ v       |
	v_cvt_f16_f32_e32 v0, v2
	v_cvt_f16_f32_sdwa v0, v2 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD
	buffer_store_dword v0, v2, s[4:7], 0 offen

// A scalar loop: s8 counts, s9 is not live around the loop.
// CHECK:	s_mov_b32 s8, 0                                  //   18 |   5   0 |     ::::^   |           |
	s_mov_b32 s8, 0
L2:
	s_lshl_b32 s9, s8, 2
	s_buffer_load_dword s10, s[4:7], s9
	s_waitcnt lgkmcnt(0)
// CHECK:	s_add_u32 s8, s8, s10                            //   22 |   6   0 |     ::::x v |           |    ^
	s_add_u32 s8, s8, s10
// CHECK-NEXT:	s_cmp_lt_u32 s8, 0x64                            //   23 |   5   0 |     ::::v   |           |    ^
	s_cmp_lt_u32 s8, 100
	s_cbranch_scc1 L2
	s_endpgm
