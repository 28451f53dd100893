// REQUIRES: frontend
// RUN: %heddle compile -t a660 --emit asm %s -o - | %FileCheck %s
// RUN: %heddle compile -t a660 --emit merge_repeats %s -o %t.mir
// RUN: %FileCheck %s --check-prefix=PHASE < %t.mir
// RUN: env HEDDLE_DEBUG=noopt %heddle compile -t a660 --emit asm %s -o - | %FileCheck %s --check-prefix=PLAIN
// Operations on vectors are repetitions of one instruction: their values are put behind each other, as those that are loaded and stored
// are. A number, and a value that is the same for all, has no (r); places of the constant file have one. The last one's nops go to those
// behind it. In another order of components nothing follows another.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { vec4 d[]; };
layout(push_constant) uniform P { vec4 k; float s; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    vec4 a = d[i], b = d[i + 64];
    vec4 c = a * b + k;
    d[i] = max(c, vec4(0.5)) * s;
    d[i + 128] = vec4(a.w + b.z, a.y + b.y, a.z + b.w, a.x + b.x);
}
// CHECK: (rpt3)mad.f32 {{r[0-9]+\..}}, (r){{r[0-9]+\..}}, (r){{r[0-9]+\..}}, (r)c4.x
// CHECK: (rpt3)max.f {{r[0-9]+\..}}, (r){{r[0-9]+\..}}, (0.5)
// CHECK: (rpt3)mul.f {{r[0-9]+\..}}, (r){{r[0-9]+\..}}, c5.x
// CHECK: end
// PHASE: MAD_F32 {{.*}} repeat:3 r:0x7
// PHASE: MAX_F {{.*}} repeat:3 r:0x1
// PLAIN-NOT: (r)
