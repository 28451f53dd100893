// Private arrays in registers: vectors of four as four arrays, floats as one, each index in steps of the element. Chips whose AR needs another
// instruction have scratch memory, which R600 reads by control flow.
// RUN: %heddle compile -t cypress --emit tree %s | %FileCheck %s
// RUN: %heddle compile -t rv670 --emit asm %s | %FileCheck %s --check-prefix=CODE
// RUN: %heddle compile -t rv630 --emit tree %s | %FileCheck %s --check-prefix=FLOW
// RUN: %heddle compile -t rv630 --emit tree %s -o %t.tree && %heddle opt -t rv630 --emit rename %t.tree | %FileCheck %s --check-prefix=FLOW
// RUN: %heddle compile -t rv630 --emit asm %s | %FileCheck %s --check-prefix=SCRATCH
// CHECK-DAG: array: A0 R0.x 12
// CHECK-DAG: array: A1 R0.y 12
// CHECK-DAG: array: A2 R0.z 12
// CHECK-DAG: array: A3 R0.w 12
// CHECK-DAG: array: A4 R12.y 20
// CHECK: A0[%[[I:[0-9]+]]+0] = MOV
// CHECK-NEXT: A1[%[[I]]+0] = MOV
// CHECK-NEXT: A2[%[[I]]+0] = MOV
// CHECK-NEXT: A3[%[[I]]+0] = MOV
// CHECK: A1[%{{[0-9]+}}+0] = MOV 0x40400000
// CHECK: = MOV A4[%{{[0-9]+}}+0]
// CODE: MOVA_INT
// CODE: R{{[0-9]+}}[AR.x].y
// FLOW: flow "MEM_SCRATCH WRITE_IND[0], R0.x___, R0 SIZE(68) ELEM(4)" [%{{[0-9]+}}, _, _, _], [%{{[0-9]+}}, _, _, _]
// FLOW: flow [%{{[0-9]+}}.x, %{{[0-9]+}}.y, %{{[0-9]+}}.z, %{{[0-9]+}}.w] = "MEM_SCRATCH READ_IND[0], R0.xyzw, R0 SIZE(68) ELEM(4)" [_, _, _, _], [%
// SCRATCH: MEM_SCRATCH WRITE_IND[0], R{{[0-9]+}}.x___, R{{[0-9]+}} SIZE(68) ELEM(4)
// SCRATCH: MEM_SCRATCH READ_IND[0], R{{[0-9]+}}.xyzw, R{{[0-9]+}} SIZE(68) ELEM(4)
// SCRATCH-NOT: WAIT_ACK
#version 450
layout(location = 0) out vec4 o;
layout(location = 0) flat in ivec4 k;
layout(location = 1) in vec4 v;
void main() {
  vec4 a[12];
  float b[20];
  for (int i = 0; i < k.x; i++)
    a[i] = v * float(i + k.y);
  for (int i = 0; i < k.y; i++)
    b[i] = v.x * float(i * k.z);
  a[k.x + 1].y = 3.0;
  b[k.w] += a[k.w].x;
  o = a[k.z] + b[k.x];
}
