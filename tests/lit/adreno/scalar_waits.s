// The scalar ALU's predicate (up0.x) and, from a7xx on, a1.x are waited for by (ss), not by cycles; the scalar ALU itself reads shared
// registers at once. One finding: the first branch.
// RUN: not %heddle run -t a750 --groups 1,1,1 %s 2>&1 | %FileCheck %s
// CHECK: `br !p0.x, #2`{{.*}}without (ss){{.*}}[ss-result]
// CHECK-NOT: -result]
// CHECK: buf[0]
@localsize 4, 1, 1
@buf 4 1, 2, 3, 4
@invocationid(r0.x)
mov.u32u32 r48.x, 5
cmps.u.lt up0.x, r48.x, 7
br !p0.x, #l1
mov.u32u32 r0.y, 1
l1:
(jp)cmps.u.lt up0.x, r48.x, 7
(ss)nop
br !p0.x, #l2
mov.u32u32 r0.y, 1
l2:
(jp)(rpt5)nop
stib.b.untyped.1d.u32.1.imm r0.y, r0.x, 0
end
