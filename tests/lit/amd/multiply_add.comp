#version 460
// REQUIRES: frontend
// RUN: %heddle compile -t gfx803 --emit asm %s | %FileCheck %s --check-prefixes=CHECK,GFX8
// RUN: %heddle compile -t gfx900 --emit asm %s | %FileCheck %s --check-prefixes=CHECK,GFX9
// RUN: %heddle compile -t gfx803 --abi hsa --emit asm %s | %FileCheck %s --check-prefix=HSA
// A product of a number of 24 bits by a short constant absorbs an addition, where nothing absorbs a shift. There may be more than 2^24
// workgroups in x, and with hsa in all dimensions.
layout(local_size_x = 8, local_size_y = 8, local_size_z = 3) in;
layout(set = 0, binding = 0) buffer data { uint at[]; };

void
main()
{
    // CHECK-DAG: v_mad_u32_u24 v{{[0-9]+}}, s{{[0-9]+}}, 3, v2
    // HSA-NOT: v_mad_u32_u24 v{{[0-9]+}}, s
    // HSA: s_endpgm
    uvec3 id = gl_GlobalInvocationID;
    // GFX8-DAG: v_mad_u32_u24 v{{[0-9]+}}, s{{[0-9]+}}, 8, v1
    // GFX9-DAG: v_lshl_add_u32 v{{[0-9]+}}, s{{[0-9]+}}, 3, v1
    // CHECK-DAG: v_mad_u32_u24 v{{[0-9]+}}, v2, s{{[0-9]+}}, v
    // GFX8-DAG: v_add_u32_e32 v0, vcc, s{{[0-9]+}}, v0
    // GFX8-DAG: v_mad_u32_u24 v{{[0-9]+}}, v{{[0-9]+}}, 64, v
    at[((id.y & 7) * 64 + id.x) ^ (id.z * 3000 + id.y)] = id.x;
}
