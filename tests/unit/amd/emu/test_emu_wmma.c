/* Wave matrix operations of gfx11 and gfx12 against a matrix product of integers. The places of
 * elements are written as AMD's matrix instruction calculator prints them, one expression for each
 * instruction and wave size, while the emulator has one rule for all. Further cases: signs,
 * constants, halves, clamp, rounding. */
#include "amd/emu/core/shadow.h"
#include "emu_env.h"

enum { SIZE = 16, MAX_K = 64, A = 16, B = 32, C = 48, INDEX = 60, D = 64 };

typedef struct place {
    uint32_t reg, bit, lane;
} place;

typedef enum element { F16, BF16, INT8, INT4, FP8, BF8, F32, I32 } element;

static const uint32_t element_bits[] = {16, 16, 8, 4, 8, 8, 32, 32};

/* A[i][k] of a dense matrix, or B[k][i]. */
static place
dense(bool w64, element e, uint32_t size, uint32_t i, uint32_t k)
{
    if (e == F16 || e == BF16) {
        if (size == 32)
            return w64 ? (place){k / 2 % 4, 16 * (k % 2), 16 * (k / 8) + i}
                       : (place){4 * (k / 16) + k / 2 % 4, 16 * (k % 2), 16 * (k / 8 % 2) + i};
        return w64 ? (place){k / 2 % 2, 16 * (k % 2), 32 * (k / 8 % 2) + 16 * (k / 4 % 2) + i}
                   : (place){2 * (k / 8) + k / 2 % 2, 16 * (k % 2), 16 * (k / 4 % 2) + i};
    }
    if (e != INT4) {
        if (size == 32)
            return w64 ? (place){k / 4 % 2, 8 * (k % 4), 32 * (k / 8 % 2) + 16 * (k / 16) + i}
                       : (place){k / 4 % 4, 8 * (k % 4), 16 * (k / 16) + i};
        return w64 ? (place){0, 8 * (k % 4), 32 * (k / 4 % 2) + 16 * (k / 8 % 2) + i}
                   : (place){k / 4 % 2, 8 * (k % 4), 16 * (k / 8) + i};
    }
    if (size == 64)
        return w64 ? (place){k / 8 % 2, 4 * (k % 8), 32 * (k / 16 % 2) + 16 * (k / 32) + i}
                   : (place){k / 8 % 4, 4 * (k % 8), 16 * (k / 32) + i};
    if (size == 32)
        return w64 ? (place){0, 4 * (k % 8), 32 * (k / 8 % 2) + 16 * (k / 16 % 2) + i}
                   : (place){k / 8 % 2, 4 * (k % 8), 16 * (k / 16) + i};
    return (place){0, 4 * (k % 8), 16 * (k / 8) + i};
}

/* The first of the two stored elements of A[i][k] to A[i][k + 3]. */
static place
sparse(bool w64, element e, uint32_t size, uint32_t i, uint32_t k)
{
    if (e == F16 || e == BF16)
        return w64 ? (place){k / 4 % 2, 0, 16 * (k / 8) + i}
                   : (place){2 * (k / 16) + k / 4 % 2, 0, 16 * (k / 8 % 2) + i};
    if (e != INT4)
        return w64 ? (place){0, 16 * (k / 4 % 2), 32 * (k / 8 % 2) + 16 * (k / 16) + i}
                   : (place){k / 8 % 2, 16 * (k / 4 % 2), 16 * (k / 16) + i};
    if (size == 32)
        return (place){0, 8 * (k / 4 % 4), 16 * (k / 16) + i};
    return w64 ? (place){0, 8 * (k / 4 % 4), 32 * (k / 16 % 2) + 16 * (k / 32) + i}
               : (place){k / 16 % 2, 8 * (k / 4 % 4), 16 * (k / 32) + i};
}

/* Their four bits of the index ("compression"). */
static uint32_t
index_bit(bool w64, element e, uint32_t size, uint32_t k)
{
    if (e == F16 || e == BF16)
        return w64 ? 4 * (k / 4 % 2) : 8 * (k / 16) + 4 * (k / 4 % 2);
    if (e != INT4)
        return w64 ? 4 * (k / 4 % 2) : 4 * (k / 4 % 4);
    return size == 64 && !w64 ? 4 * (k / 4 % 8) : 4 * (k / 4 % 4);
}

