#version 450
// REQUIRES: frontend
// RUN: %heddle compile -t rv670 --emit tree %s | %FileCheck %s
// Before Evergreen: a gather is four samples in the middles of texels; components that a texel buffer's format lacks are masked, and the driver says its size.
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1) uniform isamplerBuffer numbers;
layout(push_constant) uniform P { vec2 at; };
layout(location = 0) out vec4 color;
layout(location = 1) out ivec4 number;

// CHECK: GET_TEXTURE_RESINFO
// CHECK: MULADD_IEEE CB0[4].x, %{{[0-9]+}}, 0xbf000000
// CHECK: FLOOR
// CHECK: SAMPLE_LZ {{.*}} YOFF(2)
// CHECK: SAMPLE_LZ {{.*}} XOFF(2) YOFF(2)
// CHECK: SAMPLE_LZ {{.*}} XOFF(2)"
// CHECK: SAMPLE_LZ {{.*}} s0"
// CHECK: [[X:%[0-9]+]].x, [[Y:%[0-9]+]].y, [[Z:%[0-9]+]].z, [[W:%[0-9]+]].w] = "VFETCH {{.*}} b113
// CHECK: AND_INT [[X]], CB0[7].x
// CHECK: AND_INT [[Y]], CB0[7].y
// CHECK: AND_INT [[Z]], CB0[7].z
// CHECK: [[A:%[0-9]+]].{{.}} = AND_INT [[W]], CB0[7].w
// CHECK: OR_INT [[A]], CB0[8].x
// CHECK: ADD_INT {{.*}}CB0[8].y
void main()
{
    color = textureGather(image, at);
    number = texelFetch(numbers, int(at.x)) + textureSize(numbers);
}
