// The sample is behind the coordinates in isamm's first source, as in turnip's and freedreno's code.
// REQUIRES: frontend
// RUN: %heddle compile -t a530 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck %s
// RUN: not %heddle compile -t a420 %s -o %t 2>&1 | %FileCheck %s --check-prefix=A4
#version 450
layout(binding = 0) uniform sampler2DMS t;
layout(location = 0) flat in ivec3 at;
layout(location = 0) out vec4 color;

void
main()
{
    color = texelFetch(t, at.xy, at.z);
}
// CHECK: main:
// CHECK-NOT: .long
// CHECK: isamm{{(.base0)?}} (f32)(xyzw)r{{[0-9.xyzw]+}}, r{{[0-9.xyzw]+}}, s#0, t#0
// CHECK: end
// A4: unsupported: a420 code for textures with samples
