#version 450
// RUN: %heddle compile -t rv770 --emit tree %s | %FileCheck %s
// RUN: %heddle compile -t rv670 --emit asm %s -o %t.s
// RUN: %heddle compile -t cypress --emit tree %s | %FileCheck %s --check-prefix=NEW
// Before Evergreen conversions of binary16 are made of integers: a normal number gets another bias, a small one is an integer times 2^-24.
layout(location = 0) flat in uint packed;
layout(location = 0) out vec4 color;

// CHECK-NOT: FLT16
// CHECK: [[REST:%[0-9]+]].{{.}} = AND_INT [[X:%[0-9]+]], 0x7fff
// CHECK: [[EXPONENT:%[0-9]+]].{{.}} = AND_INT [[X]], 0x7c00
// CHECK: [[UP:%[0-9]+]].{{.}} = LSHL_INT [[REST]], 0xd
// CHECK: [[NORMAL:%[0-9]+]].{{.}} = ADD_INT [[UP]], 0x38000000
// CHECK: OR_INT [[UP]], 0x7f800000
// CHECK: [[WHOLE:%[0-9]+]].{{.}} = UINT_TO_FLT [[REST]]
// CHECK: [[SMALL:%[0-9]+]].{{.}} = MUL_IEEE [[WHOLE]], 0x33800000
// CHECK: CNDE_INT [[EXPONENT]], [[SMALL]], [[NORMAL]]
// CHECK-NOT: FLT32
// CHECK: RNDNE
// CHECK: SETGE_INT {{.*}}, 0x47800000
// NEW: FLT16_TO_FLT32
// NEW: FLT32_TO_FLT16
void main()
{
    vec2 f = unpackHalf2x16(packed);
    color = vec4(f, uintBitsToFloat(packHalf2x16(f * 0.5)), 1);
}
