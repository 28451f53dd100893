/* Images and samplers of every generation that has them: one list of cases, run with the T#, S#,
 * address registers and modifiers of each generation. The same loads, stores, samples and atomics
 * must give the same result everywhere; a small reference in this test computes it. */
#include "emu_image_env.h"

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

/* The coordinates of lane `l` in the order of the address registers, a few of them outside. Returns
 * their number. */
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

/* Each lane's coordinates in the address registers, `level` after them. Returns how many
 * coordinates there are. */
static uint32_t
set_addresses(const setting *s, const mach_image *m, uint32_t level)
{
    uint32_t at[4], n = 0;
    bool inside;
    for (uint32_t l = 0; l < LANES; l++) {
        n = place(m, l, at, level, &inside);
        for (uint32_t k = 0; k < n; k++)
            address(s, k)[l] = at[k];
        address(s, n)[l] = level;
    }
    return n;
}

static void
check_load(amd_gen gen, const mach_image *m, uint32_t level, bool mip)
{
    setting s = set_up(gen, m);
    uint32_t at[4], n = set_addresses(&s, m, level);
    bool inside;
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
    uint32_t at[4], n = set_addresses(&s, m, level);
    bool inside;
    for (uint32_t l = 0; l < LANES; l++) {
        place(m, l, at, level, &inside);
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
    assert_memory_equal(before, s.m.data, s.m.size); /* nothing else has changed */
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
