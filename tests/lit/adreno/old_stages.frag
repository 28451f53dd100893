// Before a6xx: flat values by ldlv, on a3xx by bary.f of places that the driver calls flat; textures and samplers by numbers.
// REQUIRES: frontend
// RUN: %heddle compile -t a530 --emit asm %s | %FileCheck %s --check-prefixes=ALL,LOADS
// RUN: %heddle compile -t a420 --emit asm %s | %FileCheck %s --check-prefixes=ALL,LOADS
// RUN: %heddle compile -t a330 --emit asm %s | %FileCheck %s --check-prefixes=ALL,A3
// RUN: %heddle compile -t a330 --emit select_program %s -o %t.mir && %heddle compile -t a330 --emit asm %s -o %t.asm
// RUN: %heddle compile -t a330 --emit asm %t.mir -o %t.again && cmp %t.asm %t.again
// RUN: %heddle compile -t a420 %s -o %t.o && %heddle disasm --object %t.o -o %t.s && %heddle asm --emit obj %t.s -o %t.2.o && cmp %t.o %t.2.o
#version 450
layout(location = 0) in vec4 v;
layout(location = 1) flat in ivec2 k;
layout(location = 0) out vec4 c;
layout(set = 0, binding = 3) uniform sampler2D t;
layout(set = 1, binding = 4) uniform sampler2DArray a;
layout(set = 1, binding = 1) uniform U { vec4 u[4]; };

void
main()
{
    if (gl_FragCoord.x < u[1].x)
        discard;
    c = texture(t, v.zw) + textureLod(a, v.xyz, v.w) + texelFetch(t, k, 1);
}
// ALL: // const_address c4.x: set 1, binding 1, element 0
// ALL-NEXT: // texture 0: set 0, binding 3, element 0
// ALL-NEXT: // sampler 0: set 0, binding 3, element 0
// ALL-NEXT: // texture 1: set 1, binding 4, element 0
// ALL-NEXT: // sampler 1: set 1, binding 4, element 0

// The weights are in r0.x; (ei) waits for what ldlv reads, which has none of its own.
// LOADS: // varying location 1, components 0x3, place 4
// LOADS: ldlv.u32 r{{[0-9]+}}.{{[xyzw]}}, l[4], 1
// LOADS: ldlv.u32 r{{[0-9]+}}.{{[xyzw]}}, l[5], 1
// LOADS: (ss)bary.f (ei)r{{[0-9]+}}.{{[xyzw]}}, {{[0-3]}}, r0.x
// Layers are rounded to the nearest by the half that is added.
// LOADS: add.f

// A texel of level 1 counts in texels of level 0.
// A3: // flat_varying location 1, components 0x3, place 4
// A3: bary.f {{.*}}, 4, r0.x
// A3: bary.f (ei)r{{[0-9]+}}.{{[xyzw]}}, 5, r0.x
// A3: (rpt1)shl.b r{{[0-9.xyzw]+}}, (r)r{{[0-9.xyzw]+}}, 1

// ALL-DAG: saml.a (f32)(xyzw)r{{[0-9.xyzw]+}}, r{{[0-9.xyzw]+}}, r{{[0-9.xyzw]+}}, s#1, t#1
// ALL-DAG: sam (f32)(xyzw)r{{[0-9.xyzw]+}}, r{{[0-9.xyzw]+}}, s#0, t#0
// ALL: kill p0.x
// ALL: end
