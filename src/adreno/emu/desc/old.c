#include "adreno/emu/desc/old.h"

#include "base/bits.h"

#include <string.h>

static uint32_t
field(uint32_t word, unsigned low, unsigned width)
{
    return word >> low & (uint32_t)base_mask64(width);
}

/* ---- fields ---- */

/* The fields of a texture's words. */
typedef struct fields {
    uint32_t color; /* sRGB, swizzle and levels: bits 2 to 19 of word 0 of all */
    uint32_t samples, number, swap;
    uint32_t width, height, depth;
    uint32_t align; /* of rows: log2(bytes / 16) */
    uint32_t pitch, type, first;
    uint32_t slice;   /* pages */
    uint64_t address; /* of the first level, in bytes */
    bool buffer;
} fields;

enum { COLOR_MASK = 0xffff4, ALIGN_6 = 2, ALIGN_4 = 1 };

static fields
read_6(const uint32_t w[ADRENO_TEXTURE_WORDS])
{
    return (fields){.color = w[0] & COLOR_MASK,
                    .samples = field(w[0], 20, 2),
                    .number = field(w[0], 22, 8),
                    .swap = field(w[0], 30, 2),
                    .width = field(w[1], 0, 15),
                    .height = field(w[1], 15, 15),
                    .align = field(w[2], 0, 4) + ALIGN_6,
                    .buffer = field(w[2], 4, 1),
                    .pitch = field(w[2], 7, 22),
                    .first = field(w[2], 16, 6),
                    .type = field(w[2], 29, 3),
                    .slice = field(w[3], 0, 23),
                    .address = w[4] | (uint64_t)field(w[5], 0, 17) << 32,
                    .depth = field(w[5], 17, 13)};
}

static void
write_6(const fields *f, uint32_t w[ADRENO_TEXTURE_WORDS])
{
    memset(w, 0, ADRENO_TEXTURE_WORDS * sizeof *w);
    w[0] = f->color | f->samples << 20 | f->number << 22 | f->swap << 30;
    w[1] = f->width | f->height << 15;
    w[2] = (f->align > ALIGN_6 ? f->align - ALIGN_6 : 0) | (uint32_t)f->buffer << 4 |
           (f->buffer ? f->first << 16 : f->pitch << 7) | f->type << 29;
    w[3] = f->slice;
    w[4] = (uint32_t)f->address;
    w[5] = ((uint32_t)(f->address >> 32) & 0x1ffff) | f->depth << 17;
}

/* ---- a4xx ---- */

static bool
read_4(const uint32_t w[6], uint32_t high, fields *f)
{
    *f = (fields){.color = w[0] & COLOR_MASK,
                  .swap = field(w[2], 30, 2),
                  .height = field(w[1], 0, 15),
                  .width = field(w[1], 15, 15),
                  .align = field(w[2], 0, 4) + ALIGN_4,
                  .buffer = field(w[2], 6, 1),
                  .pitch = field(w[2], 9, 21),
                  .type = field(w[0], 29, 3),
                  .slice = field(w[3], 0, 14),
                  .depth = field(w[3], 18, 13),
                  .address = (w[4] & ~31u) | (uint64_t)high << 32};
    return !(w[0] & 1) && adreno_format_from(ADRENO_FORMATS_4, field(w[0], 22, 7), &f->number);
}

static bool
write_4(const fields *f, uint32_t w[6])
{
    enum { MOST_SMALL = 15 };
    uint32_t number;
    if (f->samples || !adreno_format_number(ADRENO_FORMATS_4, f->number, &number))
        return false;
    const uint32_t least = f->type == ADRENO_TEX_3D && f->slice <= MOST_SMALL ? f->slice : 0;
    w[0] = f->color | number << 22 | f->type << 29;
    w[1] = f->height | f->width << 15;
    w[2] = (f->align - ALIGN_4) | (uint32_t)f->buffer << 6 | (f->buffer ? 0 : f->pitch << 9) |
           f->swap << 30;
    w[3] = f->slice | f->depth << 18;
    w[4] = (uint32_t)f->address | least;
    return f->slice < 1u << 14 && !(f->address & 31) && !(f->buffer && f->first);
}

