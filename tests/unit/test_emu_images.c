/* Images and samplers of every generation that has them: one list of cases, run on each with the T#,
 * S#, address registers and modifiers of that generation. The same loads, stores, samples and
 * atomics must give the same everywhere; a small reference of the test's own says what. */
#include "emu_env.h"

#include "amd/emu/texel.h"

static const struct {
    amd_gen gen;
    bool samples; /* has instructions that use a sampler */
} targets[] = {
    {AMD_GFX6, true},   {AMD_GFX7, true},    {AMD_GFX8, true},  {AMD_GFX9, true},
    {AMD_GFX908, true}, {AMD_GFX90A, false}, {AMD_GFX10, true}, {AMD_GFX10_3, true},
    {AMD_GFX11, true},  {AMD_GFX11_5, true}, {AMD_GFX12, true},
};
enum { N_TARGETS = sizeof targets / sizeof *targets };

/* Registers: data from v0 on, addresses from v16 on, T# in s[8:15], S# in s[24:27]. */
enum { ADDRESS = 16, LANES = 64 };

typedef struct setting {
    emu_env *e;
    amd_gen gen;
    mach_image m;
    uint32_t dim; /* gfx10's number */
} setting;

static const char *const dims[] = {"1D",       "2D",       "3D",      "CUBE",
                                   "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_MSAA_ARRAY"};

static uint32_t
dim_number(const mach_image *m)
{
    switch (m->dim) {
    case MACH_DIM_1D: return m->array ? 4 : 0;
    case MACH_DIM_3D: return 2;
    case MACH_DIM_CUBE: return 3;
    default: return (m->array ? 5 : 1) + (m->samples > 1 ? m->array ? 2 : 5 : 0);
    }
}

/* What a texel holds, as four numbers from 0 to 250. */
static uint32_t
channel(uint32_t level, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample, uint32_t c)
{
    return (level * 89 + x * 37 + y * 61 + slice * 17 + sample * 29 + c * 83) % 251;
}

static void
put_channels(mach_format f, uint8_t *at, const uint32_t v[4])
{
    for (uint32_t c = 0; c < 4; c++) {
        float unorm = (float)v[c] / 256.0f;
        if (f == MACH_FORMAT_r8g8b8a8_unorm)
            at[c] = (uint8_t)v[c];
        else if (f == MACH_FORMAT_r32_uint && c == 0)
            memcpy(at, &v[0], 4);
        else if (f == MACH_FORMAT_r32_sfloat && c == 0)
            memcpy(at, &unorm, 4);
        else if (f == MACH_FORMAT_r32g32b32a32_sfloat)
            memcpy(at + 4 * c, &unorm, 4);
    }
}

static void
fill(mach_image *m)
{
    for (uint32_t level = 0; level < m->levels; level++) {
        uint32_t w = mach_level_size(m->width, level), h = mach_level_size(m->height, level);
        uint32_t slices = m->dim == MACH_DIM_3D ? mach_level_size(m->depth, level) : m->layers;
        for (uint32_t k = 0; k < w * h * slices * m->samples; k++) {
            uint32_t x = k % w, y = k / w % h, slice = k / w / h % slices,
                     sample = k / w / h / slices, v[4];
            for (uint32_t c = 0; c < 4; c++)
                v[c] = channel(level, x, y, slice, sample, c);
            uint64_t at = mach_texel_offset(m, x, y, slice, level, sample);
            assert_true(at != UINT64_MAX);
            put_channels(m->format, m->data + at, v);
        }
    }
}

static setting
set_up(amd_gen gen, const mach_image *like)
{
    setting s = {.e = emu_env_new(LANES), .gen = gen, .m = *like};
    amd_image_desc d;
    s.e->d.gen = gen;
    s.m.size = amd_image_layout(gen, &s.m);
    assert_true(s.m.size > 0);
    mach_region *r = mach_memory_alloc(&s.e->memory, MACH_HEAP_LOW, s.m.size, 256, "image");
    s.m.data = r->host;
    s.dim = dim_number(&s.m);
    fill(&s.m);
    assert_true(amd_image_from_mach(gen, &s.m, r->base, &d));
    amd_image_encode(gen, &d, s.e->w.sgpr + 8);
    for (uint32_t k = 0; k < 4; k++)
        emu_set_all(s.e, k, 0xdddd0000 + k);
    return s;
}

/* The text of `n` address registers: a tuple, or gfx12's list whose last field has all that are
 * left. */
