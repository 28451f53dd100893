/* Code in which clang must insert wait states: DPP, lane operations, division, wide stores, hardware
 * registers, matrix instructions. OLD: gfx6 and gfx7, which have no DPP and ds_bpermute. See test_nops.c. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void
lanes(global int *o, int x, int n)
{
    int v = o[__builtin_amdgcn_workitem_id_x()];
#ifdef OLD
    int r = v * x;
#else
    int r = __builtin_amdgcn_update_dpp(0, v * x, 0x111, 15, 15, true);
    r += __builtin_amdgcn_update_dpp(0, r + 1, 0xb1, 15, 15, true);
#endif
    int l = __builtin_amdgcn_readfirstlane(r);
    r += __builtin_amdgcn_readlane(r, l & 63);
    o[r & 63] = l;
    o[l] = r;
    o[70 + l] = (float)v / (float)x;
#ifndef NO_QUOTIENT /* gfx6: clang counts from a write of vcc that a later scalar write has overwritten */
    o[80] = (double)v / (double)n;
#endif
    __builtin_amdgcn_s_setreg(0x801, 3);
    o[90] = __builtin_amdgcn_s_getreg(0x801);
}

kernel void
stores(global int4 *o, int4 a)
{
    o[0] = a;
    a.x = a.y * 3;
    a.w = a.x + 1;
    o[1] = a;
    a += 7;
    o[2] = a;
}

kernel void
transcendental(global int *o, int x)
{
    int v = o[__builtin_amdgcn_workitem_id_x()];
    if (v > x) {
#ifndef OLD
        o[v] = __builtin_amdgcn_ds_bpermute(v, v);
#endif
        o[1] = (__builtin_amdgcn_rcpf((float)v) + __builtin_amdgcn_rsqf((float)x)) * 2.0f;
    }
}

/* gfx6: scalar loads whose address was written by vector instructions. */
kernel void
scalars(global ulong *o)
{
    ulong a = o[__builtin_amdgcn_workitem_id_x()];
    uint low = __builtin_amdgcn_readfirstlane((uint)a);
    uint high = __builtin_amdgcn_readfirstlane((uint)(a >> 32));
    o[70] = *(const constant ulong *)(low | (ulong)high << 32);
}

#ifdef MATRIX
typedef float f4 __attribute__((ext_vector_type(4)));
typedef float f16v __attribute__((ext_vector_type(16)));
typedef float f32v __attribute__((ext_vector_type(32)));
typedef half h4 __attribute__((ext_vector_type(4)));

kernel void
small(global f4 *o, float a, float b, f4 c)
{
    f4 r = __builtin_amdgcn_mfma_f32_4x4x1f32(a, b, c, 0, 0, 0);
    r = __builtin_amdgcn_mfma_f32_4x4x1f32(r.x, b, r, 0, 0, 0);
    o[0] = r;
}

kernel void
middle(global f16v *o, float a, float b, global f16v *c)
{
    f16v x = c[0];
    f16v r = __builtin_amdgcn_mfma_f32_16x16x1f32(a, b, x, 0, 0, 0);
    x = __builtin_amdgcn_mfma_f32_16x16x1f32(r.s3, b, x, 1, 2, 3);
    r = __builtin_amdgcn_mfma_f32_16x16x1f32(a, r.s5, r, 1, 2, 3);
    o[0] = r;
    o[1] = x * 2.0f;
}

kernel void
large(global f32v *o, float a, float b, global f32v *c)
{
    f32v x = c[0];
    o[0] = __builtin_amdgcn_mfma_f32_32x32x1f32(a, b, x, 0, 0, 0) + 1.0f;
    x.s3 = a;
    o[1] = x;
}

kernel void
mixed(global f16v *o, h4 a, h4 b, global f16v *c)
{
    f16v r = __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c[0], 0, 0, 0);
    f4 y = __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, r.s0123, 0, 0, 0);
    o[0] = r;
    ((global f4 *)o)[8] = y;
    h4 q = __builtin_convertvector(y, h4);
    o[2] = __builtin_amdgcn_mfma_f32_32x32x8f16(q, b, r, 0, 0, 0);
}
#endif

#ifdef DOUBLES
typedef double d4 __attribute__((ext_vector_type(4)));

kernel void
doubles(global double *o, double a, double b, double c, global d4 *q)
{
    double r = __builtin_amdgcn_mfma_f64_4x4x4f64(a, b, c, 0, 0, 0);
    r = __builtin_amdgcn_mfma_f64_4x4x4f64(r, b, r, 0, 0, 0);
    o[0] = __builtin_amdgcn_mfma_f64_4x4x4f64(a, b, r, 0, 0, 0);
    o[1] = __builtin_fma(a, b, c);
    d4 z = q[0];
    z = __builtin_amdgcn_mfma_f64_16x16x4f64(a, b, z, 0, 0, 0);
    z = __builtin_amdgcn_mfma_f64_16x16x4f64(z.x, b, z, 0, 0, 0);
    q[1] = z;
    z.y = z.y + 1;
    q[2] = z;
}
#endif
