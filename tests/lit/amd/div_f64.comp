// REQUIRES: frontend
// RUN: %heddle compile -t gfx900 --print-after select_program -o %t %s 2>&1 | %FileCheck %s
// RUN: %heddle compile -t gfx1030 --wave-size 32 --print-after select_program -o %t %s 2>&1 | %FileCheck %s
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { double x[]; };

// The scaled division reads its flag in vcc, where v_div_scale_f64 leaves it.

void main()
{
    // CHECK: v_div_scale_f64
    // CHECK: s{{[12]}}: %[[FLAG:[0-9]+]] = v_div_scale_f64
    // CHECK: v_div_fmas_f64 %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}, %[[FLAG]]:vcc
    uint i = gl_GlobalInvocationID.x;
    x[i] = x[i] / x[i + 64];
}
