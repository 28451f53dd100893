/* Matrix operations of gfx908, gfx90a, gfx942 and gfx950: D = A * B + C of one or several blocks,
 * over all lanes of a wave64 regardless of exec.
 *
 * Positions of elements, for M x K matrices A, K x N matrices B, M x N matrices C and D (AMD's
 * matrix instruction calculator, which agrees with the CDNA guides' chapter "MFMA"): a lane holds
 * `per` consecutive k of one row i of A; the lane number is i + M * (block + blocks * (k / per)). B
 * is the same with columns. Results of 32 bits are in chunks of four rows, each in a group of N
 * lanes; when all groups are used, the next registers follow. Results of 64 bits are placed row by
 * row.
 *
 * CBSZ broadcasts one block of A (number ABID of each 2^CBSZ) to others; BLGP changes the lanes
 * that B is read from; for doubles on gfx942 BLGP negates A, B, C. V_SMFMAC: A stores two of each
 * four k, and src2 has two bits for each to tell which; with CBSZ 0, ABID selects the part of src2.
 *
 * Sums of f32, xf32 and f64 are chains of fma in the order of k. Products of smaller floats are
 * added in binary64 and rounded once, because the hardware's intermediate rounding is not
 * documented. gfx90a treats denormals of f16 and bf16 as zero and returns zero for denormal results
 * (PyTorch, "Numerical accuracy", on MI200).
 */
#include "amd/emu/alu/valu.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/matrix/matrix.h"
#include "amd/emu/num/narrow.h"

#include <math.h>

/* E_ANY: cbsz and blgp name the factors' formats; those below 8 bits have values of their own. */
typedef enum element {
    E_F32,
    E_F64,
    E_F16,
    E_BF16,
    E_I8,
    E_FP8,
    E_BF8,
    E_XF32,
    E_FP6,
    E_BF6,
    E_FP4,
    E_ANY
} element;

typedef struct matrix_op {
    uint16_t op;
    uint8_t m, k, blocks; /* n equals m */
    uint8_t a, b;         /* element types; results are f64 for f64, i32 for i8, otherwise f32 */
    bool sparse;
} matrix_op;

#define DENSE(op, m, k, blocks, a, b)                                                              \
    {                                                                                              \
        AMD_V_MFMA_##op, m, k, blocks, E_##a, E_##b, false                                         \
    }
#define SPARSE(op, m, k, a, b)                                                                     \
    {                                                                                              \
        AMD_V_SMFMAC_##op, m, k, 1, E_##a, E_##b, true                                             \
    }
