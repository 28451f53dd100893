// REQUIRES: frontend
// RUN: env HEDDLE_DEBUG=noopt,skip=uniform_subgroup %heddle compile --emit asm %s | %FileCheck %s
// A shuffled constant boolean that no pass simplifies: v_cndmask, which converts it to a number, has no constant mask operand.
#version 450
#extension GL_KHR_shader_subgroup_shuffle : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Out { uint d[]; };
void main()
{
    d[gl_LocalInvocationID.x] = subgroupShuffle(true, 9u) ? 5u : 6u;
}
// CHECK: main:
// CHECK: v_mov_b32_e32 [[V:v[0-9]+]], 1
// CHECK: v_readlane_b32 s{{[0-9]+}}, [[V]], 9
// CHECK: s_endpgm
