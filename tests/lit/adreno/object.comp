// A code object: its notes, its text, and the object that the assembler makes of that. The register words are those that turnip writes
// for shaders that have the same: registers, places at which fibres wait, local memory, sizes, resources.
// REQUIRES: frontend
// RUN: %heddle compile -t a660 %s -o %t.o
// RUN: %heddle disasm %t.o | %FileCheck %s
// RUN: %heddle disasm --object %t.o -o %t.s
// RUN: %FileCheck %s --check-prefix=TEXT < %t.s
// RUN: %heddle asm --emit obj %t.s -o %t.2.o
// RUN: cmp %t.o %t.2.o
// RUN: %heddle disasm %t.o -o %t.code.s
// RUN: %heddle asm -t a660 --emit obj --like %t.o %t.code.s -o %t.3.o
// RUN: cmp %t.o %t.3.o
// RUN: sed 's/^main:/main: mov.u32u32 r9.x, 7/' %t.s > %t.more.s
// RUN: %heddle asm --emit obj %t.more.s -o %t.more.o
// RUN: %heddle disasm %t.more.o | %FileCheck %s --check-prefix=MORE
// RUN: %heddle stats %t.o | %FileCheck %s --check-prefix=STATS
// RUN: %heddle compile -t a750 --wave-size 128 %s -o - --emit obj | %heddle disasm - | %FileCheck %s --check-prefix=A750
// RUN: not %heddle asm -t a660 --emit obj %t.code.s -o %t.4.o 2>&1 | %FileCheck %s --check-prefix=BAD
#version 450
layout(local_size_x = 8, local_size_y = 4) in;
layout(set = 0, binding = 1) buffer A { uint a[]; };
layout(set = 1, binding = 2) uniform sampler2D t[2];
layout(push_constant) uniform P { uint k; };
shared uint s[1500];

void main()
{
    s[gl_LocalInvocationIndex] = a[gl_GlobalInvocationID.x];
    barrier();
    if (s[gl_LocalInvocationID.x ^ 5] > 3) {
        for (uint i = 0; i < s[gl_LocalInvocationID.y]; i++)
            atomicAdd(a[i], i);
        a[7] = 1;
    }
    vec4 v = textureLod(t[1], vec2(gl_LocalInvocationID.xy), 0.0);
    a[gl_GlobalInvocationID.y] = k * 12345677u + gl_NumWorkGroups.x + uint(v.x);
}

// CHECK: // main: target a660, vulkan, wave64, {{[0-9]+}} registers, 8 constants, stack of 2, 6000 bytes local, 0 bytes private
// CHECK-NEXT: // workgroup 8 4 1
// CHECK-NEXT: // r0.x to r0.z local_id
// CHECK-NEXT: // r48.x to r48.z workgroup_id
// CHECK-NEXT: // c0.x to c0.z const_workgroup_count
// CHECK-NEXT: // c1.x to c1.z const_base_workgroup
// CHECK-NEXT: // c1.w const_wave_size
// CHECK-NEXT: // c4.x const_push_constants
// CHECK-NEXT: // c4.y to c{{.*}} const_numbers
// CHECK: // numbers {{.*}}0x00bc614d
// CHECK: // set 0, binding 1: storage_buffer at byte 0
// CHECK-NEXT: // set 1, binding 2: combined_image_sampler[2] at byte 0, one every 128
// CHECK: // SP_CS_CTRL_REG0 0x80008{{[0-9a-f]+}}
// CHECK-NEXT: // SP_CS_UNKNOWN_A9B1 0x00000005
// CHECK: // SP_CS_CONFIG 0x00000107
// CHECK: // HLSQ_CS_CNTL 0x00000102
// CHECK-NEXT: // HLSQ_CS_CNTL_0 0x00fcfcc0
// CHECK-NEXT: // HLSQ_CS_CNTL_1 0x000000fc
// CHECK-NEXT: // SP_CS_CNTL_0 0x00fcfcc0
// CHECK-NEXT: // SP_CS_CNTL_1 0x000000fc
// CHECK-NEXT: // HLSQ_CS_UNKNOWN_B9D0 0x00000005
// CHECK: main:
// CHECK: end
// TEXT: .adreno_target a660
// TEXT: .heddle:
// TEXT: .end_adreno_metadata
// A text that uses more registers says so in the words.
// MORE: // main: {{.*}} 10 registers
// MORE: // SP_CS_CTRL_REG0 0x80008500
// STATS: main a660 wave64
// STATS: instructions in
// The preamble is early: bit 23.
// A750: // SP_CS_CTRL_REG0 0x8090{{[0-9a-f]+}}
// A750: // HLSQ_CS_CNTL 0x00000102
// A750-NEXT: // HLSQ_CS_CNTL_1 0x14400afc
// A750-NEXT: // SP_CS_CNTL_0 0x00fcfcc0
// A750-NEXT: // SP_CS_CNTL_1 0x000081fc
// BAD: expected a line with .adreno_metadata
