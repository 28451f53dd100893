; Fibre n has the ray from 1.5, 1, 0 along z and meets node n: a triangle at z = 4, and an inner node with two boxes, of which
; the second one is nearer.
@localsize 2, 1, 1
@buf 32 (c0.x) 9, 0, 0, 0x40800000, 0x40800000, 0, 0x40800000, 0, 0x40800000, 0x40800000, 0, 0, 0, 0, 0, 0x02000000, 20, 0, 0x00010000, 0x06020205, 0x02010101, 0x00000202, 0, 0, 0, 0, 0, 0, 0, 0, 0x86860000, 0x00000286
@buf 10 0
@invocationid(r0.x)
@const(c2.x) 0x3fc00000, 0x3f800000, 0, 0
@const(c3.x) 0, 0, 0x3f800000, 0x41200000
@const(c4.x) 0x00ff0000, 0, 0, 0

(rpt3)mov.u32u32 r2.x, (r)c2.x
(rpt3)mov.u32u32 r3.x, (r)c3.x
mov.u32u32 r4.x, c4.x
(rpt1)mov.u32u32 r1.x, (r)c0.x
(nop2) shl.b r7.x, r0.x, 2
(nop2) add.u r7.x, r7.x, r0.x
add.u r7.y, r7.x, 4
(rpt5)nop
ray_intersection r5.x, [r1.x], r0.x, r2.x, r4.x
(sy)nop
stib.b.untyped.1d.u32.4.imm r5.x, r7.x, 1
stib.b.untyped.1d.u32.1.imm r6.x, r7.y, 1
end
