#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t cypress --emit order_products %s | %FileCheck %s
// RUN: sed 's/^ONE/invariant gl_Position;/' %s > %t.vert && %heddle compile -t cypress --emit order_products %t.vert | %FileCheck %s --check-prefix=KEPT
// A vector that meets three matrices, of which the product is never made: 12 products with (x, y, z, 1), 16 and 16; 140 without.
layout(location = 0) in vec3 place;
layout(set = 0, binding = 0) uniform U { mat4 projection, view, model; };
#define ONE
ONE
void main() {
    mat4 all = projection * view * model;
    gl_Position = all * vec4(place, 1.0);
}
// CHECK-COUNT-44: = fmul
// CHECK-NOT: = fmul
// KEPT-COUNT-140: = fmul!
