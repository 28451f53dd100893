// REQUIRES: frontend
// RUN: %heddle compile --emit hir %s | %FileCheck %s
// A loop with a continue and a break, which become jumps. The header needs phis for the induction variable and the sum only;
// the continue construct becomes the continue region.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { float x[]; };
layout(set = 0, binding = 1) uniform U { int n; };
void main()
{
    float sum = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] < 0.0)
            continue;
        sum += x[i];
        if (sum > 100.0)
            break;
    }
    x[gl_GlobalInvocationID.x] = sum;
}
// CHECK: loop [[HEADER:b[0-9]+]] merge [[MERGE:b[0-9]+]] continue [[CONT:b[0-9]+]]
// CHECK: block [[HEADER]]:
// CHECK-COUNT-2: 32 {{%[0-9]+}} = phi
// CHECK-NOT: phi
// CHECK: jump [[MERGE]]
// CHECK: = flt
// CHECK: jump [[CONT]]
// CHECK: fadd
// CHECK: jump [[MERGE]]
// CHECK: block [[CONT]]:
// CHECK: iadd
// CHECK: jump [[HEADER]]
// CHECK: block [[MERGE]]:
// CHECK: @store_ssbo
