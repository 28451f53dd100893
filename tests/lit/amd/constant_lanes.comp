// RUN: %heddle compile --emit asm -t gfx1030 --wave-size 32 %s | %FileCheck %s
// RUN: %heddle compile --emit asm -t gfx1201 --wave-size 32 %s | %FileCheck %s
// REQUIRES: frontend
// A constant mask of lanes lies in an SGPR, although vector instructions have literals.
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer B { uint u[]; };
void main()
{
    // CHECK: s_movk_i32 [[MASK:s[0-9]+|vcc_lo]], 0x5555
    // CHECK: v_cndmask_b32{{.*}}, [[MASK]]
    u[gl_LocalInvocationIndex] = subgroupInverseBallot(uvec4(0x5555u, 7u, 0u, 0u)) ? 3u : 9u;
}
