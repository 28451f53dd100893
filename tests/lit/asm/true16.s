// Halves of 16-bit registers as LLVM 22 writes them; the words are its words. Where LLVM 19 reads op_sel, that is printed.
// RUN: %heddle asm -t gfx1100 --wave-size 64 --emit bin %s -o %t.bin
// RUN: %heddle disasm -t gfx1100 --wave-size 64 %t.bin | %FileCheck %s

v_add_f16_e64 v0.h, v1.h, v2.l
// CHECK: v_add_f16_e64 v0.h, v1.h, v2.l op_sel:[1,0,1] {{.*}} D5324800 00020501{{$}}
v_cmp_lt_f16_e64 s[0:1], v1.h, v2.l op_sel:[1,0,0]
// CHECK-NEXT: v_cmp_lt_f16_e64 s[0:1], v1.h, v2.l op_sel:[1,0,0] {{.*}} D4010800 00020501{{$}}
v_cmpx_lt_f16_e64 v1.l, v2.h op_sel:[0,1]
// CHECK-NEXT: v_cmpx_lt_f16_e64 v1.l, v2.h op_sel:[0,1] {{.*}} D481107E 00020501{{$}}
v_and_b16 v0.l, v1.h, s3
// CHECK-NEXT: v_and_b16 v0.l, v1.h, s3 op_sel:[1,0,0] {{.*}} D7620800 00000701{{$}}
v_cndmask_b16 v0.h, v1.h, v2.l, vcc
// CHECK-NEXT: v_cndmask_b16 v0.h, v1.h, v2.l, vcc // {{.*}} D65D4800 01AA0501{{$}}
v_fma_f16 v0.h, v1.l, v2.h, v3.l
// CHECK-NEXT: v_fma_f16 v0, v1, v2, v3 op_sel:[0,1,0,1] {{.*}} D6485000 040E0501{{$}}
v_fmac_f16_e64 v0.h, v1.h, v2.l
// CHECK-NEXT: v_fmac_f16_e64 v0, v1, v2 op_sel:[1,0,0,1] {{.*}} D5364800 00020501{{$}}
v_cmp_class_f16_e32 vcc, v1.h, v2.h
// CHECK-NEXT: v_cmp_class_f16_e32 vcc, v1.h, v2.h {{.*}} 7CFB0581{{$}}
v_interp_p10_f16_f32 v0, v1.h, v2, v3.l wait_exp:0
// CHECK-NEXT: v_interp_p10_f16_f32 v0, v1, v2, v3 op_sel:[1,0,0,0] wait_exp:0 {{.*}} CD020800 040E0501{{$}}
v_alignbit_b32 v0, v1, v2, v3.l
// CHECK-NEXT: v_alignbit_b32 v0, v1, v2, v3 {{.*}} D6160000 040E0501{{$}}
v_dot2_f32_bf16_e64_dpp v226, v40, v2, v0 op_sel_hi:[0,0,1] dpp8:[6,5,1,0,0,5,3,3] fi:1
// CHECK-NEXT: v_dot2_f32_bf16_e64_dpp v226, v40, v2, v0 op_sel_hi:[0,0,1] dpp8:[6,5,1,0,0,5,3,3] fi:1 {{.*}} CC1A40E2 040204EA 6E806E28{{$}}
ds_swizzle_b32 v0, v0 offset:swizzle(FFT,28)
// CHECK-NEXT: ds_swizzle_b32 v0, v0 offset:57372 {{.*}} D8D4E01C 00000000{{$}}
ds_swizzle_b32 v0, v0 offset:swizzle(ROTATE,1,3)
// CHECK-NEXT: ds_swizzle_b32 v0, v0 offset:50272 {{.*}} D8D4C460 00000000{{$}}
