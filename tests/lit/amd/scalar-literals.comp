// REQUIRES: frontend
// RUN: %heddle compile --emit asm %s | %FileCheck %s
// A scalar instruction can have only one literal.
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer A { uint a; };
layout(set = 0, binding = 1) buffer B { uint b; };
void main()
{
    b = a == 0u ? 1000u : 2000u;
}
// CHECK: s_movk_i32 [[R:s[0-9]+]], 0x3e8
// CHECK: s_cselect_b32 {{s[0-9]+}}, [[R]], 0x7d0
