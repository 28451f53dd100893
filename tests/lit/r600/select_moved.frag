#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t rv770 --emit tree %s | %FileCheck %s
// Before Evergreen an input at a place that is chosen at run time: by w it is linear, and its slopes are found at the start.
layout(location = 0) in float x;
layout(push_constant) uniform P { vec2 by; };
layout(location = 0) out vec4 color;

// CHECK: [[W:%[0-9]+]].{{.}} = RECIP_IEEE
// CHECK-DAG: [[DX:%[0-9]+]].x, _, _, _] = "GET_GRADIENTS_H {{.*}} {{\[}}[[V:%[0-9]+]], _
// CHECK-DAG: [[DY:%[0-9]+]].x, _, _, _] = "GET_GRADIENTS_V {{.*}} {{\[}}[[V]], _
// CHECK: [[A:%[0-9]+]].{{.}} = MULADD_IEEE CB0[4].x
// CHECK: MULADD_IEEE CB0[4].y
// CHECK: EXPORT_DONE
void main()
{
    color = vec4(interpolateAtOffset(x, by));
}
