// REQUIRES: frontend
// RUN: echo '{"vertex_kind": "primitive"}' > %t
// RUN: %heddle compile -t gfx1030 --pipeline %t --emit asm %s | %FileCheck --check-prefixes=CHECK,GFX10 %s
// RUN: %heddle compile -t gfx1100 --emit asm %s | %FileCheck --check-prefixes=CHECK,GFX11 %s
// RUN: %heddle compile -t gfx1201 --emit asm %s | %FileCheck --check-prefix=GFX12 %s
// RUN: %heddle compile -t gfx1100 --wave-size 32 --emit asm %s | %FileCheck --check-prefix=WAVE32 %s
// RUN: %heddle compile -t gfx1030 --pipeline %t --emit obj -o %t.elf %s
// RUN: %heddle disasm %t.elf | %FileCheck --check-prefix=OBJ %s
// RUN: readelf -s %t.elf | %FileCheck --check-prefix=SYMBOL %s

// A primitive shader asks for room in the group's first wave, unless primitives can be passed through without; the wave's lanes of primitives
// export them, those of vertices run the shader. exec is set before anything depends on it. From gfx11 on what fragment shaders read goes to
// the attribute ring, in memory before the position is done.
// CHECK: s8 vertex_buffers
// CHECK: s9 base_vertex
// GFX11: s10 attribute_ring
// GFX10: {{^main:}}
// GFX10-NEXT: s_bfe_u32 s{{[0-9]+}}, s3, 0x40018
// GFX10: s_or_b32 m0,
// GFX10-NEXT: s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)
// GFX11-NOT: s_sendmsg
// CHECK: s_lshl_b32 [[N:s[0-9]+]], s3, 8
// CHECK: s_bfe_u64 exec, -1, [[N]]
// CHECK: s_cbranch_execz
// CHECK: exp prim v0, off, off, off done
// CHECK: s_lshl_b32 [[M:s[0-9]+]], s3, 16
// CHECK: s_waitcnt expcnt(0)
// CHECK: s_bfe_u64 exec, -1, [[M]]
// CHECK: s_cbranch_execz
// CHECK: v_add_nc_u32_e32 v{{[0-9]+}}, s9, v5
// GFX10: exp pos0 {{.*}} done
// GFX10: exp param0
// GFX11: buffer_store_b128 v[{{[0-9:]+}}], v{{[0-9]+}}, s[{{[0-9:]+}}], s{{[0-9]+}} idxen glc
// GFX11: s_waitcnt_vscnt null, 0x0
// GFX11: exp pos0 {{.*}} done
// GFX12: v_add_nc_u32_e32 v{{[0-9]+}}, s9, v3
// GFX12: buffer_store_b128 {{.*}} idxen scope:SCOPE_DEV
// GFX12: s_wait_storecnt 0x0
// GFX12: export pos0 {{.*}} done
// WAVE32: s_bfe_u64 s[{{[0-9:]+}}], -1,
// WAVE32: s_endpgm
// OBJ: VGT_SHADER_STAGES_EN = {{.*}}(ES_EN 2, PRIMGEN_EN 1, MAX_PRIMGRP_IN_WAVE 2, PRIMGEN_PASSTHRU_EN 1)
// OBJ: param 0: location 0 xyzw
// SYMBOL: _amdgpu_gs_main
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 o;

void main()
{
    gl_Position = a;
    o = a * 2.0;
}
