#version 450
// RUN: %heddle compile -t rv770 --emit tree %s | %FileCheck %s
// RUN: %heddle compile -t cayman --emit tree %s | %FileCheck %s
// With a layer and a comparand no place is left for a level's bias: the coordinates' gradients times 2^bias have the same effect.
layout(set = 0, binding = 0) uniform sampler1DArrayShadow depths;
layout(location = 0) in vec3 at;
layout(location = 1) in float bias;
layout(location = 0) out float color;

// CHECK: [[BY:%[0-9]+]].{{.}} = EXP_IEEE
// CHECK: [[DX:%[0-9]+]].x, _, _, _] = "GET_GRADIENTS_H R0.x___, R0.x___, t0, s0" {{.}}[[X:%[0-9]+]],
// CHECK: [[STEP_X:%[0-9]+]].{{.}} = MUL_IEEE [[DX]], [[BY]]
// CHECK: [[DY:%[0-9]+]].x, _, _, _] = "GET_GRADIENTS_V R0.x___, R0.x___, t0, s0" {{.}}[[X]],
// CHECK: [[STEP_Y:%[0-9]+]].{{.}} = MUL_IEEE [[DY]], [[BY]]
// CHECK: SET_GRADIENTS_H
// CHECK-SAME: [[STEP_X]],
// CHECK-NEXT: SET_GRADIENTS_V
// CHECK-SAME: [[STEP_Y]],
// CHECK-NEXT: SAMPLE_C_G
void main()
{
    color = texture(depths, at, bias);
}
