#version 460
// REQUIRES: frontend
// RUN: HEDDLE_DEBUG=print-plain %heddle compile -t gfx900 --emit insert_exec_mask %s | %FileCheck %s
// RUN: HEDDLE_DEBUG=print-plain %heddle compile -t gfx1030 --wave-size 64 --emit insert_exec_mask %s | %FileCheck %s
// RUN: %heddle compile -t gfx900 --emit asm %s | %FileCheck %s --check-prefix=GFX9
// RUN: %heddle compile -t gfx900 --emit optimize_postRA %s | %FileCheck %s --check-prefix=WORDS
// RUN: %heddle compile -t gfx1030 --wave-size 64 --emit asm %s | %FileCheck %s --check-prefix=GFX10
// An exec that nothing restores is not saved; no attribute is left where a result went.
// WORDS: exec, {{.*}} = s_and_b64 %{{[0-9]+}}:s{{.*}}, %0:{f}exec{{$}}
layout(local_size_x = 48) in; // less than a wave: exec is saved
layout(set = 0, binding = 0) buffer data { uint at[]; };

void
main()
{
    uint i = gl_LocalInvocationID.x, n = at[i];
    bool few = n < 3;
    // CHECK: s2: %[[SAVED:[0-9]+]],{{.*}} = s_and_saveexec_b64
    if (n > 8)
        atomicAdd(at[n], 1);
    // exec is what was saved: it is not saved again; a comparison writes it.
    // CHECK: exec = p_parallelcopy %[[SAVED]]
    // CHECK: s2: %[[COND:[0-9]+]] = v_cmp_lt_u32 {{.*}}20
    // CHECK: exec = p_parallelcopy %[[COND]]
    // GFX9: s_mov_b64 exec, [[SAVED:s.*]]
    // GFX9: v_cmpx_gt_u32_e64 [[COND:s[^,]+]], 20
    // GFX10: s_mov_b64 exec, s
    // GFX10-NEXT: v_cmpx_gt_u32
    if (i < 20) {
        atomicAdd(at[n + 64], 2);
        // In the arm, exec is the mask of the condition, where comparisons that write exec keep it.
        // GFX9: v_cmpx_gt_u32_e{{32 vcc|64 s[^,]+}}, 9
        // GFX9: s_mov_b64 exec, [[COND]]
        if (i < 9)
            atomicAdd(at[n + 128], 3);
        atomicOr(at[i + 192], 1);
        // The mask of `few` may have lanes that are not active here.
        // CHECK: exec = p_parallelcopy
        // CHECK: exec,{{.*}} = s_and_b64 %{{[0-9]+}}, %0:exec
        // GFX9: s_and_b64 exec, s[{{.*}}], exec
        // GFX9-NEXT: v_cmpx_lt_u32
        if (few && n + i > 9)
            atomicXor(at[n + 192], 1);
    }
    // A mask that a comparison made when the same lanes were active needs no "and".
    // CHECK: exec = p_parallelcopy %[[SAVED]]
    // CHECK: exec = p_parallelcopy %{{[0-9]+}}
    // GFX9: s_mov_b64 exec, [[SAVED]]
    if (few)
        atomicAdd(at[n + 256], 4);
    atomicAdd(at[i + 320], 5);
}
