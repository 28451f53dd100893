#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t rv770 --emit asm %s | %FileCheck %s --check-prefixes CHECK,OLD
// RUN: %heddle compile -t cayman --emit asm %s | %FileCheck %s --check-prefixes CHECK,NEW
// Transform feedback: elements of one, two or four dwords, because the hardware has none of three; strides are dwords.
layout(location = 0) in vec4 place;
layout(location = 0, xfb_buffer = 1, xfb_stride = 32, xfb_offset = 4) out vec3 three;
layout(location = 1, xfb_buffer = 1, xfb_offset = 16) out vec4 four;

// CHECK: VGT_STRMOUT_VTX_STRIDE_1 0x00000008
// CHECK: VGT_STRMOUT_BUFFERS 0x00000002
// OLD: MEM_STREAM1 WRITE[1], R{{[0-9]+}}.xy__, R0 SIZE(4096) ELEM(2)
// OLD: MEM_STREAM1 WRITE[3], R{{[0-9]+}}.x___, R0 SIZE(4096)
// OLD: MEM_STREAM1 WRITE[4], R{{[0-9]+}}.xyzw, R0 SIZE(4096) ELEM(4)
// NEW: MEM_STREAM0_BUF1 WRITE[1], R{{[0-9]+}}.xy__, R0 SIZE(4096) ELEM(2)
// NEW: MEM_STREAM0_BUF1 WRITE[3], R{{[0-9]+}}.x___, R0 SIZE(4096)
// NEW: MEM_STREAM0_BUF1 WRITE[4], R{{[0-9]+}}.xyzw, R0 SIZE(4096) ELEM(4)
void main()
{
    three = place.xyz * 2.0;
    four = place;
    gl_Position = place;
}
