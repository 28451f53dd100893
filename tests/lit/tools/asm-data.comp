// REQUIRES: frontend
// Constant data is at a fixed distance from the code: the text contains the padding between them, and the object made from
// it distinguishes code from data.
// RUN: %heddle compile %s -o %t.elf
// RUN: %heddle compile --emit bin %s -o %t.bin
// RUN: %heddle compile --emit asm %s -o %t.s
// RUN: %heddle asm -t gfx1030 %t.s -o %t.2.bin
// RUN: cmp %t.bin %t.2.bin
// RUN: %llvm/llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx1030 -mattr=+wavefrontsize64,-wavefrontsize32 -filetype=obj %t.s -o %t.o
// RUN: %llvm/llvm-objcopy -O binary --only-section=.text %t.o %t.3.bin
// RUN: cmp %t.bin %t.3.bin
// RUN: %heddle disasm %t.elf > %t.4.s
// RUN: %heddle asm -t gfx1030 --emit obj --like %t.elf %t.4.s -o %t.5.elf
// RUN: %heddle disasm %t.5.elf | diff - %t.4.s
// Where no padding is between them (before gfx10), code ends where nothing goes on to.
// RUN: %heddle compile -t gfx900 %s -o %t.6.elf
// RUN: %heddle disasm %t.6.elf > %t.6.s
// RUN: %heddle asm -t gfx900 --emit obj --like %t.6.elf %t.6.s -o %t.7.elf
// RUN: cmp %t.6.elf %t.7.elf
// RUN: %FileCheck %s < %t.s
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint r[]; };
const uint table[8] = uint[](9, 80000, 70, 60000, 50, 40000, 30, 20000);
void main()
{
    r[gl_LocalInvocationIndex] = table[r[gl_LocalInvocationIndex] & 7u];
}
// CHECK: s_getpc_b64
// CHECK: s_endpgm
// CHECK-NEXT: .rept {{[0-9]+}}
// CHECK-NEXT: s_code_end
// CHECK-NEXT: .endr
// CHECK-NEXT: main.data:
// CHECK-NEXT: .long 0x00000009