/* C[i][j] and D[i][j]; `high`: gfx11's half. */
static place
result(amd_gen gen, bool w64, element e, bool high, uint32_t i, uint32_t j)
{
    bool half = element_bits[e] == 16;
    if (gen < AMD_GFX12)
        return w64 ? (place){i / 4, half && high ? 16 : 0, 16 * i % 64 + j}
                   : (place){i / 2, half && high ? 16 : 0, 16 * i % 32 + j};
    uint32_t lane = w64 ? 32 * (i / 4 % 2) + 16 * (i / 8) + j : 16 * (i / 8) + j;
    if (half)
        return (place){i / 2 % (w64 ? 2 : 4), 16 * (i % 2), lane};
    return (place){i % (w64 ? 4 : 8), 0, lane};
}

/* A small integer in the element's format. fp8 has 3 bits of fraction and a bias of 7, bf8 2
 * and 15. */
static uint32_t
encode(element e, int v)
{
    uint32_t f = base_f32_bits((float)v), sign = f >> 31, exponent = (f >> 23 & 255) - 127;
    switch (e) {
    case F32: return f;
    case BF16: return f >> 16;
    case F16: return v ? sign << 15 | (exponent + 15) << 10 | (f >> 13 & 0x3ff) : 0;
    case FP8: return v ? sign << 7 | (exponent + 7) << 3 | (f >> 20 & 7) : 0;
    case BF8: return v ? sign << 7 | (exponent + 15) << 2 | (f >> 21 & 3) : 0;
    default: return (uint32_t)v & (uint32_t)base_mask64(element_bits[e]);
    }
}

static void
put(emu_env *e, uint32_t reg, place p, element kind, uint32_t v)
{
    uint32_t mask = (uint32_t)base_mask64(element_bits[kind]);
    uint32_t *at = &e->w.vgpr[reg + p.reg][p.lane];
    *at = (*at & ~(mask << p.bit)) | v << p.bit;
}

static uint32_t
get(const emu_env *e, uint32_t reg, place p, element kind)
{
    return e->w.vgpr[reg + p.reg][p.lane] >> p.bit & (uint32_t)base_mask64(element_bits[kind]);
}

/* -2 to 2: sums of 64 products have the 8 bits of bfloat16. */
static int
value(uint32_t i, uint32_t k)
{
    return (int)((i * 7 + k * 5 + i * k) % 5) - 2;
}

typedef struct shape {
    amd_gen gen;
    const char *name;
    uint32_t k;
    element a, b, d;
    bool sparse;
    uint32_t regs[2][3]; /* by wave size: of A, B, D */
} shape;

