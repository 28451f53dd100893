/* What only gfx950 has: scaled conversions, rows that change places, reads of LDS that transpose,
 * loads of several dwords to LDS, and matrices of 4 to 8 bits with scales. The expected values come
 * from the definitions of the formats (OCP MX 1.0) and the CDNA 4 guide's pseudo code, computed here
 * in doubles by searching the list of a format's values. */
#include "emu_env.h"

#include <math.h>

static emu_env *
env_new(void)
{
    emu_env *e = emu_env_new(64);
    e->d.gen = AMD_GFX950;
    e->w.n_agprs = 256;
    return e;
}

static uint32_t
next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

/* ---- formats, as lists of values ---- */

typedef struct small {
    const char *name;
    unsigned bits, mantissa, bias, last; /* the largest number's encoding */
} small;

static const small fp8 = {"fp8", 8, 3, 7, 0x7e}, bf8 = {"bf8", 8, 2, 15, 0x7b},
                   fp6 = {"fp6", 6, 3, 1, 0x1f}, bf6 = {"bf6", 6, 2, 3, 0x1f},
                   fp4 = {"fp4", 4, 1, 1, 7};

/* The value of an encoding without its sign; its exponent and mantissa as written. */
static double
size_of(const small *f, unsigned v)
{
    unsigned m = v & ((1u << f->mantissa) - 1), x = v >> f->mantissa;
    return ldexp(x ? 1 + ldexp(m, -(int)f->mantissa) : ldexp(m, 1 - (int)f->mantissa),
                 (int)x - (int)f->bias);
}

static double
value_of(const small *f, unsigned v)
{
    unsigned sign = 1u << (f->bits - 1);
    return v & sign ? -size_of(f, v & (sign - 1)) : size_of(f, v & (sign - 1));
}

/* The encoding of `x`, to nearest even (random < 0) or up where the part above the next lower value
 * and `random`, both below 1, make 1. Too large numbers become the largest one, or what follows it. */
static unsigned
encoding_of(const small *f, double x, double random)
{
    double a = fabs(x);
    unsigned v = 0, sign = signbit(x) ? 1u << (f->bits - 1) : 0;
    unsigned over = f->bits >= 8 ? f->last + 1 : f->last;
    while (v <= f->last && size_of(f, v + 1) <= a)
        v++;
    if (v > f->last)
        return sign | over;
    double part = (a - size_of(f, v)) / (size_of(f, v + 1) - size_of(f, v));
    v += random < 0 ? part > 0.5 || (part == 0.5 && v % 2) : part + random >= 1;
    return sign | (v > f->last ? over : v);
}

static double
wide_value(const char *type, uint32_t v)
{
    if (!strcmp(type, "f32"))
        return (double)base_bits_f32(v);
    if (!strcmp(type, "bf16"))
        return (double)base_bits_f32(v << 16);
    uint32_t m = v & 0x3ff, x = v >> 10 & 31;
    double a = x ? ldexp(1024 + m, (int)x - 25) : ldexp(m, -24);
    return v & 0x8000 ? -a : a;
}

/* A number of `type` that a scale of 2^exponent brings near the small formats. */
static uint32_t
draw_wide(const char *type, int exponent, uint64_t *state)
{
    double x = ldexp((double)(next(state) % 2048) + 1, (int)(next(state) % 10) - 14 + exponent);
    x = next(state) & 1 ? -x : x;
    if (!strcmp(type, "f32"))
        return base_f32_bits((float)x) | (next(state) & 0x3ff);
    if (!strcmp(type, "bf16"))
        return base_f32_bits((float)x) >> 16;
    return next(state) & 0xbfff; /* finite */
}

static uint32_t
prng(uint32_t v)
{
    return v * 2 ^ (v & 0x80000000 ? 0xc5 : 0);
}

/* ---- to narrow formats ---- */

