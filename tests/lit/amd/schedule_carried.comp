#version 460
#extension GL_EXT_control_flow_attributes : require
// REQUIRES: frontend
// RUN: %heddle compile -t gfx1030 --wave-size 64 --emit asm %s | %FileCheck %s
// The counter's next value is computed when nothing reads the counter any more, so that both have one register.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer points { vec2 at[]; };
layout(set = 0, binding = 1) buffer results { uint nearest[]; };
layout(push_constant) uniform constants { uint n; };

void
main()
{
    float least = 1e9, x = float(gl_LocalInvocationID.x);
    uint found = 0;
    // CHECK: [[LOOP:L[0-9a-f]+]]:
    // CHECK-NOT: s_mov_b32
    // CHECK: v_cndmask_b32_e64 v{{[0-9]+}}, v{{[0-9]+}}, [[I:s[0-9]+]], vcc
    // CHECK: s_add_u32 [[I]], [[I]], 1
    // CHECK-NOT: s_mov_b32
    // CHECK: s_cbranch_scc0 [[LOOP]]
    [[dont_unroll]] for (uint i = 0; i < n; i++) {
        vec2 d = at[i] - x;
        float far = dot(d, d);
        if (far < least) {
            least = far;
            found = i;
        }
    }
    nearest[gl_LocalInvocationID.x] = found;
}
