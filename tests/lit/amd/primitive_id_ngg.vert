#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t gfx1100 --link %S/primitive_id.frag --emit asm %s | %FileCheck --check-prefixes=CHECK,HALVES %s
// RUN: %heddle compile -t gfx1201 --link %S/primitive_id.frag --emit asm %s | %FileCheck --check-prefixes=CHECK,PACKED %s
// RUN: %heddle compile -t gfx1100 --emit asm %s | %FileCheck --check-prefix=ALONE %s

// In a primitive shader the lane of a primitive hands its number over in LDS to the vertex that provokes it; primitives
// are not passed through then, so there is a message, and the numbers of vertices are packed where they come as halves.
// HALVES: VGT_SHADER_STAGES_EN = 0x12010 (
// PACKED: VGT_SHADER_STAGES_EN = 0x0
// CHECK: NGG_DISABLE_PROVOK_REUSE 1
// CHECK: param 0: primitive_id
// CHECK: s_sendmsg sendmsg(MSG_GS_ALLOC_REQ)
// HALVES: v_and_b32{{.*}} [[FIRST:v[0-9]+]], 0x1ff, v0
// HALVES: v_lshlrev_b32{{.*}} [[AT:v[0-9]+]], 2, [[FIRST]]
// HALVES: ds_store_b32 [[AT]], v2
// HALVES: exp prim v{{[0-9]+}}, off, off, off done
// PACKED: ds_store_b32 v{{[0-9]+}}, v1
// PACKED: export prim v0, off, off, off done
// CHECK: s_barrier
// CHECK: ds_load_b32 [[ID:v[0-9]+]], v
// CHECK: buffer_store_b128 v{{\[}}
// ALONE-NOT: s_barrier
layout(location = 0) in vec4 place;
void main()
{
    gl_Position = place;
}
