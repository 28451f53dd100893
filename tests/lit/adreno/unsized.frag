// REQUIRES: frontend
// An array without a size, of which no layout says how many elements there are, has 8 where the element is chosen by ifs.
// RUN: %heddle compile -t a420 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t cypress --emit asm %s | %FileCheck --check-prefix=R600 %s
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(set = 0, binding = 0) uniform sampler2D textures[];
layout(push_constant) uniform P { int i; };
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;
void main()
{
    color = textureLod(textures[i], at, 0.0);
}
// CHECK-COUNT-8: saml
// CHECK-NOT: saml
// CHECK: end
// R600-COUNT-8: SAMPLE
// R600-NOT: SAMPLE
