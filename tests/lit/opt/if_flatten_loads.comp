#version 450
// A uniform selection between two members of a buffer: glslang makes an if whose arms load. The loads become one before the if, which is a
// selection then.
// RUN: %heddle compile -t gfx1030 --emit asm %s -o - | %FileCheck %s
// RUN: %heddle compile -t gfx900 --emit asm %s -o - | %FileCheck %s
// CHECK: s_cmp_lt_u32
// CHECK-NOT: s_cbranch
// CHECK: s_cselect_b32
// CHECK-NOT: s_cbranch
// CHECK: s_endpgm
layout(local_size_x = 64) in;
layout(binding = 0) uniform U { uint a, b, c, d; };
layout(binding = 1) buffer O { uint o[]; };
void main() {
    o[gl_LocalInvocationID.x] = a < b ? c : d;
}
