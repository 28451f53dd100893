#include "adreno/emu/desc/descriptor.h"

#include "base/bits.h"

#include <string.h>

enum { NONE = 0xff };

typedef struct format_row {
    uint8_t on_3, on_4, stored_4, number, swap;
    uint16_t format;
} format_row;

static const format_row formats[] = {
#define FORMAT(a3, a4, stored, number, swap, name)                                                 \
    {a3, a4, stored, number, swap, MACH_FORMAT_##name},
#include "adreno/emu/desc/formats.def"
#undef FORMAT
};

static const format_row *
find_row(mach_format f)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].format == f)
            return &formats[i];
    return NULL;
}

static mach_format
find_format(uint32_t number, uint32_t swap)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].number == number && formats[i].swap == swap)
            return (mach_format)formats[i].format;
    return MACH_FORMAT_none;
}

/* The number of a generation for a format of a5xx on, or of a4xx' storage images. */
static uint8_t
number_on(const format_row *f, adreno_format_set set)
{
    return set == ADRENO_FORMATS_3 ? f->on_3 : set == ADRENO_FORMATS_4 ? f->on_4 : f->stored_4;
}

bool
adreno_format_number(adreno_format_set set, uint32_t number, uint32_t *out)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        *out = number_on(&formats[i], set);
        if (formats[i].number == number && *out != NONE)
            return true;
    }
    return false;
}

bool
adreno_format_from(adreno_format_set set, uint32_t number, uint32_t *out)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        *out = formats[i].number;
        if (number_on(&formats[i], set) == number && number != NONE)
            return true;
    }
    return false;
}

mach_format
adreno_format_of_number(uint32_t number)
{
    return find_format(number, 0);
}

bool
adreno_number_of_format(mach_format f, uint32_t *out)
{
    const format_row *row = find_row(f);
    *out = row && !row->swap ? row->number : NONE;
    return *out != NONE;
}

static uint32_t
field(uint32_t word, unsigned low, unsigned width)
{
    return word >> low & (uint32_t)base_mask64(width);
}

static mach_format
decode_format(const uint32_t words[ADRENO_TEXTURE_WORDS])
{
    const mach_format f = find_format(field(words[0], 22, 8), field(words[0], 30, 2));
    return words[0] & 4 ? mach_format_with_srgb(f, true) : f;
}

static uint64_t
base_of(const uint32_t words[ADRENO_TEXTURE_WORDS])
{
    return words[4] | (uint64_t)field(words[5], 0, 17) << 32;
}

bool
adreno_decode_buffer(const uint32_t words[ADRENO_TEXTURE_WORDS], adreno_buffer_view *out)
{
    *out = (adreno_buffer_view){.format = decode_format(words)};
    if (field(words[2], 29, 3) != ADRENO_TEX_BUFFER || out->format == MACH_FORMAT_none)
        return false;
    const uint32_t bytes = mach_format_get(out->format)->bytes;
    out->elements = field(words[1], 0, 15) | (uint64_t)field(words[1], 15, 15) << 15;
    out->record = field(words[2], 4, 12);
    out->address = base_of(words) + (uint64_t)field(words[2], 16, 6) * bytes;
    return true;
}

static void
decode_sizes(const uint32_t words[ADRENO_TEXTURE_WORDS], mach_image *m)
{
    const uint32_t depth = field(words[5], 17, 13);
    m->width = field(words[1], 0, 15);
    m->height = field(words[1], 15, 15);
    m->depth = 1;
    m->layers = depth ? depth : 1;
    m->samples = 1u << field(words[0], 20, 2);
    m->levels = field(words[0], 16, 4) + 1;
    switch (field(words[2], 29, 3)) {
    case ADRENO_TEX_1D: m->dim = MACH_DIM_1D; break;
    case ADRENO_TEX_CUBE:
        m->dim = MACH_DIM_CUBE;
        m->layers *= 6;
        break;
    case ADRENO_TEX_3D:
        m->dim = MACH_DIM_3D;
        m->depth = m->layers;
        m->layers = 1;
        break;
    default: m->dim = MACH_DIM_2D; break;
    }
}

static void
decode_swizzle(const uint32_t words[ADRENO_TEXTURE_WORDS], mach_image *m)
{
    static const char sources[] = "rgba0100";
    for (unsigned c = 0; c < 4; c++)
        m->swizzle[c] = sources[field(words[0], 4 + 3 * c, 3)];
}

