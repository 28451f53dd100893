// Code objects of vertex and fragment shaders: the rows of inputs and outputs, and register words. With the same registers the words are turnip
// 26.2.6's for these shaders on a660 and a750, which has in addition an early preamble on a750 that fetches descriptors in advance (bits 28 and 14 of SP_FS_CTRL_REG0).
// REQUIRES: frontend
// RUN: %heddle compile -t a660 --wave-size 128 %s -o %t.o
// RUN: %heddle disasm %t.o | %FileCheck %s
// RUN: %heddle disasm --object %t.o -o %t.s && %heddle asm --emit obj %t.s -o %t.2.o && cmp %t.o %t.2.o
// RUN: %heddle compile -t a750 %s -o - --emit obj | %heddle disasm - | %FileCheck %s --check-prefix=A750
// RUN: %heddle compile -t a660 %S/Inputs/stage.vert -o %t.v.o && %heddle disasm %t.v.o | %FileCheck %s --check-prefix=VERT
// RUN: %heddle disasm --object %t.v.o -o %t.s && %heddle asm --emit obj %t.s -o %t.2.o && cmp %t.v.o %t.2.o
// RUN: sed 's/^main:/main: mov.u32u32 r9.x, 7/' %t.s > %t.more.s && %heddle asm --emit obj %t.more.s -o %t.more.o
// RUN: %heddle disasm %t.more.o | %FileCheck %s --check-prefix=MORE

// The binning variant of a vertex shader has its inputs in the same registers.
// RUN: %heddle compile -t a660 --emit asm --pipeline %S/Inputs/binning.json %S/Inputs/stage.vert | %FileCheck %s --check-prefix=BINNING
#version 450
layout(location = 0) in vec4 v;
layout(location = 1) flat in int k;
layout(location = 0) out vec4 c;
layout(location = 2) out vec4 d;
layout(set = 0, binding = 0) uniform sampler2D t;

void
main()
{
    c = texture(t, v.xy * v.z);
    d = vec4(dFdxFine(v.x), gl_FragCoord.xy, gl_FrontFacing ? k : 1);
    gl_FragDepth = v.w;
}
// CHECK: // ij_pixel 0, components 0x3, r0.x
// CHECK-NEXT: // varying location 0, components 0xf, place 0
// CHECK-NEXT: // varying location 1, components 0x1, place 4
// CHECK-NEXT: // xy 0, components 0x3, r0.z
// CHECK-NEXT: // zw 0, components 0x3, r1.x
// CHECK-NEXT: // face 0, components 0x1, r3.x
// CHECK-NEXT: // color 0, components 0xf, r0.x
// CHECK-NEXT: // color 2, components 0xf, r[[D:[0-9]+]].{{[xyzw]}}
// CHECK-NEXT: // depth 0, components 0x1, r
// CHECK-NEXT: // SP_FS_CTRL_REG0 0x85d00200
// CHECK-NEXT: // SP_FS_OBJ_FIRST_EXEC_OFFSET 0x00000000
// CHECK-NEXT: // SP_FS_PVT_MEM_PARAM 0x00000000
// CHECK-NEXT: // SP_FS_OUTPUT_CNTL0 0xfcfc{{[0-9a-f][0-9a-f]}}00
// CHECK-NEXT: // SP_FS_RENDER_COMPONENTS 0x00000f0f
// CHECK-NEXT: // SP_FS_OUTPUT_CNTL1 0x00000003
// CHECK-NEXT: // SP_FS_OUTPUT_0 0x00000000
// CHECK-NEXT: // SP_FS_OUTPUT_1 0x000000fc
// CHECK-NEXT: // SP_FS_OUTPUT_2 0x000000{{[0-9a-f]+}}
// CHECK-NEXT: // SP_FS_PREFETCH_CNTL 0x00000000
// CHECK-NEXT: // HLSQ_FS_CNTL_0 0x00000003
// CHECK-NEXT: // HLSQ_CONTROL_2_REG 0xfcfcfc0c
// CHECK-NEXT: // HLSQ_CONTROL_3_REG 0xfcfcfc00
// CHECK-NEXT: // HLSQ_CONTROL_4_REG 0x0402fcfc
// CHECK-NEXT: // SP_FS_CONFIG 0x00000103
// CHECK-NEXT: // SP_FS_INSTRLEN 0x0000000{{[12]}}
// CHECK-NEXT: // HLSQ_FS_CNTL 0x00000102
// A750: // SP_FS_CTRL_REG0 0x95d04200
// A750: // SP_FS_PREFETCH_CNTL 0x01ff7fc0
// A750: // HLSQ_FS_CNTL_0 0x00000003
// VERT: // attribute 0, components 0xf, r1.x
// VERT-NEXT: // attribute 1, components 0x3, r0.x
// VERT-NEXT: // vertex_id 0, components 0x1, r2.x
// VERT-NEXT: // instance_id 0, components 0x1, r2.y
// VERT-NEXT: // output position 0, components 0xf, r
// VERT-NEXT: // output point_size 0, components 0x1, r
// VERT-NEXT: // output location 0, components 0xf, r
// VERT-NEXT: // SP_VS_CTRL_REG0 0x00104380
// VERT-NEXT: // SP_VS_OBJ_FIRST_EXEC_OFFSET 0x00000000
// VERT-NEXT: // SP_VS_PVT_MEM_PARAM 0x00000000
// VERT-NEXT: // SP_VS_CONFIG 0x00000108
// VERT-NEXT: // SP_VS_INSTRLEN 0x0000000{{[0-9]}}
// VERT-NEXT: // HLSQ_VS_CNTL 0x00000102
// VERT-NEXT: // VFD_CONTROL_1 0xfcfc0908
// MORE: // SP_VS_CTRL_REG0 0x00104500
// BINNING: // attribute 0, components 0xf, r1.x
// BINNING-NEXT: // attribute 1, components 0x3, r0.x
// BINNING-NEXT: // vertex_id 0, components 0x1, r2.x
// BINNING-NEXT: // instance_id 0, components 0x1, r2.y
// BINNING-NEXT: // output position 0
// BINNING-NEXT: // output point_size 0
// BINNING-NEXT: // SP_VS_CTRL_REG0
// BINNING-NOT: cov.s32f32
// BINNING: end
