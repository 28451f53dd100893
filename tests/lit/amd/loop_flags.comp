// REQUIRES: frontend
// RUN: %heddle compile --wave-size 32 --emit lower_phis %s | %FileCheck %s
//
// Eight flags and eight divergent exits. Each mask starts with its flag's initial value and is the flag in the loop. The lanes'
// new value is merged in one place, not in nine; the ninth phi is the counter.
// CHECK-COUNT-9: p_linear_phi
// CHECK-NOT: p_linear_phi
// CHECK: s_or_b32
// CHECK-COUNT-7: s_or_b32
// CHECK-NOT: s_or_b32
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) readonly buffer Params { uint params[]; };
void main() {
    uint id = gl_GlobalInvocationID.x, a = data[id], n = params[0], r = 0u;
    bool b0 = false;
    bool b1 = false;
    bool b2 = false;
    bool b3 = false;
    bool b4 = false;
    bool b5 = false;
    bool b6 = false;
    bool b7 = false;
    for (uint i = 0u; i < n; i++) {
        b0 = data[id + i + 0u] > a; if (b0) break;
        b1 = data[id + i + 1u] > a; if (b1) break;
        b2 = data[id + i + 2u] > a; if (b2) break;
        b3 = data[id + i + 3u] > a; if (b3) break;
        b4 = data[id + i + 4u] > a; if (b4) break;
        b5 = data[id + i + 5u] > a; if (b5) break;
        b6 = data[id + i + 6u] > a; if (b6) break;
        b7 = data[id + i + 7u] > a; if (b7) break;
    }
    if (b0) r += 1u;
    if (b1) r += 8u;
    if (b2) r += 15u;
    if (b3) r += 22u;
    if (b4) r += 29u;
    if (b5) r += 36u;
    if (b6) r += 43u;
    if (b7) r += 50u;
    data[id] = r;
}
