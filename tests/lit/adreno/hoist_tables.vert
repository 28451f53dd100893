// REQUIRES: frontend
// RUN: %heddle compile -t a750 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t a660 -DIN_ARM --emit asm %s | %FileCheck --check-prefix=STAYS %s

// A table of constants is read in the preamble at a place that is the same for all vertices, if every vertex reads it: elsewhere the place may be none.
#version 460
layout(push_constant) uniform P { uint kind; };
layout(location = 0) in vec4 p;
const float weights[5] = float[5](0.3, 7.5, 11.0, -2.0, 0.125);
void main()
{
    float w = 1.0;
#ifdef IN_ARM
    if (p.x > 0.0)
#endif
        w = weights[kind];
    gl_Position = p * w;
}
// CHECK: getone
// CHECK: mova a0.x
// CHECK: mov.u32u32 [[W:r[0-9.xyzw]+]], c<a0.x + {{[0-9]+}}>
// CHECK: stc.u32 c[[[#]]], [[W]], 1
// CHECK: shpe
// CHECK-NOT: mova
// STAYS-NOT: shpe
// STAYS: mova a0.x
