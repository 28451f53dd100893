// Errors have line and column; each is reported.
// RUN: not %heddle asm -t a660 %s -o %t.bin 2>&1 | %FileCheck %s
// RUN: not %heddle asm -t gfx1030 %s -o %t.bin 2>&1 | %FileCheck %s --check-prefix=AMD
add.f r0.x, r1.x, hr2.x
  (sy)(foo)nop
sam (f32)(xyzw)r0.x, r1.x, s#20, t#0
lock
@localsize 1, 2
end
// CHECK: errors.s:4:24: error: expected registers of one size before this, found the end of the line [ASM_EXPECTED]
// CHECK: errors.s:5:8: error: expected a flag of instructions such as sy, ss, jp, rpt1 to rpt7, nop1 to nop3, found 'foo' [ASM_EXPECTED]
// CHECK: errors.s:6:30: error: expected a smaller number, found '20' [ASM_EXPECTED]
// CHECK: errors.s:7:1: error: unknown instruction 'lock' [ASM_UNKNOWN]
// CHECK: errors.s:8:16: error: expected ',', found the end of the line [ASM_EXPECTED]
// AMD: errors.s:4:1: error: unknown instruction 'add.f'
