// REQUIRES: frontend
// Shared memory that is only written is not reserved.
// RUN: %heddle compile --emit asm %s | %FileCheck %s
// CHECK: 0 bytes LDS, 0 bytes scratch
// CHECK-NOT: ds_
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer b { float d[]; };
shared float a[64];
void main()
{
    a[gl_LocalInvocationIndex] = d[gl_LocalInvocationIndex];
    d[gl_LocalInvocationIndex + 64] = 1.0;
}
