/* Kernels of instructions that plain C does not reach: byte operations, packing conversions, the hardware's own mathematics, rounding and
 * denormal modes, dot products, mixed and packed floats, matrices. */

/* Sums of absolute differences, bit fields, alignment, averages. */
KERNEL byte_operations(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint x = a[GID], y = b[GID], r = 0;
    r = mix(r, __builtin_amdgcn_sad_u8(x, y, 100));
    r = mix(r, __builtin_amdgcn_sad_hi_u8(x, y, 100));
    r = mix(r, __builtin_amdgcn_sad_u16(x, y, x));
    r = mix(r, __builtin_amdgcn_msad_u8(x, y & 0xff00ffff, 7));
    r = mix(r, __builtin_amdgcn_lerp(x, y, 0x01000101));
    r = mix(r, __builtin_amdgcn_alignbit(x, y, y & 31));
    r = mix(r, __builtin_amdgcn_alignbyte(x, y, y & 3));
    r = mix(r, __builtin_amdgcn_ubfe(x, y & 31, (y >> 5) & 31));
    r = mix(r, (uint)__builtin_amdgcn_sbfe((int)x, y & 31, (y >> 5) & 31));
    r = mix(r, __builtin_amdgcn_cvt_pk_u8_f32((float)(y & 511), 2, x));
    out[GID] = r;
}

#if !defined __GFX6__ && !defined __GFX12__
KERNEL quad_sad(const global uint *a, const global uint *b, global uint *out, uint n)
{
    ulong w = (ulong)a[GID] << 32 | b[GID];
    uint r = mix(0, __builtin_amdgcn_qsad_pk_u16_u8(w, a[GID], 0x0001000200030004));
    r = mix(r, __builtin_amdgcn_mqsad_pk_u16_u8(w, b[GID] & 0xffff00ff, 0x0001000200030004));
    typedef uint vec4 __attribute__((ext_vector_type(4)));
    vec4 m = __builtin_amdgcn_mqsad_u32_u8(w, b[GID] & 0xff00ffff, (vec4)(1, 2, 3, 4));
    out[GID] = mix(mix(r, m.x ^ (ulong)m.y << 32), m.z ^ (ulong)m.w << 32);
}
#endif

#if HAS_DPP
KERNEL byte_permute(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint x = a[GID], y = b[GID], r = 0;
    r = mix(r, __builtin_amdgcn_perm(x, y, 0x05010703));
    r = mix(r, __builtin_amdgcn_perm(x, y, 0x0c0d0608)); /* constants and signs */
    out[GID] = mix(r, __builtin_amdgcn_perm(x, y, (x ^ y) & 0x0f0f0f0f));
}
#endif

/* Conversions that pack two results. */
KERNEL pack_conversions(const global uint *a, const global uint *b, global uint *out, uint n)
{
    float x = some_float(a[GID]), y = some_float(b[GID]);
    uint r = 0;
    r = mix(r, __builtin_astype(__builtin_amdgcn_cvt_pkrtz(x, y), uint));
    r = mix(r, __builtin_astype(__builtin_amdgcn_cvt_pknorm_i16(x / 256.0f, y / 4.0f), uint));
    r = mix(r, __builtin_astype(__builtin_amdgcn_cvt_pknorm_u16(x / 256.0f, y / 4.0f), uint));
    r = mix(r, __builtin_astype(__builtin_amdgcn_cvt_pk_i16((int)a[GID] >> 14, (int)b[GID] >> 10), uint));
    r = mix(r, __builtin_astype(__builtin_amdgcn_cvt_pk_u16(a[GID] >> 14, b[GID] >> 10), uint));
    out[GID] = r;
}

/* Transcendentals, compared within the test's error bound. */
KERNEL hardware_math(const global uint *a, const global uint *b, global uint *out, uint n)
{
    float x = some_float(a[GID]), p = __builtin_fabsf(x);
    float r = 0.0f;
    switch (GID & 7) {
    case 0: r = __builtin_amdgcn_rcpf(x); break;
    case 1: r = __builtin_amdgcn_rsqf(p); break;
    case 2: r = __builtin_amdgcn_sqrtf(p); break;
    case 3: r = __builtin_amdgcn_exp2f(x * 0.2f); break;
    case 4: r = __builtin_amdgcn_logf(p + 3.0f); break;
    case 5: r = __builtin_amdgcn_sinf(p * 0.0004f + 0.05f); break; /* in turns, first quadrant */
    case 6: r = __builtin_amdgcn_cosf(p * 0.0002f); break;
    default: r = __builtin_amdgcn_fractf(x); break;
    }
    out[GID] = f32_bits(r);
}

