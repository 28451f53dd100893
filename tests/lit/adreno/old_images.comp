// Storage images before a6xx: coordinates and an address, of pitches in constants; a420 has no ldib, and fetches what nothing writes as a texture.
// REQUIRES: frontend
// RUN: %heddle compile -t a530 --emit asm %s | %FileCheck %s --check-prefixes=ALL,A5
// RUN: %heddle compile -t a420 --emit asm %s | %FileCheck %s --check-prefixes=ALL,A4
// RUN: %heddle compile -t a530 --emit select_program %s -o %t.mir && %heddle compile -t a530 --emit asm %s -o %t.asm
// RUN: %heddle compile -t a530 --emit asm %t.mir -o %t.again && cmp %t.asm %t.again
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer B { uint b[]; };
layout(set = 0, binding = 1, rgba8) readonly uniform image2D a;
layout(set = 0, binding = 2, r32f) uniform image2D f;
layout(set = 0, binding = 3, r32ui) uniform uimage2D u;
layout(set = 0, binding = 4, rg16f) writeonly uniform image2DArray w;

void
main()
{
    ivec2 p = ivec2(gl_LocalInvocationID.xy);
    vec4 x = imageLoad(a, p) + imageLoad(f, p);
    b[p.x] = imageAtomicAdd(u, p, 3u) + uint(imageSize(w).z);
    imageStore(w, ivec3(p, 1), x);
}
// ALL-DAG: // buffer {{[0-4]}}: set 0, binding 0, element 0
// ALL-DAG: // image {{[0-4]}}: set 0, binding 2, element 0
// ALL-DAG: // image {{[0-4]}}: set 0, binding 3, element 0
// ALL-DAG: // image {{[0-4]}}: set 0, binding 4, element 0
// ALL-DAG: // texture {{[01]}}: set 0, binding 4, element 0
// A5-DAG: // const_pitches c{{[0-9]+.[xyzw]}}: set 0, binding 3, element 0
// A4-DAG: // texture {{[01]}}: set 0, binding 1, element 0
// ALL: main:
// ALL: mul.s24
// ALL: mad.s24
// A5-DAG: ldib.typed.2d.f32.4 r{{[0-9.xyzw]+}}, g[{{[0-4]}}], r{{[0-9.xyzw]+}}, r{{[0-9.xyzw]+}}
// A5-DAG: ldib.typed.2d.f32.1
// A5-DAG: atomic.s.add.typed.2d.u32.1.g
// A4-DAG: isam.1d (f32)(xy)r{{[0-9.xyzw]+}}, r{{[0-9.xyzw]+}}, s#0, t#{{[01]}}
// A4-DAG: ldgb.typed.2d.f32.1
// A4-DAG: atomic.s.add.untyped.2d.u32.1.g
// ALL-DAG: getsize.a (s32)({{x?y?}}w)
// ALL-DAG: stib.typed.3d.f32.2 g[
// ALL: end
