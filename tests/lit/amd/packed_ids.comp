// REQUIRES: frontend
// RUN: %heddle compile -t gfx1100 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t gfx90a --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck --check-prefix=APART %s

// Local ids share v0, 10 bits each: x needs a mask of as many bits as the size says, y a field, and
// the last dimension is what is above them. A product of ids is small.
// CHECK-DAG: v_and_b32_e32 v{{[0-9]+}}, 7, v0
// CHECK-DAG: v_bfe_u32 v{{[0-9]+}}, v0, 10, 2
// CHECK-DAG: v_lshrrev_b32_e32 v{{[0-9]+}}, 20, v0
// CHECK-DAG: v_mul_u32_u24
// APART-NOT: v0, 10
// APART-NOT: 20, v0
// APART: v_mul_u32_u24
#version 450
layout(local_size_x = 5, local_size_y = 3, local_size_z = 4) in;
layout(binding = 0) buffer B { uint a[]; };

void main()
{
    uvec3 id = gl_LocalInvocationID;
    a[id.x * id.y] = id.z;
}