typedef struct case_row {
    const char *text; /* v0: result; v[2:33], v[40:71]: numbers; v100: seed; v101: scale */
    const small *to;
    const char *from;
    unsigned count;
    bool two, random; /* numbers from both; by a seed */
    unsigned at;      /* the bit of v0 where the result begins */
} case_row;

static void
check_narrow(const case_row *c, uint64_t *state)
{
    emu_env *e = env_new();
    int exponent = (int)(next(state) % 7) - 3;
    unsigned bits = !strcmp(c->from, "f32") ? 32 : 16;
    for (uint32_t l = 0; l < 64; l++) {
        for (uint32_t k = 0; k < 32; k++) {
            for (uint32_t s = 0; s < 2; s++) {
                uint32_t v = draw_wide(c->from, exponent, state);
                if (bits == 16)
                    v |= draw_wide(c->from, exponent, state) << 16;
                e->w.vgpr[(s ? 40 : 2) + k][l] = v;
            }
        }
        e->w.vgpr[100][l] = next(state);
        e->w.vgpr[101][l] = (uint32_t)(127 + exponent) << 23 | (next(state) & 0x807fffff);
        for (uint32_t k = 0; k < 6; k++)
            e->w.vgpr[200 + k][l] = e->w.vgpr[120 + k][l] = next(state);
    }
    emu_run_text(e, c->text);
    for (uint32_t l = 0; l < 64; l++) {
        uint32_t seed = e->w.vgpr[100][l];
        uint32_t want[6];
        for (uint32_t k = 0; k < 6; k++)
            want[k] = e->w.vgpr[120 + k][l];
        for (uint32_t n = 0; n < c->count; n++) {
            uint32_t from = c->two && n % 2 ? 40 : 2, at = c->two ? n / 2 : n;
            uint32_t word = e->w.vgpr[from + at * bits / 32][l];
            uint32_t v = bits == 16 ? word >> at % 2 * 16 & 0xffff : word;
            double x = ldexp(wide_value(c->from, v), -exponent);
            uint32_t code = encoding_of(c->to, x, c->random ? ldexp(seed, -32) : -1);
            for (uint32_t b = 0; b < c->to->bits; b++) {
                uint32_t bit = c->at + n * c->to->bits + b;
                want[bit / 32] = (want[bit / 32] & ~(1u << bit % 32)) | (code >> b & 1) << bit % 32;
            }
            seed = prng(seed);
        }
        for (uint32_t k = 0; k < (c->count > 2 ? 6u : 1u); k++)
            if (e->w.vgpr[200 + k][l] != want[k])
                fail_msg("%s: lane %u, register %u: %08x, not %08x", c->text, l, k,
                         e->w.vgpr[200 + k][l], want[k]);
    }
    emu_env_free(e);
}

