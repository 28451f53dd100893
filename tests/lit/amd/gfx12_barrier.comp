// REQUIRES: frontend
// RUN: %heddle compile -t gfx1201 --target-env vulkan1.2 --emit asm %s | %FileCheck %s

// What other waves stored before a barrier in the scope of the device is waited for before it, and read anew behind it; in the scope of a workgroup
// on one compute unit it is only sent (barrier.comp). Only a release in the scope of the system would write caches back (LLVM, AMDGPUUsage,
// "Memory Model gfx12").

// CHECK: buffer_store_
// CHECK-NOT: global_inv
// CHECK: s_wait_alu 0xffe3
// CHECK-NEXT: s_barrier_signal -1
// CHECK-NEXT: s_barrier_wait 0xffff
// CHECK-NOT: global_inv
// CHECK: buffer_load_
// CHECK: s_wait_storecnt 0x0
// CHECK-NOT: s_barrier
// CHECK: global_inv scope:SCOPE_DEV
// CHECK-NOT: global_wb
// CHECK: s_endpgm
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
    memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
    a[i + 256] = a[i + 384];
}
