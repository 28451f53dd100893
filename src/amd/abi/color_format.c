/* The format in which a fragment shader exports a colour: the smallest that loses nothing of what
 * the attachment keeps, that the colour block blends in, and that has the channels which are read.
 *
 * Attachments of up to 11 bits a channel take half floats, or integers of 16 bits; 16-bit ones
 * their own kind, fixed-point ones 32-bit floats if they blend; 32-bit ones as many channels as
 * they have (Mesa 24, ac_choose_spi_color_formats).
 */
#include "amd/abi/fragment.h"

/* The largest channel in bits. */
static unsigned
widest(const mach_format_info *f)
{
    unsigned most = 0;
    for (unsigned c = 0; c < 4; c++)
        most = f->bits[c] > most ? f->bits[c] : most;
    return most;
}

/* Floats, or integers, of 32 bits: those channels that the attachment has, and alpha. */
static amd_color_format
wide_format(const mach_format_info *f, bool alpha)
{
    bool has_alpha = f->channels == 1 && f->swizzle[3] == 'x';
    switch (f->channels) {
    case 1: return alpha || has_alpha ? AMD_COLOR_32_AR : AMD_COLOR_32_R;
    case 2: return alpha ? AMD_COLOR_32_ABGR : AMD_COLOR_32_GR;
    default: return AMD_COLOR_32_ABGR;
    }
}

amd_color_format
amd_abi_color_format(const family_color *c, bool needs_alpha)
{
    const mach_format_info *f = mach_format_get(c->format);
    unsigned bits = widest(f);
    bool alpha = needs_alpha || c->blends_alpha;
    if (!c->format || (c->kept & 15) == 15)
        return AMD_COLOR_ZERO;
    if (bits > 16)
        return wide_format(f, alpha);
    switch (f->kind) {
    case MACH_NUM_UINT: return AMD_COLOR_UINT16;
    case MACH_NUM_SINT: return AMD_COLOR_SINT16;
    case MACH_NUM_UNORM:
        return bits < 12 ? AMD_COLOR_FP16 : c->blends ? wide_format(f, alpha) : AMD_COLOR_UNORM16;
    case MACH_NUM_SNORM:
        return bits < 12 ? AMD_COLOR_FP16 : c->blends ? wide_format(f, alpha) : AMD_COLOR_SNORM16;
    default: return AMD_COLOR_FP16;
    }
}
