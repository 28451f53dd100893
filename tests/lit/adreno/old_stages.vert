// Before a6xx the number of a vertex lacks the draw's offset, which is a constant.
// REQUIRES: frontend
// RUN: %heddle compile -t a530 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t a420 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t a330 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck %s --check-prefix=A6
#version 450
layout(location = 0) flat out int number;

void
main()
{
    number = gl_VertexIndex;
    gl_Position = vec4(1.0);
}
// CHECK: // vertex_id 0, components 0x1, r0.x
// CHECK: add.u r{{[0-9]+}}.{{[xyzw]}}, r0.x, c0.y
// A6: {{^main:}}
// A6-NOT: c0.y
// A6: end