/* Exact operations: parts of floats, medians, classes, scaling. */
KERNEL float_parts(const global uint *a, const global uint *b, global uint *out, uint n)
{
    float x = some_float(a[GID]), y = some_float(b[GID]);
    double d = some_double(a[GID], b[GID]);
    uint r = 0;
    r = mix(r, (uint)__builtin_amdgcn_frexp_expf(x));
    r = mix(r, f32_bits(__builtin_amdgcn_frexp_mantf(x)));
    r = mix(r, (uint)__builtin_amdgcn_frexp_exp(d));
    r = mix(r, f64_bits(__builtin_amdgcn_frexp_mant(d)));
    r = mix(r, f32_bits(__builtin_amdgcn_fmed3f(x, y, 1.0f)));
    r = mix(r, (uint)__builtin_amdgcn_classf(x, 0x108) | (uint)__builtin_amdgcn_class(d, 0x008) << 1);
    r = mix(r, f64_bits(__builtin_amdgcn_ldexp(d, (int)(b[GID] & 63) - 40)));
    r = mix(r, f64_bits(__builtin_amdgcn_fract(d)));
    r = mix(r, f32_bits(__builtin_amdgcn_cubema(x, y, 3.0f)));
    r = mix(r, f32_bits(__builtin_amdgcn_cubeid(x, y, 3.0f)));
    r = mix(r, f32_bits(__builtin_amdgcn_cubesc(x, y, 3.0f)) ^ f32_bits(__builtin_amdgcn_cubetc(x, y, 3.0f)) << 1);
    out[GID] = r;
}

/* Rounding modes, set and restored around sums, products and conversions. */
KERNEL rounding_modes(const global uint *a, const global uint *b, global uint *out, uint n)
{
    float x = some_float(a[GID]), y = some_float(b[GID]), sum[4], product[4];
    double d = some_double(a[GID], b[GID]), e = some_double(b[GID], a[GID]), wide[4];
    float narrow[4];
#define MODE_OF(k, mode)                                                                                 \
    __asm__ volatile("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), " mode "\n"                     \
                 "s_nop 4\n"                                                                       \
                 "v_add_f32 %0, %4, %5\n"                                                          \
                 "v_mul_f32 %1, %4, %5\n"                                                          \
                 "v_add_f64 %2, %6, %7\n"                                                          \
                 "v_cvt_f32_f64 %3, %6\n"                                                          \
                 "s_nop 4\n"                                                                       \
                 "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0\n"                                \
                 "s_nop 4\n"                                                                       \
                 : "=&v"(sum[k]), "=&v"(product[k]), "=&v"(wide[k]), "=&v"(narrow[k])              \
                 : "v"(x), "v"(y), "v"(d), "v"(e))
    MODE_OF(0, "0x0");
    MODE_OF(1, "0x5"); /* up */
    MODE_OF(2, "0xa"); /* down */
    MODE_OF(3, "0xf"); /* to zero */
#undef MODE_OF
    uint r = 0;
    for (uint k = 0; k < 4; k++) {
        r = mix(r, f32_bits(sum[k]) ^ (ulong)f32_bits(product[k]) << 32);
        r = mix(r, f64_bits(wide[k]));
        r = mix(r, f32_bits(narrow[k]));
    }
    out[GID] = r;
}

/* Fused multiply-adds of halves and floats, for which there are v_fma_mix and v_mad_mix. */
#if defined __GFX10__ || defined __GFX11__ || defined __GFX12__ || defined __gfx908__ || defined __gfx90a__ || defined __gfx942__
KERNEL mixed_fma(const global uint *a, const global uint *b, global uint *out, uint n)
{
    half2 h = {some_half(a[GID]), some_half(a[GID] >> 16)}, g = {some_half(b[GID]), some_half(b[GID] >> 16)};
    float f = some_float(b[GID]);
    uint r = mix(0, f32_bits(__builtin_fmaf((float)h.x, (float)g.y, f)));
    r = mix(r, f32_bits(__builtin_fmaf(-(float)h.y, f, __builtin_fabsf((float)g.x))));
    out[GID] = mix(r, f32_bits(__builtin_fmaf((float)h.x, (float)h.y, (float)g.x)));
}
#endif

