// REQUIRES: frontend
// RUN: %heddle compile -t gfx803 --emit asm -o - %s | %FileCheck %s
// RUN: %heddle compile -t gfx1030 --emit asm -o - %s | %FileCheck %s
// RUN: %heddle compile -t gfx1201 --emit asm -o - %s | %FileCheck %s

// Signs of uniform floats are bits to the scalar unit, also where it has no floats: they take no VGPR. Where an instruction reads
// them, they are its modifiers.
// CHECK-DAG: s_xor_b32 [[A:s[0-9]+]], s{{[0-9]+}}, 0x80000000
// CHECK-DAG: s_and_b32 [[B:s[0-9]+]], s{{[0-9]+}}, 0x7fffffff
// CHECK-NOT: v_{{xor|and}}_b32
// CHECK: v_sub_f32_e64 v{{[0-9]+}}, v{{[0-9]+}}, |s{{[0-9]+}}|
#version 450
layout(local_size_x = 64) in;
layout(push_constant) uniform Push { float a, b, c; };
layout(set = 0, binding = 0) buffer Out { vec2 o[]; };
layout(set = 0, binding = 1) buffer More { float m[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    o[i] = vec2(-a, abs(b));
    m[i] -= abs(c);
}
