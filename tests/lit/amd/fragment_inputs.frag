#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t gfx600 --emit asm %s | %FileCheck --check-prefixes=CHECK,CACHE %s
// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck --check-prefixes=CHECK,CACHE %s
// RUN: %heddle compile -t gfx1100 --emit asm %s | %FileCheck --check-prefixes=CHECK,LOADED %s
// RUN: %heddle compile -t gfx1201 --emit asm %s | %FileCheck --check-prefix=GFX12 %s
// RUN: echo '{"previous": {"varyings": [{"location": 0, "components": 3}]}}' > %t
// RUN: %heddle compile -t gfx1030 --pipeline %t --emit asm %s | %FileCheck --check-prefix=LINKED %s

// VGPRs come in the order of SPI_PS_INPUT_ENA: weights at the centroid, of linear interpolation, the position's w, which is inverted, the facing. Parameters
// are numbered as they are read; a flat one is that of vertex 0. From gfx11 on they are loaded into whole quads first. What the stage before does not write is 0.
// CHECK: SPI_PS_INPUT_ENA = 0x1824 (PERSP_CENTROID_ENA 1, LINEAR_CENTER_ENA 1, POS_W_FLOAT_ENA 1, FRONT_FACE_ENA 1)
// CHECK: SPI_PS_IN_CONTROL = {{.*}}NUM_INTERP 3
// CHECK: location 2 xy, SPI_PS_INPUT_CNTL 0x400
// CACHE: s_mov_b32 m0, s0
// CACHE-DAG: v_interp_p1_f32{{.*}} [[X:v[0-9]+]], v0, attr{{[0-9]}}.x
// CACHE-DAG: v_interp_p2_f32{{.*}} [[X]], v1, attr{{[0-9]}}.x
// CACHE-DAG: v_interp_mov_f32{{.*}} v{{[0-9]+}}, p0, attr{{[0-9]}}.y
// CACHE-DAG: v_rcp_f32{{.*}} v{{[0-9]+}}, v4
// LOADED: s_mov_b64 [[EXACT:s[^,]+]], exec
// LOADED: s_wqm_b64 exec, exec
// LOADED: s_mov_b32 m0, s0
// LOADED: lds_param_load [[LANES:v[0-9]+]], attr{{[0-9]}}.x
// LOADED: v_interp_p10_f32 [[P:v[0-9]+]], [[LANES]], v{{[0-9]}}, [[LANES]] wait_exp:
// LOADED: v_interp_p2_f32 v{{[0-9]+}}, [[LANES]], v{{[0-9]}}, [[P]] wait_exp:7
// LOADED: s_mov_b64 exec, [[EXACT]]
// GFX12: ds_param_load
// LINKED-NOT: location 1
// LINKED: exp mrt0
layout(location = 0) centroid in vec2 a;
layout(location = 1) noperspective in float b;
layout(location = 2) flat in ivec2 c;
layout(location = 0) out vec4 o;

void main()
{
    o = vec4(a.x, b + gl_FragCoord.w, float(c.y), gl_FrontFacing ? 1.0 : 0.0);
}
