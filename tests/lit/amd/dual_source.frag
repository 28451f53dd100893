#version 450
// REQUIRES: frontend
// From gfx11 on two sources of an attachment are exported as the colours of even lanes and of odd ones: helpers run up to the exports, which read
// values that are reloaded while they run. With another order fewer registers do, but both masks are live at once: DPP's long form reads one that is
// not in vcc.
// RUN: %heddle compile -t gfx1100 --emit asm %s | %FileCheck %s
// RUN: env HEDDLE_DEBUG=vgprs=4,nosched,print=spill %heddle compile -t gfx1100 --emit asm %s 2>&1 | %FileCheck --check-prefix=SPILL %s
// RUN: env HEDDLE_DEBUG=vgprs=4 %heddle compile -t gfx1100 --emit asm %s | %FileCheck --check-prefix=ORDER %s
// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck --check-prefix=GFX10 %s
// CHECK: s_wqm_b64 exec, exec
// CHECK: s_mov_b32 vcc_lo, 0x55555555
// CHECK: v_cndmask_b32_dpp [[A:v[0-9]+]], {{v[0-9]+}}, {{v[0-9]+}}, vcc quad_perm:[1,0,3,2]
// CHECK: s_and_b64 exec
// CHECK: exp dual_src_blend0 [[A]], {{v[0-9]+}}, off, off
// CHECK: exp dual_src_blend1 {{v[0-9]+}}, {{v[0-9]+}}, off, off done
// SPILL: p_reload
// SPILL: s_and_saveexec_b64
// SPILL-NEXT: exp {{.*}} target:21
// SPILL-NOT: p_reload
// SPILL: exp {{.*}} target:22
// ORDER: 0 bytes scratch
// ORDER: v_cndmask_b32_e64_dpp {{v[0-9]+, v[0-9]+, v[0-9]+, s\[[0-9:]+\]}} quad_perm:[1,0,3,2]
// ORDER: v_cndmask_b32_dpp {{v[0-9]+, v[0-9]+, v[0-9]+}}, vcc quad_perm:[1,0,3,2]
// GFX10-NOT: s_wqm
// GFX10: exp mrt0
// GFX10: exp mrt1
layout(location = 0, index = 0) out vec4 color;
layout(location = 0, index = 1) out vec4 factor;
void main()
{
    color = floor(gl_FragCoord);
    factor = fract(gl_FragCoord);
}