#if HAS_DPP
/* Packed halves: fused multiply-adds, minima, maxima. */
KERNEL packed_halves(const global uint *a, const global uint *b, global uint *out, uint n)
{
    half2 x = {some_half(a[GID]), some_half(a[GID] >> 16)}, y = {some_half(b[GID]), some_half(b[GID] >> 16)};
    half2 z = x.yx - y, two = 2.0f, same = y.x, turned = y.yx;
    uint r = mix(0, __builtin_astype(__builtin_elementwise_fma(x, y, z), uint));
    r = mix(r, __builtin_astype(__builtin_elementwise_min(x, y), uint));
    r = mix(r, __builtin_astype(__builtin_elementwise_max(x, turned), uint));
    out[GID] = mix(r, __builtin_astype(__builtin_elementwise_fma(-x, two, same), uint));
}
#endif

/* Packed integers: saturating sums, minima, maxima. */
KERNEL packed_integers(const global uint *a, const global uint *b, global uint *out, uint n)
{
    short2 s = __builtin_astype(a[GID], short2), t = __builtin_astype(b[GID], short2);
    ushort2 u = __builtin_astype(a[GID], ushort2), v = __builtin_astype(b[GID], ushort2);
    uchar4 c = __builtin_astype(a[GID], uchar4), d = __builtin_astype(b[GID], uchar4);
    uint r = mix(0, __builtin_astype(__builtin_elementwise_add_sat(s, t), uint));
    r = mix(r, __builtin_astype(__builtin_elementwise_sub_sat(s, t), uint));
    r = mix(r, __builtin_astype(__builtin_elementwise_add_sat(u, v), uint));
    r = mix(r, __builtin_astype(__builtin_elementwise_sub_sat(u, v), uint));
    r = mix(r, __builtin_astype(__builtin_elementwise_min(s, t), uint));
    r = mix(r, __builtin_astype(__builtin_elementwise_max(u, v), uint));
    r = mix(r, __builtin_astype(__builtin_elementwise_add_sat(c, d), uint));
    r = mix(r, __builtin_astype(__builtin_elementwise_max(c, d), uint));
    r = mix(r, __builtin_elementwise_add_sat((int)a[GID], (int)b[GID]));
    r = mix(r, __builtin_elementwise_sub_sat(a[GID], b[GID]));
    r = mix(r, (uint)__builtin_elementwise_abs((int)a[GID]));
    out[GID] = mix(r, __builtin_elementwise_bitreverse(a[GID]));
}

/* Vectors of floats and doubles, packed from gfx90a on. */
KERNEL packed_floats(const global uint *a, const global uint *b, global uint *out, uint n)
{
    float2 x = {some_float(a[GID]), some_float(a[(GID + 1) % n])}, y = {some_float(b[GID]), some_float(b[(GID + 1) % n])};
    float2 z = x * y + x.yx, f = __builtin_elementwise_fma(x, y, -z);
    double2 d = {some_double(a[GID], b[GID]), some_double(b[GID], a[GID])}, turned = d.yx;
    double2 e = __builtin_elementwise_fma(d, turned, d);
    uint r = mix(mix(0, f32_bits(z.x) ^ (ulong)f32_bits(z.y) << 32), f32_bits(f.x) ^ (ulong)f32_bits(f.y) << 32);
    out[GID] = mix(mix(r, f64_bits(e.x)), f64_bits(e.y + d.x));
}

