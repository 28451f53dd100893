// Forms that save other instructions: uniform offsets become scalar offsets, only used channels are loaded, level 0 gives
// sample_lz, bytes are converted directly, a uniform branch tests the result of a vector comparison.
// REQUIRES: frontend
// RUN: env HEDDLE_DEBUG=nosched,nosched-ilp %heddle compile --emit asm %s | %FileCheck %s
// CHECK-DAG: image_load v{{[0-9]+}}, {{v?\[[v0-9:, ]+\]}}, s[{{[0-9:]+}}] dmask:0x2
// CHECK-DAG: image_sample_lz v{{[0-9]+}}, {{v?\[[v0-9:, ]+\]}}, s[{{[0-9:]+}}], s[{{[0-9:]+}}] dmask:0x4
// CHECK-DAG: v_cvt_f32_ubyte2_e32
// CHECK-DAG: buffer_store_dwordx3 v[{{[0-9:]+}}], off, s[{{[0-9:]+}}], s{{[0-9]+}}
// CHECK: v_cmp_{{.*}} vcc
// CHECK-NEXT: s_cbranch_vcc
// CHECK-NOT: s_setreg
#version 450
layout(local_size_x = 64) in;
layout(binding = 0, rgba32f) readonly uniform image2D img;
layout(binding = 1) uniform sampler2D tex;
layout(std430, binding = 2) buffer A { float a[]; };
layout(std430, binding = 3) buffer B { uint bytes; float limit; };

void
main()
{
    uint at = gl_WorkGroupID.x * 4;
    a[at] = imageLoad(img, ivec2(gl_LocalInvocationID.xx)).y;
    a[at + 1] = textureLod(tex, vec2(gl_LocalInvocationID.xx), 0).z;
    a[at + 2] = float(bytes >> 16 & 0xffu);
    if (limit < 4.0)
        atomicAdd(bytes, 1u);
}
