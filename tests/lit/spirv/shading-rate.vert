#version 450
#extension GL_EXT_fragment_shading_rate : require
// REQUIRES: frontend
// RUN: %heddle compile --emit hir %s | %FileCheck %s
// RUN: %heddle compile -t rv770 --emit asm %s | %FileCheck %s --check-prefix R600
// RUN: %heddle compile -t a660 --emit asm %s -o %t.a660
// RUN: %heddle compile -t gfx900 --emit asm %s | %FileCheck %s --check-prefix GFX9
// RUN: not %heddle compile -t gfx1030 --emit asm %s 2>&1 | %FileCheck %s --check-prefix GFX10
// The rate that a primitive asks for means nothing where a fragment is a pixel; chips that have rates refuse it.
// CHECK: @store_output (%{{[0-9]+}}) (slot=shading_rate
// R600: EXPORT_DONE POS[60]
// R600-NEXT: EXPORT_DONE PARAM[0], R0.____ ELEM(4) END_OF_PROGRAM
// GFX9: exp pos0
// GFX9-NOT: exp pos1
// GFX10: gfx1030 code for shading rates of primitives
void main()
{
    gl_PrimitiveShadingRateEXT = 3;
    gl_Position = vec4(1.0);
}
