// RUN: %heddle compile -t a750 --emit asm -o - %s | %FileCheck %s
// RUN: env HEDDLE_DEBUG=nopreamble %heddle compile -t a750 --emit asm -o - %s | %FileCheck %s --check-prefix=EACH
// A sum of products that the preamble computes is not fused into what each invocation computes.
#version 450
layout(binding = 0) uniform Block {
    mat3 turn;
    vec3 light;
};
layout(location = 0) in vec3 place;
void main()
{
    gl_Position = vec4(turn * light - place, 1);
}
// CHECK: shpe
// CHECK: (jp)
// CHECK-SAME: add.f
// CHECK-NOT: mad.f32
// CHECK: end
// EACH: mad.f32
