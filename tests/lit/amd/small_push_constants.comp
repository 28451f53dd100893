// Push constants of 16 bits are parts of dwords that the scalar unit has or loads.
// REQUIRES: frontend
// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t gfx1030 --emit asm -DBLOCK %s | %FileCheck %s --check-prefix=BLOCK
// CHECK: s[{{[0-9:]+}}] push_constants_inline 0
// CHECK-NOT: global_load
// CHECK-NOT: v_cmp
// CHECK: s_endpgm
// BLOCK: push_constants 0
// BLOCK-NOT: global_load
// BLOCK: s_load_dword{{(x2)?}} s
// BLOCK: s_endpgm
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 64) in;
layout(push_constant) uniform P { u16vec4 a; uint b[4]; } p;
layout(std430, binding = 0) buffer B { uint o[]; };

void
main()
{
    uint i = gl_LocalInvocationIndex;
    o[i] = uint(p.a.x) * uint(p.a.y) + uint(p.a.w);
#ifdef BLOCK
    o[i] += p.b[gl_WorkGroupID.x];
#endif
}
