#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t gfx803 --link %S/primitive_id.frag --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t gfx1030 --link %S/primitive_id.frag --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t gfx803 --emit asm %s | %FileCheck --check-prefix=ALONE %s

// A fragment shader that reads it gets the primitive's number as a parameter; then no primitives share vertices.
// CHECK: VGT_PRIMITIVEID_EN = 0x1
// CHECK: param 0: primitive_id
// CHECK: exp param0 v2, off, off, off
// ALONE-NOT: PRIMITIVEID_EN
layout(location = 0) in vec4 place;
void main()
{
    gl_Position = place;
}
