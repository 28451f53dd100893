#version 450
// REQUIRES: frontend
// All twelve values are live before the sum begins. In the order of the program most of them would be spilled; each made where the sum needs it, they take
// one register at a time.
// RUN: env HEDDLE_DEBUG=vgprs=5,validatera %heddle compile -t gfx1030 --emit asm %s | %FileCheck %s
// RUN: env HEDDLE_DEBUG=vgprs=5,validatera,nosched %heddle compile -t gfx1030 --emit asm %s | %FileCheck --check-prefix=SPILL %s
// CHECK: 0 bytes scratch
// CHECK-NOT: scratch_store
// SPILL: scratch_store
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B {
    uint data[];
};
void main()
{
    uint x = data[gl_LocalInvocationIndex], v[12], sum = x;
    for (uint k = 0; k < 12; k++)
        v[k] = (x >> k) ^ (x * (2 * k + 3));
    for (uint k = 0; k < 12; k++)
        sum = sum * (2 * k + 5) + v[k];
    data[gl_LocalInvocationIndex] = sum;
}
