// REQUIRES: frontend
// RUN: %heddle compile --emit hir %s | %FileCheck %s
// Cases with the same target are tested together; a case that falls through is emitted once, after the tests.
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint a, r; };
void main()
{
    uint v = 0u;
    switch (a) {
    case 1u:
    case 2u:
    case 3u: v = 10u; break;
    case 7u: v = 100u; // falls through
    case 8u: v += 5u; break;
    default: v = 3u; break;
    }
    r = v;
}
// CHECK-DAG: 32 [[TWO:%[0-9]+]] = load_const (0x00000002
// CHECK-DAG: 32 [[M1:%[0-9]+]] = load_const (0xffffffff
// CHECK: 32 [[A:%[0-9]+]] = @load_ssbo
// CHECK: [[D:%[0-9]+]] = iadd [[A]], [[M1]]
// CHECK: [[IN:%[0-9]+]] = uge [[TWO]], [[D]]
// CHECK: if [[IN]]
// CHECK: ieq [[A]]
// CHECK: ieq [[A]]
// CHECK-COUNT-1: iadd
// CHECK-NOT: iadd
// CHECK: @store_ssbo
// CHECK: return
