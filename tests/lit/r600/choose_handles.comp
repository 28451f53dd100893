#version 450
// RUN: %heddle compile -t cypress --emit tree %s | %FileCheck %s
// An element of an array of resources that is chosen at run time: branches halve the array. A uniform buffer's constant needs no code in them.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint v[]; } b[4];
layout(set = 0, binding = 1) uniform U { uint w[4]; } u[3];

// CHECK: SETE_INT
// CHECK-NEXT: region 1 {
// CHECK-NEXT: if PRED_SETNE_INT
// CHECK-NEXT: depart 1
// CHECK-NEXT: }
// CHECK-NEXT: SETGT_UINT 0x2
// CHECK-NEXT: region 2 {
// CHECK: [[UPPER:%[0-9]+]].{{.}} = phi CB2[1].x, CB3[1].x
// CHECK: = phi CB1[1].x, [[UPPER]]
// CHECK: SETGT_UINT 0x2
// CHECK: "MEM_RAT STORE_RAW RAT0,
// CHECK: "MEM_RAT STORE_RAW RAT1,
// CHECK: SETGT_UINT 0x3
// CHECK: "MEM_RAT STORE_RAW RAT2,
// CHECK: "MEM_RAT STORE_RAW RAT3,
void main()
{
    const uint i = gl_LocalInvocationIndex;
    b[i & 3u].v[i] = u[i % 3u].w[1];
}
