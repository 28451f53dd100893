// A product of 32-bit numbers and a 64-bit sum are one instruction from gfx7 on; on gfx11.0 it does not overwrite its factors.
// RUN: %heddle compile -t gfx600 --emit asm %s -o - | %FileCheck %s --check-prefix=GFX6
// RUN: %heddle compile -t gfx700 --emit asm %s -o - | %FileCheck %s --check-prefix=MAD
// RUN: %heddle compile -t gfx900 --emit asm %s -o - | %FileCheck %s --check-prefix=MAD
// RUN: %heddle compile -t gfx1030 --emit asm %s -o - | %FileCheck %s --check-prefix=MAD
// RUN: %heddle compile -t gfx1100 --emit asm %s -o - | %FileCheck %s --check-prefix=GFX11
// RUN: %heddle compile -t gfx1201 --emit asm %s -o - | %FileCheck %s --check-prefix=GFX12
// GFX6-NOT: v_mad_u64
// GFX6: v_mul_lo_u32
// GFX6: v_mul_hi_u32
// MAD-NOT: v_mul
// MAD: v_mad_u64_u32 v[1:2], s[0:1], v2, v1, v[3:4]
// GFX11: v_mad_u64_u32 v[3:4], {{s\[[0-9:]+\]}}, v2, v1, v[3:4]
// GFX12: v_mad_co_u64_u32 v[1:2], s[0:1], v2, v1, v[3:4]
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint64_t b[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    b[i] = uint64_t(a[i]) * uint64_t(a[i + 64]) + b[i + 64];
}
