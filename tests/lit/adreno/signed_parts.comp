// REQUIRES: frontend
// RUN: %heddle compile -t a660 --emit asm %s -o - | %FileCheck %s
// Shifts up and down by the same number are an extraction of a signed part, and two shifts again.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { int d[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    int x = d[i];
    d[i + 64] = x << 24 >> 24;
    d[i + 128] = x << 16 >> 16;
}
// CHECK-DAG: shl.b {{.*}}, 24
// CHECK-DAG: shl.b {{.*}}, 16
// CHECK-DAG: ashr.b {{.*}}, 24
// CHECK-DAG: ashr.b {{.*}}, 16
