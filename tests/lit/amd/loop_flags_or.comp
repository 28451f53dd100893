// REQUIRES: frontend
// RUN: %heddle compile --wave-size 64 --emit lower_phis %s | %FileCheck %s
//
// A flag ORed with a comparison keeps the bits of inactive lanes, so flag and mask are the same value. For a flag ANDed with a
// comparison, inactive lanes count as true.
// CHECK: %[[X:[0-9]+]] = p_linear_phi s2: 0l, %[[X2:[0-9]+]]
// CHECK: %[[Y:[0-9]+]] = p_linear_phi s2: -1l, %[[Y2:[0-9]+]]
// CHECK: %[[X2]], {{.*}}:scc = s_or_b64
// CHECK-NOT: s_{{and|andn2|or}}_b64
// CHECK: %[[N:[0-9]+]], {{.*}}:scc = s_orn2_b64 %{{[0-9]+}}, {{.*}}:exec
// CHECK-NEXT: %[[Y2]], {{.*}}:scc = s_and_b64 %[[Y]], %[[N]]
// CHECK-NOT: s_{{and|andn2|or}}_b64
// CHECK: loop-exit
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) readonly buffer Params { uint params[]; };
void main() {
    uint id = gl_GlobalInvocationID.x, a = data[id], b = data[id + 1u], n = params[0];
    bool x = false, y = true;
    for (uint i = 0u; i < n; i++) {
        uint d = data[id + i];
        x = x || d == a;
        if (d == b) break;
        uint e = data[id + i * 2u];
        y = y && e != a;
        if (e == b) break;
    }
    data[id] = (x ? 1u : 0u) + (y ? 2u : 0u);
}
