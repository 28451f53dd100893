// RUN: %heddle compile --target-env vulkan1.2 --emit asm %s | %FileCheck %s
// RUN: %heddle compile --target-env vulkan1.2 -t gfx1100 --emit asm %s | %FileCheck %s
// RUN: %heddle compile --target-env vulkan1.2 -D WIDE --emit asm %s | %FileCheck %s --check-prefix=WIDE
// REQUIRES: frontend

// A workgroup of several waves on one compute unit (WGP_MODE, bit 29 of RSRC1, is 0): its cache keeps the order of what is on its way before the
// barrier, and nothing is older than it. What was sent before the last barrier is not waited for again. With 40 KiB of LDS (WIDE) three workgroups
// fit on two compute units, but only one on each: there what other waves stored is waited for before the barrier, and the cache of the unit
// forgets old data behind it.

// CHECK: rsrc 0x4
// CHECK: buffer_store_
// CHECK: s_waitcnt_depctr 0xffe3
// CHECK-NEXT: s_barrier
// CHECK-NOT: buffer_gl0_inv
// CHECK-NOT: depctr
// CHECK: s_barrier
// CHECK: buffer_load_

// WIDE: rsrc 0x6
// WIDE: buffer_store_
// WIDE-NOT: buffer_gl0_inv
// WIDE: s_waitcnt_vscnt null, 0x0
// WIDE-NEXT: s_barrier
// WIDE-NEXT: buffer_gl0_inv
// WIDE: buffer_load_
#version 450
#extension GL_KHR_memory_scope_semantics : enable
layout(local_size_x = 128) in;
layout(binding = 0) coherent buffer B { uint a[]; };

#ifdef WIDE
shared uint b[10240];
#endif

void main()
{
    uint i = gl_LocalInvocationIndex;
    a[i] = i;
#ifdef WIDE
    b[i * 79] = i;
#endif
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
#ifdef WIDE
    a[i + 512] = b[i];
#else
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
#endif
    a[i + 128] = a[127 - i];
}
