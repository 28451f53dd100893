// REQUIRES: frontend
// RUN: %heddle compile -t a750 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t a750 -DTABLE --emit asm %s | %FileCheck %s

// A product of matrices that the whole draw has is computed once, in the preamble; elsewhere each vertex is multiplied by both.
#version 460
#extension GL_EXT_buffer_reference : require
layout(buffer_reference, std430) readonly buffer Matrix { mat4 m; };
layout(push_constant) uniform P { Matrix view; Matrix model; uint kind; };
layout(location = 0) in vec3 p;
const mat4 turns[3] = mat4[3](mat4(1.0), mat4(0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0), mat4(2.0));
void main()
{
#ifdef TABLE
    gl_Position = view.m * turns[kind] * vec4(p, 1.0);
#else
    gl_Position = view.m * model.m * vec4(p, 1.0);
#endif
}
// CHECK: shpe
// CHECK-COUNT-3: (rpt3)mad.f32
// CHECK-NEXT: end
