// REQUIRES: frontend
// RUN: env HEDDLE_DEBUG=skip=order_products %heddle compile -t gfx803 --emit asm %s | %FileCheck %s
// RUN: env HEDDLE_DEBUG=nosched,skip=order_products %heddle compile -t gfx803 --emit asm %s | %FileCheck --check-prefix=NOSCHED %s

// A product of two matrices, of which the columns are computed one after the other: before a row of them is multiplied with the position,
// all 16 numbers are known. Row by row 32 VGPRs are enough, which 8 waves have, also with what the loads fetch early.
// (Without the pass that multiplies the position by each matrix, for which 19 are enough.)
// CHECK: main: target gfx803, {{.*}} {{(2[0-9]|3[0-2])}} VGPRs
// CHECK: buffer_load_dwordx3
// CHECK-NEXT: buffer_load_dwordx3
// CHECK-NEXT: buffer_load_dwordx3
// CHECK: v_mul_f32
// CHECK-NOT: buffer_load
// NOSCHED: main: target gfx803, {{.*}} {{(3[3-9]|4[0-9])}} VGPRs
#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 color;
layout(binding = 0) uniform Matrices {
    mat4 projection;
    mat4 model;
    vec4 light;
};
layout(location = 0) out vec3 out_normal;
layout(location = 1) out vec3 out_color;
layout(location = 2) out vec3 view;
layout(location = 3) out vec3 to_light;

void main()
{
    vec4 place = model * vec4(position, 1.0);
    out_color = color;
    gl_Position = projection * model * vec4(position, 1.0);
    out_normal = mat3(model) * normal;
    to_light = mat3(model) * light.xyz - place.xyz;
    view = -place.xyz;
}
