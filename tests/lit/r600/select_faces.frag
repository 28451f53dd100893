#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t rv770 --emit tree %s | %FileCheck %s
// Before Evergreen a gather from faces is four samples: the direction of each texel's middle says its face, and it is taken in its middle there.
// The texel beyond a corner is the mean of the other three.
layout(set = 0, binding = 0) uniform samplerCube image;
layout(push_constant) uniform P { vec3 at; };
layout(location = 0) out vec4 color;

// CHECK: CUBE
// CHECK: GET_TEXTURE_RESINFO
// CHECK-COUNT-4: "SAMPLE_LZ
// CHECK-NOT: SAMPLE_LZ
// CHECK: MUL_IEEE %{{[0-9]+}}, 0x3eaaaaab
// CHECK: CNDE_INT
// CHECK: EXPORT_DONE
void main()
{
    color = textureGather(image, at, 1);
}
