// REQUIRES: frontend
// RUN: %heddle compile --emit hir %s | %FileCheck %s --check-prefixes=CHECK,DEFAULT
// RUN: %heddle compile --emit hir --spec 0=8 --spec 1=1 %s | %FileCheck %s --check-prefixes=CHECK,SPEC
// Specialisation constants fold: sizes, OpSpecConstantOp, conditions.
#version 450
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const bool fast = false;
layout(constant_id = 2) const uint n = 3u;
shared uint s[n * 2u + 1u];
layout(set = 0, binding = 0) buffer B { uint r; };
void main()
{
    s[0] = r;
    barrier();
    if (fast)
        r = gl_WorkGroupSize.x;
    else
        r = s[n * 2u];
}
// DEFAULT: workgroup_size: 1, 1, 1
// SPEC: workgroup_size: 8, 1, 1
// CHECK: shared_size: 28
// CHECK-NOT: if
// DEFAULT: @load_shared {{.*}}base=24
// SPEC: 32 [[SIZE:%[0-9]+]] = load_const (0x00000008
// SPEC: @store_ssbo ([[SIZE]]
