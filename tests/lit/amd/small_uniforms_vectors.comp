// REQUIRES: frontend
// RUN: %heddle compile -t gfx803 --emit asm %s | %FileCheck --check-prefixes=ALL,OLD %s
// RUN: %heddle compile -t gfx900 --emit asm %s | %FileCheck --check-prefixes=ALL,OLD %s
// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck --check-prefixes=ALL,OLD %s
// RUN: %heddle compile -t gfx1100 --emit asm %s | %FileCheck --check-prefixes=ALL,GFX11 %s
// RUN: %heddle compile -t gfx1201 --emit asm %s | %FileCheck --check-prefixes=ALL,GFX12 %s

// Uniform vectors of 8 and 16 bits are loaded as scalar dwords. A number that is alone comes with its dword from a uniform buffer, which ends with a
// dword; where its place is not known, the dword is shifted. A storage buffer may end within a dword: only gfx12 has scalar loads of a part.
// ALL: main:
// OLD: buffer_load_ushort v{{[0-9]+}}, off
// GFX11: buffer_load_d16_b16 v{{[0-9]+}}, off
// ALL-NOT: {{buffer_load_(short|ushort|ubyte|dword|b32|b64|d16|u8|u16)[a-z_0-9]* v[^,]+, off}}
// GFX12: s_buffer_load_u16
// ALL: s_endpgm
#version 450
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer O { f16vec4 o[]; };
layout(binding = 1) readonly buffer A { f16vec4 a[]; };
layout(binding = 2) readonly buffer B { float16_t b[]; };
layout(scalar, binding = 3) uniform U { f16vec3 u; u8vec4 x; float16_t v; float16_t w[64]; };
layout(push_constant) uniform P { int k; f16vec2 p; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    f16vec4 r = o[i] * a[k] + f16vec4(u, v) + f16vec4(p, p) * b[k] + w[k];
    o[i] = r + f16vec4(x);
}
