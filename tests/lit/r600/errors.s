// Errors have line and column; each is reported.
// RUN: not %heddle asm -t cypress %s -o %t.bin 2>&1 | %FileCheck %s
	ALU far CNT(1)
	x: ADD R0.y, R1.x, R2.x ;
	x: FOO R0.x, R1.x ;
	TEX @3 CNT(90)
	VFETCH R0.xyzw, R1.x, b0 FMT(7_7)
// CHECK: errors.s:4:13: error: expected a channel that is the slot's, before this, found ',' [ASM_EXPECTED]
// CHECK: errors.s:5:5: error: unknown instruction 'FOO' [ASM_UNKNOWN]
// CHECK: errors.s:6:15: error: expected a number of the field's range
// CHECK: errors.s:7:31: error: expected one of the field's names, found '7'
