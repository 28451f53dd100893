#version 460
// REQUIRES: frontend
// RUN: %heddle compile -t gfx1030 --abi hsa --emit asm %s | %FileCheck %s --check-prefixes=CHECK,NEW
// RUN: %heddle compile -t gfx700 --abi hsa --emit asm %s | %FileCheck %s --check-prefixes=CHECK,OLD
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) readonly restrict buffer words { uint at[]; };
layout(buffer_reference, std430, buffer_reference_align = 1) readonly restrict buffer bytes { uint8_t at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) restrict buffer numbers { int at[]; };
layout(push_constant) uniform arguments { words a; bytes b; numbers c; };

void
main()
{
    uint i = gl_LocalInvocationID.x;
    // A field of a shifted number is a field of the number; the highest bits are a shift. Products of numbers of 24 bits with signs.
    // CHECK-LABEL: main:
    // CHECK: v_bfe_i32 {{v[0-9]+}}, [[W:v[0-9]+]], 7, 10
    // CHECK-NEXT: v_ashrrev_i32_e32 {{v[0-9]+}}, 20, [[W]]
    // CHECK: v_mul_i32_i24_e32
    // NEW: global_load_ubyte [[BYTE:v[0-9]+]], v{{[0-9]+}}, s[
    // OLD: buffer_load_ubyte [[BYTE:v[0-9]+]], v{{.*}} addr64
    // The byte that a load gives has no other bits.
    // CHECK: {{global|buffer}}_store_dword {{.*}}[[BYTE]], {{.*}}offset:256
    uint w = a.at[i];
    int x = bitfieldExtract(int(w >> 5), 2, 10), y = bitfieldExtract(int(w >> 12), 8, 12);
    c.at[i] = x * y;
    // The index of bytes is added by the instruction, where it has a place for it; that of words may be too large.
    c.at[i + 64] = int(b.at[w]);
}
