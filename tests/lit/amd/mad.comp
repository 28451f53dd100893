// REQUIRES: frontend
// RUN: %heddle compile -t gfx803 --emit asm %s | %FileCheck --check-prefix=MAD %s
// RUN: %heddle compile -t gfx902 --emit asm %s | %FileCheck --check-prefix=MAD %s
// RUN: %heddle compile -t gfx908 --emit asm %s | %FileCheck --check-prefix=FMA %s
// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck --check-prefix=FMA %s
// RUN: %heddle compile -t gfx900 --emit asm -DKEEP=1 %s | %FileCheck --check-prefix=KEEP %s

// v_mad where there is no v_fmac: with a literal if no modifier needs room, and not for what must
// keep denormals.
// MAD-DAG: v_madmk_f32 v{{[0-9]+}}, v{{[0-9]+}}, 0x3e99999a, v
// MAD-DAG: v_madak_f32 v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}}, 0x3f333333
// MAD-DAG: v_mad_f32 v{{[0-9]+}}, v{{[0-9]+}}, s{{[0-9]+}}, -v{{[0-9]+}}
// FMA-NOT: v_mad
// FMA: v_fma
// KEEP-NOT: v_ma
// KEEP: v_fma_f32
#version 450
#ifdef KEEP
#extension GL_EXT_spirv_intrinsics : require
spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [4464], 4459, 32);
#endif
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { float a[]; };

void main()
{
    uint i = gl_GlobalInvocationID.x;
    float x = a[i], y = a[i + 64], z = a[i + 128];
    a[i] = 0.3 * x + y;
    a[i + 1] = x * y + 0.7;
    a[i + 2] = 0.9 * z - x;
}
