/* Wave matrix operations of gfx11 and gfx12: D = A * B + C of one 16x16 result, over all lanes
 * regardless of exec. WMMA has dense factors; SWMMAC (gfx12) has a sparse A, and D is also C.
 *
 * Positions of elements (AMD's matrix instruction calculator for RDNA 3 and RDNA 4):
 * - gfx11. Factors: lane i holds row i of A, or column i of B, all k in order; lanes from 16 on
 *   must hold copies. Results: with g = lanes / 16, row i is in register i / g of the lanes from 16
 *   (i % g) on; 16-bit results are in the half that op_sel's bit 2 selects, and the other half is
 *   kept.
 * - gfx12, wave32. Lanes 0 to 15 and 16 to 31 share rows: runs of K / 4 k of 16-bit elements, or K
 *   / 2 of smaller ones, alternate between the two. Results: eight rows each.
 * - gfx12, wave64: lanes from 32 on hold the second half of what a lane holds in wave32, if that is
 *   more than one register.
 *
 * SWMMAC: A stores two of each four k; for each stored element, src2 of the lane that holds it has
 * two bits, in the part that index_key selects (RDNA 4 ISA, "Structured Sparse Matrices").
 *
 * neg negates the elements in the low halves of A's or B's registers, neg_hi those in the high
 * halves; for C, neg negates and neg_hi takes the absolute value. For integers neg means signed.
 * Rounding is to nearest even regardless of MODE. Intermediate rounding and flushing of denormals
 * are not documented: here products are added in binary64 in the order of k, and the sum is rounded
 * once.
 */
#include "amd/emu/alu/valu_rows.h"
#include "amd/emu/core/findings.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/matrix/matrix.h"

typedef enum element { E_F16, E_BF16, E_INT8, E_INT4, E_FP8, E_BF8, E_F32, E_I32 } element;

static const uint8_t element_bits[] = {16, 16, 8, 4, 8, 8, 32, 32};

enum { SIZE = 16, MAX_K = 64, MAX_RESULT = 8 /* registers */ };

typedef struct wave_matrix_op {
    uint16_t op;
    uint8_t k;
    uint8_t a, b, d; /* element */
    bool sparse;
} wave_matrix_op;

#define DENSE(op, k, a, b, d)                                                                      \
    {                                                                                              \
        AMD_V_WMMA_##op, k, E_##a, E_##b, E_##d, false                                             \
    }
#define SPARSE(op, k, a, b, d)                                                                     \
    {                                                                                              \
        AMD_V_SWMMAC_##op, k, E_##a, E_##b, E_##d, true                                            \
    }
static const wave_matrix_op wave_matrix_ops[] = {
    DENSE(F32_16X16X16_F16, 16, F16, F16, F32),
    DENSE(F32_16X16X16_BF16, 16, BF16, BF16, F32),
    DENSE(F16_16X16X16_F16, 16, F16, F16, F16),
    DENSE(BF16_16X16X16_BF16, 16, BF16, BF16, BF16),
    DENSE(I32_16X16X16_IU8, 16, INT8, INT8, I32),
    DENSE(I32_16X16X16_IU4, 16, INT4, INT4, I32),
    DENSE(I32_16X16X32_IU4, 32, INT4, INT4, I32),
    DENSE(F32_16X16X16_FP8_FP8, 16, FP8, FP8, F32),
    DENSE(F32_16X16X16_FP8_BF8, 16, FP8, BF8, F32),
    DENSE(F32_16X16X16_BF8_FP8, 16, BF8, FP8, F32),
    DENSE(F32_16X16X16_BF8_BF8, 16, BF8, BF8, F32),
    SPARSE(F32_16X16X32_F16, 32, F16, F16, F32),
    SPARSE(F32_16X16X32_BF16, 32, BF16, BF16, F32),
    SPARSE(F16_16X16X32_F16, 32, F16, F16, F16),
    SPARSE(BF16_16X16X32_BF16, 32, BF16, BF16, BF16),
    SPARSE(I32_16X16X32_IU8, 32, INT8, INT8, I32),
    SPARSE(I32_16X16X32_IU4, 32, INT4, INT4, I32),
    SPARSE(I32_16X16X64_IU4, 64, INT4, INT4, I32),
    SPARSE(F32_16X16X32_FP8_FP8, 32, FP8, FP8, F32),
    SPARSE(F32_16X16X32_FP8_BF8, 32, FP8, BF8, F32),
    SPARSE(F32_16X16X32_BF8_FP8, 32, BF8, FP8, F32),
    SPARSE(F32_16X16X32_BF8_BF8, 32, BF8, BF8, F32),
};

