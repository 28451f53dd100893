#version 450
// RUN: %heddle compile -t cypress --emit tree %s | %FileCheck %s
// RUN: %heddle compile -t rv770 --emit tree %s | %FileCheck %s --check-prefix=OLD
// From Evergreen on the program interpolates, from weights in R0 and R1; before, parameters, the face (R5) and the place (R6) are in registers. The depth
// is export 61; the last export is EXPORT_DONE.
layout(location = 0) in vec4 smoothly;
layout(location = 1) flat in int whole;
layout(location = 2) centroid in vec2 inside;
layout(location = 3) noperspective in float linear;
layout(location = 0) out vec4 color;
layout(location = 2) out vec2 other;

// CHECK: input: [[I:%[0-9]+]] R0.x
// CHECK: input: [[J:%[0-9]+]] R0.y
// CHECK: pack {
// CHECK-NEXT: [[X:%[0-9]+]].x = INTERP_XY [[J]], PARAM[0].x slot:x
// CHECK-NEXT: .y = INTERP_XY [[I]], PARAM[0].y slot:y
// CHECK-NEXT: _ = INTERP_XY [[J]], PARAM[0].z slot:z
// CHECK-NEXT: _ = INTERP_XY [[I]], PARAM[0].w slot:w
// CHECK-NEXT: } bank:5
// CHECK: INTERP_ZW
// CHECK: = INTERP_LOAD_P0 PARAM[3].x slot:x
// CHECK: = RECIP_IEEE
// CHECK: "GET_GRADIENTS_H R0.x___, R0.x___, t0, s0" {{.}}[[X]], _, _, _]
// CHECK: _ = KILLE_INT 0x0, 0x0
// CHECK: flow "EXPORT PIX[61], R0.x___ ELEM(4)"
// CHECK: flow "EXPORT PIX[0], R0.xxxx ELEM(4)"
// CHECK: flow "EXPORT_DONE PIX[2], R0.xx__ ELEM(4)"

// OLD-NOT: INTERP
// OLD: input: [[FACE:%[0-9]+]] R5.x
// OLD: input: [[W:%[0-9]+]] R6.w
// OLD: = SETGT_DX10 [[FACE]], 0x0
// OLD: = RECIP_IEEE [[W]]
void main()
{
    color = smoothly + vec4(inside, linear, float(whole));
    if (gl_FrontFacing)
        color.x += gl_FragCoord.w;
    color.z += dFdx(smoothly.x);
    if (smoothly.w > 1.0)
        discard;
    other = gl_PointCoord;
    gl_FragDepth = smoothly.z;
}
