// REQUIRES: frontend
// RUN: %heddle compile --emit asm %s | %FileCheck %s
// The sampler of a combined image sampler is 32 bytes behind its image, also if each lane chooses its own element.
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { float r[]; };
layout(set = 1, binding = 0) uniform sampler2D images[4];
void main()
{
    uint i = gl_LocalInvocationIndex;
    r[i] = textureLod(images[nonuniformEXT(i & 3u)], vec2(0.5), 0.0).x;
}
// CHECK: main:
// CHECK: s_load_dwordx8 s[{{.*}}], null
// CHECK: s_load_dwordx4 s[{{.*}}], 0x20
