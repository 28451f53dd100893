// REQUIRES: frontend
// Each array is in registers or in private memory for itself: of these the one of 20 numbers is in registers, the one of 200 is not.
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck %s
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { int data[]; };
void main()
{
    int few[20], many[200];
    for (int k = 0; k < 20; k++)
        few[k] = data[k];
    for (int k = 0; k < 200; k++)
        many[k] = data[k + 20];
    int a = data[gl_GlobalInvocationID.x], b = data[gl_GlobalInvocationID.y];
    data[gl_GlobalInvocationID.x] = few[a] + many[b];
}
// CHECK: main: {{.*}} {{[89][0-9][0-9]}} bytes private
// CHECK: stp.u32
// CHECK-DAG: r<a0.x
// CHECK-DAG: ldp.u32
