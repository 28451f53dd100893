// REQUIRES: frontend
// RUN: %heddle compile --emit hir %s | %FileCheck %s
// Constant tables become constant data, arrays written with a dynamic index become scratch; the rest becomes SSA values.
#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer B { uint n, r[]; };
const uint table[5] = uint[](3u, 1u, 4u, 1u, 5u);
struct S { vec2 v; uint a[4]; uint k; };
void main()
{
    S s;
    s.k = table[n];
    s.a[1] = 7u;
    s.a[n & 3u] = s.k;
    s.v = vec2(1.0, 2.0);
    r[0] = s.a[1] + s.k + uint(s.v.y);
}
// CHECK: scratch_size: 32
// CHECK: @load_constant {{.*}}range=20
// CHECK: @store_scratch
// CHECK: @store_scratch
// CHECK: @load_scratch
// CHECK-NOT: scratch
// CHECK: @store_ssbo
