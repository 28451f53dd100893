// Traces, dumps and counts.
// RUN: %heddle run %s --arg buf:count=1024 --group 32 --counts text | %FileCheck %s --check-prefix=COUNT
// RUN: %heddle run %s --arg buf:count=1024 --group 32 --counts json | head -1 | python3 -c "import json, sys; c = json.load(sys.stdin); assert c['kernel'] == 'main' and c['instructions'] == 16 and c['classes']['global']['lines64'] == 66 and c['classes']['lds']['conflicts'] == 31, c"
// RUN: %heddle run %s --arg buf:count=1024 --group 64 --check none --trace %t.all > %t.out
// RUN: %FileCheck %s --check-prefix=TRACE < %t.all
// RUN: %heddle run %s --arg buf:count=1024 --group 32 --check none --trace %t.timed --counts text > %t.out
// RUN: %FileCheck %s --check-prefix=TIMED < %t.timed
// RUN: %heddle run %s --arg buf:count=1024 --group 64 --check none --groups 2 --trace %t.one --only group=1,wave=1,lane=5,pc=+0x10
// RUN: %FileCheck %s --check-prefix=ONE < %t.one
// RUN: %heddle run %s --arg buf:count=1024 --group 32 --dump-regs --dump-memory --dump-to %t.end
// RUN: %FileCheck %s --check-prefix=END < %t.end
// RUN: %heddle run %s --arg buf:count=1024 --group 32 --dump-regs --dump-at +0x10 --only lane=5 | %FileCheck %s --check-prefix=PC
// RUN: not %heddle run %s --arg buf:count=8 --group 32 --dump-regs --dump-at finding --only lane=9 | %FileCheck %s --check-prefix=FINDING
// RUN: not %heddle run %s --arg buf:count=1024 --group 32 --trace %t.x --only wave=x 2>&1 | %FileCheck %s --check-prefix=WRONG
// RUN: not %heddle run %s --arg buf:count=1024 --group 32 --dump-regs --dump-at never 2>&1 | %FileCheck %s --check-prefix=NEVER
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1030"
main:
	s_load_dwordx2 s[2:3], s[0:1], 0x0
	v_lshlrev_b32 v1, 2, v0			// consecutive words: 2 lines of 64 bytes
	v_lshlrev_b32 v2, 7, v0			// words in different lines, in one bank
	s_waitcnt lgkmcnt(0)
	global_store_dword v1, v0, s[2:3]
	global_store_dword v2, v0, s[2:3]
	global_store_short v2, v0, s[2:3] offset:2
	ds_write_b32 v1, v0
	ds_write_b32 v2, v0
	v_cmp_gt_u32 vcc_lo, 8, v0
	s_and_b32 exec_lo, exec_lo, vcc_lo
	v_mov_b32 v3, 1.0
	s_nop 0
	s_branch end
end:
	s_nop 0
	s_endpgm
	.rodata
	.amdhsa_kernel main
		.amdhsa_kernarg_size 8
		.amdhsa_group_segment_fixed_size 8192
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 8
	.end_amdhsa_kernel
// COUNT: class     instructions        lanes        bytes      lines64     lines128    conflicts
// COUNT-NEXT: {{^}}salu                 2            0            0            0            0            0
// COUNT-NEXT: {{^}}branch               1 {{.*}} 0
// COUNT-NEXT: {{^}}wait                 3 {{.*}} 0
// COUNT-NEXT: {{^}}smem                 1            0            8            1            1            0
// COUNT-NEXT: {{^}}valu                 4          104            0            0            0            0
// COUNT-NEXT: {{^}}lds                  2           64          256            0            0           31
// COUNT-NEXT: {{^}}global               3           96          320           66           65            0
// COUNT-NEXT: {{^}}all                 16
// TIMED: pc 0x{{.*}} #2 cycle 3 v_lshlrev_b32_e32 v2, 7, v0
// TIMED: #3 cycle 31 s_waitcnt lgkmcnt(0)
// TRACE: group 0,0,0 wave 0 pc 0x{{.*}} #0 s_load_dwordx2 s[2:3], s[0:1], null | s2={{.*}} s3=00000001
// TRACE-NEXT: #1 v_lshlrev_b32_e32 v1, 2, v0
// TRACE-NEXT: v1: 0=00000000 1=00000004 2=00000008
// TRACE: #9 v_cmp_gt_u32_e32 vcc_lo, 8, v0 | vcc_lo=000000ff
// TRACE-NEXT: #10 s_and_b32 exec_lo, exec_lo, vcc_lo | exec_lo=000000ff scc=1
// TRACE-NEXT: #11 v_mov_b32_e32 v3, 1.0
// TRACE-NEXT: v3: 0=3f800000 {{.*}} 7=3f800000{{$}}
// TRACE: group 0,0,0 wave 1
// ONE: group 1,0,0 wave 1 pc {{.*}} #3 s_waitcnt lgkmcnt(0)
// ONE-NOT: group
// END: group 0,0,0 wave 0 pc
// END-NEXT: exec 0xff vcc 0x{{.*}}000000ff scc 1 m0
// END-NEXT: s0
// END: {{^}}  v0  [ 0] 00000000 00000001 00000002
// END-NEXT: {{^}}      [ 8] 00000008 00000009
// END: v3  [ 0] 3f800000
// END: lds: 8192 bytes
// END: 000000: 00000000 01000000 02000000 03000000
// END: buffer 0: 0x{{.*}}, 4096 bytes
// PC: v1   lane 5 00000014
// PC: v2   lane 5 00000280
// FINDING: group 0,0,0 wave 0 pc
// FINDING: v1   lane 9 00000024
// FINDING: FAIL
// WRONG: --only needs
// NEVER: --dump-at needs
