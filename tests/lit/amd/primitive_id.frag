#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t gfx803 --emit asm %s | %FileCheck %s
// CHECK: param 0: primitive_id
// CHECK: v_interp_mov_f32{{.*}} attr0.x
layout(location = 0) out vec4 color;
void main()
{
    color = gl_PrimitiveID == 0 ? vec4(1.0) : vec4(0.0);
}
