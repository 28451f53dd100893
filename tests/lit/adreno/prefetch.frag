// Textures at two neighbouring components of a varying are sampled before the wave starts; the words are turnip 26.2.6's.
// REQUIRES: frontend
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t a750 --emit asm %s | %FileCheck %s --check-prefix=A750
// RUN: %heddle compile -t a660 --emit prefetch_textures %s -o %t.mir && %heddle compile -t a660 --emit asm %s -o %t.asm
// RUN: %heddle compile -t a660 --emit asm %t.mir -o %t.again && cmp %t.asm %t.again
// RUN: env HEDDLE_DEBUG=skip=prefetch_textures %heddle compile -t a660 --emit asm %s | %FileCheck %s --check-prefix=WITHOUT
#version 450
layout(location = 0) in vec4 v;
layout(location = 1) in vec3 w;
layout(location = 0) out vec4 c;
layout(set = 0, binding = 3) uniform sampler2D t;
layout(set = 1, binding = 4) uniform sampler2D u;
layout(set = 1, binding = 5) uniform sampler2DArray a;
layout(set = 1, binding = 6) uniform sampler3D d;

void
main()
{
    c = texture(t, v.zw) + texture(u, w.yz).yyyy;
    c += texture(t, v.wz) + texture(a, w) + texture(d, w) + textureLod(t, v.zw, 1.0) + texture(t, v.xy * 2.0);
}
// CHECK: // SP_FS_PREFETCH_CNTL 0x00000002
// CHECK-NEXT: // SP_FS_PREFETCH_0 0x33c{{[0-9a-f]}}0002
// CHECK-NEXT: // SP_FS_BINDLESS_PREFETCH_0 0x00000001
// CHECK-NEXT: // SP_FS_PREFETCH_1 0x308{{[0-9a-f]}}0885
// CHECK-NEXT: // SP_FS_BINDLESS_PREFETCH_1 0x00000001
// CHECK-COUNT-5: sam{{.*}}.base
// CHECK-NOT: sam
// CHECK: end
// A750: // SP_FS_PREFETCH_CNTL 0x01ff7fc2
// A750-NEXT: // SP_FS_PREFETCH_0 0x0678{{[0-9a-f]}}002
// A750: // SP_FS_PREFETCH_1 0x061{{[0-3]}}{{[0-9a-f]}}485
// All but one of the wave's fibres wait behind the preamble, which is made after the prefetches.
// A750: getone [[BEHIND:#L[0-9]+]]
// A750: (sy)(ss)shpe
// A750-NEXT: L{{[0-9]+}}:
// A750-NEXT: (jp)
// WITHOUT-NOT: PREFETCH_0
// WITHOUT-COUNT-7: sam{{.*}}.base
