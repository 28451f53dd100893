#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t a750 --link %S/link_stages.vert --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t cypress --link %S/link_stages.vert --emit asm %s | %FileCheck --check-prefix=CYPRESS %s
// RUN: %heddle compile -t gfx900 --link %S/link_stages.vert --emit asm %s | %FileCheck --check-prefix=GFX900 %s

// Of seven components two are read: the others are constants, or the same.
layout(location = 0) in vec4 a;
layout(location = 1) in vec2 b;
layout(location = 2) noperspective in float other;
layout(location = 0) out vec4 color;

// CHECK: bary.f
// CHECK: bary.f
// CHECK-NOT: bary.f
// CYPRESS: varying location 0, components 0x1, parameter 0
// CYPRESS: varying location 2, components 0x1, parameter 1
// CYPRESS-NOT: PARAM[2]
// GFX900: v_interp_p2_f32{{.*}} attr0.x
// GFX900: v_interp_p2_f32{{.*}} attr1.x
// GFX900-NOT: v_interp
void main()
{
    color = a * b.xyxy + other;
}
