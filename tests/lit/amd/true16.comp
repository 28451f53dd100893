// REQUIRES: frontend
// RUN: %heddle compile -t gfx1100 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t gfx1201 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t gfx1100 --emit bin %s -o %t.bin
// RUN: %heddle compile -t gfx1100 --emit asm %s | %heddle asm -t gfx1100 --emit bin - -o %t.again
// RUN: cmp %t.bin %t.again

// From gfx11 on 32-bit encodings read and write halves of v0 to v127.
// CHECK-NOT: v_perm
// CHECK: v_add_f16_e32 v[[B:[0-9]+]].h, 0x4200, v{{[0-9]+}}.l
// CHECK: buffer_store_b32 v[[B]]
// CHECK: v_cvt_f16_f32_e32 v[[C:[0-9]+]].h, v{{[0-9]+}}
// CHECK: buffer_store_b32 v[[C]]
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) buffer B { f16vec2 b[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    float16_t x = float16_t(a[i]), y = float16_t(a[i + 64]);
    b[i] = f16vec2(sqrt(x) * y, exp2(y) + float16_t(3.0));
    b[i + 64] = f16vec2(a[i] * 2.0, a[i + 5]);
}
