// Syntax of gfx9 to gfx942 only; the words are llvm-mc's.
// RUN: %heddle asm -t gfx942 --emit bin %s -o %t.bin
// RUN: %heddle disasm -t gfx942 %t.bin | %FileCheck %s

s_load_dwordx2 s[0:1], s[0:1], s3
// CHECK: s_load_dwordx2 s[0:1], s[0:1], s3 {{ *}}// {{.*}} C0040000 00000003{{$}}
s_load_dwordx2 s[0:1], s[0:1], s3 offset:0x0
// CHECK-NEXT: s_load_dwordx2 s[0:1], s[0:1], s3 offset:0x0 {{.*}} C0064000 06000000{{$}}
s_load_dwordx2 s[0:1], s[0:1], s3 offset:0x8
// CHECK-NEXT: s_load_dwordx2 s[0:1], s[0:1], s3 offset:0x8 {{.*}} C0064000 06000008{{$}}
v_cvt_f32_fp8_sdwa v0, v0 src0_sel:BYTE_2
// CHECK-NEXT: v_cvt_f32_fp8_sdwa v0, v0 src0_sel:BYTE_2 {{.*}} 7E00A8F9 00020600{{$}}
v_cvt_pk_f32_bf8_sdwa v[0:1], v0 clamp src0_sel:WORD_1
// CHECK-NEXT: v_cvt_pk_f32_bf8_sdwa v[0:1], v0 clamp src0_sel:WORD_1 {{.*}} 7E00AEF9 00052600{{$}}
v_cvt_f32_fp8_sdwa v0, v0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
// CHECK-NEXT: v_cvt_f32_fp8_sdwa v0, v0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2
