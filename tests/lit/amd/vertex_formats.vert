// REQUIRES: frontend
// RUN: %heddle compile -t gfx803 --pipeline %S/Inputs/vertex_formats.json --emit asm %s | %FileCheck --check-prefixes=CHECK,GFX8 %s
// RUN: %heddle compile -t gfx1030 --pipeline %S/Inputs/vertex_formats.json --emit asm %s | %FileCheck --check-prefixes=CHECK,GFX10 %s
// RUN: %heddle compile -t gfx1100 --pipeline %S/Inputs/vertex_formats.json --emit asm %s | %FileCheck --check-prefix=GFX11 %s
// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck --check-prefix=RAW %s

// Attributes are fetched by the pipeline's formats. Three channels of 16 bits have no format: two and one are loaded, or each alone where
// typed loads need alignment. The format's order of channels is the components'. gfx8 gives two bits of alpha without a sign. A third of the
// instance's number is the element of binding 1. Nothing is drawn as points, so their size is not exported.
// GFX8-DAG: tbuffer_load_format_xy {{.*}}BUF_DATA_FORMAT_16_16,BUF_NUM_FORMAT_FLOAT] idxen{{$}}
// GFX8-DAG: tbuffer_load_format_x {{.*}}BUF_DATA_FORMAT_16,BUF_NUM_FORMAT_FLOAT] idxen offset:4
// GFX8-DAG: tbuffer_load_format_xyzw {{.*}}BUF_DATA_FORMAT_2_10_10_10,BUF_NUM_FORMAT_SNORM] idxen offset:4
// GFX8-DAG: v_mul_f32_e32 v{{[0-9]+}}, 0x40400000,
// GFX8-DAG: v_max_f32_e32 v{{[0-9]+}}, -1.0,
// GFX10-DAG: v_mul_hi_u32 v{{[0-9]+}}, v3, 0xaaaaaaab
// GFX10-DAG: tbuffer_load_format_x {{.*}}BUF_FMT_16_FLOAT] idxen{{$}}
// GFX10-DAG: tbuffer_load_format_x {{.*}}BUF_FMT_16_FLOAT] idxen offset:2
// GFX10-DAG: tbuffer_load_format_x {{.*}}BUF_FMT_16_FLOAT] idxen offset:4
// GFX10-DAG: tbuffer_load_format_xyzw v[[[A:[0-9]+]]:[[D:[0-9]+]]], {{.*}}BUF_FMT_8_8_8_8_UNORM] idxen offset:4
// GFX10-NOT: v_max_f32
// CHECK: exp pos0 v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}} done
// CHECK-NOT: exp pos1
// CHECK: exp param0
// GFX11: buffer_store_b128 {{.*}} idxen glc
// GFX11: s_waitcnt_vscnt null, 0x0
// GFX11: exp pos0 {{.*}} done

// Without a pipeline the numbers are the shader's own, and points may be drawn.
// RAW-DAG: buffer_load_dwordx3 {{.*}} idxen{{$}}
// RAW-DAG: buffer_load_dwordx4 {{.*}} idxen{{$}}
// RAW: exp pos1 v{{[0-9]+}}, off, off, off done
#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 color;
layout(location = 2) in vec4 other;
layout(location = 0) out vec4 o;

void main()
{
    gl_Position = vec4(position, 1.0);
    gl_PointSize = 3.0;
    o = color + other;
}