/* A lane, and the index `n` of an element in its registers, from the first register on. */
typedef struct place {
    uint32_t lane, n;
} place;

/* The number of elements of a row of `k` that a lane holds. */
static uint32_t
elements_per_lane(const emu_wave *w, element e, uint32_t k)
{
    uint32_t least = 32u / element_bits[e];
    if (w->m->d->gen < AMD_GFX12)
        return k;
    return w->lanes == 32 || k / 4 < least ? k / 2 : k / 4;
}

/* The position of element `s` of the `k` in row `i` of A, or column `i` of B. */
static place
factor_place(const emu_wave *w, element e, uint32_t k, uint32_t i, uint32_t s)
{
    uint32_t per = elements_per_lane(w, e, k), run = element_bits[e] == 16 ? k / 4 : k / 2;
    if (w->m->d->gen < AMD_GFX12)
        return (place){i, s};
    uint32_t n = s / (2 * run) * run + s % run;
    return (place){i + 16 * (s / run % 2) + 32 * (n / per), n % per};
}

/* The position of row `i` and column `j` of C and D; `n` counts elements of the result's size. On
 * gfx11 each has its own register. */
static place
result_place(const emu_wave *w, element e, uint32_t i, uint32_t j)
{
    uint32_t groups = w->lanes / 16, per = SIZE / groups, n = i % 8;
    if (w->m->d->gen < AMD_GFX12)
        return (place){j + 16 * (i % groups), i / groups * (32u / element_bits[e])};
    return (place){j + 16 * (i / 8) + 32 * (n / per), n % per};
}

/* A factor: its rows (B: columns) of numbers, and the rows with undefined ones. */
typedef struct factor {
    double v[SIZE][MAX_K];
    bool undefined[SIZE];
} factor;

static double
element_at(const emu_wave *w, element e, bool is_signed, uint32_t reg, place p)
{
    uint32_t bits = element_bits[e], bit = p.n * bits;
    uint32_t v = w->vgpr[reg + bit / 32][p.lane] >> bit % 32 & (uint32_t)base_mask64(bits);
    switch (e) {
    case E_F16: return (double)amd_emu_from_half(v);
    case E_BF16: return (double)base_bits_f32(v << 16);
    case E_FP8:
    case E_BF8: return (double)amd_emu_from_small_float(w->m->d->gen, v, e == E_BF8);
    default: return is_signed ? (double)base_sext64(v, bits) : (double)v;
    }
}

/* Is the element undefined? On gfx11 it also is if its copy differs. */
static bool
is_undefined(emu_wave *w, element e, uint32_t reg, place p)
{
    uint32_t bits = element_bits[e], bit = p.n * bits, row = reg + bit / 32;
    uint32_t bytes = bits == 16 ? 3u << bit % 32 / 8 : 1u << bit % 32 / 8;
    uint32_t mask = (uint32_t)base_mask64(bits) << bit % 32;
    if (!w->shadow)
        return false;
    bool u = amd_emu_shadow_get(w, row, bytes) >> p.lane & 1;
    for (uint32_t l = p.lane + 16; w->m->d->gen < AMD_GFX12 && l < w->lanes; l += 16) {
        if ((w->vgpr[row][l] ^ w->vgpr[row][p.lane]) & mask)
            amd_emu_find(w, EMU_RULE_MATRIX_COPIES, (int)l,
                         "lane %u of v%u is no copy of lane %u's, as a matrix's factor must be", l,
                         row, p.lane);
        u |= amd_emu_shadow_get(w, row, bytes) >> l & 1;
    }
    return u;
}

