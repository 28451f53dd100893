// REQUIRES: frontend
// Weights are numbers from Evergreen on.
// RUN: sh -c '%heddle compile -t rv770 --emit asm %s 2>&1; test $? = 1' | %FileCheck %s --check-prefix=OLD
// RUN: %heddle compile -t cypress --emit asm %s | %FileCheck %s
// OLD: unsupported: rv770 code for weights of inputs as numbers
// CHECK: ij_pixel 0
// CHECK: ADD {{.*}}1.0, -R0.x
#version 460
#extension GL_EXT_fragment_shader_barycentric : require
layout(location = 0) out vec4 color;
void main()
{
    color = vec4(gl_BaryCoordEXT, 1.0);
}
