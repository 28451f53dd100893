// REQUIRES: frontend
// RUN: %heddle compile -t a750 --emit asm %s | %FileCheck %s

// Numbers of descriptors that do not fit into the instruction are in registers, and not above the fields of the instruction's own numbers, which
// say how many parts are aliases.
// CHECK: main:
// CHECK-NOT: alias
// CHECK-NOT: raw
// CHECK: sam.s2en.uniform.base0 (f32)(xyzw)
// CHECK-NOT: alias
// CHECK: end
#version 450
layout(binding = 0) uniform sampler2D few[16];
layout(binding = 40) uniform sampler2D texture_40;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;

void main()
{
    color = texture(texture_40, at);
}
