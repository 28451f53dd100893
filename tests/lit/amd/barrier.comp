// RUN: %heddle compile --target-env vulkan1.2 --emit asm %s | %FileCheck %s
// RUN: %heddle compile --target-env vulkan1.2 -t gfx1100 --emit asm %s | %FileCheck %s
// REQUIRES: frontend

// What other waves stored before the barrier is waited for before it, and read anew behind it: the cache forgets old data only then.

// CHECK: buffer_store_
// CHECK-NOT: buffer_gl0_inv
// CHECK: s_waitcnt_vscnt null, 0x0
// CHECK-NEXT: s_barrier
// CHECK-NEXT: buffer_gl0_inv
// CHECK: buffer_load_
#version 450
#extension GL_KHR_memory_scope_semantics : enable
layout(local_size_x = 128) in;
layout(binding = 0) coherent buffer B { uint a[]; };

void main()
{
    uint i = gl_LocalInvocationIndex;
    a[i] = i;
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
    a[i + 128] = a[127 - i];
}
