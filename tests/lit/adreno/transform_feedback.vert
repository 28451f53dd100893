// REQUIRES: frontend
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t a660 --emit spill %s -o %t.mir
// RUN: %heddle compile -t a660 %s -o %t.elf
// RUN: %heddle compile -t a660 %t.mir -o %t.2.elf
// RUN: cmp %t.elf %t.2.elf
// RUN: not %heddle compile -t a530 %s -o %t.3.elf 2>&1 | %FileCheck %s --check-prefix=OLD

// What is captured are rows; one that is an output, too, has its registers. Strides are register words.
// CHECK: // captured 1, components 0xf, [[POSITION:r[0-9]+.[xyzw]]], place 1
// CHECK-NEXT: // output position 0, components 0xf, [[POSITION]]
// CHECK-NEXT: // captured 2, components 0xf, [[LOW:r[0-9]+.[xyzw]]]{{$}}
// CHECK-NEXT: // output location 0, components 0xf, [[LOW]]
// CHECK-NEXT: // captured 2, components 0x3, [[HIGH:r[0-9]+.[xyzw]]], place 4
// CHECK-NEXT: // output location 1, components 0x3, [[HIGH]]
// CHECK: // VPC_SO_BUFFER_STRIDE_1 0x00000005
// CHECK-NEXT: // VPC_SO_BUFFER_STRIDE_2 0x00000006
// OLD: unsupported: a530 code for what transform feedback stores
#version 450
layout(location = 0) in vec4 a;
layout(location = 0, xfb_buffer = 2, xfb_stride = 24, xfb_offset = 0) out dvec3 d;
layout(xfb_buffer = 1, xfb_stride = 20) out gl_PerVertex {
    layout(xfb_offset = 4) vec4 gl_Position;
};

void main()
{
    gl_Position = a;
    d = dvec3(a.xyz);
}
