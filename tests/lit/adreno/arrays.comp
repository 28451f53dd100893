// REQUIRES: frontend
// A small array that an index picks from is in registers; an index with a number needs one addition. One of more than 64 dwords, or of smaller
// numbers, stays in private memory. What stands between the phases is read back.
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t a420 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t a660 -DLENGTH=65 --emit asm %s | %FileCheck --check-prefix=MEMORY %s
// RUN: env HEDDLE_DEBUG=spillall %heddle compile -t a660 --emit asm %s | %FileCheck --check-prefix=SPILLS %s
// RUN: %heddle compile -t a660 %s -o %t.elf
// RUN: %heddle compile -t a660 --emit spill %s -o %t.mir
// RUN: %FileCheck --check-prefix=TEXT %s < %t.mir
// RUN: %heddle compile -t a660 %t.mir -o %t.2.elf
// RUN: cmp %t.elf %t.2.elf
// RUN: %heddle compile -t a660 --emit lower_pseudo %s -o %t.2.mir
// RUN: %heddle compile -t a660 %t.2.mir -o %t.3.elf
// RUN: cmp %t.elf %t.3.elf
#version 450
#ifndef LENGTH
#define LENGTH 20
#endif
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { int data[]; };
void main()
{
    int array[LENGTH];
    for (int k = 0; k < LENGTH; k++)
        array[k] = data[k];
    int at = data[gl_GlobalInvocationID.x] & 15;
    array[at] = 7;
    array[at + 1] += array[at + 3];
    int sum = 0;
    for (int k = 0; k < LENGTH; k++)
        sum = sum * 3 + array[k];
    data[gl_GlobalInvocationID.x] = sum;
}
// CHECK: 0 bytes private
// CHECK-NOT: {{stp|ldp}}
// CHECK: mova a0.x
// CHECK: mov.u32u32 r<a0.x + [[BASE:[0-9]+]]>,
// CHECK-NOT: {{stp|ldp}}
// CHECK: end
// MEMORY: stp
// MEMORY: ldp
// SPILLS: stp
// SPILLS: r<a0.x
// TEXT: array_words: 20
// TEXT: p_array_write
// TEXT: p_array_read
