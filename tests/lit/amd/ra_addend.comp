#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck %s
// A sum takes the register of its addend, which dies: so each but the first ones, whose addend is an SGPR, overwrites it, in 4 bytes instead of 8.
// CHECK: v_fma_f32
// CHECK-NEXT: v_fma_f32
// CHECK-NOT: v_fma_f32
// CHECK: buffer_store_dword
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer numbers { float n[]; };
layout(std430, binding = 1) readonly buffer others { float a[]; };
layout(push_constant) uniform factors { float x, y, z, w; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    float p = a[4 * i], q = a[4 * i + 1], r = a[4 * i + 2], s = a[4 * i + 3];
    float first = fma(x, p, fma(y, q, fma(z, r, w)));
    float second = fma(y, p, fma(z, q, fma(x, s, w)));
    n[i] = first * second;
}
