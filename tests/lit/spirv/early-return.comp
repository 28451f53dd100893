// REQUIRES: frontend
// RUN: %heddle compile --emit hir %s | %FileCheck %s
// The code after an early return moves into the other arm; no flag is needed.
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint a, b, c; };
void main()
{
    if (a == 0u)
        return;
    if (b == 0u) {
        c = 1u;
        return;
    }
    c = 2u;
}
// CHECK-NOT: phi
// CHECK: if {{%[0-9]+}} then [[A:b[0-9]+]] else [[B:b[0-9]+]] merge [[END:b[0-9]+]]
// CHECK: block [[A]]:
// CHECK-NEXT: jump [[END]]
// CHECK: block [[B]]:
// CHECK: if
// CHECK-NOT: phi
// CHECK: block [[END]]:
// CHECK-NEXT: return
