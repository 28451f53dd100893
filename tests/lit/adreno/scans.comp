// REQUIRES: frontend
// RUN: %heddle compile -t a660 --wave-size 64 --emit asm %s | %FileCheck %s --check-prefix=EIGHTS
// RUN: %heddle compile -t a650 --wave-size 64 --emit asm %s | %FileCheck %s --check-prefix=TURNS
// RUN: %heddle compile -t a750 --wave-size 64 --emit spill %s -o %t.mir
// RUN: %heddle compile -t a750 --wave-size 64 %s -o %t.elf
// RUN: %heddle compile -t a750 %t.mir -o %t.2.elf
// RUN: cmp %t.elf %t.2.elf

// Where brcst.active and getlast are, values are combined in eights, and then eight after eight; else the fibres take turns. The value of the first
// fibre is what is moved to a shared register.
// EIGHTS-LABEL: main:
// EIGHTS: brcst.active.w2 (u32)(x)r
// EIGHTS: brcst.active.w4 (u32)(x)r
// EIGHTS: brcst.active.w8 (u32)(x)r
// EIGHTS: [[LOOP:L[0-9a-f]+]]:
// EIGHTS: getlast.w8 #[[DONE:L[0-9a-f]+]]
// EIGHTS: mov.u32u32 r55.y, r
// EIGHTS-NEXT: getone #[[LOOP]]
// EIGHTS: [[DONE]]:
// a cluster of four: its last fibre has the sum
// EIGHTS: getlast.w8
// EIGHTS-NOT: getone
// EIGHTS: mov.u32u32 r55.x, r
// EIGHTS-NOT: getone
// EIGHTS: end
// TURNS-LABEL: main:
// TURNS-NOT: brcst
// TURNS: getone
// TURNS: getone
// TURNS-NOT: getone
// TURNS: mov.u32u32 r55.x, r
// TURNS-NOT: getone
// TURNS: end
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_clustered : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint a[]; };

void main()
{
    uint x = a[gl_LocalInvocationIndex];
    uint sum = subgroupExclusiveAdd(x);
    uint four = subgroupClusteredMax(sum, 4);
    a[gl_LocalInvocationIndex] = subgroupBroadcastFirst(four) + four;
}