static const matrix_op matrix_ops[] = {
    DENSE(F32_32X32X1F32, 32, 1, 2, F32, F32),
    DENSE(F32_16X16X1F32, 16, 1, 4, F32, F32),
    DENSE(F32_4X4X1F32, 4, 1, 16, F32, F32),
    DENSE(F32_16X16X8_XF32, 16, 8, 1, XF32, XF32),
    DENSE(F32_32X32X4_XF32, 32, 4, 1, XF32, XF32),
    DENSE(F32_32X32X2F32, 32, 2, 1, F32, F32),
    DENSE(F32_16X16X4F32, 16, 4, 1, F32, F32),
    DENSE(F32_32X32X4F16, 32, 4, 2, F16, F16),
    DENSE(F32_16X16X4F16, 16, 4, 4, F16, F16),
    DENSE(F32_4X4X4F16, 4, 4, 16, F16, F16),
    DENSE(F32_32X32X8F16, 32, 8, 1, F16, F16),
    DENSE(F32_16X16X16F16, 16, 16, 1, F16, F16),
    DENSE(I32_32X32X4I8, 32, 4, 2, I8, I8),
    DENSE(I32_16X16X4I8, 16, 4, 4, I8, I8),
    DENSE(I32_4X4X4I8, 4, 4, 16, I8, I8),
    DENSE(I32_32X32X8I8, 32, 8, 1, I8, I8),
    DENSE(I32_16X16X16I8, 16, 16, 1, I8, I8),
    DENSE(I32_32X32X16_I8, 32, 16, 1, I8, I8),
    DENSE(I32_16X16X32_I8, 16, 32, 1, I8, I8),
    DENSE(F32_32X32X2BF16, 32, 2, 2, BF16, BF16),
    DENSE(F32_16X16X2BF16, 16, 2, 4, BF16, BF16),
    DENSE(F32_4X4X2BF16, 4, 2, 16, BF16, BF16),
    DENSE(F32_32X32X4BF16, 32, 4, 1, BF16, BF16),
    DENSE(F32_16X16X8BF16, 16, 8, 1, BF16, BF16),
    DENSE(F32_32X32X4BF16_1K, 32, 4, 2, BF16, BF16),
    DENSE(F32_16X16X4BF16_1K, 16, 4, 4, BF16, BF16),
    DENSE(F32_4X4X4BF16_1K, 4, 4, 16, BF16, BF16),
    DENSE(F32_32X32X8BF16_1K, 32, 8, 1, BF16, BF16),
    DENSE(F32_16X16X16BF16_1K, 16, 16, 1, BF16, BF16),
    DENSE(F32_16X16X32_F16, 16, 32, 1, F16, F16),
    DENSE(F32_32X32X16_F16, 32, 16, 1, F16, F16),
    DENSE(F32_16X16X32_BF16, 16, 32, 1, BF16, BF16),
    DENSE(F32_32X32X16_BF16, 32, 16, 1, BF16, BF16),
    DENSE(I32_16X16X64_I8, 16, 64, 1, I8, I8),
    DENSE(I32_32X32X32_I8, 32, 32, 1, I8, I8),
    DENSE(F32_16X16X128_F8F6F4, 16, 128, 1, ANY, ANY),
    DENSE(F32_32X32X64_F8F6F4, 32, 64, 1, ANY, ANY),
    DENSE(SCALE_F32_16X16X128_F8F6F4, 16, 128, 1, ANY, ANY),
    DENSE(SCALE_F32_32X32X64_F8F6F4, 32, 64, 1, ANY, ANY),
    DENSE(F64_16X16X4F64, 16, 4, 1, F64, F64),
    DENSE(F64_4X4X4F64, 4, 4, 4, F64, F64),
    DENSE(F32_16X16X32_BF8_BF8, 16, 32, 1, BF8, BF8),
    DENSE(F32_16X16X32_BF8_FP8, 16, 32, 1, BF8, FP8),
    DENSE(F32_16X16X32_FP8_BF8, 16, 32, 1, FP8, BF8),
    DENSE(F32_16X16X32_FP8_FP8, 16, 32, 1, FP8, FP8),
    DENSE(F32_32X32X16_BF8_BF8, 32, 16, 1, BF8, BF8),
    DENSE(F32_32X32X16_BF8_FP8, 32, 16, 1, BF8, FP8),
    DENSE(F32_32X32X16_FP8_BF8, 32, 16, 1, FP8, BF8),
    DENSE(F32_32X32X16_FP8_FP8, 32, 16, 1, FP8, FP8),
    SPARSE(F32_16X16X64_F16, 16, 64, F16, F16),
    SPARSE(F32_32X32X32_F16, 32, 32, F16, F16),
    SPARSE(F32_16X16X64_BF16, 16, 64, BF16, BF16),
    SPARSE(F32_32X32X32_BF16, 32, 32, BF16, BF16),
    SPARSE(I32_16X16X128_I8, 16, 128, I8, I8),
    SPARSE(I32_32X32X64_I8, 32, 64, I8, I8),
    SPARSE(F32_16X16X128_BF8_BF8, 16, 128, BF8, BF8),
    SPARSE(F32_32X32X64_BF8_BF8, 32, 64, BF8, BF8),
    SPARSE(F32_16X16X128_BF8_FP8, 16, 128, BF8, FP8),
    SPARSE(F32_32X32X64_BF8_FP8, 32, 64, BF8, FP8),
    SPARSE(F32_16X16X128_FP8_BF8, 16, 128, FP8, BF8),
    SPARSE(F32_32X32X64_FP8_BF8, 32, 64, FP8, BF8),
    SPARSE(F32_16X16X128_FP8_FP8, 16, 128, FP8, FP8),
    SPARSE(F32_32X32X64_FP8_FP8, 32, 64, FP8, FP8),
    SPARSE(F32_16X16X32_F16, 16, 32, F16, F16),
    SPARSE(F32_32X32X16_F16, 32, 16, F16, F16),
    SPARSE(F32_16X16X32_BF16, 16, 32, BF16, BF16),
    SPARSE(F32_32X32X16_BF16, 32, 16, BF16, BF16),
    SPARSE(I32_16X16X64_I8, 16, 64, I8, I8),
    SPARSE(I32_32X32X32_I8, 32, 32, I8, I8),
    SPARSE(F32_16X16X64_BF8_BF8, 16, 64, BF8, BF8),
    SPARSE(F32_16X16X64_BF8_FP8, 16, 64, BF8, FP8),
    SPARSE(F32_16X16X64_FP8_BF8, 16, 64, FP8, BF8),
    SPARSE(F32_16X16X64_FP8_FP8, 16, 64, FP8, FP8),
    SPARSE(F32_32X32X32_BF8_BF8, 32, 32, BF8, BF8),
    SPARSE(F32_32X32X32_BF8_FP8, 32, 32, BF8, FP8),
    SPARSE(F32_32X32X32_FP8_BF8, 32, 32, FP8, BF8),
    SPARSE(F32_32X32X32_FP8_FP8, 32, 32, FP8, FP8),
};