/* Element `s` of row `i`, with neg applied. */
static double
signed_element(emu_wave *w, const amd_inst *in, element e, bool is_b, place p)
{
    uint32_t reg = in->src[is_b] - AMD_REG_VGPR0, high = element_bits[e] == 16 && p.n % 2;
    double v = element_at(w, e, in->neg >> is_b & 1, reg, p);
    bool small = e == E_F16 || e == E_BF16;
    return small && ((high ? in->neg_hi : in->neg) >> is_b & 1) ? -v : v;
}

static void
load_dense(emu_wave *w, const wave_matrix_op *o, const amd_inst *in, bool is_b, factor *f)
{
    element e = (element)(is_b ? o->b : o->a);
    for (uint32_t i = 0; i < SIZE; i++) {
        f->undefined[i] = false;
        for (uint32_t k = 0; k < o->k; k++) {
            place p = factor_place(w, e, o->k, i, k);
            f->v[i][k] = signed_element(w, in, e, is_b, p);
            f->undefined[i] |= is_undefined(w, e, in->src[is_b] - AMD_REG_VGPR0, p);
        }
    }
}

/* Loads A of SWMMAC: half of the k are stored, all others are zero. */
static void
load_sparse(emu_wave *w, const wave_matrix_op *o, const amd_inst *in, factor *f)
{
    element e = (element)o->a;
    uint32_t stored = o->k / 2u, reg = in->src[0] - AMD_REG_VGPR0,
             index = in->src[2] - AMD_REG_VGPR0;
    uint32_t bits = 2 * elements_per_lane(w, e, stored), shift = in->op_sel * bits % 32;
    uint32_t bytes = (uint32_t)base_mask64(bits / 8) << shift / 8;
    memset(f, 0, sizeof *f);
    for (uint32_t i = 0; i < SIZE; i++)
        for (uint32_t s = 0; s < stored; s++) {
            place p = factor_place(w, e, stored, i, s);
            uint32_t at = w->vgpr[index][p.lane] >> (shift + 2 * p.n) & 3;
            f->v[i][s / 2 * 4 + at] = signed_element(w, in, e, false, p);
            f->undefined[i] |= is_undefined(w, e, reg, p) ||
                               (w->shadow && (amd_emu_shadow_get(w, index, bytes) >> p.lane & 1));
        }
}

/* The bits of an element of C, from a register or a constant. */
static uint32_t
addend(const emu_wave *w, const wave_matrix_op *o, const amd_inst *in, place p)
{
    uint32_t code = o->sparse ? in->dst[0] : in->src[2], bits = element_bits[o->d];
    bool is_float = code >= AMD_SRC_F_0_5 && code <= AMD_SRC_F_INV_2PI, high = in->op_sel & 4;
    uint32_t bit = p.n * bits, v;
    if (code >= AMD_REG_VGPR0)
        v = w->vgpr[code - AMD_REG_VGPR0 + bit / 32][p.lane] >>
            (bits == 16 && w->m->d->gen < AMD_GFX12 && high ? 16 : bit % 32);
    else if (is_float && o->d == E_BF16)
        v = (uint32_t)amd_emu_inline_float(code, 32) >> 16;
    else
        v = is_float ? (uint32_t)amd_emu_inline_float(code, bits) : amd_emu_read_s32(w, in, code);
    v &= (uint32_t)base_mask64(bits);
    if (o->d == E_I32)
        return v;
    uint32_t sign = UINT32_C(1) << (bits - 1);
    v &= in->neg_hi & 4 ? ~sign : UINT32_MAX;
    return v ^ (in->neg & 4 ? sign : 0);
}

