/* Environment of the image tests: an image in the layout of a generation with known texels, its T#
 * and S# in SGPRs, and the text of an instruction with the address registers and modifiers that the
 * generation requires. */
#ifndef EMU_IMAGE_ENV_H
#define EMU_IMAGE_ENV_H

#include "emu_env.h"

#include "amd/emu/desc/texel.h"

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

static inline uint32_t
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
static inline uint32_t
channel(uint32_t level, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample, uint32_t c)
{
    return (level * 89 + x * 37 + y * 61 + slice * 17 + sample * 29 + c * 83) % 251;
}

static inline void
put_channels(mach_format f, uint8_t *at, const uint32_t v[4])
{
    for (uint32_t c = 0; c < 4; c++) {
        float unorm = (float)v[c] / 256.0f;
        if (f == MACH_FORMAT_r8g8b8a8_unorm || f == MACH_FORMAT_r8g8b8a8_srgb)
            at[c] = (uint8_t)v[c];
        else if (f == MACH_FORMAT_r32_uint && c == 0)
            memcpy(at, &v[0], 4);
        else if (f == MACH_FORMAT_r32_sfloat && c == 0)
            memcpy(at, &unorm, 4);
        else if (f == MACH_FORMAT_r32g32b32a32_sfloat)
            memcpy(at + 4 * c, &unorm, 4);
    }
}

static inline void
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

static inline setting
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

static inline void
set_sampler(const setting *s, const mach_sampler *sampler)
{
    amd_sampler_desc d;
    amd_sampler_from_mach(sampler, &d);
    amd_sampler_encode(s->gen, &d, s->e->w.sgpr + 24);
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

/* The text of an image instruction with `data` registers from v0 on. */
static inline const char *
op_text(const setting *s, const char *op, uint32_t dmask, uint32_t data, uint32_t n_address,
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
    return arena_printf(a, "%s %s, %s, s[8:15]%s dmask:0x%x%s%s", op, registers,
                        address_text(s, n_address, sampled ? 4 : 5), sampled ? ", s[24:27]" : "",
                        dmask, how, modifiers);
}

static inline void
run_op(const setting *s, const char *op, uint32_t dmask, uint32_t data, uint32_t n_address,
       bool sampled, const char *modifiers)
{
    emu_run_text(s->e, op_text(s, op, dmask, data, n_address, sampled, modifiers));
    if (s->e->report.total)
        fail_msg("gen %u, %s: %s", (unsigned)s->gen, op, s->e->report.findings[0].message);
}

static inline uint32_t *
address(const setting *s, uint32_t k)
{
    return s->e->w.vgpr[ADDRESS + k];
}

static inline uint32_t
unorm_bits(uint32_t v)
{
    return base_f32_bits((float)v / 255.0f);
}

#endif