#define N(op) "v_cvt_scalef32_" op
static const case_row narrow_cases[] = {
    {N("pk_fp8_f32 v200, v2, v40, v101"), &fp8, "f32", 2, true, false, 0},
    {N("pk_bf8_f32 v200, v2, v40, v101 op_sel:[0,0,0,1]"), &bf8, "f32", 2, true, false, 16},
    {N("pk_fp8_f16 v200, v2, v101 op_sel:[0,0,1]"), &fp8, "f16", 2, false, false, 16},
    {N("pk_bf8_f16 v200, v2, v101"), &bf8, "f16", 2, false, false, 0},
    {N("pk_fp8_bf16 v200, v2, v101"), &fp8, "bf16", 2, false, false, 0},
    {N("pk_bf8_bf16 v200, v2, v101 op_sel:[0,0,1]"), &bf8, "bf16", 2, false, false, 16},
    {N("sr_fp8_f32 v200, v2, v100, v101 op_sel:[0,0,1,0]"), &fp8, "f32", 1, false, true, 8},
    {N("sr_bf8_f32 v200, v2, v100, v101 op_sel:[0,0,1,1]"), &bf8, "f32", 1, false, true, 24},
    {N("sr_fp8_f16 v200, v2, v100, v101"), &fp8, "f16", 1, false, true, 0},
    {N("sr_bf8_f16 v200, v2, v100, v101 op_sel:[0,0,0,1]"), &bf8, "f16", 1, false, true, 16},
    {N("sr_fp8_bf16 v200, v2, v100, v101"), &fp8, "bf16", 1, false, true, 0},
    {N("sr_bf8_bf16 v200, v2, v100, v101"), &bf8, "bf16", 1, false, true, 0},
    {N("pk_fp4_f32 v200, v2, v40, v101 op_sel:[0,0,1,1]"), &fp4, "f32", 2, true, false, 24},
    {N("pk_fp4_f16 v200, v2, v101 op_sel:[0,0,1,0]"), &fp4, "f16", 2, false, false, 8},
    {N("pk_fp4_bf16 v200, v2, v101 op_sel:[0,0,0,1]"), &fp4, "bf16", 2, false, false, 16},
    {N("sr_pk_fp4_f32 v200, v[2:3], v100, v101"), &fp4, "f32", 2, false, true, 0},
    {N("sr_pk_fp4_f16 v200, v2, v100, v101 op_sel:[0,0,1,0]"), &fp4, "f16", 2, false, true, 8},
    {N("sr_pk_fp4_bf16 v200, v2, v100, v101"), &fp4, "bf16", 2, false, true, 0},
    {N("2xpk16_fp6_f32 v[200:205], v[2:17], v[40:55], v101"), &fp6, "f32", 32, true, false, 0},
    {N("2xpk16_bf6_f32 v[200:205], v[2:17], v[40:55], v101"), &bf6, "f32", 32, true, false, 0},
    {N("pk32_fp6_f16 v[200:205], v[2:17], v101"), &fp6, "f16", 32, false, false, 0},
    {N("pk32_bf6_f16 v[200:205], v[2:17], v101"), &bf6, "f16", 32, false, false, 0},
    {N("pk32_fp6_bf16 v[200:205], v[2:17], v101"), &fp6, "bf16", 32, false, false, 0},
    {N("pk32_bf6_bf16 v[200:205], v[2:17], v101"), &bf6, "bf16", 32, false, false, 0},
};

static void
test_narrow(void **state)
{
    uint64_t random = 1;
    (void)state;
    for (unsigned k = 0; k < sizeof narrow_cases / sizeof *narrow_cases; k++)
        for (unsigned round = 0; round < 20; round++)
            check_narrow(&narrow_cases[k], &random);
}

/* ---- to wide formats ---- */

static void
check_wide(const char *text, const small *from, const char *to, unsigned count, unsigned first)
{
    emu_env *e = env_new();
    uint64_t state = 7;
    unsigned bits = !strcmp(to, "f32") ? 32 : 16, sign = 1u << (from->bits - 1);
    for (uint32_t l = 0; l < 64; l++) {
        for (uint32_t k = 0; k < 6; k++)
            e->w.vgpr[2 + k][l] = next(&state);
        e->w.vgpr[101][l] = (120 + l % 12) << 23 | 0x80000123;
    }
    emu_run_text(e, text);
    for (uint32_t l = 0; l < 64; l++) {
        for (uint32_t n = 0; n < count; n++) {
            uint32_t code = 0, at = first + n * from->bits;
            for (uint32_t b = 0; b < from->bits; b++)
                code |= (e->w.vgpr[2 + (at + b) / 32][l] >> (at + b) % 32 & 1) << b;
            if ((code & (sign - 1)) > from->last)
                continue; /* infinities and NaNs */
            double want = ldexp(value_of(from, code), (int)(l % 12) - 7);
            uint32_t word = e->w.vgpr[200 + n * bits / 32][l];
            double got = wide_value(to, bits == 16 ? word >> n % 2 * 16 & 0xffff : word);
            if (got != want)
                fail_msg("%s: lane %u, number %u: %g, not %g", text, l, n, got, want);
        }
    }
    emu_env_free(e);
}

