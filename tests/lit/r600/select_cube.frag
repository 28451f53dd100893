#version 450
// RUN: %heddle compile -t rv770 --emit tree %s | %FileCheck %s
// Gradients of a direction become those of the face's coordinates, which the texture unit takes.
layout(binding = 0) uniform samplerCube sky;
layout(location = 0) in vec3 direction;
layout(location = 0) out vec4 color;

// CHECK: CUBE
// CHECK: "SET_GRADIENTS_H
// CHECK: "SET_GRADIENTS_V
// CHECK: "SAMPLE_G
void main()
{
    color = textureGrad(sky, direction, vec3(0.25), vec3(0.5));
}
