#version 450
// Powers of small whole numbers are products of squares; others stay.
// REQUIRES: frontend
// RUN: %heddle compile -t gfx1030 --emit relax_float %s | %FileCheck %s
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 c;
void main()
{
    // CHECK: 32x4 %[[V:[0-9]+]] = @load_interpolated_input
    // CHECK: 32 %[[X2:[0-9]+]] = fmul %[[V]].x, %[[V]].x
    // CHECK: 32 %[[X4:[0-9]+]] = fmul %[[X2]], %[[X2]]
    // CHECK: fmul %[[V]].x, %[[X4]]
    // CHECK: fmul %[[V]].y, %[[V]].y
    // CHECK-COUNT-4: fmul
    // CHECK-NEXT: fpow
    // CHECK-NEXT: fpow
    c = vec4(pow(a.x, 5.0), pow(a.y, 32.0), pow(a.z, 31.0), pow(a.w, 2.5));
}
