# RUN: %heddle asm -t gfx900 %s -o %t.o
# RUN: %heddle disasm -t gfx900 %t.o | %FileCheck %s
# RUN: %heddle asm -t gfx1030 %s -o %t.10.o
# RUN: %heddle disasm -t gfx1030 %t.10.o | %FileCheck %s
# RUN: not %heddle asm -t gfx700 %s -o %t.7.o 2>&1 | %FileCheck --check-prefix=GFX7 %s

# Comparisons have DPP from gfx8 on, in the encoding of 32 bits that writes vcc.
.text
# CHECK: v_cmp_lt_f32_dpp vcc, -v1, |v2| row_shr:1 row_mask:0xf bank_mask:0xf
v_cmp_lt_f32_dpp vcc, -v1, |v2| row_shr:1 row_mask:0xf bank_mask:0xf
# CHECK: v_cmp_eq_u16_dpp vcc, v1, v2 quad_perm:[1,0,3,2] row_mask:0xa bank_mask:0xf
v_cmp_eq_u16_dpp vcc, v1, v2 quad_perm:[1,0,3,2] row_mask:0xa bank_mask:0xf
# GFX7: error: unknown instruction 'v_cmp_lt_f32_dpp'
