// An early preamble has shared registers alone: what it says of a fibre's, of predicates and of the address register is found. It may drop results (r63.x).
// RUN: not %heddle run -t a750 --groups 1,1,1 %s 2>&1 | %FileCheck %s
// RUN: sed '/earlypreamble/d' %s > %t.asm && %heddle run -t a750 --groups 1,1,1 %t.asm | %FileCheck --check-prefix=LATE %s
// CHECK: `mov.u32u32 r0.y, 7`{{.*}}r0.y in an early preamble [early-preamble]
// CHECK-NEXT: (2 times) [early-preamble]
// CHECK-NEXT: `(ss)mova a0.x, hr50.x`{{.*}}[early-preamble]
// CHECK-NOT: early
// LATE: 00000007 00000007
@localsize 2, 1, 1
@buf 2 1, 2
@invocationid(r0.x)
@earlypreamble
shps #l1
getone #l1
mov.u32u32 r48.x, 7
mov.u32u32 r0.y, 7
(rpt5)nop
(ss)cmps.u.lt p0.x, r0.y, 8
mov.u16u16 hr50.x, 1
(ss)mova a0.x, hr50.x
resinfo.b.untyped.1d.u32.1.imm r63.x, 0
(ss)nop
stc.u32 c[4], r48.x, 1
(sy)(ss)shpe
l1:
(jp)mov.u32u32 r0.z, c1.x
(rpt5)nop
stib.b.untyped.1d.u32.1.imm r0.z, r0.x, 0
end