static const shape shapes[] = {
    {AMD_GFX11, "v_wmma_f32_16x16x16_f16", 16, F16, F16, F32, false, {{8, 8, 8}, {8, 8, 4}}},
    {AMD_GFX11_5, "v_wmma_f32_16x16x16_bf16", 16, BF16, BF16, F32, false, {{8, 8, 8}, {8, 8, 4}}},
    {AMD_GFX11, "v_wmma_f16_16x16x16_f16", 16, F16, F16, F16, false, {{8, 8, 8}, {8, 8, 4}}},
    {AMD_GFX11, "v_wmma_bf16_16x16x16_bf16", 16, BF16, BF16, BF16, false, {{8, 8, 8}, {8, 8, 4}}},
    {AMD_GFX11, "v_wmma_i32_16x16x16_iu8", 16, INT8, INT8, I32, false, {{4, 4, 8}, {4, 4, 4}}},
    {AMD_GFX11, "v_wmma_i32_16x16x16_iu4", 16, INT4, INT4, I32, false, {{2, 2, 8}, {2, 2, 4}}},
    {AMD_GFX12, "v_wmma_f32_16x16x16_f16", 16, F16, F16, F32, false, {{4, 4, 8}, {2, 2, 4}}},
    {AMD_GFX12, "v_wmma_f32_16x16x16_bf16", 16, BF16, BF16, F32, false, {{4, 4, 8}, {2, 2, 4}}},
    {AMD_GFX12, "v_wmma_f16_16x16x16_f16", 16, F16, F16, F16, false, {{4, 4, 4}, {2, 2, 2}}},
    {AMD_GFX12, "v_wmma_bf16_16x16x16_bf16", 16, BF16, BF16, BF16, false, {{4, 4, 4}, {2, 2, 2}}},
    {AMD_GFX12, "v_wmma_i32_16x16x16_iu8", 16, INT8, INT8, I32, false, {{2, 2, 8}, {1, 1, 4}}},
    {AMD_GFX12, "v_wmma_i32_16x16x16_iu4", 16, INT4, INT4, I32, false, {{1, 1, 8}, {1, 1, 4}}},
    {AMD_GFX12, "v_wmma_i32_16x16x32_iu4", 32, INT4, INT4, I32, false, {{2, 2, 8}, {1, 1, 4}}},
    {AMD_GFX12, "v_wmma_f32_16x16x16_fp8_fp8", 16, FP8, FP8, F32, false, {{2, 2, 8}, {1, 1, 4}}},
    {AMD_GFX12, "v_wmma_f32_16x16x16_fp8_bf8", 16, FP8, BF8, F32, false, {{2, 2, 8}, {1, 1, 4}}},
    {AMD_GFX12, "v_wmma_f32_16x16x16_bf8_fp8", 16, BF8, FP8, F32, false, {{2, 2, 8}, {1, 1, 4}}},
    {AMD_GFX12, "v_wmma_f32_16x16x16_bf8_bf8", 16, BF8, BF8, F32, false, {{2, 2, 8}, {1, 1, 4}}},
    {AMD_GFX12, "v_swmmac_f32_16x16x32_f16", 32, F16, F16, F32, true, {{4, 8, 8}, {2, 4, 4}}},
    {AMD_GFX12, "v_swmmac_f32_16x16x32_bf16", 32, BF16, BF16, F32, true, {{4, 8, 8}, {2, 4, 4}}},
    {AMD_GFX12, "v_swmmac_f16_16x16x32_f16", 32, F16, F16, F16, true, {{4, 8, 4}, {2, 4, 2}}},
    {AMD_GFX12, "v_swmmac_bf16_16x16x32_bf16", 32, BF16, BF16, BF16, true, {{4, 8, 4}, {2, 4, 2}}},
    {AMD_GFX12, "v_swmmac_i32_16x16x32_iu8", 32, INT8, INT8, I32, true, {{2, 4, 8}, {1, 2, 4}}},
    {AMD_GFX12, "v_swmmac_i32_16x16x32_iu4", 32, INT4, INT4, I32, true, {{1, 2, 8}, {1, 1, 4}}},
    {AMD_GFX12, "v_swmmac_i32_16x16x64_iu4", 64, INT4, INT4, I32, true, {{2, 4, 8}, {1, 2, 4}}},
    {AMD_GFX12, "v_swmmac_f32_16x16x32_fp8_fp8", 32, FP8, FP8, F32, true, {{2, 4, 8}, {1, 2, 4}}},
    {AMD_GFX12, "v_swmmac_f32_16x16x32_fp8_bf8", 32, FP8, BF8, F32, true, {{2, 4, 8}, {1, 2, 4}}},
    {AMD_GFX12, "v_swmmac_f32_16x16x32_bf8_fp8", 32, BF8, FP8, F32, true, {{2, 4, 8}, {1, 2, 4}}},
    {AMD_GFX12, "v_swmmac_f32_16x16x32_bf8_bf8", 32, BF8, BF8, F32, true, {{2, 4, 8}, {1, 2, 4}}},
};

static emu_env *
env_of(const shape *s, bool w64)
{
    emu_env *e = emu_env_new(w64 ? 64 : 32);
    e->d.gen = s->gen;
    e->w.sgpr[AMD_REG_EXEC_LO] = 1; /* is ignored */
    return e;
}

/* The place of k of row i; on gfx11 each 16 lanes have a copy. */
static void
put_factor(emu_env *e, const shape *s, uint32_t reg, bool is_b, uint32_t i, uint32_t k, int v)
{
    element kind = is_b ? s->b : s->a;
    uint32_t bits = element_bits[kind], code = encode(kind, v);
    if (s->gen >= AMD_GFX12) {
        put(e, reg, dense(e->w.lanes == 64, kind, s->k, i, k), kind, code);
        return;
    }
    for (uint32_t l = i; l < e->w.lanes; l += 16)
        put(e, reg, (place){k * bits / 32, k * bits % 32, l}, kind, code);
}