static void
test_wide(void **state)
{
    (void)state;
    check_wide(N("pk_f32_fp8 v[200:201], v2, v101 op_sel:[1,0,0]"), &fp8, "f32", 2, 16);
    check_wide(N("pk_f32_bf8 v[200:201], v2, v101"), &bf8, "f32", 2, 0);
    check_wide(N("f32_fp8 v200, v2, v101 op_sel:[1,1,0]"), &fp8, "f32", 1, 24);
    check_wide(N("f32_bf8 v200, v2, v101 op_sel:[0,1,0]"), &bf8, "f32", 1, 16);
    check_wide(N("pk_f16_fp8 v200, v2, v101"), &fp8, "f16", 2, 0);
    check_wide(N("pk_bf16_bf8 v200, v2, v101 op_sel:[1,0,0]"), &bf8, "bf16", 2, 16);
    check_wide(N("pk_bf16_fp8 v200, v2, v101"), &fp8, "bf16", 2, 0);
    check_wide(N("f16_fp8 v200, v2, v101 op_sel:[1,0,0]"), &fp8, "f16", 1, 8);
    check_wide(N("pk_f32_fp4 v[200:201], v2, v101 op_sel:[1,0,0]"), &fp4, "f32", 2, 8);
    check_wide(N("pk_f16_fp4 v200, v2, v101 op_sel:[1,1,0]"), &fp4, "f16", 2, 24);
    check_wide(N("pk_bf16_fp4 v200, v2, v101"), &fp4, "bf16", 2, 0);
    check_wide(N("pk32_f32_fp6 v[200:231], v[2:7], v101"), &fp6, "f32", 32, 0);
    check_wide(N("pk32_f32_bf6 v[200:231], v[2:7], v101"), &bf6, "f32", 32, 0);
    check_wide(N("pk32_f16_fp6 v[200:215], v[2:7], v101"), &fp6, "f16", 32, 0);
    check_wide(N("pk32_bf16_fp6 v[200:215], v[2:7], v101"), &fp6, "bf16", 32, 0);
    check_wide(N("pk32_f16_bf6 v[200:215], v[2:7], v101"), &bf6, "f16", 32, 0);
    check_wide(N("pk32_bf16_bf6 v[200:215], v[2:7], v101"), &bf6, "bf16", 32, 0);
}

/* v_cvt_sr_f16_f32 and v_cvt_sr_bf16_f32: the same without a scale. */
static void
test_seed(void **state)
{
    static const small half = {"f16", 16, 10, 15, 0x7bff}, brain = {"bf16", 16, 7, 127, 0x7f7f};
    uint64_t random = 5;
    (void)state;
    for (unsigned round = 0; round < 10; round++) {
        emu_env *e = env_new();
        for (uint32_t l = 0; l < 64; l++) {
            e->w.vgpr[2][l] = draw_wide("f32", -3, &random);
            e->w.vgpr[3][l] = next(&random);
        }
        emu_run_text(e, "v_cvt_sr_f16_f32 v4, v2, v3\nv_cvt_sr_bf16_f32 v5, v2, v3");
        emu_run_text(e, "v_cvt_pk_f16_f32 v6, v2, -v2\nv_cvt_pk_bf16_f32 v7, v2, -v2");
        for (uint32_t l = 0; l < 64; l++) {
            double x = (double)base_bits_f32(e->w.vgpr[2][l]), by = ldexp(e->w.vgpr[3][l], -32);
            assert_int_equal(e->w.vgpr[4][l] & 0xffff, encoding_of(&half, x, by));
            assert_int_equal(e->w.vgpr[5][l] & 0xffff, encoding_of(&brain, x, by));
            assert_int_equal(e->w.vgpr[6][l], encoding_of(&half, x, -1) | encoding_of(&half, -x, -1)
                                                                              << 16);
            assert_int_equal(e->w.vgpr[7][l],
                             encoding_of(&brain, x, -1) | encoding_of(&brain, -x, -1) << 16);
        }
        emu_env_free(e);
    }
}

