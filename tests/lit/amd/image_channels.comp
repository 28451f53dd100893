// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck --check-prefix=TEXEL %s
// RUN: %heddle compile -t gfx1201 --emit asm %s | %FileCheck --check-prefix=GFX12 %s
// REQUIRES: frontend
// Stores write the channels that the format has; nothing computes the others.
#version 450
#extension GL_EXT_shader_image_load_formatted : enable
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, r32f) uniform writeonly image2D one;
layout(set = 0, binding = 1, rg16f) uniform writeonly image2D two;
layout(set = 0, binding = 2, r11f_g11f_b10f) uniform writeonly image2D three;
layout(set = 0, binding = 3) uniform writeonly image2D any;
layout(set = 0, binding = 4, r32ui) uniform writeonly uimageBuffer texels;
void main() {
    ivec2 p = ivec2(gl_LocalInvocationID.xy);
    float x = float(p.x);
    // CHECK-NOT: v_sqrt_f32
    // CHECK: image_store v{{[0-9]+}}, {{.*}} dmask:0x1 dim:
    imageStore(one, p, vec4(x, sqrt(x), sqrt(x + 1.0), sqrt(x + 2.0)));
    // CHECK: image_store v[{{[0-9]+:[0-9]+}}], {{.*}} dmask:0x3 dim:
    imageStore(two, p, vec4(x, x * 3.0, sqrt(x), 1.0));
    // CHECK: image_store v[{{[0-9]+:[0-9]+}}], {{.*}} dmask:0x7 dim:
    imageStore(three, p, vec4(x, x * 5.0, x, sqrt(x)));
    // CHECK: image_store v[{{[0-9]+:[0-9]+}}], {{.*}} dmask:0xf dim:
    // GFX12: dmask:0x7
    // GFX12: dmask:0xf
    imageStore(any, p, vec4(x, x, x, 1.0));
    // Zeros at the end are written by the hardware, before gfx12.
    // CHECK: image_store v[{{[0-9]+:[0-9]+}}], {{.*}} dmask:0x3 dim:
    // GFX12: image_store v[{{[0-9]+:[0-9]+}}], {{.*}} dmask:0xf dim:
    imageStore(any, p, vec4(x, x + 2.0, 0.0, 0.0));
    // TEXEL: buffer_store_format_x v
    imageStore(texels, p.x, uvec4(p.y, p.x, p.x, p.x));
    // CHECK: s_endpgm
}