/* ---- a3xx ---- */

/* A buffer is a 1D image. Arrays have the number of layers less one, cubes none and no pitch. */
static bool
read_3(const adreno_old_texture *t, uint32_t high, fields *f)
{
    const uint32_t *w = t->word, depth = field(w[3], 17, 11);
    *f = (fields){.color = w[0] & COLOR_MASK,
                  .swap = field(w[2], 30, 2),
                  .height = field(w[1], 0, 14),
                  .width = field(w[1], 14, 14),
                  .align = field(w[1], 28, 4),
                  .pitch = field(w[2], 12, 18),
                  .type = field(w[0], 30, 2),
                  .slice = field(w[3], 0, 13),
                  .address = t->level[0] | (uint64_t)high << 32};
    f->depth = f->type == ADRENO_TEX_3D ? depth : f->type == ADRENO_TEX_CUBE ? 1 : depth + 1;
    return !(w[0] & 1) && adreno_format_from(ADRENO_FORMATS_3, field(w[0], 22, 7), &f->number);
}

static bool
is_integer(uint32_t number)
{
    return mach_format_is_int(adreno_format_of_number(number));
}

static bool
write_3(const fields *f, adreno_old_texture *t)
{
    uint32_t number, depth = f->depth ? f->depth - 1 : 0;
    if (f->samples || !adreno_format_number(ADRENO_FORMATS_3, f->number, &number))
        return false;
    const bool is_cube = f->type == ADRENO_TEX_CUBE;
    if (f->type == ADRENO_TEX_3D)
        depth = f->depth;
    t->word[0] = f->color | number << 22 | (uint32_t)(is_integer(f->number) || f->buffer) << 29 |
                 (f->buffer ? (uint32_t)ADRENO_TEX_1D : f->type) << 30;
    t->word[1] = (f->buffer ? 1 : f->height) | f->width << 14 | (f->buffer ? 0 : f->align << 28);
    t->word[2] = (f->buffer ? 0 : f->pitch << 12) | f->swap << 30;
    t->word[3] = is_cube || f->buffer ? 0 : f->slice | depth << 17;
    t->level[0] = (uint32_t)f->address;
    return f->width < 1u << 14 && f->height < 1u << 14 && f->slice < 1u << 13 &&
           !(f->buffer && f->first) && !(is_cube && f->depth > 1);
}

/* The levels are where the words say. */
static void
place_levels(const adreno_old_texture *t, mach_image *m)
{
    const bool in_a_row = adreno_has_faces_in_a_row(3, m);
    const mach_format_info *format = mach_format_get(m->format);
    uint64_t end = 0;
    for (uint32_t l = 0; l < m->levels && l < ADRENO_OLD_LEVELS; l++) {
        mach_level *level = &m->level[l];
        level->offset = t->level[l] - t->level[0];
        if (in_a_row)
            level->slice_pitch = (uint64_t)level->row_pitch *
                                 mach_blocks(mach_level_size(m->height, l), format->block_h);
        end = level->offset + level->slice_pitch * m->layers;
    }
    if (in_a_row)
        m->size = end;
    if (!field(t->word[2], 12, 18)) /* a buffer has no pitch */
        m->size = m->level[0].slice_pitch = (uint64_t)m->width * format->bytes;
}

/* ---- textures ---- */

bool
adreno_decode_old_texture(unsigned gen, const adreno_old_texture *t, uint32_t high, mach_image *out,
                          uint64_t *address)
{
    uint32_t w[ADRENO_TEXTURE_WORDS] = {0};
    fields f;
    if (gen >= 5) {
        memcpy(w, t->word, sizeof t->word);
        w[3] &= 0x3fff; /* the other bits are of tiled images */
    } else {
        if (!(gen == 4 ? read_4(t->word, high, &f) : read_3(t, high, &f)))
            return false;
        write_6(&f, w);
    }
    if (!adreno_decode_image(gen, w, out, address))
        return false;
    if (gen < 4)
        place_levels(t, out);
    return true;
}