/* Rows and slices as the words say them, where the layout of the whole image would differ. Returns
 * the bytes up to the end of the last level, of one layer. */
static uint64_t
apply_pitches(unsigned gen, const uint32_t words[ADRENO_TEXTURE_WORDS], mach_image *m)
{
    const uint32_t to = 64u << field(words[2], 0, 4), pitch = field(words[2], 7, 22);
    const uint64_t array_pitch = (uint64_t)field(words[3], 0, 23) << 12;
    const uint64_t least = (uint64_t)field(words[3], 23, 4) << 12; /* MIN_LAYERSZ */
    const mach_format_info *format = mach_format_get(m->format);
    uint64_t at = 0;
    for (uint32_t l = 0; l < m->levels; l++) {
        const uint32_t rows = mach_blocks(mach_level_size(m->height, l), format->block_h);
        mach_level *level = &m->level[l];
        level->row_pitch = (mach_level_size(pitch, l) + to - 1) / to * to;
        if (m->dim == MACH_DIM_3D) {
            const uint64_t quarter = l ? m->level[l - 1].slice_pitch / 4 : array_pitch;
            if (l == 0 || gen >= 6)
                level->slice_pitch = quarter > least ? quarter : least;
            level->offset = at;
            at += level->slice_pitch * mach_level_size(m->depth, l);
        } else {
            level->offset = at;
            level->slice_pitch = array_pitch;
            at += (uint64_t)rows * level->row_pitch;
        }
    }
    return at;
}

bool
adreno_decode_image(unsigned gen, const uint32_t words[ADRENO_TEXTURE_WORDS], mach_image *m,
                    uint64_t *address)
{
    const uint32_t type = field(words[2], 29, 3);
    memset(m, 0, sizeof *m);
    m->format = decode_format(words);
    *address = base_of(words);
    if (m->format == MACH_FORMAT_none || type > ADRENO_TEX_BUFFER || field(words[0], 0, 2) != 0)
        return false;
    if (type == ADRENO_TEX_BUFFER) {
        adreno_buffer_view v;
        adreno_decode_buffer(words, &v);
        const uint64_t texels = adreno_view_texels(&v);
        *address = v.address;
        m->dim = MACH_DIM_BUFFER;
        m->width = texels < UINT32_MAX ? (uint32_t)texels : UINT32_MAX;
        m->height = m->depth = m->layers = m->levels = m->samples = 1;
        m->size = texels * mach_format_get(v.format)->bytes;
        if (m->width)
            mach_image_layout(m);
    } else {
        decode_sizes(words, m);
        m->size = adreno_layout_image(gen, m);
        if (!m->size)
            return false;
        /* A view of some levels need not have a whole pitch behind its last layer. */
        m->size = apply_pitches(gen, words, m);
        if (m->dim != MACH_DIM_3D)
            m->size += m->level[0].slice_pitch * (m->layers * m->samples - 1);
    }
    m->array = m->layers > (m->dim == MACH_DIM_CUBE ? 6u : 1u);
    m->min_lod = (float)field(words[6], 0, 12) / 256;
    decode_swizzle(words, m);
    return true;
}

/* ---- samplers ---- */

static const uint8_t wraps[] = {MACH_ADDRESS_REPEAT, MACH_ADDRESS_CLAMP_TO_EDGE,
                                MACH_ADDRESS_MIRRORED_REPEAT, MACH_ADDRESS_CLAMP_TO_BORDER,
                                MACH_ADDRESS_MIRROR_CLAMP_TO_EDGE};

enum { N_WRAPS = sizeof wraps };

/* Fast border colours: bit 0 is alpha, bit 1 the others. */
static void
decode_border(const uint32_t words[ADRENO_SAMPLER_WORDS], bool is_int, mach_sampler *out)
{
    const uint32_t color = field(words[2], 2, 2), one = is_int ? 1 : base_f32_bits(1.0f);
    for (unsigned c = 0; c < 4; c++)
        out->border[c] = (c == 3 ? color & 1 : color >> 1) ? one : 0;
}

bool
adreno_find_border(const uint32_t words[ADRENO_SAMPLER_WORDS], uint32_t *offset)
{
    enum { FAST = 1 << 4, ENTRY = 128 };
    *offset = words[2] & ~(uint32_t)(ENTRY - 1);
    return !(words[2] & FAST);
}