/* A[i][k] of the matrix. If it is sparse, two of each four are zero; i and k determine which. */
static int
a_value(const shape *s, uint32_t i, uint32_t k)
{
    static const uint8_t pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    const uint8_t *pair = pairs[(i + k / 4 * 5) % 6];
    bool stored = !s->sparse || k % 4 == pair[0] || k % 4 == pair[1];
    return stored ? value(i, k) : 0;
}

static void
put_sparse(emu_env *e, const shape *s, uint32_t key_bits)
{
    static const uint8_t pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    bool w64 = e->w.lanes == 64;
    for (uint32_t i = 0; i < SIZE; i++)
        for (uint32_t k = 0; k < s->k; k += 4) {
            const uint8_t *pair = pairs[(i + k / 4 * 5) % 6];
            place p = sparse(w64, s->a, s->k, i, k);
            uint32_t bit = key_bits + index_bit(w64, s->a, s->k, k);
            put(e, INDEX, (place){0, bit, p.lane}, INT4, (uint32_t)(pair[0] | pair[1] << 2));
            for (uint32_t n = 0; n < 2; n++, p.bit += element_bits[s->a])
                put(e, A, p, s->a, encode(s->a, value(i, k + pair[n])));
        }
}

static bool
is_int(const shape *s)
{
    return s->d == I32;
}

static char *
text_of(const emu_env *e, const shape *s, const char *modifiers)
{
    const uint32_t *n = s->regs[e->w.lanes == 64];
    uint32_t d = s->sparse ? C : D;
    char a[32], b[32], c[32];
    snprintf(a, sizeof a, n[0] > 1 ? "v[%u:%u]" : "v%u", A, A + n[0] - 1);
    snprintf(b, sizeof b, n[1] > 1 ? "v[%u:%u]" : "v%u", B, B + n[1] - 1);
    snprintf(c, sizeof c, s->sparse ? "v%u" : "v[%u:%u]", s->sparse ? INDEX : C, C + n[2] - 1);
    return arena_printf(e->m.arena, "%s v[%u:%u], %s, %s, %s %s%s", s->name, d, d + n[2] - 1, a, b,
                        c, is_int(s) ? "neg_lo:[1,1,0] " : "", modifiers);
}

/* The number of index sets that a register holds. */
static uint32_t
index_sets(const shape *s, bool w64)
{
    if (!s->sparse)
        return 1;
    if (s->a == INT4)
        return s->k == 64 && !w64 ? 1 : 2;
    return w64 ? 4 : 2;
}

static void
check_product(const shape *s, bool w64, uint32_t key)
{
    emu_env *e = env_of(s, w64);
    uint32_t d = s->sparse ? C : D, sets = index_sets(s, w64);
    char modifiers[32] = "";
    for (uint32_t i = 0; i < SIZE; i++)
        for (uint32_t k = 0; k < s->k; k++) {
            if (!s->sparse)
                put_factor(e, s, A, false, i, k, value(i, k));
            put_factor(e, s, B, true, i, k, value(k, i + 3));
        }
    if (s->sparse)
        put_sparse(e, s, key * (32 / sets));
    for (uint32_t i = 0; i < SIZE; i++)
        for (uint32_t j = 0; j < SIZE; j++)
            put(e, C, result(s->gen, w64, s->d, false, i, j), s->d, encode(s->d, (int)(i + j)));
    if (key)
        snprintf(modifiers, sizeof modifiers, "index_key:%u", key);
    emu_run_text(e, text_of(e, s, modifiers));
    for (uint32_t i = 0; i < SIZE; i++)
        for (uint32_t j = 0; j < SIZE; j++) {
            int want = (int)(i + j);
            for (uint32_t k = 0; k < s->k; k++)
                want += a_value(s, i, k) * value(k, j + 3);
            uint32_t got = get(e, d, result(s->gen, w64, s->d, false, i, j), s->d);
            if (got != encode(s->d, want))
                fail_msg("%s wave%u key %u [%u][%u]: 0x%x, should be 0x%x (%d)", s->name,
                         e->w.lanes, key, i, j, got, encode(s->d, want), want);
        }
    emu_env_free(e);
}