static uint32_t
multiply(const wave_matrix_op *o, const amd_inst *in, const double *a, const double *b, uint32_t c)
{
    double d = o->d == E_I32    ? (double)(int32_t)c
               : o->d == E_F32  ? (double)base_bits_f32(c)
               : o->d == E_BF16 ? (double)base_bits_f32(c << 16)
                                : (double)amd_emu_from_half(c);
    for (uint32_t k = 0; k < o->k; k++)
        d += a[k] * b[k];
    switch (o->d) {
    case E_F16: return amd_emu_to_half(d, EMU_RNE);
    case E_BF16: return amd_emu_to_bf16(d);
    case E_F32: return base_f32_bits((float)d);
    default: return in->clamp ? (uint32_t)amd_emu_to_i32(d) : (uint32_t)(int64_t)d;
    }
}

/* D's registers before they are written, and the undefined bytes of each. */
typedef struct result {
    uint32_t v[MAX_RESULT][EMU_LANES];
    uint64_t undefined[MAX_RESULT][2]; /* per half */
} result;

static void
compute(emu_wave *w, const wave_matrix_op *o, const amd_inst *in, result *d)
{
    factor a, b;
    uint32_t bits = element_bits[o->d], c = o->sparse ? in->dst[0] : in->src[2];
    load_dense(w, o, in, true, &b);
    if (o->sparse)
        load_sparse(w, o, in, &a);
    else
        load_dense(w, o, in, false, &a);
    for (uint32_t i = 0; i < SIZE; i++)
        for (uint32_t j = 0; j < SIZE; j++) {
            place p = result_place(w, (element)o->d, i, j);
            uint32_t reg = p.n * bits / 32, at = p.n * bits % 32;
            if (bits == 16 && w->m->d->gen < AMD_GFX12)
                at = in->op_sel & 4 ? 16 : 0;
            uint32_t v = multiply(o, in, a.v[i], b.v[j], addend(w, o, in, p));
            uint32_t bytes = bits == 32 ? EMU_BYTES_ALL : 3u << at / 8;
            uint64_t u = a.undefined[i] || b.undefined[j];
            if (w->shadow && c >= AMD_REG_VGPR0)
                u |= amd_emu_shadow_get(w, c - AMD_REG_VGPR0 + reg, bytes) >> p.lane & 1;
            d->v[reg][p.lane] = (d->v[reg][p.lane] & ~((uint32_t)base_mask64(bits) << at)) |
                                v << at;
            for (uint32_t half = at / 16; half < (at + bits) / 16; half++)
                d->undefined[reg][half] |= u << p.lane;
        }
}

static void
run_wave_matrix(emu_wave *w, const emu_inst *i)
{
    const wave_matrix_op *o = i->op;
    uint32_t dst = i->in.dst[0] - AMD_REG_VGPR0, bits = element_bits[o->d];
    bool halves = bits == 16 && w->m->d->gen < AMD_GFX12;
    uint32_t registers = SIZE * SIZE * (halves ? 32 : bits) / 32 / w->lanes;
    uint32_t which = !halves ? 3 : i->in.op_sel & 4 ? 2 : 1; /* halves that are written */
    result d = {.undefined = {{0}}};
    for (uint32_t r = 0; r < registers; r++)
        memcpy(d.v[r], w->vgpr[dst + r], sizeof d.v[r]);
    compute(w, o, &i->in, &d);
    for (uint32_t r = 0; r < registers; r++) {
        memcpy(w->vgpr[dst + r], d.v[r], w->lanes * sizeof d.v[r][0]);
        for (uint32_t half = 0; w->shadow && half < 2; half++)
            if (which >> half & 1)
                amd_emu_shadow_set(w, dst + r, half ? EMU_BYTES_HIGH : EMU_BYTES_LOW, w->all_lanes,
                                   d.undefined[r][half]);
    }
    w->lane_instructions += w->lanes;
}

bool
amd_emu_bind_wave_matrix(emu_inst *i)
{
    for (size_t r = 0; r < sizeof wave_matrix_ops / sizeof *wave_matrix_ops; r++) {
        if (wave_matrix_ops[r].op == i->in.op) {
            i->run = run_wave_matrix;
            i->op = &wave_matrix_ops[r];
            return true;
        }
    }
    return false;
}
