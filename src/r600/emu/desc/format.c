#include "r600/emu/desc/format.h"

#include <string.h>

typedef struct format_row {
    r600_texel_format words;
    uint16_t format;
} format_row;

static const format_row rows[] = {
#define FORMAT(number, what, is_signed, degamma, name)                                             \
    {{number, what, is_signed, degamma}, MACH_FORMAT_##name},
#include "r600/emu/desc/formats.def"
#undef FORMAT
};

static const char channels[] = "xyzw", components[] = "rgba";

enum { SELECT_0 = 4, SELECT_1 = 5, SELECT_BITS = 3 };

mach_format
r600_decode_format(const r600_texel_format *f)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const r600_texel_format *w = &rows[i].words;
        if (w->number == f->number && w->what == f->what && w->is_signed == f->is_signed &&
            w->degamma == f->degamma)
            return (mach_format)rows[i].format;
    }
    return MACH_FORMAT_none;
}

static unsigned
block_of(const mach_format_info *f)
{
    return f->block == MACH_BLOCK_BC1_OPAQUE ? MACH_BLOCK_BC1 : f->block;
}

/* Do both have the same channels at the same bits? */
static bool
is_alike(const mach_format_info *a, const mach_format_info *b)
{
    if (a->kind != b->kind || a->bytes != b->bytes || block_of(a) != block_of(b))
        return false;
    return a->block || memcmp(a->bits, b->bits, sizeof a->bits) == 0;
}

bool
r600_encode_format(mach_format f, r600_texel_format *out)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!is_alike(mach_format_get(f), mach_format_get((mach_format)rows[i].format)))
            continue;
        *out = rows[i].words;
        return true;
    }
    return false;
}

/* The select of what stands in a format's swizzle, or of a constant. */
static uint32_t
select_of(char source)
{
    const char *at = strchr(channels, source);
    return at ? (uint32_t)(at - channels) : source == '1' ? SELECT_1 : SELECT_0;
}

uint32_t
r600_encode_selects(mach_format f, const char *swizzle)
{
    const mach_format_info *info = mach_format_get(f);
    uint32_t bits = 0;
    for (unsigned c = 0; c < 4; c++) {
        const char from = swizzle[0] ? swizzle[c] : components[c];
        const char *at = strchr(components, from);
        bits |= select_of(at ? info->swizzle[at - components] : from) << SELECT_BITS * c;
    }
    return bits;
}

bool
r600_is_in_order(mach_format f, const char *swizzle)
{
    const uint32_t selects = r600_encode_selects(f, swizzle);
    for (unsigned c = 0; c < 4; c++) {
        const uint32_t select = selects >> SELECT_BITS * c & 7;
        if (select != c && (select < SELECT_0 || mach_format_get(f)->bits[c]))
            return false;
    }
    return true;
}

void
r600_decode_selects(mach_format f, uint32_t selects, char swizzle[5])
{
    const mach_format_info *info = mach_format_get(f);
    for (unsigned c = 0; c < 4; c++) {
        const uint32_t select = selects >> SELECT_BITS * c & 7;
        swizzle[c] = select < SELECT_0 ? components[select] : select == SELECT_1 ? '1' : '0';
        for (unsigned k = 0; select < SELECT_0 && k < 4; k++)
            if (info->swizzle[k] == channels[select])
                swizzle[c] = components[k];
    }
    swizzle[4] = 0;
}
