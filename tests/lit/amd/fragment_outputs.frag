#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t gfx803 --emit asm %s | %FileCheck --check-prefixes=CHECK,HALVES %s
// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck --check-prefixes=CHECK,HALVES %s
// RUN: %heddle compile -t gfx1100 --emit asm %s | %FileCheck --check-prefixes=CHECK,GFX11 %s
// RUN: %heddle compile -t gfx900 --emit asm %s | %FileCheck --check-prefix=PACK %s
// RUN: echo '{"colors": [{"format": "r32g32_sfloat"}, {"format": "r16g16b16a16_unorm"}, {}, {"format": "r16_uint"}]}' > %t
// RUN: %heddle compile -t gfx1030 --pipeline %t --emit asm %s | %FileCheck --check-prefix=FORMATS %s

// By default attachments have 8 bits a channel: floats are exported as halves, integers are clamped to 8 bits and packed. Depth and the mask of samples come
// first, the last colour is done. A colour without an attachment is dropped, and its export format does not stay empty before others.
// CHECK: DB_SHADER_CONTROL = {{.*}}Z_EXPORT_ENABLE 1, {{.*}}MASK_EXPORT_ENABLE 1
// CHECK: SPI_SHADER_COL_FORMAT = 0x7844
// CHECK: SPI_SHADER_Z_FORMAT = 0x9
// PACK-DAG: v_cvt_pk{{_?}}rtz_f16_f32
// PACK-DAG: 0xff
// PACK-DAG: v_min_u32
// PACK-DAG: v_cvt_pk_u16_u32
// CHECK: exp mrtz v{{[0-9]+}}, off, v{{[0-9]+}}, off
// HALVES: exp mrt0 {{.*}} compr{{$}}
// HALVES: exp mrt3 {{.*}} done compr vm
// GFX11: exp mrt0 v{{[0-9]+}}, v{{[0-9]+}}, off, off{{$}}
// GFX11: exp mrt3 {{.*}} done
// FORMATS: CB_SHADER_MASK = 0xf0f3
// FORMATS: SPI_SHADER_COL_FORMAT = 0x7152
// FORMATS: exp mrt0 v{{[0-9]+}}, v{{[0-9]+}}, off, off
// FORMATS: exp mrt1 {{.*}} compr
// FORMATS-NOT: mrt2
// FORMATS: exp mrt3
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 o;
layout(location = 1) out vec4 p;
layout(location = 2) out ivec4 q;
layout(location = 3) out uvec4 r;

void main()
{
    o = a;
    p = a.wzyx;
    q = ivec4(a);
    r = uvec4(a);
    gl_FragDepth = a.x;
    gl_SampleMask[0] = int(a.y);
}