#if defined __gfx908__ || defined __gfx90a__ || defined __gfx942__ || defined __gfx1030__ || defined __GFX11__ || defined __GFX12__
#define HAS_DOTS 1
/* Dot products of packed integers and halves. */
KERNEL dots(const global uint *a, const global uint *b, global uint *out, uint n)
{
    uint x = a[GID], y = b[GID], r = 0;
#if defined __gfx908__ || defined __gfx90a__ || defined __gfx942__ || defined __gfx1030__
    r = mix(r, (uint)__builtin_amdgcn_sdot2(__builtin_astype(x, short2), __builtin_astype(y, short2), (int)y, false));
    r = mix(r, __builtin_amdgcn_udot2(__builtin_astype(x, ushort2), __builtin_astype(y, ushort2), y, true));
    r = mix(r, (uint)__builtin_amdgcn_sdot4((int)x, (int)y, (int)x, false));
    r = mix(r, (uint)__builtin_amdgcn_sdot8((int)x, (int)y, (int)x, true));
#else
    short2 s = __builtin_astype(x, short2), t = __builtin_astype(y, short2);
    ushort2 u = __builtin_astype(x, ushort2), v = __builtin_astype(y, ushort2);
    r = mix(r, (uint)(s.x * t.x) + (uint)(s.y * t.y) + y);
    ulong sum = (ulong)((uint)u.x * v.x) + (uint)u.y * v.y + y;
    r = mix(r, sum > 0xffffffff ? 0xffffffff : (uint)sum);
    r = mix(r, (uint)__builtin_amdgcn_sudot4(true, (int)x, true, (int)y, (int)x, false));
    r = mix(r, (uint)__builtin_amdgcn_sudot8(true, (int)x, true, (int)y, (int)x, true));
#endif
    r = mix(r, __builtin_amdgcn_udot4(x, y, x, true));
    r = mix(r, __builtin_amdgcn_udot8(x, y, y, false));
    out[GID] = r;
}

/* Small integers, so that rounding does not matter. */
KERNEL half_dots(const global uint *a, const global uint *b, global uint *out, uint n)
{
    half2 x = {(half)(a[GID] & 63), (half)(a[GID] >> 6 & 63)}, y = {(half)(b[GID] & 31), (half)(int)(b[GID] >> 5 & 31)};
    out[GID] = f32_bits(__builtin_amdgcn_fdot2(x, -y, (float)(a[GID] >> 20), false));
}
#endif

#if defined __gfx942__ || defined __GFX12__
/* 8-bit floats; SDWA selects bytes, on gfx12 byte_sel. */
KERNEL small_floats(const global uint *a, const global uint *b, global uint *out, uint n)
{
    float x = some_float(a[GID]), y = some_float(b[GID]) * 0.01f;
    int packed = __builtin_amdgcn_cvt_pk_fp8_f32(x * 0.3f, y, 0, false);
    packed = __builtin_amdgcn_cvt_pk_fp8_f32(y, 0.5f, packed, true);
    int other = __builtin_amdgcn_cvt_pk_bf8_f32(x, y, 0, false);
    float r0 = __builtin_amdgcn_cvt_f32_fp8(packed, 0), r1 = __builtin_amdgcn_cvt_f32_fp8(packed, 2);
    float r2 = __builtin_amdgcn_cvt_f32_bf8(other, 1), r3 = __builtin_amdgcn_cvt_f32_fp8(packed, 3);
    /* the values before and after differ by less than the format's step */
    uint good = __builtin_fabsf(r0 - x * 0.3f) <= __builtin_fabsf(x * 0.3f) * 0.0626f + 0.002f;
    good |= (uint)(__builtin_fabsf(r1 - y) <= __builtin_fabsf(y) * 0.0626f + 0.002f) << 1;
    good |= (uint)(__builtin_fabsf(r2 - y) <= __builtin_fabsf(y) * 0.126f + 0.00002f) << 2;
    good |= (uint)(r3 == 0.5f) << 3;
    out[GID] = good;
}
#endif

#if defined __gfx908__ || defined __gfx90a__ || defined __gfx942__
typedef float vecf4 __attribute__((ext_vector_type(4)));
typedef float vecf16 __attribute__((ext_vector_type(16)));
typedef int veci4 __attribute__((ext_vector_type(4)));
typedef double vecd4 __attribute__((ext_vector_type(4)));
typedef half vech4 __attribute__((ext_vector_type(4)));

/* Each wave multiplies matrices of floats, 16 by 16 by 4; the values are integers. */
KERNEL matrix_f32(const global uint *a, const global uint *b, global uint *out, uint n)
{
    vecf4 c = {1.0f, 2.0f, 3.0f, 4.0f};
    c = __builtin_amdgcn_mfma_f32_16x16x4f32((float)(a[GID] & 63), (float)(b[GID] & 63), c, 0, 0, 0);
    c = __builtin_amdgcn_mfma_f32_16x16x4f32((float)(a[GID] >> 6 & 63), (float)(b[GID] >> 6 & 63), c, 0, 0, 0);
    out[GID] = mix(f32_bits(c.x) ^ f32_bits(c.y) << 1, f32_bits(c.z) ^ (ulong)f32_bits(c.w) << 3);
}
#endif
