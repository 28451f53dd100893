#version 450
// Cases of a switch on a divergent value come one after the other: one comparison that writes exec and one write that restores it, each. A
// flag takes one instruction in a case that changes it. The switch on a uniform value is a search.
// RUN: %heddle compile -t gfx1030 --wave-size 64 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t gfx803 --emit asm %s | %FileCheck %s
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint at[]; };
layout(push_constant) uniform P { uint u; };
// CHECK: v_cmpx_eq_u32{{.*}} 0, [[X:v[0-9]+]]
// CHECK-NEXT: s_cbranch_execz [[ONE:L.*]]
// CHECK-NOT: s_and_saveexec
// CHECK: [[ONE]]:
// CHECK-NEXT: s_mov_b64 exec, -1
// CHECK: v_cmpx_eq_u32{{.*}} 1, [[X]]
// CHECK-NEXT: s_cbranch_execz [[TWO:L.*]]
// CHECK: s_or_b64 [[FLAG:s[^,]+]], [[FLAG]], exec
// CHECK: [[TWO]]:
// CHECK-NEXT: s_mov_b64 exec, -1
// CHECK-NEXT: v_cmpx_eq_u32{{.*}} 2, [[X]]
// CHECK-NEXT: s_cbranch_execz [[MORE:L.*]]
// CHECK: [[MORE]]:
// CHECK-NEXT: s_mov_b64 exec, -1
// CHECK-NEXT: v_cmpx_le_u32{{.*}} 3, [[X]]
// CHECK: s_cmp_eq_u32
// CHECK-NEXT: s_cbranch_scc
uint work(uint which, uint i) {
    bool again = false;
    uint n;
    switch (which) {
    case 0: n = atomicAdd(at[1], 1); break;
    case 1: n = atomicAdd(at[2], 3); again = true; break;
    case 2: n = atomicAdd(at[3], 5); break;
    default: n = atomicAdd(at[4], 7); break;
    }
    if (again)
        n += atomicAdd(at[5], n);
    return n;
}
void main() {
    uint i = gl_LocalInvocationID.x;
    uint n = work(at[i], i);
    at[i + 64] = n + work(u, i);
}
