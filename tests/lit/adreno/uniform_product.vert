// The preamble multiplies two matrices of the dispatch once; without one, and on machines that have none, the vector is multiplied by each.
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck %s
// RUN: env HEDDLE_DEBUG=nopreamble %heddle compile -t a660 --print-after order_products --emit asm %s -o %t 2>&1 | %FileCheck --check-prefix=EACH %s
// RUN: %heddle compile -t gfx1030 --print-after order_products --emit asm %s -o %t 2>&1 | %FileCheck --check-prefix=EACH %s
#version 450
layout(location = 0) in vec4 position;
layout(set = 0, binding = 0) uniform U { mat4 proj, view; };
void main()
{
    gl_Position = proj * view * position;
}
// CHECK: shpe
// CHECK-NEXT: {{.*}}:
// CHECK-NEXT: (jp)(rpt3)mul.f
// CHECK-COUNT-3: (rpt3)mad.f32
// CHECK-NEXT: end
// EACH-COUNT-32: fmul
// EACH-NOT: fmul
