#version 460
// REQUIRES: frontend
// RUN: %heddle compile -t gfx900 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck %s
// A scalar load from a buffer may read up to a third more than asked for, since behind its end there are zeros. Not twice as much.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform block { uvec3 a; uint pad0[37]; uvec4 c; uvec2 d; uint pad2[40]; uint e; };
layout(set = 0, binding = 1) writeonly buffer data { uint at[]; };

void
main()
{
    uint i = gl_LocalInvocationID.x;
    // CHECK-DAG: s_buffer_load_dwordx4 s[{{[0-9:]+}}], s[{{[0-9:]+}}], {{0x0|null}}{{$}}
    // CHECK-DAG: s_buffer_load_dwordx8
    // CHECK-DAG: s_buffer_load_dword s{{[0-9]+}}
    // CHECK-NOT: s_buffer_load
    // CHECK: s_endpgm
    at[i] = a.x ^ a.y * a.z ^ c.x ^ c.y * i ^ c.z ^ c.w * i ^ d.x ^ d.y * i ^ e;
}
