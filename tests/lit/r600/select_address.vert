#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_16bit_storage : require
// REQUIRES: frontend
// RUN: %heddle compile -t rv670 --emit tree %s | %FileCheck %s
// RUN: sed 's#readonly##; s#// EMPTY#all.at[0] = 1.0#' %s > %t.vert && not %heddle compile -t cayman %t.vert 2>&1 | %FileCheck %s --check-prefix=STORE
// What an address names is fetched from a resource that spans 4 GiB, at the address' low half: dwords, and numbers of 16 bits from one that counts bytes.
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Numbers { float at[]; };
layout(buffer_reference, std430, buffer_reference_align = 2) readonly buffer Halves { float16_t at[]; };
layout(push_constant) uniform P { Numbers all; Halves halves; };
// CHECK: [[AT:%[0-9]+]].{{.}} = LSHR_INT {{.*}}, 0x2
// CHECK: VFETCH {{.*}}, b13 {{.*}}[[AT]],
// CHECK: VFETCH {{.*}}, b45
// STORE: cayman code for stores at addresses of 64 bits
void main()
{
    gl_Position = vec4(all.at[gl_VertexIndex], float(halves.at[gl_VertexIndex]), 0.0, 1.0);
    // EMPTY;
}
