// The example of "What's new in ir3" (XDC 2025), with what its syntax has beside: flags, labels, relative and special operands.
// RUN: %heddle asm -t a750 %s -o %t.bin
// RUN: %heddle disasm -t "Adreno 750" %t.bin | %FileCheck %s
@localsize 4, 1, 1
@buf 4 1, 2, 3, 4
@invocationid(r0.x)

ldib.b.untyped.1d.u32.4.imm r1.x, r0.x, 0
(sy)add.u r1.x, r1.x, 5
(rpt2)nop
stib.b.untyped.1d.u32.4.imm r1.x, r0.x, 0
// CHECK: ldib.b.untyped.1d.u32.4.imm r1.x, r0.x, 0 {{.*}} 0061B000 C0260004
// CHECK-NEXT: (sy)add.u r1.x, r1.x, 5 {{.*}} 20050004 52100004
// CHECK-NEXT: (rpt2)nop {{.*}} 00000000 00000200
// CHECK-NEXT: stib.b.untyped.1d.u32.4.imm r1.x, r0.x, 0 {{.*}} 00677000 C0260004
loop: ; a label
(sat)(nop3)(ss) mad.f32 r0.x, (neg)r1.x, r2.x, c<a0.x + 27>
(jp)br !p0.x, #loop
// CHECK-NEXT: L20:
// CHECK-NEXT: (ss)(nop3) mad.f32 (sat)r0.x, (neg)r1.x, r2.x, c<a0.x + 27>
// CHECK-NEXT: (jp)br !p0.x, #L20
alias.tex.b32.1 r40.x, (0x3f800000)
mov.f32f32 r0.x, (0.1)
// CHECK-NEXT: alias.tex.b32.1 r40.x, (0x3f800000)
// CHECK-NEXT: mov.f32f32 r0.x, (0.100000001) {{.*}} 3DCCCCCD 20444000
raw 0xffffffffffffffff
end
// CHECK-NEXT: raw 0xffffffffffffffff
// CHECK-NEXT: end
