// REQUIRES: frontend
// RUN: %heddle compile --emit hir %s | %FileCheck %s
// A return inside nested loops sets a flag: the lanes break out of both loops and skip the rest.
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint n, hit, r, x[]; };
void main()
{
    for (uint i = 0u; i < n; i++)
        for (uint j = 0u; j < n; j++)
            if (x[i * n + j] == hit) {
                r = j;
                return;
            }
    r = 77u;
}
// CHECK: 1 [[FALSE:%[0-9]+]] = load_const (false)
// CHECK: 1 [[TRUE:%[0-9]+]] = load_const (true)
// CHECK: loop {{b[0-9]+}} merge [[OUTER:b[0-9]+]]
// CHECK: loop {{b[0-9]+}} merge [[INNER:b[0-9]+]]
// CHECK: @store_ssbo
// CHECK-NEXT: jump [[INNER]]
// CHECK: block [[INNER]]:
// CHECK: 1 [[FLAG:%[0-9]+]] = phi {{.*}}[[FALSE]]{{.*}}[[TRUE]]
// CHECK-NEXT: if [[FLAG]]
// CHECK: jump [[OUTER]]
// CHECK: block [[OUTER]]:
// CHECK: 1 [[FLAG2:%[0-9]+]] = phi {{.*}}[[FALSE]]{{.*}}[[TRUE]]
// CHECK-NEXT: if [[FLAG2]]
// CHECK: @store_ssbo
// CHECK: return
