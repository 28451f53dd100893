#version 450
#extension GL_EXT_demote_to_helper_invocation : require
// REQUIRES: frontend
// RUN: %heddle compile -t gfx1030 --wave-size 64 --emit insert_exec_mask -o - %s | %FileCheck %s

// Lanes that a loop demotes go on as helpers, and leave it as they would: exec keeps them, and the mask of exact lanes goes around. It takes from the
// demotion the lanes that run, ends the wave if none is left, and is for the store and behind the derivative.
// CHECK: s2: %[[START:[0-9]+]] = p_parallelcopy %0:exec
// CHECK-NEXT: s_wqm_b64
// CHECK: s2: %[[ALL:[0-9]+]] = p_parallelcopy %0:exec
// CHECK: kind: loop-header
// CHECK: s2: %[[EXACT:[0-9]+]] = p_linear_phi %[[START]], %[[LEFT:[0-9]+]]
// CHECK: s2: %[[DEMOTED:[0-9]+]] = v_cmp_lt_u32 0x64
// CHECK-NEXT: s2: %[[HERE:[0-9]+]], {{.*}} = s_and_b64 %[[DEMOTED]], %0:exec
// CHECK-NEXT: s2: %[[LEFT]], s1: %[[ANY:[0-9]+]]:scc = s_andn2_b64 %[[EXACT]], %[[HERE]]
// CHECK-NEXT: s_cbranch_scc0 %[[ANY]]:scc imm:0xffffffff
// CHECK: s2: %[[SAVED:[0-9]+]],{{.*}}:exec = s_and_saveexec_b64 %[[LEFT]], %0:exec
// CHECK-NEXT: buffer_store_dword
// CHECK-NEXT: :exec = p_parallelcopy %[[SAVED]]
// CHECK: kind: loop-exit
// CHECK: :exec = p_parallelcopy %[[ALL]]
// CHECK: v_sub_f32 {{.*}}dpp
// CHECK-NEXT: :exec = p_parallelcopy %[[EXACT]]
// CHECK: exp {{.*}}done vm
layout(location = 0) flat in uint n;
layout(location = 1) in float v;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) buffer B { uint b[]; };
void main()
{
    uint sum = 0u;
    for (uint i = 0u; i < n; i++) {
        sum = sum * 5u + b[i];
        if (sum > 100u)
            demote;
        b[i + 64u] = sum;
    }
    color = vec4(dFdx(float(sum)) + v);
}
