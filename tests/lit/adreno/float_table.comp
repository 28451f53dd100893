// REQUIRES: frontend
// RUN: %heddle compile -t a660 --emit asm %s -o - | %FileCheck %s
// The nearest float of 1/pi is an entry of the table of floats; the next one is a constant.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { float d[]; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    d[i] = d[i] * uintBitsToFloat(0x3ea2f983u);
    d[i + 64] = d[i + 64] * uintBitsToFloat(0x3ea2f984u);
}
// CHECK: mul.f {{.*}}(1/pi)
// CHECK: mul.f {{.*}}c{{[0-9]+\.[xyzw]}}
