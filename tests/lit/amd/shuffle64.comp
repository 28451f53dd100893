// REQUIRES: frontend
// RUN: env HEDDLE_DEBUG=nosched %heddle compile --emit asm --wave-size 64 %s | %FileCheck %s
// RUN: env HEDDLE_DEBUG=nosched %heddle compile --emit asm --wave-size 32 %s | %FileCheck %s --check-prefix=WAVE32
// Any lane of a wave64 can be read through LDS, after the shader's own variables; 64 bits at once. The invocation's index
// distinguishes the waves: values of 32 and of 64 bits have the same slots, so that no wave reaches another's.
#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) buffer B { uint u[128]; uint o[128]; double d[128]; };
shared uint s[4];
void main()
{
    uint i = gl_LocalInvocationIndex, x = u[i];
    if (i < 4u) s[i] = x;
    barrier();
    o[i] = subgroupShuffle(x + s[x & 3u], x);
    d[i] = subgroupShuffleXor(d[i], 32u);
    u[i] = subgroupShuffleXor(x, 5u);
}
// CHECK: 1040 bytes LDS
// CHECK: s_barrier
// CHECK: ds_write_b32 [[OWN:v[0-9]+]], {{v[0-9]+}} offset:16
// CHECK: ds_read_b32 {{v[0-9]+}}, {{v[0-9]+}} offset:16
// CHECK: ds_write_b64 [[OWN]], v[{{[0-9:]+}}] offset:16
// CHECK-NOT: s_waitcnt
// CHECK: ds_read_b64 v[{{[0-9:]+}}], {{v[0-9]+}} offset:16
// CHECK: v_mov_b32_dpp {{.*}} row_xmask:5
// WAVE32: ds_bpermute_b32
// WAVE32-NOT: ds_write
