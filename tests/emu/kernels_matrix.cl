/* Kernels of matrix instructions: each wave computes a product of 16 by 16, from floats of 16, 32 and 64 bits and from bytes. Rows and columns
 * of the factors are lanes; the order of a lane group's terms does not matter, as both factors have the same. The values of each column of the
 * result are folded in any order. All numbers are small integers. */
#if defined __gfx908__ || defined __gfx90a__ || defined __gfx942__
#define MATRIX_MFMA
#elif defined __GFX11__ || defined __GFX12__
#define MATRIX_WMMA
#endif

#if defined MATRIX_MFMA || defined MATRIX_WMMA
/* Term of row or column `at`. */
INLINE uint
term(const global uint *words, uint base, uint at, uint k, uint n)
{
    return words[(base + at + k * 32) % n] >> (k & 7) & 15;
}

/* The contribution of a value of the result to its column. */
INLINE uint
folded(ulong v)
{
    return mix(12345, v);
}

#define MATRIX(name)                                                                               \
    KERNEL name(const global uint *a, const global uint *b, global uint *out, uint n)
#define BASE (GID & ~(uint)(WAVE - 1))
#define ROW  (LID & 15)
#define PART (LANE / 16)
#define ADD(v) __scoped_atomic_fetch_add(&out[BASE + ROW], v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)

/* The number of terms (of 16) and of results that a lane holds. */
#ifdef MATRIX_MFMA
#define TERMS   4
#define RESULTS 4
#elif defined __GFX12__
#define TERMS   (256 / WAVE)
#define RESULTS (256 / WAVE)
#else
#define TERMS   16 /* all, in each group of lanes */
#define RESULTS (256 / WAVE)
#endif
#if defined __GFX11__
#define FIRST_TERM 0
#else
#define FIRST_TERM (PART * TERMS)
#endif
typedef half terms_t __attribute__((ext_vector_type(TERMS)));
typedef float results_t __attribute__((ext_vector_type(RESULTS)));
typedef int whole_t __attribute__((ext_vector_type(RESULTS)));

MATRIX(matrix_half)
{
    terms_t x, y;
    for (uint k = 0; k < TERMS; k++) {
        x[k] = (half)(int)term(a, BASE, ROW, FIRST_TERM + k, n);
        y[k] = (half)(int)term(b, BASE, ROW, FIRST_TERM + k, n);
    }
    results_t c = 3.0f;
#if defined MATRIX_MFMA
    c = __builtin_amdgcn_mfma_f32_16x16x16f16(x, y, c, 0, 0, 0);
#elif defined __GFX12__ && WAVE == 32
    c = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(x, y, c);
#elif defined __GFX12__
    c = __builtin_amdgcn_wmma_f32_16x16x16_f16_w64_gfx12(x, y, c);
#elif WAVE == 32
    c = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(x, y, c);
#else
    c = __builtin_amdgcn_wmma_f32_16x16x16_f16_w64(x, y, c);
#endif
    uint sum = 0;
    for (uint k = 0; k < RESULTS; k++)
        sum += folded(f32_bits(c[k]));
    ADD(sum);
}

/* Bytes packed into words: `words` words for each lane. */
#if defined __gfx942__
#define BYTE_TERMS 8
#else
#define BYTE_TERMS TERMS
#endif
#if defined __GFX11__
#define FIRST_BYTE 0
#else
#define FIRST_BYTE (PART * BYTE_TERMS)
#endif
MATRIX(matrix_bytes)
{
    uint x[BYTE_TERMS / 4], y[BYTE_TERMS / 4];
    for (uint k = 0; k < BYTE_TERMS / 4; k++)
        x[k] = y[k] = 0;
    for (uint k = 0; k < BYTE_TERMS; k++) {
        x[k / 4] |= (term(a, BASE, ROW, FIRST_BYTE + k, n) - 8 & 255) << k % 4 * 8; /* signed */
        y[k / 4] |= term(b, BASE, ROW, FIRST_BYTE + k, n) << k % 4 * 8;
    }
    whole_t c = 3;
#if defined __gfx942__
    c = __builtin_amdgcn_mfma_i32_16x16x32_i8(x[0] | (ulong)x[1] << 32, y[0] | (ulong)y[1] << 32, c, 0, 0, 0);
#elif defined MATRIX_MFMA
    c = __builtin_amdgcn_mfma_i32_16x16x16i8(x[0], y[0], c, 0, 0, 0);
#elif defined __GFX12__ && WAVE == 32
    c = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(true, (int2)(x[0], x[1]), false, (int2)(y[0], y[1]), c, false);
#elif defined __GFX12__
    c = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w64_gfx12(true, x[0], false, y[0], c, false);
#elif WAVE == 32
    c = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(true, (int4)(x[0], x[1], x[2], x[3]), false, (int4)(y[0], y[1], y[2], y[3]), c,
                                                   false);
#else
    c = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w64(true, (int4)(x[0], x[1], x[2], x[3]), false, (int4)(y[0], y[1], y[2], y[3]), c,
                                                   false);
#endif
    uint sum = 0;
    for (uint k = 0; k < RESULTS; k++)
        sum += folded((uint)c[k]);
    ADD(sum);
}

#ifdef MATRIX_MFMA
MATRIX(matrix_float)
{
    results_t c = 3.0f;
    c = __builtin_amdgcn_mfma_f32_16x16x4f32((float)term(a, BASE, ROW, PART, n), (float)term(b, BASE, ROW, PART, n), c, 0, 0, 0);
    uint sum = 0;
    for (uint k = 0; k < RESULTS; k++)
        sum += folded(f32_bits(c[k]));
    ADD(sum);
}
#endif

#if defined __gfx90a__ || defined __gfx942__
MATRIX(matrix_double)
{
    double4 c = 3.0;
    c = __builtin_amdgcn_mfma_f64_16x16x4f64((double)term(a, BASE, ROW, PART, n), (double)term(b, BASE, ROW, PART, n), c, 0, 0, 0);
    uint sum = 0;
    for (uint k = 0; k < 4; k++)
        sum += folded(f64_bits(c[k]));
    ADD(sum);
}
#endif
#endif
