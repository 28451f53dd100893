#version 450
#extension GL_ARB_sparse_texture2 : require
// REQUIRES: frontend
// RUN: %heddle compile -t rv770 --emit tree %s | %FileCheck %s
// No image can lack memory: the residency code is a constant.
layout(set = 0, binding = 0) uniform sampler2D image;
layout(push_constant) uniform P { vec2 at; };
layout(location = 0) out vec4 color;

// CHECK: [[X:%[0-9]+]].x, {{.*}} = "SAMPLE {{.*}} [CB0[4].x, CB0[4].y
// CHECK: SETE_INT 0x0, 0x0
// CHECK: EXPORT_DONE
void main()
{
    vec4 texel;
    bool resident = sparseTexelsResidentARB(sparseTextureARB(image, at, texel));
    color = resident ? texel : vec4(0.0);
}