static const uint8_t element_bits[] = {32, 64, 16, 16, 8, 8, 8, 32, 6, 6, 4};

/* The elements of a factor. Formats that do not exist count as fp8. */
static element
element_of(const matrix_op *o, const amd_inst *in, bool is_b)
{
    static const uint8_t formats[] = {
        [AMD_FACTOR_FP8] = E_FP8, [AMD_FACTOR_BF8] = E_BF8, [AMD_FACTOR_FP6] = E_FP6,
        [AMD_FACTOR_BF6] = E_BF6, [AMD_FACTOR_FP4] = E_FP4,
    };
    uint32_t format = is_b ? in->blgp : in->cbsz;
    if (o->a != E_ANY)
        return (element)(is_b ? o->b : o->a);
    return format <= AMD_FACTOR_FP4 ? (element)formats[format] : E_FP8;
}

/* Truncates binary32 to xf32, which has 10 fraction bits. (Measurements on gfx942 show that it does
 * not round: sums of positive products are too small.) */
static double
cut_to_xf32(uint32_t u)
{
    return (double)base_bits_f32(amd_emu_nan32(u) ? u | 0x400000 : u & ~UINT32_C(0x1fff));
}

/* Element `n` of those that lane `l` holds in registers from `reg` on. */
static double
element_at(const emu_wave *w, uint32_t reg, uint32_t l, element e, uint32_t n)
{
    uint32_t bit = n * element_bits[e], word = w->vgpr[reg + bit / 32][l];
    uint32_t v = word >> bit % 32;
    if (bit % 32 + element_bits[e] > 32 && e >= E_FP6)
        v |= w->vgpr[reg + bit / 32 + 1][l] << (32 - bit % 32);
    bool flush = w->m->d->gen == AMD_GFX90A;
    switch (e) {
    case E_F32: return base_bits_f32(word);
    case E_F64: return base_bits_f64(word | (uint64_t)w->vgpr[reg + bit / 32 + 1][l] << 32);
    case E_F16: return amd_emu_from_half(flush ? amd_emu_flush16(v & 0xffff) : v & 0xffff);
    case E_BF16: return base_bits_f32(flush ? amd_emu_flush32(v << 16) : v << 16);
    case E_I8: return (int8_t)(v & 0xff);
    case E_FP8:
    case E_BF8: return (double)amd_emu_from_small_float(w->m->d->gen, v & 0xff, e == E_BF8);
    case E_FP6: return (double)amd_emu_from_narrow(EMU_FP6, v & 63);
    case E_BF6: return (double)amd_emu_from_narrow(EMU_BF6, v & 63);
    case E_FP4: return (double)amd_emu_from_narrow(EMU_FP4, v & 15);
    default: return cut_to_xf32(word);
    }
}

/* A factor: its elements by block, row (B: column) and k, and the rows with undefined elements. */
typedef struct factor {
    double v[16 * 4 * 4 * 64]; /* the largest: one block of 32 x 64 */
    bool undefined[64 * 4];
} factor;

static bool
is_undefined(const emu_wave *w, uint32_t reg, uint32_t l, uint32_t bit, uint32_t bits)
{
    uint32_t bytes = bits >= 32 || bits < 8 ? 15
                     : bits == 16           ? 3u << bit % 32 / 8
                                            : 1u << bit % 32 / 8;
    return w->shadow && (amd_emu_shadow_get(w, reg + bit / 32, bytes) >> l & 1);
}