/* The higher half of v200 is written, the other one kept. */
static void
test_high_half(void **state)
{
    (void)state;
    emu_env *e = env_new();
    e->w.vgpr[2][0] = 0x38; /* 1 */
    e->w.vgpr[101][0] = 0x40000000;
    e->w.vgpr[200][0] = 0x12345678;
    emu_run_text(e, N("f16_fp8 v200, v2, v101 op_sel:[0,0,1]"));
    assert_int_equal(e->w.vgpr[200][0], 0x40005678);
    emu_run_text(e, "v_cvt_sr_bf16_f32 v200, 1.0, v3 op_sel:[0,0,1]");
    assert_int_equal(e->w.vgpr[200][0], 0x3f805678);
    e->w.vgpr[3][0] = 0xffffffff;
    e->w.vgpr[2][0] = 0x3f800001; /* the seed rounds it up */
    emu_run_text(e, "v_cvt_sr_f16_f32 v200, v2, v3");
    assert_int_equal(e->w.vgpr[200][0], 0x3f803c01);
    emu_env_free(e);
}

/* ---- lanes and LDS ---- */

static void
test_swap(void **state)
{
    (void)state;
    emu_env *e = env_new();
    for (uint32_t distance = 16; distance <= 32; distance *= 2) {
        for (uint32_t l = 0; l < 64; l++) {
            e->w.vgpr[0][l] = l;
            e->w.vgpr[1][l] = 100 + l;
        }
        emu_run_text(e, distance == 16 ? "v_permlane16_swap_b32 v0, v1"
                                       : "v_permlane32_swap_b32 v0, v1");
        for (uint32_t l = 0; l < 64; l++) {
            assert_int_equal(e->w.vgpr[0][l], l & distance ? 100 + l - distance : l);
            assert_int_equal(e->w.vgpr[1][l], l & distance ? 100 + l : l + distance);
        }
    }
    /* inactive lanes are not read: their partners keep what they have, or get 0; or are, with fi */
    e->w.sgpr[AMD_REG_EXEC_LO] = UINT32_MAX;
    e->w.sgpr[AMD_REG_EXEC_HI] = 0;
    for (uint32_t l = 0; l < 64; l++) {
        e->w.vgpr[0][l] = l;
        e->w.vgpr[1][l] = e->w.vgpr[2][l] = e->w.vgpr[3][l] = 100 + l;
    }
    emu_run_text(e, "v_permlane32_swap_b32 v0, v1");
    emu_run_text(e, "v_permlane32_swap_b32_e64 v0, v2 bound_ctrl:1");
    emu_run_text(e, "v_permlane32_swap_b32_e64 v0, v3 fi:1");
    for (uint32_t l = 0; l < 64; l++) {
        assert_int_equal(e->w.vgpr[0][l], l);
        assert_int_equal(e->w.vgpr[1][l], 100 + l);
        assert_int_equal(e->w.vgpr[2][l], l < 32 ? 0 : 100 + l);
        assert_int_equal(e->w.vgpr[3][l], l < 32 ? l + 32 : 100 + l);
    }
    emu_env_free(e);
}

/* Each 16 lanes read a matrix of 16 columns: a lane reads a run of a row and gets a column. The
 * element of row k, column c of group g is a hash of the three. */
