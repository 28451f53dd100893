// A loop with a clause for each kind of code: control flow, groups with literals and constants, fetches, a store; options and labels.
// RUN: %heddle asm -t cypress %s -o %t.bin
// RUN: %heddle disasm -t "Radeon HD 5870" %t.bin | %FileCheck %s
// RUN: %heddle disasm --raw -t cypress %t.bin -o %t.s && %heddle asm -t cypress %t.s -o %t.2.bin && cmp %t.bin %t.2.bin
	ALU init CNT(5) KC0(CB0:0-15)
	LOOP_START_DX10 done
again:
	ALU_PUSH_BEFORE test CNT(1)
	JUMP next POP(1)
	LOOP_BREAK end
	POP next POP(1)
next:
	TEX load CNT(2) VALID_PIXEL_MODE
	ALU add CNT(4)
end:
	LOOP_END again
done:
	EXPORT_DONE PIX[0], R1.xy01 NO_BARRIER
	MEM_RAT_CACHELESS STORE_RAW RAT0, R2.x___, R0 TYPE(WRITE_IND) END_OF_PROGRAM
// CHECK: {{^}}	ALU L80 CNT(5) KC0(CB0:0-15) {{.*}} 40000010 A0100000
// CHECK-NEXT: LOOP_START_DX10 L48 {{.*}} 00000009 81800000
// CHECK-NEXT: L10:
// CHECK-NEXT: ALU_PUSH_BEFORE La8 CNT(1) {{.*}} 00000015 A4000000
// CHECK: L48:
// CHECK-NEXT: EXPORT_DONE PIX[0], R1.xy01 NO_BARRIER {{.*}} 00008000 15000B08
// CHECK-NEXT: MEM_RAT_CACHELESS STORE_RAW RAT0, R2.x___, R0 TYPE(WRITE_IND) END_OF_PROGRAM
	.balign 16
load:
	VFETCH R1.xyzw, R0.x, b1 TYPE(NO_INDEX) FMT(32_32_32_32_FLOAT) OFFSET(16) MEGA BYTES(16)
	SAMPLE R2.xyz_, R1.xy0w, t18, s0 UNNORM(xy) XOFF(-2)
// CHECK: VFETCH R1.xyzw, R0.x, b1 TYPE(NO_INDEX) MEGA FMT(32_32_32_32_FLOAT) OFFSET(16) BYTES(16)
// CHECK-NEXT: SAMPLE R2.xyz_, R1.xy0w, t18, s0 UNNORM(xy) XOFF(-2)
init:
	1 x: MOV R0.x, 0.25
	  y: ADD R0.y, -|KC0[3].w|, 2.5 CLAMP
	  t: RECIP_IEEE R0.z, R1.x SCL_122 ;
	  z: MULADD T0.z, PV.x, PS, R1[AR.x].y VEC_120 ;
// CHECK: L80:
// CHECK-NEXT: 1 x: MOV R0.x, L.x
// CHECK-NEXT: y: ADD R0.y, -|KC0[3].w|, L.y CLAMP
// CHECK-NEXT: t: RECIP_IEEE R0.z, R1.x SCL_122 ;
// CHECK-NEXT: LIT 0.25, 2.5
// CHECK-NEXT: 2 z: MULADD T0.z, PV.x, PS, R1[AR.x].y VEC_120 ;
test:
	x: PRED_SETGE_INT __.x, R0.x, 0 UPDATE_EXEC UPDATE_PRED ;
add:
	x: ADD_INT R0.x, R0.x, -1
	y: LSHL_INT R0.y, R0.x, L.y PRED_ONE ;
	LIT 0, 31
	x: LDS_WRITE R0.x, -1 OFFSET(3) ;
// CHECK: 3 x: PRED_SETGE_INT __.x, R0.x, 0 UPDATE_EXEC UPDATE_PRED ;
// CHECK: 4 x: ADD_INT R0.x, R0.x, -1
// CHECK-NEXT: y: LSHL_INT R0.y, R0.x, L.y PRED_ONE ;
// CHECK-NEXT: LIT 0, 31
// CHECK-NEXT: 5 x: LDS_WRITE R0.x, -1 OFFSET(3) ;
