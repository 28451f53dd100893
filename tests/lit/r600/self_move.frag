#version 450
// RUN: %heddle compile -t rv770 --emit asm %s | %FileCheck %s
// A vector that an export needs in one register gets that of its components, as these are nowhere else: no move of a register to itself stays.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;

// CHECK: L10:
// CHECK-NEXT: 1 x: ADD R0.x, R0.x, L.x ;
// CHECK-NOT: MOV
void main()
{
    color = vec4(a.x + 4.0, a.yzw);
}
