// Before a6xx buffers have numbers, and uniform buffers addresses in the constant file.
// REQUIRES: frontend
// RUN: %heddle compile -t a530 --emit asm %s | %FileCheck %s --check-prefix=A5
// RUN: %heddle compile -t a420 --emit asm %s | %FileCheck %s --check-prefix=A4
// RUN: %heddle compile -t a530 --emit select_program %s -o %t.mir && %heddle compile -t a530 --emit asm %s -o %t.asm
// RUN: %heddle compile -t a530 --emit asm %t.mir -o %t.again && cmp %t.asm %t.again
// RUN: %heddle compile -t a530 %s -o %t.o && %heddle disasm --object %t.o -o %t.s && %heddle asm --emit obj %t.s -o %t.2.o && cmp %t.o %t.2.o
// RUN: %heddle disasm %t.o | %FileCheck %s --check-prefix=NOTES
// RUN: not %heddle compile -t a330 %s -o %t 2>&1 | %FileCheck %s --check-prefix=A3
#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer A { uint a[]; };
layout(std430, binding = 1) readonly buffer B { uvec4 b[]; };
layout(std140, binding = 2) uniform U { uvec4 u[8]; };

void
main()
{
    uint i = gl_LocalInvocationIndex;
    uvec4 x = b[i] + u[3];
    a[i + gl_WorkGroupID.x] = x.x + x.y + x.z + x.w + a.length();
    atomicAdd(a[i + 1], 3);
    atomicCompSwap(a[i + 2], 4, 5);
}
// A5: ldgb.untyped.4d.u32.4 r{{[0-9]+}}.{{[xyzw]}}, g[{{[01]}}]
// A5: ldg.u32 r{{[0-9.xyzw]+}}, g[r{{[0-9]+}}.{{[xyzw]}}+48], 4
// A5: stgb.untyped.4d.u32.1 g[
// A5: atomic.s.add.untyped.4d.u32.1.g
// A5: atomic.s.cmpxchg.untyped.4d.u32.1.g

// The addresses of a4xx have 32 bits, and the buffer's is in c448.x or behind it.
// A4: add.u r{{[0-9.xyzw]+}}, {{.*}}c44{{[89]}}.x
// A4: ldgb.untyped.4d.u32.4
// A4: stgb.untyped.4d.u32.1
// A3: unsupported: a330 code for compute shaders
// NOTES-DAG: // buffer {{[01]}}: set 0, binding 0, element 0
// NOTES-DAG: // buffer {{[01]}}: set 0, binding 1, element 0
// NOTES-DAG: // const_address c4.{{[xyzw]}}: set 0, binding 2, element 0
// NOTES-DAG: // const_size c4.{{[xyzw]}}: set 0, binding 0, element 0