static void
check_transposed(const char *text, unsigned bits, unsigned dwords)
{
    emu_env *e = env_new();
    unsigned depth = dwords * 32 / bits, per = 16 / depth, stride = dwords == 3 ? 16 : 8;
    uint8_t *lds = e->g.lds;
    for (uint32_t l = 0; l < 64; l++) {
        e->w.vgpr[2][l] = l * stride;
        for (uint32_t n = 0; n < depth; n++) {
            uint32_t row = l % 16 / per, column = l % 16 % per * depth + n;
            uint32_t v = (row * 37 + column * 11 + l / 16 * 5) & ((1u << bits) - 1);
            for (uint32_t b = 0; b < bits; b++) {
                uint32_t at = l * stride * 8 + n * bits + b;
                lds[at / 8] = (uint8_t)((lds[at / 8] & ~(1u << at % 8)) | (v >> b & 1) << at % 8);
            }
        }
    }
    emu_run_text(e, text);
    for (uint32_t l = 0; l < 64; l++)
        for (uint32_t k = 0; k < depth; k++) {
            uint32_t got = 0;
            for (uint32_t b = 0; b < bits; b++)
                got |= (e->w.vgpr[4 + (k * bits + b) / 32][l] >> (k * bits + b) % 32 & 1) << b;
            assert_int_equal(got, (k * 37 + l % 16 * 11 + l / 16 * 5) & ((1u << bits) - 1));
        }
    emu_env_free(e);
}

static void
test_transposed(void **state)
{
    (void)state;
    check_transposed("ds_read_b64_tr_b16 v[4:5], v2\ns_waitcnt lgkmcnt(0)", 16, 2);
    check_transposed("ds_read_b64_tr_b8 v[4:5], v2\ns_waitcnt lgkmcnt(0)", 8, 2);
    check_transposed("ds_read_b64_tr_b4 v[4:5], v2\ns_waitcnt lgkmcnt(0)", 4, 2);
    check_transposed("ds_read_b96_tr_b6 v[4:6], v2\ns_waitcnt lgkmcnt(0)", 6, 3);
}

/* Lanes of three and four dwords lie 16 bytes apart in LDS. */
static void
test_load_to_lds(void **state)
{
    (void)state;
    for (uint32_t count = 3; count <= 4; count++) {
        emu_env *e = env_new();
        mach_region *r = mach_memory_alloc(&e->memory, MACH_HEAP_LOW, 2048, 256, "data");
        for (uint32_t k = 0; k < 512; k++)
            memcpy(r->host + 4 * k, &(uint32_t){k + 1000}, 4);
        for (uint32_t l = 0; l < 64; l++) {
            e->w.vgpr[0][l] = (uint32_t)(r->base + 16 * l);
            e->w.vgpr[1][l] = (uint32_t)(r->base >> 32);
        }
        e->w.sgpr[AMD_REG_M0] = 32;
        emu_run_text(e, count == 3 ? "global_load_lds_dwordx3 v[0:1], off offset:64"
                                   : "global_load_lds_dwordx4 v[0:1], off offset:64");
        for (uint32_t l = 0; l < 64; l++)
            for (uint32_t c = 0; c < count; c++) {
                uint32_t got;
                memcpy(&got, e->g.lds + 32 + 64 + 16 * l + 4 * c, 4);
                assert_int_equal(got, 1000 + 16 + 4 * l + c);
            }
        emu_env_free(e);
    }
}

/* ---- matrices ---- */

/* Where 8-bit elements of a row lie: two runs of 16 in each lane; others: 32 in each. */
static void
put_element(emu_env *e, uint32_t reg, unsigned rows, unsigned depth, const small *f, unsigned i,
            unsigned k, unsigned code)
{
    unsigned lane, place;
    if (f->bits == 8) {
        unsigned half = k / (depth / 2), rest = k % (depth / 2);
        lane = i + rows * (rest / 16);
        place = half * 16 + rest % 16;
    } else {
        lane = i + rows * (k / 32);
        place = k % 32;
    }
    for (unsigned b = 0; b < f->bits; b++) {
        unsigned bit = place * f->bits + b;
        uint32_t *w = &e->w.vgpr[reg + bit / 32][lane];
        *w = (*w & ~(1u << bit % 32)) | (code >> b & 1) << bit % 32;
    }
}

static double
result_of(const emu_env *e, unsigned rows, unsigned i, unsigned j)
{
    unsigned groups = 64 / rows, chunk = i / 4;
    return (double)base_bits_f32(
        e->w.vgpr[200 + i % 4 + 4 * (chunk / groups)][j + rows * (chunk % groups)]);
}