/* MIPFILTER_LINEAR_NEAR alone says how levels are filtered. MIPFILTER_LINEAR_FAR (bit 6 of word 1)
 * turns levels off for OpenGL, as Mesa's drivers use it: there are no such samplers here. */
void
adreno_decode_sampler(const uint32_t words[ADRENO_SAMPLER_WORDS], bool is_int, mach_sampler *out)
{
    enum { LINEAR = 1, ANISO = 2 };
    const uint32_t mag = field(words[0], 1, 2), min = field(words[0], 3, 2);
    memset(out, 0, sizeof *out);
    out->mip_linear = words[0] & 1;
    out->mag_linear = mag >= LINEAR;
    out->min_linear = min >= LINEAR;
    out->mag_aniso = mag == ANISO ? (uint8_t)(1u << field(words[0], 14, 3)) : 0;
    out->min_aniso = min == ANISO ? (uint8_t)(1u << field(words[0], 14, 3)) : 0;
    for (unsigned i = 0; i < 3; i++)
        out->address[i] = wraps[field(words[0], 5 + 3 * i, 3) % N_WRAPS];
    out->lod_bias = (float)base_sext64(field(words[0], 19, 13), 13) / 256;
    out->compare_enable = true; /* where the instruction compares */
    out->compare = (uint8_t)field(words[1], 1, 3);
    out->seam = words[1] >> 4 & 1;
    out->unnormalized = words[1] >> 5 & 1;
    out->max_lod = (float)field(words[1], 8, 12) / 256;
    out->min_lod = (float)field(words[1], 20, 12) / 256;
    out->reduction = (uint8_t)field(words[2], 0, 2);
    out->trunc_layer = true;
    decode_border(words, is_int, out);
}

static uint32_t
wrap_of(uint8_t address)
{
    uint32_t n = 0;
    while (n < N_WRAPS && wraps[n] != address)
        n++;
    return n % N_WRAPS;
}

static uint32_t
fixed_8(float x, unsigned bits)
{
    const float most = (float)base_mask64(bits) / 256;
    return (uint32_t)((x < 0 ? 0 : x > most ? most : x) * 256);
}

void
adreno_encode_sampler(const mach_sampler *s, uint32_t words[ADRENO_SAMPLER_WORDS])
{
    const bool is_aniso = s->mag_aniso > 1 || s->min_aniso > 1;
    uint32_t ratio = 0, color = (s->border[3] ? 1u : 0) | (s->border[0] ? 2u : 0);
    for (uint32_t a = s->min_aniso; a > 1; a /= 2)
        ratio++;
    words[0] = s->mip_linear | (is_aniso ? 2u : s->mag_linear) << 1 |
               (is_aniso ? 2u : s->min_linear) << 3 | wrap_of(s->address[0]) << 5 |
               wrap_of(s->address[1]) << 8 | wrap_of(s->address[2]) << 11 | ratio << 14 |
               (uint32_t)(int32_t)(s->lod_bias * 256) << 19;
    words[1] = (uint32_t)s->compare << 1 | (uint32_t)s->seam << 4 | (uint32_t)s->unnormalized << 5 |
               fixed_8(s->max_lod, 12) << 8 | fixed_8(s->min_lod, 12) << 20;
    words[2] = s->reduction | color << 2 | 1u << 4;
    words[3] = 0;
}

/* ---- buffers and images ---- */

void
adreno_encode_uniform_buffer(uint64_t address, uint64_t size, uint32_t words[2])
{
    words[0] = (uint32_t)address;
    words[1] = ((uint32_t)(address >> 32) & 0x1ffff) | (uint32_t)((size + 15) / 16) << 17;
}

static bool
encode_format(mach_format f, uint32_t words[ADRENO_TEXTURE_WORDS])
{
    const mach_format plain = mach_format_with_srgb(f, false);
    const bool is_srgb = mach_format_get(f)->kind == MACH_NUM_SRGB;
    const format_row *row = find_row(is_srgb ? plain : f);
    if (!row)
        return false;
    words[0] = (uint32_t)is_srgb << 2 | (uint32_t)row->number << 22 | (uint32_t)row->swap << 30;
    return true;
}

