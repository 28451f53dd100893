#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t gfx1030 --link %S/link.frag --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t gfx1030 --link %s --emit asm %S/link.frag | %FileCheck --check-prefix=FRAG %s
// RUN: echo '{"samples": 4}' > %t
// RUN: %heddle stats -t gfx803 -t gfx1201 --pipeline %t --link %S/link.frag %s | %FileCheck --check-prefix=STATS %s
// RUN: not %heddle compile --link %S/link.frag -t gfx1030 %S/barrier.comp 2>&1 | %FileCheck --check-prefix=OTHER %s

// One of three locations is left: what nothing reads is not computed, what is constant is no varying.
layout(location = 0) in vec4 place;
layout(location = 0) out vec4 tint;
layout(location = 1) out vec2 unread;
layout(location = 2) out vec4 given;

// CHECK-NOT: v_sin_f32
// CHECK: exp param0
// CHECK-NOT: exp param1
// FRAG: v_interp_p1_f32{{.*}} attr0
// FRAG-NOT: attr1
// FRAG: v_mul_f32{{.*}}0.5
// STATS: instructions
// OTHER: --link: {{.*}}barrier.comp is neither a vertex nor a fragment shader
void main()
{
    gl_Position = place;
    tint = vec4(0.5, 0.5, 0.25, 2.0);
    unread = sin(place.xy);
    given = place.wzyx;
}
