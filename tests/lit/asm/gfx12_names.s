// Names and operations of LLVM 20 and later on gfx12; the words are LLVM 22's.
// RUN: %heddle asm -t gfx1200 --wave-size 32 --emit bin %s -o %t.bin
// RUN: %heddle disasm -t gfx1200 --wave-size 32 %t.bin | %FileCheck %s

s_getreg_b32 s0, hwreg(HW_REG_WAVE_MODE)
// CHECK: s_getreg_b32 s0, hwreg(HW_REG_MODE) {{.*}} B880F801{{$}}
s_getreg_b32 s0, hwreg(HW_REG_WAVE_HW_ID1)
// CHECK-NEXT: s_getreg_b32 s0, hwreg(HW_REG_HW_ID1) {{.*}} B880F817{{$}}
global_store_b32 v[0:1], v0, off th:TH_STORE_WB scope:SCOPE_DEV
// CHECK-NEXT: global_store_b32 v[0:1], v0, off th:TH_STORE_RT_WB scope:SCOPE_DEV {{.*}} EE06807C 00380000 00000000{{$}}
v_cvt_pk_f32_fp8 v[10:11], v103.l
// CHECK-NEXT: v_cvt_pk_f32_fp8_e32 v[10:11], v103 {{.*}} 7E14DD67{{$}}
v_cvt_pk_f32_fp8 v[0:1], v96.h
// CHECK-NEXT: v_cvt_pk_f32_fp8_e32 v[0:1], v96.h {{.*}} 7E00DDE0{{$}}
v_cvt_pk_bf8_f32 v24.h, |v103|, v130 op_sel:[0,0,1]
// CHECK-NEXT: v_cvt_pk_bf8_f32 v24, |v103|, v130 op_sel:[0,0,1] {{.*}} D76A4118 00030567{{$}}
v_dual_dot2acc_f32_f16 v1, s60, v217 :: v_dual_lshlrev_b32 v136, s9, v63
// CHECK-NEXT: v_dual_dot2acc_f32_f16 v1, s60, v217 :: v_dual_lshlrev_b32 v136, s9, v63 {{.*}} CB23B23C 01887E09{{$}}
v_dual_dot2acc_f32_bf16 v192, -3, v93 :: v_dual_mul_f32 v53, v211, v124
// CHECK-NEXT: v_dual_dot2acc_f32_bf16 v192, -3, v93 :: v_dual_mul_f32 v53, v211, v124
