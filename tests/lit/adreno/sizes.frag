// REQUIRES: frontend
// RUN: %heddle compile -t a660 --emit asm %s | %FileCheck %s

// Sizes of textures are those of a level, with layers in w; the number of samples is the fourth component of getinfo, that of levels the third. A
// storage image of cubes is an array of faces. Instructions without a sampler name none.
// All are in the preamble.
// CHECK: getone
// CHECK-DAG: resinfo.b.typed.3d.u32.1.imm.base0 r{{[0-9.xyzw]+}}, 6
// CHECK-DAG: mul.u24 r[[P:[0-9]+.[xyzw]]], r{{[0-9.xyzw]+}}, c
// CHECK-DAG: shr.b r{{[0-9.xyzw]+}}, r[[P]], 18
// CHECK-DAG: getinfo.base0 (s32)(w)r{{[0-9.xyzw]+}}, t#0
// CHECK-DAG: getinfo.base0 (s32)(z)r{{[0-9.xyzw]+}}, t#4
// CHECK-DAG: getsize.base0 (s32)(xy)r{{[0-9.xyzw]+}}, r{{[0-9.xyzw]+}}, t#0
// CHECK-DAG: getsize.a.base0 (s32)(w)r{{[0-9.xyzw]+}}, r{{[0-9.xyzw]+}}, t#2
// CHECK-DAG: getsize.3d.a.base0 (s32)(xyw)r{{[0-9.xyzw]+}}, r{{[0-9.xyzw]+}}, t#4
// CHECK-NOT: .long
// CHECK: shpe
// CHECK: end
#version 450
layout(binding = 0) uniform sampler2DMS a;
layout(binding = 1) uniform sampler2DMSArray b;
layout(binding = 2) uniform samplerCubeArray c;
layout(binding = 3, rgba8) uniform readonly imageCubeArray d;
layout(location = 0) out vec4 color;

void main()
{
    color = vec4(textureSize(a), textureSamples(a), textureSize(b).z);
    color += vec4(textureSize(c, 0), textureQueryLevels(c)) + vec4(imageSize(d).z);
}
