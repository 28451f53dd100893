// REQUIRES: frontend
// A position that is not written is undefined: nothing is computed for it, and no register is named.
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t a330 --emit asm %s | %FileCheck %s
#version 450
layout(location = 0) in vec4 given;
layout(location = 0) out vec4 passed;
void main()
{
    passed = given;
}
// CHECK: // attribute 0, components 0xf, r0.x
// CHECK-NOT: output position
// CHECK: // output location 0, components 0xf, r0.x
// CHECK: main:
// CHECK-NEXT: end
