#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t a750 --link %S/link_stages.frag --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t cypress --link %S/link_stages.frag --emit asm %s | %FileCheck --check-prefix=CYPRESS %s
// RUN: %heddle compile -t gfx900 --link %S/link_stages.frag --emit asm %s | %FileCheck --check-prefix=GFX900 %s

// What is read in another way is written of its own.
layout(location = 0) in vec4 place;
layout(location = 0) out vec4 a;
layout(location = 1) out vec2 b;
layout(location = 2) out float other;

// CHECK: output location 0, components 0x1,
// CHECK-NOT: output location 1
// CHECK: output location 2, components 0x1,
// CYPRESS: output location 0, components 0x1, parameter 0
// CYPRESS-NEXT: output location 2, components 0x1, parameter 1
// GFX900: param 0: location 0 x
// GFX900-NEXT: param 1: location 2 x
void main()
{
    gl_Position = place;
    a = vec4(place.x, 0.25, 2.0, place.x);
    b = vec2(place.x, 3.0);
    other = place.x;
}
