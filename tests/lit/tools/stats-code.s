// Machine code without notes: as a text, as bytes, as the words of a listing; the same figures.
// RUN: %heddle stats -t gfx1030 --wave-size 32 %s | %FileCheck %s
// RUN: %heddle asm -t gfx1030 %s -o %t.bin
// RUN: %heddle stats --code bin -t gfx1030 --wave-size 32 %t.bin | %FileCheck %s
// RUN: sh -c 'od -An -v -tx4 -w8 %t.bin | sed "s/.*/BB:\\n\tv_text v0 ; &/" > %t.txt'
// RUN: %heddle stats --code words -t gfx1030 --wave-size 32 %t.txt | %FileCheck %s
// RUN: %heddle stats --json --code words -t gfx1030 --wave-size 64 %t.txt | python3 -c "import json, sys; r = json.load(sys.stdin); assert r['vgprs'] == 8 and r['inv_throughput'] == 12 and r['compile_ms'] is None and 'bindings' not in r, r"
// CHECK: [gfx1030 wave32]
// CHECK-NEXT: 6 instructions in 32 bytes: 3 VALU, 1 SALU, 1 VMEM, 0 SMEM, 0 LDS, 0 branches,
// CHECK-NEXT: 1 waits, 0 nops, 0 copies
// CHECK-NEXT: 0 SGPRs, 8 VGPRs, 16 waves
// CHECK-NEXT: latency 329 cycles, inverse throughput 6 cycles
	global_load_dword v1, v[2:3], off
	v_mul_lo_u32 v4, v5, v6
	s_waitcnt vmcnt(0)
	v_add_f32 v7, v1, v4
	v_add_f32 v7, v7, v4
	s_endpgm