/* f8f6f4: a lane has 32 elements of a row. Those of 8 bits are in two runs of 16, half a row apart
 * (AMD, "Matrix Core Programming on AMD CDNA 3 and CDNA 4 architecture"). */
static uint32_t
factor_lane(const matrix_op *o, element e, uint32_t i, uint32_t k, uint32_t *place)
{
    bool runs = e == E_FP8 || e == E_BF8;
    uint32_t half = o->k / 2u, in_half = k % half;
    *place = runs ? k / half * 16 + in_half % 16 : k % 32;
    return i + o->m * (runs ? in_half / 16 : k / 32);
}

/* The power of two that scales 32 elements: the byte `select` of the register in lane `l`. */
static double
scale_at(const emu_wave *w, uint32_t reg, uint32_t l, uint32_t select)
{
    uint32_t v = w->vgpr[reg][l] >> 8 * select & 255;
    return v == 255 ? (double)NAN : ldexp(1, (int)v - 127);
}

/* A factor of f8f6f4, scaled if the instruction has scales. Those of `k` to k + 31 of a row are in
 * the lane that has this number among those of 32 elements each. */
static void
load_factor(const emu_wave *w, const matrix_op *o, const amd_inst *in, bool is_b, factor *f)
{
    element e = element_of(o, in, is_b);
    uint32_t reg = in->src[is_b] - AMD_REG_VGPR0, bits = element_bits[e];
    bool scaled = in->n_src > 3;
    uint32_t scales = scaled ? in->src[3 + is_b] - AMD_REG_VGPR0 : 0;
    uint32_t select = (in->op_sel >> is_b & 1) | (in->op_sel_hi >> is_b & 1) << 1;
    for (uint32_t i = 0; i < o->m; i++) {
        f->undefined[i] = false;
        for (uint32_t k = 0; k < o->k; k++) {
            uint32_t place, l = factor_lane(o, e, i, k, &place), s = i + o->m * (k / 32);
            double v = element_at(w, reg, l, e, place);
            f->v[i * o->k + k] = scaled ? v * scale_at(w, scales, s, select) : v;
            f->undefined[i] |= is_undefined(w, reg, l, place * bits, bits) ||
                               (scaled && is_undefined(w, scales, s, 0, 32));
        }
    }
}

/* The lane that holds row `i` and `k` of a factor, with `per` elements of the row in each lane. */
static uint32_t
lane_of(const matrix_op *o, uint32_t i, uint32_t block, uint32_t k, uint32_t per)
{
    return i + o->m * (block + o->blocks * (k / per));
}

static void
load_dense(const emu_wave *w, const matrix_op *o, const amd_inst *in, bool is_b, factor *f)
{
    element e = (element)(is_b ? o->b : o->a);
    uint32_t reg = in->src[is_b] - AMD_REG_VGPR0, bits = element_bits[e];
    uint32_t per = (uint32_t)o->m * o->k * o->blocks / 64;
    bool patterns = e != E_F64,
         negate = !patterns && amd_is_cdna3(w->m->d->gen) && (in->blgp >> is_b & 1);
    for (uint32_t b = 0; b < o->blocks; b++) {
        uint32_t from = b;
        if (!is_b && patterns && o->blocks > 1)
            from = ((b >> in->cbsz << in->cbsz) + in->abid) % o->blocks;
        for (uint32_t i = 0; i < o->m; i++) {
            bool *undefined = &f->undefined[b * o->m + i];
            *undefined = false;
            for (uint32_t k = 0; k < o->k; k++) {
                uint32_t l = lane_of(o, i, from, k, per);
                if (is_b && patterns)
                    l = in->blgp == 0   ? l
                        : in->blgp < 3  ? l % 32 + (in->blgp - 1u) * 32
                        : in->blgp == 3 ? (l + 16) % 64
                                        : l % 16 + (in->blgp - 4u) * 16;
                double v = element_at(w, reg, l, e, k % per);
                f->v[(b * o->m + i) * o->k + k] = negate ? -v : v;
                *undefined |= is_undefined(w, reg, l, k % per * bits, bits);
            }
        }
    }
}

