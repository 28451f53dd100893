/* BC1 to BC5: Khronos Data Format Specification 1.4, "S3TC" and "RGTC". A block has two end points,
 * and an index per texel that selects a point between them.
 *
 * The specification interpolates in real numbers and leaves rounding open. The alpha of BC3, BC4
 * and BC5 is decoded exactly like that. Colours are decoded as AMD's chips do (R. Geldreich's
 * tables of an RX 580, the formula from his rgbcx): end points are expanded to 8 bits by repeating
 * their bits, and interpolated in steps of 1/64. The result differs from the specification's by at
 * most 2/255.
 */
#include "machine/block.h"

#include "base/bits.h"

static uint64_t
load_bits(const uint8_t *at, unsigned bytes)
{
    uint64_t v = 0;
    for (unsigned k = 0; k < bytes; k++)
        v |= (uint64_t)at[k] << 8 * k;
    return v;
}

/* Channel `c` of a 5-6-5 colour (red in the top bits), expanded to 8 bits. */
static unsigned
channel_565(unsigned color, unsigned c)
{
    unsigned v = c == 0 ? color >> 11 : c == 1 ? color >> 5 & 63 : color & 31;
    return c == 1 ? v << 2 | v >> 4 : v << 3 | v >> 2;
}

/* Decodes the colour block of BC1, BC2 and BC3. With `four` there are always four colours;
 * otherwise the order of the end points may select three colours and transparent black. */
static void
decode_color(const uint8_t *at, unsigned texel, bool four, double out[4])
{
    unsigned c0 = (unsigned)load_bits(at, 2), c1 = (unsigned)load_bits(at + 2, 2);
    unsigned code = load_bits(at + 4, 4) >> 2 * texel & 3;
    four |= c0 > c1;
    for (unsigned c = 0; c < 3; c++) {
        unsigned a = channel_565(c0, c), b = channel_565(c1, c), v = code == 0 ? a : b;
        if (code == 2)
            v = four ? (43 * a + 21 * b + 32) >> 6 : (a + b + 1) >> 1;
        else if (code == 3)
            v = four ? (21 * a + 43 * b + 32) >> 6 : 0;
        out[c] = v / 255.0;
    }
    out[3] = code == 3 && !four ? 0 : 1;
}

/* Decodes a block of one channel: BC4, half of BC5, alpha of BC3. The order of the end points
 * selects either six values between them, or four and the minimum and the maximum. */
static double
decode_ramp(const uint8_t *at, bool is_signed, unsigned texel)
{
    int e0 = at[0], e1 = at[1];
    double code = (double)(load_bits(at + 2, 6) >> 3 * texel & 7), scale = 255;
    if (is_signed) {
        e0 = (int)base_sext64(at[0], 8);
        e1 = (int)base_sext64(at[1], 8);
        scale = 127;
    }
    double a = e0 / scale, b = e1 / scale;
    a = a < -1 ? -1 : a;
    b = b < -1 ? -1 : b;
    if (code < 2)
        return code == 0 ? a : b;
    if (e0 > e1)
        return ((8 - code) * a + (code - 1) * b) / 7;
    if (code > 5)
        return code == 7 ? 1 : is_signed ? -1 : 0;
    return ((6 - code) * a + (code - 1) * b) / 5;
}

void
mach_block_decode(mach_block block, bool is_signed, const uint8_t *at, unsigned x, unsigned y,
                  double out[4])
{
    unsigned texel = 4 * y + x;
    switch (block) {
    case MACH_BLOCK_BC1:
    case MACH_BLOCK_BC1_OPAQUE: decode_color(at, texel, false, out); break;
    case MACH_BLOCK_BC2:
        decode_color(at + 8, texel, true, out);
        out[3] = (double)(load_bits(at, 8) >> 4 * texel & 15) / 15;
        break;
    case MACH_BLOCK_BC3:
        decode_color(at + 8, texel, true, out);
        out[3] = decode_ramp(at, false, texel);
        break;
    case MACH_BLOCK_BC5: out[1] = decode_ramp(at + 8, is_signed, texel); /* fall through */
    case MACH_BLOCK_BC4: out[0] = decode_ramp(at, is_signed, texel); break;
    case MACH_BLOCK_BC6: mach_block_bc6(false, at, texel, out); break;
    case MACH_BLOCK_BC6_SIGNED: mach_block_bc6(true, at, texel, out); break;
    case MACH_BLOCK_BC7: mach_block_bc7(at, texel, out); break;
    default: break;
    }
}
