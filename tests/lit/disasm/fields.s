// The bit fields of instructions, from the layouts; a branch into the middle of an instruction has no label.
// RUN: %heddle asm -t gfx1030 %s -o %t.bin
// RUN: %heddle disasm -t gfx1030 --fields %t.bin | %FileCheck %s
v_add_f32 v1, s2, v3
// CHECK: v_add_f32_e32 v1, s2, v3
// CHECK-NEXT: // VOP2: ENC=0 OP=3 VDST=1 {{V?}}SRC1=3 SRC0=2
s_mov_b32 s1, 0x12345678
// CHECK: s_mov_b32 s1, 0x12345678
// CHECK-NEXT: // SOP1: ENC=381 SDST=1 OP=3 SSRC0=255, LITERAL=0x12345678
v_mov_b32_dpp v0, v1 row_shl:1 row_mask:0x3 bank_mask:0xf
// CHECK: // VOP1: ENC=63 VDST=0 OP=1 SRC0=250, DPP16: ROW_MASK=3 BANK_MASK=15 {{.*}} DPP_CTRL=257 XSRC0=1
s_branch 1
// CHECK: {{s_branch 1 }}
s_mov_b32 s2, 0x11223344
.long 0xffffffff
// CHECK: .long 0xffffffff