/* Where each component comes from; 0 and 1 are 4 and 5. */
static uint32_t
encode_swizzle(const char *swizzle)
{
    static const char sources[] = "rgba01";
    uint32_t bits = 0;
    for (uint32_t c = 0; c < 4; c++) {
        const char *at = swizzle[0] ? strchr(sources, swizzle[c]) : sources + c;
        bits |= (at ? (uint32_t)(at - sources) : c) << (4 + 3 * c);
    }
    return bits;
}

bool
adreno_encode_buffer(const adreno_buffer_view *v, uint32_t words[ADRENO_TEXTURE_WORDS])
{
    enum { ALIGN = 64 };
    memset(words, 0, ADRENO_TEXTURE_WORDS * sizeof *words);
    if (!encode_format(v->format, words))
        return false;
    const uint32_t bytes = mach_format_get(v->format)->bytes;
    const uint64_t base = v->address / ALIGN * ALIGN;
    words[0] |= encode_swizzle("");
    words[1] = (uint32_t)(v->elements & 0x7fff) | (uint32_t)(v->elements >> 15 & 0x7fff) << 15;
    words[2] = (v->record ? v->record : 1) << 4 | (uint32_t)((v->address - base) / bytes) << 16 |
               (uint32_t)ADRENO_TEX_BUFFER << 29;
    words[4] = (uint32_t)base;
    words[5] = (uint32_t)(base >> 32) & 0x1ffff;
    return true;
}

static uint32_t
pitch_align(const mach_image *m)
{
    uint32_t n = 0;
    for (uint32_t b = mach_format_get(m->format)->bytes; b > 4; b /= 2)
        n++;
    return n;
}

/* MIN_LAYERSZ, in pages, below which a 3D image's slices do not get. False if it has no room for
 * what is needed, because larger slices are no quarters of those before. */
static bool
find_least(const mach_image *m, uint32_t *least)
{
    enum { MOST = 15 };
    const uint64_t last = m->level[m->levels - 1].slice_pitch >> 12;
    bool fits = true;
    *least = m->dim != MACH_DIM_3D ? 0 : last > MOST ? MOST : (uint32_t)last;
    for (uint32_t l = 1; m->dim == MACH_DIM_3D && last > MOST && l < m->levels; l++)
        fits &= m->level[l].slice_pitch * 4 == m->level[l - 1].slice_pitch;
    return fits;
}

bool
adreno_encode_image(const mach_image *m, uint64_t address, uint32_t words[ADRENO_TEXTURE_WORDS])
{
    uint32_t least;
    static const uint8_t types[] = {[MACH_DIM_1D] = ADRENO_TEX_1D,
                                    [MACH_DIM_2D] = ADRENO_TEX_2D,
                                    [MACH_DIM_3D] = ADRENO_TEX_3D,
                                    [MACH_DIM_CUBE] = ADRENO_TEX_CUBE};
    memset(words, 0, ADRENO_TEXTURE_WORDS * sizeof *words);
    if (m->dim == MACH_DIM_BUFFER || m->samples > ADRENO_MAX_SAMPLES || !find_least(m, &least) ||
        !encode_format(m->format, words))
        return false;
    const mach_level *level = &m->level[m->base_level];
    const uint32_t layers = m->dim == MACH_DIM_CUBE ? m->view_layers / 6 : m->view_layers;
    const uint32_t depth = m->dim == MACH_DIM_3D ? mach_level_size(m->depth, m->base_level)
                                                 : layers;
    const uint64_t base = address + level->offset +
                          (m->dim == MACH_DIM_3D ? 0
                                                 : m->base_layer * m->samples * level->slice_pitch);
    words[0] |= encode_swizzle(m->swizzle) | (m->view_levels - 1) << 16 |
                base_log2_up(m->samples) << 20;
    words[1] = mach_level_size(m->width, m->base_level) | mach_level_size(m->height, m->base_level)
                                                              << 15;
    words[2] = pitch_align(m) | level->row_pitch << 7 | (uint32_t)types[m->dim] << 29;
    words[3] = (uint32_t)(level->slice_pitch >> 12) | least << 23;
    words[4] = (uint32_t)base;
    words[5] = ((uint32_t)(base >> 32) & 0x1ffff) | depth << 17;
    words[6] = fixed_8(m->min_lod, 12);
    return true;
}
