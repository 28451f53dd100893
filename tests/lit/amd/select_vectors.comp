// Loaded vectors are stored without copies, constants need no SGPR, descriptors are loaded from one address.
// REQUIRES: frontend
// RUN: %heddle compile --emit asm %s | %FileCheck %s
// CHECK-NOT: v_mov_b32
// CHECK-NOT: s_add_u32
// CHECK: s_load_dwordx8 s{{\[}}[[#A:]]:{{[0-9]+}}], s{{\[[0-9:]+\]}}, null
// CHECK-DAG: buffer_load_dwordx4 [[V:v\[[0-9]+:[0-9]+\]]], off, s{{\[}}[[#A]]:[[#A+3]]], 0
// CHECK-DAG: buffer_store_dwordx4 [[V]], off, s{{\[}}[[#A+4]]:[[#A+7]]], 0
// CHECK-NOT: s_mov_b32 s{{[0-9]+}}, 4.0
// CHECK: v_mov_b32_e32 v{{[0-9]+}}, 4.0
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer A { vec4 a; };
layout(std430, binding = 1) buffer B { vec4 b; };

void
main()
{
    b = a;
    a = vec4(1, 2, 3, 4);
}