static const char *
address_text(const setting *s, uint32_t n, uint32_t fields)
{
    arena *a = &s->e->a;
    if (n == 1)
        return "v16";
    if (s->gen < AMD_GFX12)
        return arena_printf(a, "v[16:%u]",
                            16 + (s->gen < AMD_GFX10 && n > 4 ? n > 8 ? 16 : 8 : n) - 1);
    const char *list = "v16";
    for (uint32_t k = 1; k < n && k < fields; k++)
        list = k + 1 == fields && n > fields
                   ? arena_printf(a, "%s, v[%u:%u]", list, 16 + k, 16 + n - 1)
                   : arena_printf(a, "%s, v%u", list, 16 + k);
    return arena_printf(a, "[%s]", list);
}

static void
run_op(const setting *s, const char *op, uint32_t dmask, uint32_t data, uint32_t n_address,
       bool sampled, const char *modifiers)
{
    arena *a = &s->e->a;
    bool da = s->dim == 3 || s->dim == 4 || s->dim == 5 || s->dim == 7;
    const char *registers = data == 1 ? "v0" : arena_printf(a, "v[0:%u]", data - 1);
    const char *how = s->gen >= AMD_GFX10 ? arena_printf(a, " dim:SQ_RSRC_IMG_%s", dims[s->dim])
                      : da                ? " da"
                                          : "";
    if (!sampled && s->gen < AMD_GFX12)
        how = arena_printf(a, " unorm%s", how);
    emu_run_text(s->e, arena_printf(a, "%s %s, %s, s[8:15]%s dmask:0x%x%s%s", op, registers,
                                    address_text(s, n_address, sampled ? 4 : 5),
                                    sampled ? ", s[24:27]" : "", dmask, how, modifiers));
    if (s->e->report.total)
        fail_msg("gen %u, %s: %s", (unsigned)s->gen, op, s->e->report.findings[0].message);
}

static uint32_t *
address(const setting *s, uint32_t k)
{
    return s->e->w.vgpr[ADDRESS + k];
}

static uint32_t
unorm_bits(uint32_t v)
{
    return base_f32_bits((float)v / 255.0f);
}

/* ---- loads and stores ---- */

/* format, dim, width, height, depth, layers, levels, samples, array */
#define IMAGE(f, d, w, h, z, n, v, s, a)                                                           \
    {                                                                                              \
        .format = MACH_FORMAT_##f, .dim = MACH_DIM_##d, .width = w, .height = h, .depth = z,       \
        .layers = n, .levels = v, .samples = s, .array = a                                         \
    }

static const mach_image images[] = {
    IMAGE(r8g8b8a8_unorm, 1D, 13, 1, 1, 1, 1, 1, false),
    IMAGE(r8g8b8a8_unorm, 1D, 13, 1, 1, 3, 1, 1, true),
    IMAGE(r8g8b8a8_unorm, 2D, 11, 7, 1, 1, 1, 1, false),
    IMAGE(r8g8b8a8_unorm, 2D, 11, 7, 1, 1, 4, 1, false),
    IMAGE(r8g8b8a8_unorm, 2D, 5, 3, 1, 5, 3, 1, true),
    IMAGE(r8g8b8a8_unorm, 3D, 6, 5, 7, 1, 3, 1, false),
    IMAGE(r8g8b8a8_unorm, CUBE, 4, 4, 1, 6, 2, 1, false),
    IMAGE(r8g8b8a8_unorm, CUBE, 4, 4, 1, 12, 1, 1, true),
    IMAGE(r8g8b8a8_unorm, 2D, 5, 4, 1, 1, 1, 4, false),
    IMAGE(r8g8b8a8_unorm, 2D, 5, 4, 1, 3, 1, 2, true),
};
enum { N_IMAGES = sizeof images / sizeof *images };

/* Where lane `l` goes: coordinates in the order of the address registers, a few of them outside.
 * Returns their number. */
static uint32_t
place(const mach_image *m, uint32_t l, uint32_t at[4], uint32_t level, bool *inside)
{
    uint32_t w = mach_level_size(m->width, level), h = mach_level_size(m->height, level),
             slices = m->dim == MACH_DIM_3D ? mach_level_size(m->depth, level) : m->layers;
    uint32_t n = 0, limits[4];
    limits[n++] = w;
    if (m->dim != MACH_DIM_1D)
        limits[n++] = h;
    if (m->array || m->dim == MACH_DIM_3D || m->dim == MACH_DIM_CUBE)
        limits[n++] = slices;
    if (m->samples > 1)
        limits[n++] = m->samples;
    *inside = true;
    for (uint32_t k = 0; k < n; k++) {
        at[k] = l * (3 + 2 * k) / (k + 1) % (limits[k] + (l % 8 == k));
        *inside &= at[k] < limits[k];
    }
    return n;
}

