// REQUIRES: frontend
// RUN: %heddle compile --emit hir %s | %FileCheck %s
// An invocation that ends in a function leaves the function; the loop around the call has no flag
// for it, because ended invocations leave all loops.
#version 450
#extension GL_EXT_demote_to_helper_invocation : require
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
float f(float x)
{
    if (x < 0.5)
        discard;
    return x * 2.0;
}
void main()
{
    float a = 0.0;
    for (int i = 0; i < 10; i++)
        a += f(uv.x + float(i));
    if (a > 8.0)
        demote;
    color = vec4(dFdx(a), dFdyFine(a), fwidth(uv.y), helperInvocationEXT() ? 1.0 : 0.0);
}
// CHECK: loop {{b[0-9]+}} merge [[M:b[0-9]+]]
// CHECK: 1 [[C:%[0-9]+]] = flt
// CHECK-NEXT: if [[C]] then {{b[0-9]+}} else {{b[0-9]+}} merge [[END:b[0-9]+]]
// CHECK: @terminate
// CHECK-NEXT: jump [[END]]
// CHECK: block [[M]]:
// CHECK: @demote
// CHECK: 32 {{%[0-9]+}} = @ddx_coarse ([[A:%[0-9]+]])
// CHECK: @ddy_fine ([[A]])
// CHECK: [[X:%[0-9]+]] = @ddx_coarse ([[UV:%[0-9]+]].y)
// CHECK: [[Y:%[0-9]+]] = @ddy_coarse ([[UV]].y)
// CHECK: fabs [[X]]
// CHECK: fabs [[Y]]
// CHECK: @is_helper_invocation
