// REQUIRES: frontend
// Attributes stand where outputs pass them on, so that of the position w alone is moved, and the output that passes on yzw begins with its second component.
// RUN: %heddle compile -t a660 --emit asm -o - %s | %FileCheck %s
// RUN: %heddle compile -t a530 --emit asm -o - %s | %FileCheck %s
#version 450
layout(location = 0) in vec2 swizzled;
layout(location = 1) in vec3 place;
layout(location = 2) in vec4 both;
layout(location = 0) out vec2 given;
layout(location = 1) out vec3 first;
layout(location = 2) out vec3 again;

void
main()
{
    gl_Position = vec4(place, 1);
    given = swizzled;
    first = both.yzw;
    again = both.yzw;
}
// CHECK-DAG: // attribute 0, components 0x3, [[GIVEN:r[0-9].[xyzw]]]
// CHECK-DAG: // attribute 1, components 0x7, [[PLACE:r[0-9].[xyzw]]]
// CHECK-DAG: // attribute 2, components 0xf, r1.z
// CHECK-DAG: // output position 0, components 0xf, [[PLACE]]
// CHECK-DAG: // output location 0, components 0x3, [[GIVEN]]
// CHECK-DAG: // output location 1, components 0x7, r1.w
// CHECK-DAG: // output location 2, components 0x7, r1.w
// CHECK: main:
// CHECK-NEXT: mov.u32u32 r0.w, 0x3f800000
// CHECK-NEXT: end