static void
check_matrix(const char *text, unsigned rows, unsigned depth, const small *a, const small *b,
             bool scaled)
{
    emu_env *e = env_new();
    static double va[32][128], vb[32][128];
    uint64_t state = 3;
    for (unsigned i = 0; i < rows; i++)
        for (unsigned k = 0; k < depth; k++) {
            /* numbers of a few bits, so that sums are exact */
            unsigned ca = next(&state) & 7, cb = next(&state) & 7;
            ca |= a->bits == 8 ? 0x38 : 0;
            cb |= b->bits == 8 ? 0x38 : 0;
            ca |= next(&state) & 1 ? 1u << (a->bits - 1) : 0;
            put_element(e, 0, rows, depth, a, i, k, ca);
            put_element(e, 8, rows, depth, b, i, k, cb);
            va[i][k] = value_of(a, ca);
            vb[i][k] = value_of(b, cb);
        }
    for (unsigned i = 0; scaled && i < rows; i++)
        for (unsigned k = 0; k < depth; k++) {
            /* byte 2 of v16 scales A, byte 1 of v17 scales B; lanes by blocks of 32 */
            unsigned l = i + rows * (k / 32), sa = 126 + l % 3, sb = 127 + l % 2;
            e->w.vgpr[16][l] = 0x55000000 | sa << 16 | 0x1234;
            e->w.vgpr[17][l] = 0x55660000 | sb << 8 | 0x12;
            va[i][k] = ldexp(va[i][k], (int)sa - 127);
            vb[i][k] = ldexp(vb[i][k], (int)sb - 127);
        }
    emu_run_text(e, text);
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j < rows; j++) {
            double want = 0.5;
            for (unsigned k = 0; k < depth; k++)
                want += va[i][k] * vb[j][k];
            if (result_of(e, rows, i, j) != (double)(float)want)
                fail_msg("%s: %u, %u: %g, not %g", text, i, j, result_of(e, rows, i, j), want);
        }
    emu_env_free(e);
}

static void
test_matrices(void **state)
{
    (void)state;
    check_matrix("v_mfma_f32_16x16x128_f8f6f4 v[200:203], v[0:7], v[8:15], 0.5", 16, 128, &fp8,
                 &fp8, false);
    check_matrix("v_mfma_f32_16x16x128_f8f6f4 v[200:203], v[0:3], v[8:13], 0.5 cbsz:4 blgp:2", 16,
                 128, &fp4, &fp6, false);
    check_matrix("v_mfma_f32_32x32x64_f8f6f4 v[200:215], v[0:7], v[8:11], 0.5 cbsz:1 blgp:4", 32,
                 64, &bf8, &fp4, false);
    check_matrix("v_mfma_f32_32x32x64_f8f6f4 v[200:215], v[0:5], v[8:15], 0.5 cbsz:3", 32, 64, &bf6,
                 &fp8, false);
    check_matrix("v_mfma_scale_f32_16x16x128_f8f6f4 v[200:203], v[0:3], v[8:11], 0.5, v16, v17 "
                 "op_sel:[0,1,0] op_sel_hi:[1,0,0] cbsz:4 blgp:4",
                 16, 128, &fp4, &fp4, true);
    check_matrix("v_mfma_scale_f32_32x32x64_f8f6f4 v[200:215], v[0:7], v[8:13], 0.5, v16, v17 "
                 "op_sel:[0,1,0] op_sel_hi:[1,0,0] blgp:2",
                 32, 64, &fp8, &fp6, true);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_narrow),      cmocka_unit_test(test_wide),
        cmocka_unit_test(test_high_half),   cmocka_unit_test(test_swap),
        cmocka_unit_test(test_seed),        cmocka_unit_test(test_transposed),
        cmocka_unit_test(test_load_to_lds), cmocka_unit_test(test_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