static bool
from_6(unsigned gen, const uint32_t w[ADRENO_TEXTURE_WORDS], adreno_old_texture *out)
{
    const fields f = read_6(w);
    *out = (adreno_old_texture){.word = {0}};
    if (gen == 4)
        return write_4(&f, out->word);
    if (gen < 4)
        return write_3(&f, out);
    memcpy(out->word, w, sizeof out->word);
    return f.slice < 1u << 14 && !(f.buffer && f.first);
}

bool
adreno_encode_old_image(unsigned gen, const mach_image *m, uint64_t address,
                        adreno_old_texture *out)
{
    uint32_t w[ADRENO_TEXTURE_WORDS];
    if (m->min_lod > 0 || !adreno_encode_image(m, address, w) || !from_6(gen, w, out))
        return false;
    const uint32_t first = m->dim == MACH_DIM_3D ? 0 : m->base_layer;
    for (uint32_t l = 0; gen < 4 && l < m->view_levels && l < ADRENO_OLD_LEVELS; l++) {
        const mach_level *level = &m->level[m->base_level + l];
        out->level[l] = (uint32_t)(address + level->offset + first * level->slice_pitch);
    }
    return true;
}

bool
adreno_encode_old_buffer(unsigned gen, const adreno_buffer_view *v, adreno_old_texture *out)
{
    uint32_t w[ADRENO_TEXTURE_WORDS];
    return adreno_encode_buffer(v, w) && from_6(gen, w, out);
}

/* ---- samplers ---- */

/* a3xx has the fields elsewhere, and levels in 1/64. */
enum { STEPS_3 = 64 };

static uint32_t
fixed_6(float x, unsigned bits)
{
    const float most = (float)base_mask64(bits) / STEPS_3;
    return (uint32_t)((x < 0 ? 0 : x > most ? most : x) * STEPS_3);
}

static void
write_sampler_3(const mach_sampler *s, const uint32_t w[ADRENO_SAMPLER_WORDS], uint32_t out[2])
{
    out[0] = (w[0] & 1) << 1 | field(w[0], 1, 16) << 2 | field(w[1], 1, 3) << 20 |
             field(w[1], 5, 1) << 31;
    out[1] = ((uint32_t)(int32_t)(s->lod_bias * STEPS_3) & 0x7ff) | fixed_6(s->max_lod, 10) << 12 |
             fixed_6(s->min_lod, 10) << 22;
}

static void
read_sampler_3(const uint32_t in[2], uint32_t w[ADRENO_SAMPLER_WORDS])
{
    w[0] = field(in[0], 1, 1) | field(in[0], 2, 16) << 1;
    w[1] = field(in[0], 20, 3) << 1 | field(in[0], 31, 1) << 5;
}

bool
adreno_encode_old_sampler(unsigned gen, const mach_sampler *s, adreno_old_sampler *out)
{
    uint32_t w[ADRENO_SAMPLER_WORDS];
    adreno_encode_sampler(s, w);
    memcpy(out->word, w, sizeof out->word);
    memcpy(out->border, s->border, sizeof out->border);
    if (gen < 4)
        write_sampler_3(s, w, out->word);
    return !s->reduction && !(gen < 4 && s->seam);
}

void
adreno_decode_old_sampler(unsigned gen, const adreno_old_sampler *s, bool is_int, mach_sampler *out)
{
    uint32_t w[ADRENO_SAMPLER_WORDS] = {s->word[0], s->word[1], 0, 0};
    if (gen < 4)
        read_sampler_3(s->word, w);
    adreno_decode_sampler(w, is_int, out);
    memcpy(out->border, s->border, sizeof out->border);
    if (gen >= 4)
        return;
    out->lod_bias = (float)base_sext64(field(s->word[1], 0, 11), 11) / STEPS_3;
    out->max_lod = (float)field(s->word[1], 12, 10) / STEPS_3;
    out->min_lod = (float)field(s->word[1], 22, 10) / STEPS_3;
    out->trunc_layer = false; /* shaders add no half (array_index_add_half of ir3_compiler.c) */
}
