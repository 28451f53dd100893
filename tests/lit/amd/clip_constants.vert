// REQUIRES: frontend
// RUN: sed "s/LAST/gl_CullDistance[1] = a.y/" %s > %t.three.vert
// RUN: sed "s/LAST/gl_CullDistance[1] = 4.0/" %s > %t.two.vert
// RUN: %heddle compile -t gfx803 --emit asm %t.three.vert | %FileCheck --check-prefixes=CHECK,THREE %s
// RUN: %heddle compile -t gfx1100 --emit asm %t.three.vert | %FileCheck --check-prefixes=CHECK,THREE %s
// RUN: %heddle compile -t gfx803 --emit asm %t.two.vert | %FileCheck --check-prefixes=CHECK,TWO %s

// A distance that is a constant of at least 0, also -0, neither clips nor culls; nor does one that is never written, which counts as 0
// (clip distance 1). They are not exported, and the others follow without gaps, clip first, then cull: NaN, a.x, a.y. What a fragment
// shader may read stays a parameter.
// CHECK: PA_CL_VS_OUT_CNTL = {{.*}}(CLIP_DIST_ENA_0 1, CLIP_DIST_ENA_1 1
// THREE-SAME: , CULL_DIST_ENA_2 1, VS_OUT_CCDIST0_VEC_ENA 1)
// TWO-SAME: , VS_OUT_CCDIST0_VEC_ENA 1)
// CHECK: clip_distance 0 xz
// CHECK: cull_distance 0 xy
// CHECK: clip_distance 1 xy
// THREE: exp pos1 v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}}, off done
// TWO: exp pos1 v{{[0-9]+}}, v{{[0-9]+}}, off, off done
#version 450
layout(location = 0) in vec4 a;
out gl_PerVertex {
    vec4 gl_Position;
    float gl_ClipDistance[6];
    float gl_CullDistance[2];
};

void main()
{
    gl_Position = a;
    gl_ClipDistance[0] = 3.0;
    gl_ClipDistance[2] = uintBitsToFloat(0x7fc00000u);
    gl_ClipDistance[4] = -0.0;
    gl_ClipDistance[5] = a.x;
    gl_CullDistance[0] = 0.0;
    LAST;
}