/* The channels of a texel by such coordinates. */
static uint32_t
channel_at(const mach_image *m, const uint32_t at[4], uint32_t level, uint32_t c)
{
    uint32_t n = 1, y = 0, slice = 0, sample = 0;
    if (m->dim != MACH_DIM_1D)
        y = at[n++];
    if (m->array || m->dim == MACH_DIM_3D || m->dim == MACH_DIM_CUBE)
        slice = at[n++];
    if (m->samples > 1)
        sample = at[n];
    return channel(level, at[0], y, slice, sample, c);
}

static void
check_load(amd_gen gen, const mach_image *m, uint32_t level, bool mip)
{
    setting s = set_up(gen, m);
    uint32_t at[4], n = 0;
    bool inside;
    for (uint32_t l = 0; l < LANES; l++) {
        n = place(m, l, at, level, &inside);
        for (uint32_t k = 0; k < n; k++)
            address(&s, k)[l] = at[k];
        address(&s, n)[l] = level;
    }
    run_op(&s, mip ? "image_load_mip" : "image_load", 11, 3, n + mip, false, "");
    for (uint32_t l = 0; l < LANES; l++) {
        static const uint32_t channels[] = {0, 1, 3};
        place(m, l, at, level, &inside);
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t want = inside ? unorm_bits(channel_at(m, at, level, channels[k])) : 0;
            if (s.e->w.vgpr[k][l] != want)
                fail_msg("gen %u, %s, level %u, lane %u (%u %u %u %u): %08x, not %08x",
                         (unsigned)gen, dims[s.dim], level, l, at[0], at[1], at[2], at[3],
                         s.e->w.vgpr[k][l], want);
        }
        assert_int_equal(s.e->w.vgpr[3][l], 0xdddd0003);
    }
    emu_env_free(s.e);
}

static void
test_loads(void **state)
{
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (unsigned k = 0; k < N_IMAGES; k++) {
            check_load(targets[t].gen, &images[k], 0, false);
            for (uint32_t level = 0; level < images[k].levels && images[k].samples == 1; level++)
                check_load(targets[t].gen, &images[k], level, true);
        }
}

static void
check_store(amd_gen gen, const mach_image *m, uint32_t level)
{
    setting s = set_up(gen, m);
    uint32_t at[4], n = 0;
    bool inside;
    for (uint32_t l = 0; l < LANES; l++) {
        n = place(m, l, at, level, &inside);
        for (uint32_t k = 0; k < n; k++)
            address(&s, k)[l] = at[k];
        address(&s, n)[l] = level;
        for (uint32_t c = 0; c < 4; c++)
            s.e->w.vgpr[c][l] = unorm_bits(250 - channel_at(m, at, level, c));
    }
    uint8_t *before = arena_alloc(&s.e->a, s.m.size);
    memcpy(before, s.m.data, s.m.size);
    run_op(&s, level ? "image_store_mip" : "image_store", 15, 4, n + (level > 0), false, "");
    for (uint32_t l = 0; l < LANES; l++) {
        place(m, l, at, level, &inside);
        uint32_t y = m->dim == MACH_DIM_1D ? 0 : at[1];
        bool layered = m->array || m->dim == MACH_DIM_3D || m->dim == MACH_DIM_CUBE;
        uint32_t slice = layered ? at[m->dim == MACH_DIM_1D ? 1 : 2] : 0;
        uint64_t offset = inside ? mach_texel_offset(&s.m, at[0], y, slice, level,
                                                     m->samples > 1 ? at[n - 1] : 0)
                                 : 0;
        for (uint32_t c = 0; inside && c < 4; c++) {
            assert_int_equal(s.m.data[offset + c], 250 - channel_at(m, at, level, c));
            before[offset + c] = s.m.data[offset + c];
        }
    }
    assert_memory_equal(before, s.m.data, s.m.size); /* nothing else was touched */
    emu_env_free(s.e);
}

static void
test_stores(void **state)
{
    (void)state;
    for (unsigned t = 0; t < N_TARGETS; t++)
        for (unsigned k = 0; k < N_IMAGES; k++)
            for (uint32_t level = 0; level < images[k].levels; level++)
                check_store(targets[t].gen, &images[k], level);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_stores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
