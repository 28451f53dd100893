// REQUIRES: frontend
// RUN: %heddle compile --emit hir %s | %FileCheck %s
// A column of a column-major matrix is one load; its components in a row-major one are loaded at multiples of MatrixStride.
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform U { layout(column_major) mat2 c; layout(row_major) mat2x3 m; };
layout(set = 0, binding = 1) buffer B { vec2 r; vec3 s; };
void main()
{
    r = c[1];
    s = m[1];
}
// CHECK-DAG: 32 [[A16:%[0-9]+]] = load_const (0x00000010
// CHECK-DAG: 32 [[A36:%[0-9]+]] = load_const (0x00000024
// CHECK-DAG: 32 [[A52:%[0-9]+]] = load_const (0x00000034
// CHECK-DAG: 32 [[A68:%[0-9]+]] = load_const (0x00000044
// CHECK: 32x2 {{%[0-9]+}} = @load_ubo ({{%[0-9]+}}, [[A16]]) ({{.*}}align_mul=16, align_offset=0)
// CHECK: 32 {{%[0-9]+}} = @load_ubo ({{%[0-9]+}}, [[A36]]) ({{.*}}align_mul=16, align_offset=4)
// CHECK: 32 {{%[0-9]+}} = @load_ubo ({{%[0-9]+}}, [[A52]])
// CHECK: 32 {{%[0-9]+}} = @load_ubo ({{%[0-9]+}}, [[A68]])
// CHECK: @store_ssbo {{.*}}wrmask=xyz
