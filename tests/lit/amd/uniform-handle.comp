// REQUIRES: frontend
// RUN: %heddle compile --emit asm %s | %FileCheck %s
// An index without NonUniform: the descriptor of any lane is valid for all, and one read serves several uses.
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint r[]; } b[4];
void main()
{
    uint i = gl_LocalInvocationIndex & 3u;
    b[i].r[0] = 1u;
    b[i].r[4] = 2u;
    b[nonuniformEXT(i)].r[8] = 3u;
}
// CHECK: main:
// CHECK: v_readfirstlane_b32
// CHECK-NOT: v_readfirstlane_b32
// CHECK: s_load_dwordx4
// CHECK: buffer_store_dword
// CHECK-NOT: s_load_dwordx4
// CHECK: buffer_store_dword {{.*}} offset:16
// CHECK: v_readfirstlane_b32
// CHECK: s_and_saveexec_b64
// CHECK: buffer_store_dword {{.*}} offset:32
// CHECK: s_cbranch_execnz
