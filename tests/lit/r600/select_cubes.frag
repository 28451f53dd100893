#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t rv770 --emit tree %s | %FileCheck %s
// RUN: %heddle compile -t cypress --emit tree %s | %FileCheck %s
// How many cubes an array has is in the driver's constants, behind those of the texture before it.
layout(binding = 0) uniform samplerCube cube;
layout(binding = 1) uniform samplerCubeArray cubes;
layout(location = 0) in vec3 v;
layout(location = 0) out vec4 color;

// CHECK: [%[[X:[0-9]+]].x, %[[Y:[0-9]+]].y, {{.*}}] = "GET_TEXTURE_RESINFO {{.*}}t113
// CHECK: INT_TO_FLT %[[X]]
// CHECK: INT_TO_FLT %[[Y]]
// CHECK: INT_TO_FLT CB0[7].y
void main()
{
    color = texture(cube, v) + vec4(textureSize(cubes, 0), 0);
}
