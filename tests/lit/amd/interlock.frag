#version 450
#extension GL_ARB_fragment_shader_interlock : require
// REQUIRES: frontend
// RUN: %heddle compile -t gfx900 --emit asm %s | %FileCheck --check-prefixes=CHECK,MODE %s
// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck --check-prefixes=CHECK,PACKER %s
// RUN: %heddle compile -t gfx1100 --emit asm %s | %FileCheck --check-prefix=EVENT %s
// RUN: not %heddle compile -t gfx803 --emit asm %s 2>&1 | %FileCheck --check-prefix=NONE %s

// Up to gfx10.3 an ordered wave waits in a loop until the packer's number has passed that of the wave before it, and says where
// it ends that it is over. The loop is scalar: no lane may be left.
// CHECK: PA_SC_SHADER_CONTROL = 0x4 (LOAD_COLLISION_WAVEID 1)
// MODE: s_setreg_b32 hwreg(HW_REG_MODE, 24, 2), s
// PACKER: s_setreg_b32 hwreg(HW_REG_POPS_PACKER, 0, 3), s
// CHECK: [[LOOP:L[0-9a-f]+]]:
// CHECK-NEXT: s_mov_b32 [[NEXT:s[0-9]+]], src_pops_exiting_wave_id
// CHECK: s_cmp_lt_u32
// CHECK-NEXT: s_cbranch_scc1 [[OVER:L[0-9a-f]+]]
// CHECK-NEXT: s_sleep 3
// CHECK-NEXT: s_branch [[LOOP]]
// CHECK: buffer_load_dword
// CHECK: buffer_store_dword
// CHECK: s_endpgm_ordered_ps_done
// EVENT: s_wait_event
// EVENT: s_endpgm{{$}}
// NONE: fragment shader interlock
layout(pixel_interlock_ordered) in;
layout(std430, binding = 0) buffer counts { uint count[]; };
void main()
{
    uint at = uint(gl_FragCoord.x);
    beginInvocationInterlockARB();
    count[at] = count[at] * 3u + 1u;
    endInvocationInterlockARB();
}
