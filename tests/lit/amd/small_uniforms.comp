// REQUIRES: frontend
// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck --check-prefix=OLD %s
// RUN: %heddle compile -t gfx1201 --emit asm %s | %FileCheck --check-prefix=NEW %s
// RUN: %heddle compile -t gfx1201 --abi hsa --emit asm %s | %FileCheck --check-prefix=NEW %s
// RUN: %heddle compile -t gfx1201 --abi hsa --emit asm %s | %FileCheck --check-prefix=HSA %s

// Push constants of 8 and 16 bits are parts of dwords, which are arguments or loaded as scalars. gfx12 loads other small uniform numbers as scalars, too.
// OLD: push_constants_inline
// OLD-NOT: global_load
// OLD-DAG: s_bfe_u32 s{{[0-9]+}}, s{{[0-9]+}}, 0x80010
// OLD-DAG: s_sext_i32_i8
// OLD: buffer_load_ushort
// NEW-NOT: {{buffer|global}}_load_u{{8|16}} v
// HSA: s_load_b64
// NEW-DAG: s_bfe_u32 s{{[0-9]+}}, s{{[0-9]+}}, 0x80010
// NEW-DAG: s_buffer_load_u16
// NEW-DAG: s_buffer_load_u8
// NEW: s_endpgm
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 1) in;
layout(push_constant) uniform P { uint a; uint16_t x; uint8_t y; int8_t z; f16vec3 v; uint16_t w; } p;
layout(binding = 0) readonly buffer C { uint16_t c[]; };
layout(binding = 1) buffer B { int b[]; };
layout(binding = 2) uniform U { uint8_t u; uint16_t uw; };

void main()
{
    b[0] = int(p.x) + int(p.y) + int(p.z) + int(p.w);
    b[1] = int(p.v.x + p.v.y + p.v.z);
    b[2] = int(c[gl_WorkGroupID.x + 3]) + int(u) + int(uw);
}
