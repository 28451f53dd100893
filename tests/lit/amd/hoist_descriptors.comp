#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck %s
// Descriptors that two arms need are loaded once, before both; what an arm reads is read with what is read before it.
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) readonly buffer B { uint b[]; };
// CHECK: s_load_dwordx8
// CHECK-NOT: s_load
// CHECK: buffer_load_dword
// CHECK: buffer_load_dword
// CHECK: s_cbranch_execz
// CHECK: buffer_store_dword
// CHECK: s_barrier
// CHECK-NOT: buffer_load_dword
// CHECK: buffer_store_dword
// CHECK: s_endpgm

void
main()
{
    uint id = gl_LocalInvocationIndex, x = b[id];
    if (id < 64u)
        a[id] = b[id + 64u] + x;
    barrier();
    if (id < 32u)
        a[id + 256u] = x;
}
