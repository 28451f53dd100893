// REQUIRES: frontend
// What stands at an address that is the same for all is loaded once, in the preamble, if nothing writes memory and every vertex loads it; there an address
// may not be followed that no vertex follows. What is stored side by side is one stc.
// RUN: %heddle compile -t a750 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t a750 -DIN_ARM --emit asm %s | %FileCheck --check-prefix=STAYS %s
// RUN: %heddle compile -t a750 -DWRITES --emit asm %s | %FileCheck --check-prefix=STAYS %s
#version 460
#extension GL_EXT_buffer_reference : require
layout(buffer_reference, std430) buffer Camera { vec4 at; };
layout(push_constant) uniform P { Camera camera; uint kind; };
layout(location = 0) in vec4 p;
void main()
{
    vec4 at = vec4(0.0);
#ifdef IN_ARM
    if (p.x > 0.0 && kind == 3u)
#endif
        at = camera.at;
#ifdef WRITES
    camera.at = p;
#endif
    gl_Position = p + at;
}
// CHECK: getone
// CHECK: ldg.u32 [[AT:r[0-9.xyzw]+]], {{.*}}, 4
// CHECK: (sy)stc.u32 c[[[#]]], [[AT]], 4
// CHECK: shpe
// CHECK-NOT: ldg
// CHECK: (rpt3)add.f
// STAYS-NOT: {{ldg(.|[[:space:]])*shpe}}
// STAYS: ldg
