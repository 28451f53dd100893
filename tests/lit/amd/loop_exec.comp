#version 460
// REQUIRES: frontend
// RUN: %heddle compile -t gfx1030 --wave-size 64 --emit asm %s | %FileCheck %s --check-prefixes=CHECK,GFX10
// RUN: %heddle compile -t gfx900 --emit asm %s | %FileCheck %s --check-prefixes=CHECK,GFX9
// RUN: %heddle compile -t gfx600 --emit asm %s | %FileCheck %s --check-prefixes=CHECK,GFX9
// RUN: HEDDLE_DEBUG=print-plain %heddle compile -t gfx1030 --wave-size 64 --emit insert_exec_mask %s | %FileCheck %s --check-prefix=MASK
layout(local_size_x = 48) in; // less than a wave: exec is saved
layout(set = 0, binding = 0) buffer data { uint at[]; };

void
main()
{
    uint i = gl_LocalInvocationID.x, n = i, m = 0, k = 0;
    // Lanes leave at the top of the loop: exec is the lanes that are still in it.
    // MASK: s2: %[[ENTRY:[0-9]+]] = p_parallelcopy {{.*}}%0:exec
    // MASK: kind: {{.*}}loop-header
    // MASK-NOT: p_linear_phi
    // MASK: s_and_saveexec_b64
    // MASK-NOT: s_andn2_b64 {{.*}}:exec{{$}}
    // MASK: loop-exit, logical
    // MASK: :exec = p_parallelcopy {{.*}}%[[ENTRY]]
    // CHECK: s_mov_b64 [[ENTRY:s[^,]+]], exec
    // CHECK: [[LOOP:L[0-9a-f]+]]:
    // GFX10: v_cmpx_ne_u32_e32 5
    // GFX10-NEXT: s_cbranch_execz
    // GFX9: v_cmpx_ne_u32_e64 {{s[^,]+}}, 5
    // GFX9-NEXT: s_cbranch_execz
    // CHECK-NOT: exec
    // CHECK: s_branch [[LOOP]]
    // CHECK: s_mov_b64 exec, [[ENTRY]]
    while (at[n] != 5)
        n++;
    at[i] = n;
    memoryBarrierBuffer();
    barrier();
    // A break inside another if needs the mask of those that are running.
    // MASK: kind: {{.*}}loop-header
    // MASK: p_linear_phi
    // MASK: s_andn2_b64 {{.*}}:exec{{$}}
    for (uint j = 0; j < 1000; j++) {
        if ((at[i + j] & 1) != 0) {
            m++;
            if (at[i + j] == 7)
                break;
        }
        k += at[i * j];
    }
    at[i + 64] = m + k;
}