/* Loads A of V_SMFMAC: all elements that are not stored are zero. */
static void
load_sparse(const emu_wave *w, const matrix_op *o, const amd_inst *in, factor *f)
{
    element e = (element)o->a;
    uint32_t reg = in->src[0] - AMD_REG_VGPR0, index = in->src[2] - AMD_REG_VGPR0;
    uint32_t per = (uint32_t)o->m * o->k / 64, bits = element_bits[e];
    uint32_t sets = 32 / per; /* two bits for each of the per / 2 elements that a lane stores */
    uint32_t shift = in->cbsz ? 0 : in->abid % sets * (32 / sets);
    for (uint32_t i = 0; i < o->m; i++) {
        f->undefined[i] = false;
        for (uint32_t k = 0; k < o->k; k++)
            f->v[i * o->k + k] = 0;
        for (uint32_t s = 0; s < o->k / 2u; s++) { /* stored elements */
            uint32_t l = i + o->m * (s / (per / 2)), n = s % (per / 2);
            uint32_t at = w->vgpr[index][l] >> (shift + n * 2) & 3;
            f->v[i * o->k + s / 2 * 4 + at] = element_at(w, reg, l, e, n);
            f->undefined[i] |= is_undefined(w, reg, l, n * bits, bits) ||
                               (w->shadow &&
                                (amd_emu_shadow_get(w, index, EMU_BYTES_ALL) >> l & 1));
        }
    }
}

static void
load(const emu_wave *w, const matrix_op *o, const amd_inst *in, bool is_b, factor *f)
{
    if (o->a == E_ANY)
        load_factor(w, o, in, is_b, f);
    else if (o->sparse && !is_b)
        load_sparse(w, o, in, f);
    else
        load_dense(w, o, in, is_b, f);
}

/* The register (in elements) and the lane of row `i`, column `j` of a result. */
static void
place(const matrix_op *o, uint32_t b, uint32_t i, uint32_t j, uint32_t *reg, uint32_t *lane)
{
    uint32_t groups = 64 / o->m;
    if (o->a == E_F64) {
        uint32_t rows = groups / o->blocks;
        *lane = j + o->m * (b + o->blocks * (i % rows));
        *reg = i / rows;
    } else if (o->m == 4) {
        *lane = j + 4 * b;
        *reg = i;
    } else {
        uint32_t chunk = i / 4;
        *lane = j + o->m * (chunk % groups);
        *reg = i % 4 + 4 * (chunk / groups + o->m / 4 / groups * b);
    }
}

/* Computes one element of D, as bits. */
static uint64_t
multiply(const emu_wave *w, const matrix_op *o, const double *a, const double *b, uint64_t c)
{
    if (o->a == E_F64) {
        double d = base_bits_f64(c);
        for (uint32_t k = 0; k < o->k; k++)
            d = fma(a[k], b[k], d);
        return base_f64_bits(d);
    }
    if (o->a == E_F32 || o->a == E_XF32) {
        float d = base_bits_f32((uint32_t)c);
        for (uint32_t k = 0; k < o->k; k++)
            d = fmaf((float)a[k], (float)b[k], d);
        return base_f32_bits(d);
    }
    if (o->a == E_I8) {
        uint32_t d = (uint32_t)c;
        for (uint32_t k = 0; k < o->k; k++)
            d += (uint32_t)((int32_t)a[k] * (int32_t)b[k]);
        return d;
    }
    double d = base_bits_f32((uint32_t)c);
    for (uint32_t k = 0; k < o->k; k++)
        d += a[k] * b[k];
    uint32_t bits = base_f32_bits((float)d);
    bool flush = w->m->d->gen == AMD_GFX90A && (o->a == E_F16 || o->a == E_BF16);
    return flush ? amd_emu_flush32(bits) : bits;
}

/* An element of C, from a register or a constant. */
static uint64_t
addend(const emu_wave *w, const matrix_op *o, const amd_inst *in, uint32_t reg, uint32_t lane)
{
    uint32_t code = o->sparse ? in->dst[0] : in->src[2];
    bool wide = o->a == E_F64;
    uint64_t v;
    if (code < AMD_REG_VGPR0) {
        bool is_float = code >= AMD_SRC_F_0_5 && code <= AMD_SRC_F_INV_2PI;
        v = is_float ? amd_emu_inline_float(code, wide ? 64 : 32)
            : wide   ? amd_emu_read_s64(w, in, code)
                     : amd_emu_read_s32(w, in, code);
    } else {
        uint32_t row = code - AMD_REG_VGPR0 + (wide ? reg * 2 : reg);
        v = w->vgpr[row][lane] | (wide ? (uint64_t)w->vgpr[row + 1][lane] << 32 : 0);
    }
    return wide && amd_is_cdna3(w->m->d->gen) && in->blgp & 4 ? v ^ UINT64_C(1) << 63 : v;
}

