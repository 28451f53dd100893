#version 460
// REQUIRES: frontend
// RUN: %heddle compile -t gfx1030 --wave-size 64 --emit asm %s | %FileCheck %s --check-prefixes=CHECK,GFX10
// RUN: %heddle compile -t gfx900 --emit asm %s | %FileCheck %s --check-prefixes=CHECK,GFX9
// RUN: HEDDLE_DEBUG=print-plain %heddle compile -t gfx1030 --wave-size 64 --emit insert_exec_mask %s | %FileCheck %s --check-prefix=MASK
// Where all lanes of the wave are active, nothing is saved.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer data { uint at[]; };
shared uint s[64];

void
main()
{
    uint i = gl_LocalInvocationID.x, n = at[i], m = 0;
    // MASK: :exec = p_parallelcopy
    // MASK-NOT: saveexec
    // MASK: :exec = p_parallelcopy s2: -1l
    // GFX10: v_cmpx_
    // GFX10-NEXT: s_cbranch_execz
    // GFX9: v_cmpx_gt_u32_e32 vcc, 5
    // GFX9-NEXT: s_cbranch_execz
    // CHECK: s_mov_b64 exec, -1
    if (i < 5)
        s[i] = n;
    barrier();
    // Both arms of an if; the mask of an if inside is saved.
    // MASK: :exec = p_parallelcopy
    // MASK: s_and_saveexec_b64
    // MASK: s_andn2_b64
    // MASK: :exec = p_parallelcopy
    // MASK: :exec,  s1: %{{[0-9]+}}:scc = s_not_b64 %0:exec
    // MASK: :exec = p_parallelcopy s2: -1l
    // CHECK: s_not_b64 exec, exec
    // CHECK: s_mov_b64 exec, -1
    if (i < 9) {
        if (n < 7)
            s[i] += at[i + 128] * n;
        else
            s[i * 2] *= at[n + 128];
        m = s[i] + s[i + 1];
    } else {
        m = at[i + 192] + s[i ^ 3];
    }
    barrier();
    // A loop that lanes leave.
    // MASK: loop-exit
    // MASK: :exec = p_parallelcopy s2: -1l
    while (at[n] != 5)
        n++;
    barrier();
    // An operation on masks writes exec.
    // CHECK: s_nor_b64 exec, vcc, s[
    if (i >= m || n >= 9)
        return;
    at[i] = n + m + s[i ^ 1];
}
