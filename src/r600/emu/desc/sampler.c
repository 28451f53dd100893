/* Samplers. */
#include "r600/emu/desc/texture.h"

#include "base/fp.h"
#include "r600/emu/desc/fields.h"

#include <string.h>

enum { MIP_NONE, MIP_POINT, MIP_LINEAR };
enum { BORDER_CLEAR, BORDER_BLACK, BORDER_WHITE, BORDER_REGISTER };

enum {
#define SAMPLER(name, w0, l0, n0, w1, l1, n1) NAME_##name,
#include "r600/emu/desc/fields.def"
#undef SAMPLER
    N_FIELDS
};

static const r600_desc_field fields[N_FIELDS][2] = {
#define SAMPLER(name, w0, l0, n0, w1, l1, n1) {{w0, l0, n0}, {w1, l1, n1}},
#include "r600/emu/desc/fields.def"
#undef SAMPLER
};

/* SQ_TEX_CLAMP by number. */
static const uint8_t wraps[] = {
    MACH_ADDRESS_REPEAT,          MACH_ADDRESS_MIRRORED_REPEAT,
    MACH_ADDRESS_CLAMP_TO_EDGE,   MACH_ADDRESS_MIRROR_CLAMP_TO_EDGE,
    MACH_ADDRESS_HALF_BORDER,     MACH_ADDRESS_MIRROR_HALF_BORDER,
    MACH_ADDRESS_CLAMP_TO_BORDER, MACH_ADDRESS_MIRROR_CLAMP_TO_BORDER,
};

static void
put(uint32_t *words, r600_gen gen, unsigned name, uint32_t value)
{
    r600_desc_put(&fields[name][r600_desc_column(gen)], words, value);
}

static uint32_t
get(const uint32_t *words, r600_gen gen, unsigned name)
{
    return r600_desc_get(&fields[name][r600_desc_column(gen)], words);
}

static uint32_t
wrap_of(uint8_t address)
{
    uint32_t n = 0;
    while (n + 1 < sizeof wraps && wraps[n] != address)
        n++;
    return n;
}

/* Levels have 6 bits of fraction on R600 and R700, later 8. */
static float
level_unit(r600_gen gen)
{
    return gen >= R600_GEN_EG ? 256 : 64;
}

static uint32_t
fixed_level(r600_gen gen, float x, unsigned name)
{
    const float most = (float)base_mask64(fields[name][r600_desc_column(gen)].width);
    const float at = x * level_unit(gen);
    return (uint32_t)(at < 0 ? 0 : at > most ? most : at);
}

static uint32_t
ratio_of(const mach_sampler *s)
{
    uint32_t n = 0;
    for (uint32_t a = s->min_aniso > s->mag_aniso ? s->min_aniso : s->mag_aniso; a > 1; a /= 2)
        n++;
    return n;
}

bool
r600_encode_sampler(r600_gen gen, const mach_sampler *s, uint32_t words[R600_SAMPLER_WORDS])
{
    memset(words, 0, R600_SAMPLER_WORDS * sizeof *words);
    put(words, gen, NAME_CLAMP_X, wrap_of(s->address[0]));
    put(words, gen, NAME_CLAMP_Y, wrap_of(s->address[1]));
    put(words, gen, NAME_CLAMP_Z, wrap_of(s->address[2]));
    put(words, gen, NAME_MAG_LINEAR, s->mag_linear);
    put(words, gen, NAME_MIN_LINEAR, s->min_linear);
    put(words, gen, NAME_MAG_ANISO, s->mag_aniso > 1);
    put(words, gen, NAME_MIN_ANISO, s->min_aniso > 1);
    put(words, gen, NAME_Z_FILTER, s->z_filter);
    put(words, gen, NAME_MIP_FILTER, s->mip_linear ? MIP_LINEAR : MIP_POINT);
    put(words, gen, NAME_ANISO_RATIO, ratio_of(s));
    put(words, gen, NAME_BORDER, BORDER_REGISTER);
    put(words, gen, NAME_COMPARE, s->compare);
    put(words, gen, NAME_MIN_LOD, fixed_level(gen, s->min_lod, NAME_MIN_LOD));
    put(words, gen, NAME_MAX_LOD, fixed_level(gen, s->max_lod, NAME_MAX_LOD));
    put(words, gen, NAME_LOD_BIAS, (uint32_t)(int32_t)(s->lod_bias * level_unit(gen)));
    put(words, gen, NAME_NO_CUBE_WRAP, s->seam);
    put(words, gen, NAME_TYPE, 1);
    return !s->unnormalized && s->reduction == MACH_REDUCTION_AVERAGE;
}

static void
get_border(uint32_t type, const uint32_t border[4], mach_sampler *s)
{
    for (unsigned c = 0; c < 4; c++) {
        const bool is_one = type == BORDER_WHITE || (type == BORDER_BLACK && c == 3);
        s->border[c] = type == BORDER_REGISTER ? border[c] : is_one ? base_f32_bits(1.0f) : 0;
    }
}

/* Without a filter of levels the first one is used, which a largest level below a half says. */
static void
get_levels(const uint32_t *words, r600_gen gen, mach_sampler *s)
{
    const unsigned width = fields[NAME_LOD_BIAS][r600_desc_column(gen)].width;
    const int64_t bias = base_sext64(get(words, gen, NAME_LOD_BIAS), width);
    const bool has_levels = get(words, gen, NAME_MIP_FILTER) != MIP_NONE;
    s->mip_linear = get(words, gen, NAME_MIP_FILTER) == MIP_LINEAR;
    s->lod_bias = (float)bias / level_unit(gen);
    s->min_lod = has_levels ? (float)get(words, gen, NAME_MIN_LOD) / level_unit(gen) : 0;
    s->max_lod = has_levels ? (float)get(words, gen, NAME_MAX_LOD) / level_unit(gen) : 0.25f;
}

void
r600_decode_sampler(r600_gen gen, const uint32_t words[R600_SAMPLER_WORDS],
                    const uint32_t border[4], mach_sampler *s)
{
    const uint8_t ratio = (uint8_t)(1u << get(words, gen, NAME_ANISO_RATIO));
    *s = (mach_sampler){.mag_linear = get(words, gen, NAME_MAG_LINEAR) != 0,
                        .min_linear = get(words, gen, NAME_MIN_LINEAR) != 0,
                        .mag_aniso = get(words, gen, NAME_MAG_ANISO) ? ratio : 0,
                        .min_aniso = get(words, gen, NAME_MIN_ANISO) ? ratio : 0,
                        .z_filter = (uint8_t)(get(words, gen, NAME_Z_FILTER) % 3),
                        .seam = get(words, gen, NAME_NO_CUBE_WRAP) != 0,
                        .compare = (uint8_t)get(words, gen, NAME_COMPARE),
                        .trunc_layer = true};
    s->address[0] = wraps[get(words, gen, NAME_CLAMP_X)];
    s->address[1] = wraps[get(words, gen, NAME_CLAMP_Y)];
    s->address[2] = wraps[get(words, gen, NAME_CLAMP_Z)];
    get_levels(words, gen, s);
    get_border(get(words, gen, NAME_BORDER), border, s);
}
