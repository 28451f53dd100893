/* Formatted buffer loads and stores on every generation: the numbers of formats in the guides'
 * tables, and conversions against the test's own reference; typed and untyped, 16-bit data,
 * dst_sel, stores with few components. */
#include "emu_env.h"
#include "emu_format_env.h"

#include "amd/emu/core/shadow.h"
#include "amd/emu/desc/descriptor.h"
#include "amd/emu/num/float.h"

#include <math.h>

typedef enum kind { UNORM, SNORM, USCALED, SSCALED, UINT, SINT, UNUSED, FLOAT } kind; /* nfmt */

/* Consecutive format numbers; on gfx11 they start at `g11` (0: gfx11 has none). */
#define ROW(d, n, g10, g11, k, ...)                                                                \
    {                                                                                              \
        d, n, g10 + k, g11 ? g11 + k : 0,                                                          \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define INTS(d, g10, g11, k, ...)                                                                  \
    ROW(d, UINT, g10, g11, k, __VA_ARGS__), ROW(d, SINT, g10, g11, k + 1, __VA_ARGS__)
#define NORMS(d, g10, g11, ...)                                                                    \
    ROW(d, UNORM, g10, g11, 0, __VA_ARGS__), ROW(d, SNORM, g10, g11, 1, __VA_ARGS__)
#define SCALES(d, g10, g11, k, ...)                                                                \
    ROW(d, USCALED, g10, g11, k, __VA_ARGS__), ROW(d, SSCALED, g10, g11, k + 1, __VA_ARGS__)
#define SIX(d, g10, g11, ...)                                                                      \
    NORMS(d, g10, g11, __VA_ARGS__), SCALES(d, g10, g11, 2, __VA_ARGS__),                          \
        INTS(d, g10, g11, 4, __VA_ARGS__)
#define SEVEN(d, g10, g11, ...)                                                                    \
    SIX(d, g10, g11, __VA_ARGS__), ROW(d, FLOAT, g10, g11, 6, __VA_ARGS__)
#define THREE(d, g10, g11, ...)                                                                    \
    INTS(d, g10, g11, 0, __VA_ARGS__), ROW(d, FLOAT, g10, g11, 2, __VA_ARGS__)

static const struct format {
    uint8_t dfmt, nfmt, gfx10, gfx11; /* numbers; gfx11 0: it has none */
    uint8_t bits[4];                  /* from the lowest on */
} formats[] = {
    SIX(1, 1, 1, 8),
    SEVEN(2, 7, 7, 16),
    SIX(3, 14, 14, 8, 8),
    THREE(4, 20, 20, 32),
    SEVEN(5, 23, 23, 16, 16),
    SIX(6, 30, 0, 11, 11, 10),
    ROW(6, FLOAT, 36, 30, 0, 11, 11, 10),
    SIX(7, 37, 0, 10, 11, 11),
    ROW(7, FLOAT, 43, 31, 0, 10, 11, 11),
    NORMS(8, 44, 32, 2, 10, 10, 10),
    SCALES(8, 46, 0, 0, 2, 10, 10, 10),
    INTS(8, 48, 34, 0, 2, 10, 10, 10),
    SIX(9, 50, 36, 10, 10, 10, 2),
    SIX(10, 56, 42, 8, 8, 8, 8),
    THREE(11, 62, 48, 32, 32),
    SEVEN(12, 65, 51, 16, 16, 16, 16),
    THREE(13, 72, 58, 32, 32, 32),
    THREE(14, 75, 61, 32, 32, 32, 32),
};
enum { N_FORMATS = sizeof formats / sizeof *formats, BYTES = 1024, LANES = 32 };

/* The format's number on a generation, as MTBUF has it; 0: none. */
static uint32_t
number_of(amd_gen gen, const struct format *f)
{
    return gen < AMD_GFX10   ? f->dfmt | (uint32_t)f->nfmt << 4
           : gen < AMD_GFX11 ? f->gfx10
                             : f->gfx11;
}

static uint32_t
format_bytes(const struct format *f)
{
    return (f->bits[0] + f->bits[1] + f->bits[2] + f->bits[3]) / 8u;
}

/* The register's bits for field `v`. */
static uint32_t
reference(const struct format *f, uint32_t v, uint32_t n)
{
    static const char kinds[] = {[UNORM] = 'U', [SNORM] = 'S', [USCALED] = 'X', [SSCALED] = 'Y',
                                 [UINT] = 'u',  [SINT] = 's',  [FLOAT] = 'f'};
    return plain_number(kinds[f->nfmt], v, n);
}

static bool
same(const struct format *f, uint32_t got, uint32_t want)
{
    float a = base_bits_f32(got), b = base_bits_f32(want);
    if (f->nfmt == UINT || f->nfmt == SINT)
        return got == want;
    return got == want || (isnan(a) && isnan(b)) || fabsf(a - b) <= 6e-8f * fabsf(b);
}

typedef struct setting {
    emu_env *e;
    amd_gen gen;
    mach_region *r;
    uint8_t before[BYTES];
} setting;

static setting
set_up(amd_gen gen, const struct format *f, const uint32_t sel[4])
{
    setting s = {.e = emu_env_new(LANES < 64 && gen >= AMD_GFX10 ? 32 : 64), .gen = gen};
    uint32_t stride = format_bytes(f), number = number_of(gen, f);
    amd_buffer_desc d = {.stride = stride, .num_records = LANES - 1, .oob = AMD_OOB_INDEX};
    s.e->d.gen = gen;
    s.r = mach_memory_alloc(&s.e->memory, MACH_HEAP_LOW, BYTES, 0, "buffer");
    for (uint32_t k = 0; k < BYTES; k++)
        s.r->host[k] = (uint8_t)(k * 151 + k / 7 * 29 + k / 64);
    memcpy(s.before, s.r->host, BYTES);
    if (gen == AMD_GFX8)
        d.num_records *= stride;
    d.base = s.r->base;
    memcpy(d.dst_sel, sel, sizeof d.dst_sel);
    amd_buffer_encode(gen, &d, s.e->w.sgpr + 8);
    /* the format by its place in the word */
    s.e->w.sgpr[11] |= gen >= AMD_GFX10 ? number << 12 : (number >> 4) << 12 | (number & 15) << 15;
    for (uint32_t l = 0; l < 64; l++)
        s.e->w.vgpr[16][l] = l;
    s.e->w.sgpr[AMD_REG_EXEC_LO] = UINT32_MAX;
    s.e->w.sgpr[AMD_REG_EXEC_HI] = 0;
    for (uint32_t k = 0; k < 4; k++)
        emu_set_all(s.e, k, 0xdddddddd);
    return s;
}

/* The text of a formatted load or store with so many registers from v0 on. */
static const char *
op_text(const setting *s, const struct format *f, bool typed, const char *what, bool d16,
        const char *components, uint32_t registers)
{
    arena *a = &s->e->a;
    const char *stem = s->gen >= AMD_GFX11 ? d16 ? "d16_format" : "format"
                       : d16               ? "format_d16"
                                           : "format",
               *data = registers == 1 ? "v0" : arena_printf(a, "v[0:%u]", registers - 1),
               *format = !typed ? "" : arena_printf(a, " format:%u", number_of(s->gen, f));
    return arena_printf(a, "%sbuffer_%s_%s_%s %s, v16, s[8:11], s20%s idxen", typed ? "t" : "",
                        what, stem, components, data, format);
}

/* Runs [t]buffer_WHAT_format_COMPONENTS on `registers`. */
static void
run_op(const setting *s, const struct format *f, bool typed, const char *what, bool d16,
       const char *components, uint32_t registers)
{
    emu_run_text(s->e, op_text(s, f, typed, what, d16, components, registers));
    assert_int_equal(s->e->report.total, 0);
}

static const uint32_t xyzw[4] = {AMD_SEL_X, AMD_SEL_Y, AMD_SEL_Z, AMD_SEL_W};

static void
check_load(amd_gen gen, const struct format *f, bool typed)
{
    static const uint32_t sel[4] = {AMD_SEL_Y, AMD_SEL_1, AMD_SEL_X, AMD_SEL_0};
    setting s = set_up(gen, f, sel);
    uint32_t one = f->nfmt == UINT || f->nfmt == SINT ? 1 : 0x3f800000;
    run_op(&s, f, typed, "load", false, "xyzw", 4);
    for (uint32_t l = 0; l < LANES; l++)
        for (uint32_t c = 0; c < 4; c++) {
            uint32_t from = typed ? xyzw[c] : sel[c], want = from == AMD_SEL_1 ? one : 0,
                     got = s.e->w.vgpr[c][l], at = 0;
            if (from >= AMD_SEL_X && f->bits[from - AMD_SEL_X] && l < LANES - 1) {
                for (uint32_t k = 0; k < from - AMD_SEL_X; k++)
                    at += f->bits[k];
                uint32_t n = f->bits[from - AMD_SEL_X];
                want = reference(f, field_at(s.before + l * format_bytes(f), at, n), n);
            }
            if (!same(f, got, want))
                fail_msg("gen %u, format %u/%u, %s, lane %u, component %u: %08x, not %08x",
                         (unsigned)gen, f->dfmt, f->nfmt, typed ? "typed" : "untyped", l, c, got,
                         want);
        }
    emu_env_free(s.e);
}

static void
test_loads(void **state)
{
    (void)state;
    for (amd_gen gen = AMD_GFX6; gen <= AMD_GFX12; gen++)
        for (unsigned k = 0; k < N_FORMATS; k++)
            for (unsigned typed = 0; typed < 2; typed++)
                if (number_of(gen, &formats[k]))
                    check_load(gen, &formats[k], typed);
}

/* Storing the result of a load does not change the bytes (except for the second code of -1 and
 * NaNs). */
static void
test_stores(void **state)
{
    (void)state;
    for (amd_gen gen = AMD_GFX6; gen <= AMD_GFX12; gen++)
        for (unsigned k = 0; k < N_FORMATS; k++)
            for (unsigned typed = 0; typed < 2; typed++) {
                const struct format *f = &formats[k];
                uint32_t size = format_bytes(f);
                if (!number_of(gen, f) || f->nfmt == SNORM || f->nfmt == FLOAT)
                    continue;
                setting s = set_up(gen, f, xyzw);
                run_op(&s, f, typed, "load", false, "xyzw", 4);
                memset(s.r->host, 0, (LANES - 1) * size);
                run_op(&s, f, typed, "store", false, "xyzw", 4);
                assert_memory_equal(s.r->host, s.before, BYTES);
                emu_env_free(s.e);
            }
}

/* A store with two of four components: the first replaces the missing ones; dst_sel selects the
 * channels. */
static void
test_store_select(void **state)
{
    static const struct format rgba = {10, UINT, 60, 46, {8, 8, 8, 8}};
    static const uint32_t zyxw[4] = {AMD_SEL_Z, AMD_SEL_Y, AMD_SEL_X, AMD_SEL_W};
    static const uint8_t straight[4] = {1, 2, 1, 1}, swapped[4] = {1, 2, 1, 1};
    (void)state;
    for (amd_gen gen = AMD_GFX6; gen <= AMD_GFX12; gen++) {
        setting s = set_up(gen, &rgba, xyzw);
        emu_set_all(s.e, 0, 1);
        emu_set_all(s.e, 1, 2);
        run_op(&s, &rgba, false, "store", false, "xy", 2);
        assert_memory_equal(s.r->host, straight, 4);
        emu_env_free(s.e);
        s = set_up(gen, &rgba, zyxw);
        emu_set_all(s.e, 0, 1);
        emu_set_all(s.e, 1, 2);
        run_op(&s, &rgba, false, "store", false, "xy", 2);
        assert_memory_equal(s.r->host, swapped, 4);
        for (uint32_t k = 0; k < 4; k++)
            emu_set_all(s.e, k, 10 + k);
        run_op(&s, &rgba, false, "store", false, "xyzw", 4);
        static const uint8_t all[4] = {12, 11, 10, 13};
        assert_memory_equal(s.r->host, all, 4);
        emu_env_free(s.e);
    }
}

/* 16-bit components: packed, except on gfx8 (but not gfx810), where each takes a register. */
static void
test_d16(void **state)
{
    (void)state;
    for (amd_gen gen = AMD_GFX8; gen <= AMD_GFX12; gen++)
        for (unsigned packed = gen == AMD_GFX8 ? 0 : 1; packed < 2; packed++) {
            static const struct format rgba = {10, UNORM, 56, 42, {8, 8, 8, 8}}, *f = &rgba;
            setting s = set_up(gen, f, xyzw);
            s.e->d.packed_d16 = packed;
            run_op(&s, f, false, "load", true, "xyz", gen == AMD_GFX8 ? 3 : 2);
            for (uint32_t c = 0; c < 3; c++) {
                uint32_t v = s.e->w.vgpr[packed ? c / 2 : c][5];
                v = packed && c % 2 ? v >> 16 : v & 0xffff;
                assert_int_equal(v, amd_emu_to_half_rne((float)s.before[20 + c] / 255));
            }
            assert_int_equal(s.e->w.vgpr[packed ? 1 : 2][5] >> 16, 0xdddd);
            memset(s.r->host, 0, 64);
            run_op(&s, f, false, "store", true, "xyz", gen == AMD_GFX8 ? 3 : 2);
            assert_memory_equal(s.r->host + 20, s.before + 20, 3);
            emu_env_free(s.e);
        }
}

/* The checker *undefined* looks at the halves that a store of three 16-bit components reads. */
static void
test_d16_undefined(void **state)
{
    (void)state;
    for (unsigned packed = 0; packed < 2; packed++) {
        static const struct format rgba = {10, UNORM, 56, 42, {8, 8, 8, 8}};
        setting s = set_up(AMD_GFX8, &rgba, xyzw);
        emu_wave *w = &s.e->w;
        s.e->d.packed_d16 = packed;
        s.e->d.checks |= MACH_CHECK_UNDEFINED;
        w->shadow = arena_zalloc(&s.e->a, sizeof *w->shadow);
        amd_emu_shadow_set(w, packed ? 1 : 2, EMU_BYTES_HIGH, UINT64_MAX, UINT64_MAX);
        run_op(&s, &rgba, false, "store", true, "xyz", 3);
        assert_int_equal(s.e->report.total, 0);
        amd_emu_shadow_set(w, packed ? 1 : 2, EMU_BYTES_LOW, UINT64_MAX, 1u << 5);
        emu_run_text(s.e, op_text(&s, &rgba, false, "store", true, "xyz", 3));
        assert_int_equal(s.e->report.total, 1);
        emu_env_free(s.e);
    }
}

/* Every number that the field of a V# (and of MTBUF) can hold is one of the table, 0, or unknown.
 */
static void
test_no_others(void **state)
{
    (void)state;
    for (amd_gen gen = AMD_GFX6; gen <= AMD_GFX12; gen++)
        for (uint32_t raw = 0; raw < 128; raw++) {
            bool listed = false, invalid = gen < AMD_GFX10 ? (raw & 15) == 0 : raw == 0;
            for (unsigned k = 0; k < N_FORMATS; k++)
                listed |= number_of(gen, &formats[k]) == raw;
            uint32_t format = amd_format_of_buffer(gen, raw);
            if ((listed && !invalid) != (format && !(format & AMD_FORMAT_UNKNOWN)))
                fail_msg("gen %u, number %u: %u", (unsigned)gen, raw, format);
        }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads),         cmocka_unit_test(test_stores),
        cmocka_unit_test(test_store_select),  cmocka_unit_test(test_d16),
        cmocka_unit_test(test_d16_undefined), cmocka_unit_test(test_no_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
