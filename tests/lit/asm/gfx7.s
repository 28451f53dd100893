// Syntax of gfx6 and gfx7 only; the words are llvm-mc's.
// RUN: %heddle asm -t gfx700 --emit bin %s -o %t.bin
// RUN: %heddle disasm -t gfx700 %t.bin | %FileCheck %s

s_load_dword s1, s[2:3], 0xff
// CHECK: s_load_dword s1, s[2:3], 0xff {{.*}} C00083FF{{$}}
s_load_dword s1, s[2:3], 0x100
// CHECK-NEXT: s_load_dword s1, s[2:3], 0x100 {{.*}} C00082FF 00000100{{$}}
s_load_dword s1, s[2:3], s4
// CHECK-NEXT: s_load_dword s1, s[2:3], s4 {{.*}} C0008204{{$}}
v_readlane_b32 s1, v2, 3
// CHECK-NEXT: v_readlane_b32 s1, v2, 3 {{.*}} 02030702{{$}}
v_writelane_b32 v1, 1.0, s2
// CHECK-NEXT: v_writelane_b32 v1, 1.0, s2 {{.*}} 040204F2{{$}}
v_lshl_b64 v[0:1], v[2:3], v4
// CHECK-NEXT: v_lshl_b64 v[0:1], v[2:3], v4 {{.*}} D2C20000 00020902{{$}}
v_cvt_f32_i32_e64 v1, v2 clamp
// CHECK-NEXT: v_cvt_f32_i32_e64 v1, v2 clamp {{.*}} D30A0801 00000102{{$}}
buffer_load_dword v1, v[2:3], s[4:7], 0 addr64 offset:4
// CHECK-NEXT: buffer_load_dword v1, v[2:3], s[4:7], 0 addr64 offset:4 {{.*}} E0308004 80010102{{$}}
image_atomic_rsub v4, v2, s[4:11] dmask:0x1 unorm
// CHECK-NEXT: image_atomic_rsub v4, v2, s[4:11] dmask:0x1 unorm {{.*}} F04C1100 00010402{{$}}
