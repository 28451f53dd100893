// From a7xx on texture instructions read numbers and constants by alias.tex; on a750 components of colours that are constants are given in the
// preamble. Register words and forms are turnip 26.2.6's.
// REQUIRES: frontend
// RUN: %heddle compile -t a750 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t a730 --emit asm %s | %FileCheck %s --check-prefix=A730
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck %s --check-prefix=WITHOUT
// RUN: env HEDDLE_DEBUG=noaliastex,noaliasrt %heddle compile -t a750 --emit asm %s | %FileCheck %s --check-prefix=WITHOUT
// RUN: %heddle compile -t a750 --emit asm %s -o %t.asm
// RUN: for phase in alias_outputs alias_textures register_allocation insert_sync insert_aliases; do %heddle compile -t a750 --emit $phase %s -o %t.mir && %heddle compile -t a750 --emit asm %t.mir -o %t.again && cmp %t.asm %t.again || exit 1; done
// RUN: %heddle compile -t a750 --emit alias_textures %s | %FileCheck %s --check-prefix=ROWS
// RUN: %heddle compile -t a750 %s -o %t.o && %heddle disasm --object %t.o -o %t.s && %heddle asm --emit obj %t.s -o %t.2.o && cmp %t.o %t.2.o
#version 450
layout(location = 0) in vec2 v;
layout(location = 0) out vec4 c;
layout(location = 1) out vec4 d;
layout(location = 2) out vec4 e;
layout(set = 0, binding = 0) uniform sampler2D t;
layout(set = 0, binding = 1) uniform block { vec4 a; };

void
main()
{
    c = vec4(1.0, a.x, 2.0, 3.0);
    e = textureLod(t, vec2(inversesqrt(v.x), v.y), 0.0);
    d = vec4(v.x * v.x, a.y * a.y, textureLod(t, vec2(v.y * 2.0, 0.5), 2.0).x, 1.0);
}
// Nothing of the first attachment is in a register; of the second one y and w.
// CHECK: // SP_FS_RENDER_COMPONENTS 0x00000fff
// CHECK: // SP_PS_OUTPUT_CONST_CNTL 0x00000001
// CHECK-NEXT: // SP_PS_OUTPUT_CONST_MASK 0x000000af
// CHECK-NEXT: // SP_FS_OUTPUT_0 0x000000fc
// CHECK: alias.rt.b32.0 rt0.x, (0x3f800000)
// A constant that the preamble has written is waited for.
// CHECK-NEXT: (ss)alias.rt.b32.0 rt0.y, c{{[0-9]+.[xyzw]}}
// CHECK-NEXT: alias.rt.b32.0 rt0.z, (0x40000000)
// CHECK-NEXT: alias.rt.b32.0 rt0.w, (0x40400000)
// CHECK-NEXT: alias.rt.b32.0 rt1.y, c
// CHECK-NEXT: alias.rt.b32.0 rt1.w, (0x3f800000)
// CHECK-NEXT: sam.base0 (f32)(xyzw)r63.x, r48.x, s#1, t#0
// CHECK-NEXT: (sy)(ss)shpe
// The second coordinate is behind the first one, which has a register.
// CHECK: mul.f r[[R:[0-9]+]].[[C:[xyz]]], {{.*}}, (2.0)
// CHECK: alias.tex.b32.1 r[[R]].{{[yzw]}}, (0x3f000000)
// CHECK-NEXT: alias.tex.b32.0 r40.x, (0x40000000)
// CHECK-NEXT: saml.base0 (f32)(x)r{{.*}}, r[[R]].[[C]], r40.x, s#1, t#0
// What the texture instruction itself cannot wait for, its alias does.
// CHECK: (ss)alias.tex.b32.0 r40.x, (0x0)
// CHECK-NEXT: saml
// CHECK: (sy)end
// A730-NOT: alias.rt
// A730-COUNT-3: alias.tex
// A730-NOT: alias.rt
// WITHOUT-NOT: alias.
// WITHOUT: mov.u32u32 r{{.*}}, 0x40000000
// WITHOUT: end
// ROWS: f1: %{{[0-9]+}} = SAML_ANY %{{[0-9]+}}, 0x3f000000, 0x40000000 {{.*}}first:2 second:1
