#version 450
// RUN: %heddle compile -t a750 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck %s --check-prefix=OLD
// RUN: env HEDDLE_DEBUG=nopreamble %heddle compile -t a750 --emit asm %s | %FileCheck %s --check-prefix=OLD
// The preamble fetches descriptors that the program needs, each once, and not the one that it reads itself.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { uint v[]; } b;
layout(set = 0, binding = 1) uniform sampler2D t;
layout(set = 1, binding = 2) buffer C { uint v[]; } c;
layout(set = 0, binding = 3) readonly restrict buffer D { uint v[]; } d;
void main()
{
    const uint i = gl_GlobalInvocationID.x;
    b.v[i] = c.v[i] + c.v[i + 64u] + uint(textureLod(t, vec2(i), 0.0).x) + d.v[0];
}
// CHECK: shps
// CHECK-DAG: resinfo.b.untyped.1d.u32.1.imm.base1 r63.x
// CHECK-DAG: sam.base0 (f32)(xyzw)r63.x, r48.x
// CHECK-DAG: resinfo.b.untyped.1d.u32.1.imm.base0 r63.x, 0
// CHECK: (sy)(ss)shpe
// CHECK-NOT: r63.x
// OLD-NOT: r63.x
