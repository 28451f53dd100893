// REQUIRES: frontend
// In groups of one invocation its number is 0, so the hardware is not asked for it.
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck %s
// CHECK-NOT: local_id
// CHECK: workgroup_id
// CHECK-NOT: local_id
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint v[]; };
void main()
{
    v[gl_GlobalInvocationID.x] = 1;
}
