// A code object: its notes, its code, and the object that the assembler makes of other code with the same notes. Register words have what follows from
// the shader: registers, stack, inputs and outputs.
// REQUIRES: frontend
// RUN: %heddle compile -t cypress %s -o %t.o
// RUN: %heddle disasm %t.o | %FileCheck %s
// RUN: %heddle disasm %t.o -o %t.s && %heddle asm -t cypress --emit obj --like %t.o %t.s -o %t.2.o && cmp %t.o %t.2.o
// RUN: sed 's/, R0\.x/, R77.x/' %t.s > %t.more.s && %heddle asm -t cypress --emit obj --like %t.o %t.more.s -o %t.3.o
// RUN: %heddle disasm %t.3.o | %FileCheck %s --check-prefix=MORE
// RUN: %heddle stats %t.o | %FileCheck %s --check-prefix=STATS
// RUN: %heddle compile -t rv770 %S/Inputs/spill.frag -o %t.frag.o && %heddle disasm %t.frag.o | %FileCheck %s --check-prefix=FRAGMENT
// RUN: env HEDDLE_DEBUG=spillall %heddle compile -t cayman %S/Inputs/spill.frag -o %t.spill.o && %heddle disasm %t.spill.o | %FileCheck %s --check-prefix=SPILL
// RUN: %heddle compile -t cypress %S/Inputs/object.vert -o %t.vert.o && %heddle disasm %t.vert.o | %FileCheck %s --check-prefix=VERTEX
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 1) buffer A { uint a[]; };
layout(set = 0, binding = 2) uniform U { uint k[64]; };
layout(set = 1, binding = 2) uniform sampler2D t;
shared uint s[32];
void main()
{
    s[gl_LocalInvocationIndex] = k[gl_WorkGroupID.x & 63u];
    barrier();
    if (s[gl_LocalInvocationID.x] > 3)
        a[gl_GlobalInvocationID.x] = uint(textureLod(t, vec2(0.5), 0.0).x) + s[7];
}
// CHECK: // main: target cypress, wave64, {{[0-9]+}} registers, stack of 1, 128 bytes of LDS, 0 bytes private, 0 elements spilled
// CHECK-NEXT: // workgroup 8 4 1
// CHECK-DAG: // set 0, binding 1, element 0: buffer 0
// CHECK-DAG: // set 0, binding 2, element 0: uniform 1
// CHECK-DAG: // set 1, binding 2, element 0: texture 0
// CHECK-DAG: // set 1, binding 2, element 0: sampler 0
// CHECK: // SQ_PGM_RESOURCES_LS 0x00200{{.*}}
// CHECK-NEXT: main:
// MORE: // main: target cypress, wave64, 78 registers, stack of 1
// MORE: // SQ_PGM_RESOURCES_LS 0x0020014e
// STATS: alu_groups
// FRAGMENT: // varying location 8, components 0x1, R{{[0-9]+}}.x, parameter
// FRAGMENT: // color 0, components 0xf
// FRAGMENT: // SQ_PGM_RESOURCES_PS 0x00200{{.*}}
// FRAGMENT-NEXT: // SPI_PS_IN_CONTROL_0 0x10000009
// FRAGMENT-NEXT: // SPI_PS_IN_CONTROL_1 0x00000000
// FRAGMENT-NEXT: // DB_SHADER_CONTROL 0x00000000
// FRAGMENT-NEXT: // CB_SHADER_MASK 0x0000000f
// SPILL: {{[1-9][0-9]*}} bytes private, {{[1-9][0-9]*}} elements spilled
// VERTEX: // output clip_distance 0, components 0x7
// VERTEX: // output layer 0
// VERTEX: // SQ_PGM_RESOURCES_VS 0x00200{{.*}}
// VERTEX-NEXT: // SPI_VS_OUT_CONFIG 0x0000000{{.}}
// VERTEX-NEXT: // PA_CL_VS_OUT_CNTL 0x00640007
