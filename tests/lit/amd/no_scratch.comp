// REQUIRES: frontend
// A local array that becomes values takes no scratch memory.
// RUN: %heddle compile --emit asm %s | %FileCheck %s
// CHECK: 0 bytes LDS, 0 bytes scratch
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer b { float d[]; };
void main()
{
    float a[4];
    for (int i = 0; i < 4; i++)
        a[i] = d[gl_LocalInvocationIndex * 4 + i];
    d[gl_LocalInvocationIndex] = a[0] * a[1] + a[2] * a[3];
}
