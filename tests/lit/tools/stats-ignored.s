// Another compiler's code may set fields that an instruction ignores, as the third source here: 2 cycles in wave64, not those of the
// second word read as an instruction.
// RUN: sh -c 'echo "v_pk_mul_f16 v8, v8, v8 ; cc100008 1a021108" > %t.txt'
// RUN: %heddle stats --code words -t gfx1201 --wave-size 64 %t.txt | %FileCheck %s
// CHECK: 1 instructions in 8 bytes: 1 VALU
// CHECK: latency 2 cycles, inverse throughput 2 cycles
	s_endpgm
