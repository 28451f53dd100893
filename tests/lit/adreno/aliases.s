// alias.tex: registers of the next texture instruction stand for others, constants and numbers; a source is the register itself, whatever
// stands for it.
// RUN: %heddle run -t a750 --groups 1,1,1 %s | %FileCheck %s
// CHECK: buf[0]
// CHECK-NEXT: 00000004 00000003 00000002 00000001
// CHECK: buf[1]
// CHECK-NEXT: 00000003 00000003 00000002 00000002
// Aliases must be as many as the first states, and the texture instruction stands behind them; alias.rt belongs in the preamble.
// RUN: sed 's/b32.1 r0.y/b32.0 r0.y/; s/^alias.tex.b32.0 r40.y.*/&\nnop/; s/^end/alias.rt.b32.0 rt0.x, c1.x\nend/' %s > %t.s
// RUN: not %heddle run -t a750 --groups 1,1,1 %t.s 2>&1 | %FileCheck %s --check-prefix=WRONG
// WRONG: 2 aliases, 1 were stated [alias]
// WRONG: no texture instruction stands behind alias.tex [alias]
// WRONG: alias.rt of a register, or not in the preamble [alias]
@localsize 4, 1, 1
@buf 4 1, 2, 3, 4
@buf 4 0, 0, 0, 0
@const(c1.x) 2
@invocationid(r0.x)
sub.u r0.y, 3, r0.x
mov.u32u32 r0.z, 1
(rpt5)nop
// r0.y stands for a number, r40.x for what is in r0.y.
alias.tex.b32.1 r0.y, (0x7)
alias.tex.b32.0 r40.x, r0.y
isam.v.1d (u32)(x)r1.x, r40.x, s#0, t#0
alias.tex.b32.0 r40.x, c1.x
isam.v.1d (u32)(x)r1.y, r40.x, s#0, t#0
alias.tex.b32.1 r40.x, (0x1)
alias.tex.b32.0 r40.y, r0.y
isam.v.1d (u32)(x)r1.z, r40.x, s#0, t#0
(sy)stib.b.untyped.1d.u32.1.imm r1.x, r0.x, 0
cmps.u.lt p0.x, r0.x, 2
(rpt5)nop
br p0.x, #low
stib.b.untyped.1d.u32.1.imm r1.z, r0.x, 1
jump #done
low:
(jp)stib.b.untyped.1d.u32.1.imm r1.y, r0.x, 1
done:
(jp)nop
end
