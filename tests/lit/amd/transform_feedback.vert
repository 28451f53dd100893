#version 450
// REQUIRES: frontend
// RUN: echo '{"vertex_kind": "primitive"}' > %t
// RUN: %heddle compile -t gfx803 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t gfx1030 --pipeline %t --emit asm %s | %FileCheck %s
// RUN: %heddle compile --emit hir %s | %FileCheck --check-prefix=HIR %s
// RUN: %heddle compile -t gfx1100 --emit asm %s | %FileCheck --check-prefixes=NGG,GFX11 %s
// RUN: %heddle compile -t gfx1201 --emit asm %s | %FileCheck --check-prefixes=NGG,GFX12 %s

// Streamout: the shader captures the first lanes of each wave, and is a hardware vertex shader. Members without a place are not captured.
// HIR: captures: true
// HIR: @store_xfb (%{{[0-9]+}}) (binding=1, base=8, range=32)
// HIR-NOT: @store_xfb
// CHECK: xfb_buffers
// CHECK: register 0x28ae4 = 0x8
// CHECK: VGT_STRMOUT_CONFIG = 0x1
// CHECK: VGT_STRMOUT_BUFFER_CONFIG = 0x2
// CHECK: s_bfe_u32 [[COUNT:s[0-9]+]], s{{[0-9]+}}, 0x70010
// CHECK: v_cmp_gt_u32{{.*}} vcc, [[COUNT]], v{{[0-9]+}}
// CHECK: v_cndmask_b32
// CHECK: buffer_store_dwordx3 v[{{[0-9:]+}}], v{{[0-9]+}}, s[{{[0-9:]+}}], 0 offen offset:8 slc
// From gfx11 on primitives are captured behind the shader: one lane adds to a counter when it is the group's turn.
// NGG: xfb_buffers
// NGG: NGG_WAVE_ID_EN 1
// NGG: s_bfe_u64 exec, -1
// NGG: ds_store
// GFX11: ds_ordered_count v{{[0-9]+}}, v{{[0-9]+}} gds
// GFX11: ds_add_gs_reg_rtn v[{{[0-9:]+}}], v{{[0-9]+}} offset:4 gds
// GFX11: ds_ordered_count v{{[0-9]+}}, v{{[0-9]+}} offset:768 gds
// GFX11: ds_sub_gs_reg_rtn v[{{[0-9:]+}}], v{{[0-9]+}} offset:4 gds
// GFX11: s_barrier
// GFX12: global_atomic_ordered_add_b64 v[{{[0-9:]+}}], v{{[0-9]+}}, v[{{[0-9:]+}}], s[{{[0-9:]+}}] offset:72 th:TH_ATOMIC_RETURN
// GFX12: s_cbranch
// GFX12: global_atomic_add_u32 v{{[0-9]+}}, v{{[0-9]+}}, s[{{[0-9:]+}}] offset:76
// GFX12: s_barrier_signal
// NGG: buffer_store_b96
// NGG: buffer_store_b96
// NGG: buffer_store_b96
layout(location = 0) in vec3 a;
layout(xfb_buffer = 1, xfb_stride = 32) out;
layout(location = 0, xfb_buffer = 1, xfb_offset = 8) out vec3 b;
layout(location = 1) out vec3 c;
void main()
{
    b = a;
    c = a + 1.0;
    gl_Position = vec4(a, 1.0);
}
