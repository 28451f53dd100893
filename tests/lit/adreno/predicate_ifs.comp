// Small ifs switch fibres off by the predicate where nothing has to be waited for behind them; chips that must wait branch.
// RUN: %heddle compile -t a618 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t a618 --emit predicate_ifs %s -o %t.mir
// RUN: %heddle compile -t a618 --emit asm %t.mir | %FileCheck %s
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck --check-prefix=BRANCH %s
#version 450
layout(local_size_x=64) in;
layout(set=0, binding=0) buffer B { uint v[]; } b;
layout(set=0, binding=1) buffer C { uint v[]; } c;
void main()
{
    uint i = gl_LocalInvocationIndex, x = b.v[i];
    if ((x & 1u) != 0u) 
        c.v[i] = x * 3; 
    if ((x & 2u) != 0u) { c.v[i+64] = x * 5; } else { b.v[i+1] = x ^ 12; }
}
// CHECK: cmps.s.ne p0.x
// CHECK: {{^	}}predt
// CHECK: stib.b
// CHECK-NEXT: prede
// CHECK-NOT: (rpt6)nop
// CHECK: predt
// CHECK: stib.b
// CHECK-NEXT: predf
// CHECK: stib.b
// CHECK-NEXT: prede
// CHECK-NEXT: end
// BRANCH-NOT: predt
// BRANCH: br