static void
test_products(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (int w64 = 0; w64 < 2; w64++)
            for (uint32_t key = 0; key < index_sets(&shapes[k], w64); key++)
                check_product(&shapes[k], w64, key);
}

/* All elements of A `a`, of B `b`, of C `c`, as codes; the result's first element. */
static uint32_t
uniform(const shape *s, bool w64, const char *modifiers, uint32_t a, uint32_t b, uint32_t c)
{
    emu_env *e = env_of(s, w64);
    for (uint32_t r = 0; r < 8; r++) {
        emu_set_all(e, A + r, a);
        emu_set_all(e, B + r, b);
        emu_set_all(e, C + r, c);
    }
    emu_run_text(e, text_of(e, s, modifiers));
    uint32_t v = e->w.vgpr[s->sparse ? C : D][7];
    emu_env_free(e);
    return v;
}

static const shape *
find(amd_gen gen, const char *name)
{
    for (const shape *s = shapes; s < shapes + sizeof shapes / sizeof *s; s++)
        if (s->gen == gen && !strcmp(s->name, name))
            return s;
    return NULL;
}

static void
test_signs(void **state)
{
    static const amd_gen gens[] = {AMD_GFX11, AMD_GFX12};
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        const shape *s = find(gens[k], "v_wmma_f32_16x16x16_f16");
        /* even k 1, odd k 2 times 1: 8 + 16 */
        uint32_t a = 0x40003c00, one = 0x3c003c00, c = 0xc0800000;
        assert_int_equal(uniform(s, false, "", a, one, c), base_f32_bits(20));
        assert_int_equal(uniform(s, false, "neg_lo:[1,0,0]", a, one, c), base_f32_bits(4));
        assert_int_equal(uniform(s, false, "neg_hi:[0,1,0]", a, one, c), base_f32_bits(-12));
        assert_int_equal(uniform(s, true, "neg_lo:[0,0,1]", a, one, c), base_f32_bits(28));
        assert_int_equal(uniform(s, false, "neg_hi:[0,0,1]", a, one, c), base_f32_bits(28));
        assert_int_equal(uniform(s, true, "neg_lo:[0,0,1] neg_hi:[0,0,1]", a, one, c),
                         base_f32_bits(20));
    }
}

/* The text without the neg_lo that text_of adds for integers. */
static uint32_t
integers(amd_gen gen, const char *modifiers, uint32_t a, uint32_t b, uint32_t c)
{
    emu_env *e = emu_env_new(32);
    e->d.gen = gen;
    for (uint32_t r = 0; r < 8; r++) {
        emu_set_all(e, A + r, a);
        emu_set_all(e, B + r, b);
        emu_set_all(e, C + r, c);
    }
    emu_run_text(e, arena_printf(&e->a, "v_wmma_i32_16x16x16_iu8 v[64:71], %s, v[48:55] %s",
                                 gen == AMD_GFX11 ? "v[16:19], v[32:35]" : "v[16:17], v[32:33]",
                                 modifiers));
    uint32_t v = e->w.vgpr[D][0];
    emu_env_free(e);
    return v;
}

static void
test_integers(void **state)
{
    static const amd_gen gens[] = {AMD_GFX11, AMD_GFX12};
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        uint32_t m1 = 0xffffffff, two = 0x02020202;
        assert_int_equal(integers(gens[k], "", m1, two, 0), 16 * 255 * 2);
        assert_int_equal(integers(gens[k], "neg_lo:[1,0,0]", m1, two, 0), (uint32_t)-32);
        assert_int_equal(integers(gens[k], "neg_lo:[0,1,0]", m1, two, 0), 16 * 255 * 2);
        assert_int_equal(integers(gens[k], "neg_lo:[1,1,0]", m1, m1, 0), 16);
        assert_int_equal(integers(gens[k], "", m1, two, 0x7fffffff), 0x7fffffffu + 8160u);
        assert_int_equal(integers(gens[k], "clamp", m1, two, 0x7fffffff), 0x7fffffff);
        assert_int_equal(integers(gens[k], "neg_lo:[1,0,0] clamp", m1, two, 0x80000000),
                         0x80000000);
    }
}

