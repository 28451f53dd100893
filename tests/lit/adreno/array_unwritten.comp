// REQUIRES: frontend
// Of an array's 40 registers, which an index reaches, only some are written: the program has them all.
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck %s
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { int data[]; };
void main()
{
    int array[40];
    array[0] = data[0];
    array[3] = data[1];
    data[gl_GlobalInvocationID.x] = array[data[gl_GlobalInvocationID.x]] + array[data[2]];
}
// CHECK: main: {{.*}} 1{{[0-9]}} registers
// CHECK: r<a0.x