static void
run_matrix(emu_wave *w, const emu_inst *i)
{
    const matrix_op *o = i->op;
    const amd_inst *in = &i->in;
    arena_mark mark = arena_save(w->m->arena);
    factor *a = ARENA_NEW(w->m->arena, factor), *b = ARENA_NEW(w->m->arena, factor);
    uint32_t width = o->a == E_F64 ? 2 : 1, dst = in->dst[0] - AMD_REG_VGPR0;
    uint32_t registers = (uint32_t)o->m * o->m * o->blocks / 64 * width;
    uint32_t(*d)[EMU_LANES] = arena_zalloc(w->m->arena, registers * sizeof *d);
    uint64_t *undefined = ARENA_ARRAY(w->m->arena, registers, uint64_t);
    uint32_t c = o->sparse ? in->dst[0] : in->src[2];
    load(w, o, in, true, b);
    load(w, o, in, false, a);
    for (uint32_t block = 0; block < o->blocks; block++)
        for (uint32_t row = 0; row < o->m; row++)
            for (uint32_t col = 0; col < o->m; col++) {
                uint32_t reg, lane, ra = block * o->m + row, rb = block * o->m + col;
                place(o, block, row, col, &reg, &lane);
                uint64_t v = multiply(w, o, &a->v[ra * o->k], &b->v[rb * o->k],
                                      addend(w, o, in, reg, lane));
                bool u = a->undefined[ra] || b->undefined[rb];
                for (uint32_t k = 0; k < width; k++) {
                    d[reg * width + k][lane] = (uint32_t)(v >> 32 * k);
                    if (w->shadow && c >= AMD_REG_VGPR0)
                        u |= amd_emu_shadow_get(w, c - AMD_REG_VGPR0 + reg * width + k,
                                                EMU_BYTES_ALL) >>
                                 lane &
                             1;
                    undefined[reg * width + k] |= (uint64_t)u << lane;
                }
            }
    for (uint32_t r = 0; r < registers; r++) {
        memcpy(w->vgpr[dst + r], d[r], sizeof *d);
        if (w->shadow)
            amd_emu_shadow_set(w, dst + r, EMU_BYTES_ALL, UINT64_MAX, undefined[r]);
    }
    w->lane_instructions += EMU_LANES;
    arena_release(w->m->arena, mark);
}

/* v_accvgpr_read, _write, _mov: copies between the halves of the register file, in the lanes of
 * exec. */
static void
run_move(emu_wave *w, const emu_inst *i)
{
    emu_row room;
    uint64_t exec = amd_emu_exec(w);
    uint32_t code = i->in.src[0], dst = i->in.dst[0] - AMD_REG_VGPR0;
    const uint32_t *from = amd_emu_source_row(w, i, code, EMU_T_U32, 0, &room);
    for (uint32_t k = 0; w->shadow && k < 4; k++) {
        bool vector = code >= AMD_REG_VGPR0;
        uint64_t scalar = vector ? 0 : amd_emu_shadow_bits(w, code, false) >> (8 * k) & 255;
        uint64_t u = vector   ? amd_emu_shadow_get(w, code - AMD_REG_VGPR0, 1u << k)
                     : scalar ? UINT64_MAX
                              : 0;
        amd_emu_shadow_set(w, dst, 1u << k, exec, u);
    }
    w->lane_instructions += base_popcount64(exec);
    amd_emu_write_vgpr(w, dst, from, exec);
}

bool
amd_emu_bind_matrix(emu_inst *i)
{
    if (i->in.op == AMD_V_ACCVGPR_READ_B32 || i->in.op == AMD_V_ACCVGPR_WRITE_B32 ||
        i->in.op == AMD_V_ACCVGPR_MOV_B32) {
        i->run = run_move;
        return true;
    }
    for (size_t r = 0; r < sizeof matrix_ops / sizeof *matrix_ops; r++) {
        if (matrix_ops[r].op == i->in.op) {
            i->run = run_matrix;
            i->op = &matrix_ops[r];
            return true;
        }
    }
    return false;
}