/* gfx11's 16-bit results: op_sel's third bit selects the half for C and D. */
static void
test_halves(void **state)
{
    (void)state;
    const shape *s = find(AMD_GFX11, "v_wmma_f16_16x16x16_f16");
    for (int w64 = 0; w64 < 2; w64++) {
        emu_env *e = env_of(s, w64);
        for (uint32_t r = 0; r < 8; r++) {
            emu_set_all(e, A + r, 0x3c003c00);
            emu_set_all(e, B + r, 0x3c003c00);
            emu_set_all(e, C + r, 0x44004000); /* 2, 4 */
            emu_set_all(e, D + r, 0x12345678);
        }
        emu_run_text(e, text_of(e, s, "op_sel:[0,0,1]"));
        assert_int_equal(e->w.vgpr[D][3], 0x4d005678); /* 16 + 4 */
        emu_run_text(e, text_of(e, s, ""));
        assert_int_equal(e->w.vgpr[D][3], 0x4d004c80); /* 16 + 2 */
        emu_env_free(e);
    }
}

static void
test_constants(void **state)
{
    static const struct {
        const char *name, *constant;
        uint32_t want; /* of factors that are 0 */
    } cases[] = {
        {"v_wmma_f32_16x16x16_f16", "1.0", 0x3f800000},
        {"v_wmma_f16_16x16x16_f16", "1.0", 0x3c003c00},
        {"v_wmma_bf16_16x16x16_bf16", "1.0", 0x3f803f80},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        emu_env *e = emu_env_new(32);
        e->d.gen = AMD_GFX12;
        emu_run_text(e, arena_printf(&e->a, "%s v[64:%u], v[16:19], v[32:35], %s", cases[k].name,
                                     k ? 67 : 71, cases[k].constant));
        assert_int_equal(e->w.vgpr[D][0], cases[k].want);
        emu_env_free(e);
    }
    emu_env *e = emu_env_new(32);
    e->d.gen = AMD_GFX12;
    emu_run_text(e, "v_wmma_i32_16x16x16_iu8 v[64:71], v[16:17], v[32:33], -3");
    assert_int_equal(e->w.vgpr[D][0], (uint32_t)-3);
    emu_env_free(e);
}

/* The sum is rounded once, to nearest even, with any MODE. */
static void
test_rounding(void **state)
{
    (void)state;
    for (uint32_t mode = 0xf0; mode < 0x100; mode++) {
        emu_env *e = emu_env_new(32);
        e->d.gen = AMD_GFX12;
        e->w.mode = mode;
        for (uint32_t r = 0; r < 4; r++) {
            emu_set_all(e, A + r, 0x3c003c00);
            emu_set_all(e, B + r, 0x3c003c00);
            emu_set_all(e, C + r, 0x78017801); /* 32800: units of 32 */
        }
        emu_run_text(e, "v_wmma_f16_16x16x16_f16 v[64:67], v[16:19], v[32:35], v[48:51]");
        assert_int_equal(e->w.vgpr[D][0], 0x78027802); /* 32816 is a tie: 32832 */
        emu_env_free(e);
    }
}

/* gfx11's copies of factors must agree; an undefined value in a row makes that row of D undefined.
 */
static void
test_undefined(void **state)
{
    (void)state;
    for (unsigned differ = 0; differ < 2; differ++) {
        emu_env *e = env_of(&shapes[0], false);
        e->d.checks |= MACH_CHECK_UNDEFINED;
        e->w.shadow = arena_zalloc(&e->a, sizeof *e->w.shadow);
        e->w.vgpr[A][20] = differ;
        amd_emu_shadow_set(&e->w, B, EMU_BYTES_LOW, UINT64_MAX, 1u << 5);
        emu_run_text(e, text_of(e, &shapes[0], ""));
        assert_int_equal(e->report.total, differ);
        assert_true(amd_emu_shadow_get(&e->w, D, EMU_BYTES_ALL) == (1u << 5 | 1u << 21));
        emu_env_free(e);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products),  cmocka_unit_test(test_signs),
        cmocka_unit_test(test_integers),  cmocka_unit_test(test_halves),
        cmocka_unit_test(test_constants), cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_undefined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
