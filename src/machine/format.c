#include "machine/format.h"

#include "machine/block.h"

#include "base/fp.h"

#include <math.h>

static const mach_format_info formats[MACH_FORMAT_COUNT] = {
#define ROW(name, vk, bytes, kind, block, w, h, b0, b1, b2, b3, swizzle)                           \
    {#name,                                                                                        \
     vk,                                                                                           \
     bytes,                                                                                        \
     MACH_NUM_##kind,                                                                              \
     block,                                                                                        \
     w,                                                                                            \
     h,                                                                                            \
     (b0 > 0) + (b1 > 0) + (b2 > 0) + (b3 > 0),                                                    \
     {b0, b1, b2, b3},                                                                             \
     swizzle},
#define FORMAT(name, vk, bytes, kind, b0, b1, b2, b3, swizzle)                                     \
    ROW(name, vk, bytes, kind, MACH_BLOCK_NONE, 1, 1, b0, b1, b2, b3, swizzle)
#define BLOCK_WIDTH(b)  ((b) >= MACH_BLOCK_XYZY ? 2 : 4)
#define BLOCK_HEIGHT(b) ((b) >= MACH_BLOCK_XYZY ? 1 : 4)
#define BLOCK(block, name, vk, bytes, kind, b0, b1, b2, b3, swizzle)                               \
    ROW(name, vk, bytes, kind, MACH_BLOCK_##block, BLOCK_WIDTH(MACH_BLOCK_##block),                \
        BLOCK_HEIGHT(MACH_BLOCK_##block), b0, b1, b2, b3, swizzle)
#include "machine/formats.def"
};

const mach_format_info *
mach_format_get(mach_format f)
{
    return &formats[(unsigned)f < MACH_FORMAT_COUNT ? f : MACH_FORMAT_none];
}

mach_format
mach_format_from_vk(unsigned vk)
{
    for (unsigned f = 0; f < MACH_FORMAT_COUNT; f++) {
        if (formats[f].vk == vk)
            return (mach_format)f;
    }
    return MACH_FORMAT_none;
}

mach_format
mach_format_from_name(const char *name)
{
    for (unsigned f = 0; f < MACH_FORMAT_COUNT; f++) {
        if (!strcmp(formats[f].name, name))
            return (mach_format)f;
    }
    return MACH_FORMAT_none;
}

/* SPIR-V names packed formats from the lowest bits up, Vulkan from the highest bits down. */
#define MACH_FORMAT_unknown           MACH_FORMAT_none
#define MACH_FORMAT_r10g10b10a2_unorm MACH_FORMAT_a2b10g10r10_unorm
#define MACH_FORMAT_r10g10b10a2_uint  MACH_FORMAT_a2b10g10r10_uint
#define MACH_FORMAT_r11g11b10_ufloat  MACH_FORMAT_b10g11r11_ufloat

mach_format
mach_format_from_ir(ir_format f)
{
#define BY_NAME(x) MACH_FORMAT_##x,
    static const mach_format table[] = {IR_FORMATS(BY_NAME)};
    return (unsigned)f < IR_FORMAT_COUNT ? table[f] : MACH_FORMAT_none;
}

bool
mach_format_is_int(mach_format f)
{
    uint8_t kind = mach_format_get(f)->kind;
    return kind == MACH_NUM_UINT || kind == MACH_NUM_SINT || kind == MACH_NUM_FMASK;
}

bool
mach_format_is_depth(mach_format f)
{
    switch (f) {
    case MACH_FORMAT_d16_unorm:
    case MACH_FORMAT_x8_d24_unorm:
    case MACH_FORMAT_d32_sfloat:
    case MACH_FORMAT_d24_unorm_s8_uint:
    case MACH_FORMAT_d32_sfloat_s8_uint: return true;
    default: return false;
    }
}

mach_format
mach_format_with_srgb(mach_format f, bool srgb)
{
    const mach_format_info *from = mach_format_get(f);
    mach_numeric want = srgb ? MACH_NUM_SRGB : MACH_NUM_UNORM;
    if (from->kind == want)
        return f;
    for (unsigned k = 1; k < MACH_FORMAT_COUNT; k++) {
        const mach_format_info *to = &formats[k];
        if (to->kind == want && to->block == from->block && to->bytes == from->bytes &&
            !memcmp(to->bits, from->bits, 4) && !strcmp(to->swizzle, from->swizzle))
            return (mach_format)k;
    }
    return MACH_FORMAT_none;
}

/* ---- channels ---- */

/* Returns bits [at, at + n) of the texel's bytes. */
static uint64_t
get_bits(const uint8_t *bytes, unsigned at, unsigned n)
{
    uint64_t v = 0;
    for (unsigned done = 0; done < n;) {
        unsigned in_byte = (at + done) & 7, take = 8 - in_byte;
        v |= (uint64_t)(bytes[(at + done) / 8] >> in_byte) << done;
        done += take;
    }
    return v & base_mask64(n);
}

static void
put_bits(uint8_t *bytes, unsigned at, unsigned n, uint64_t v)
{
    v &= base_mask64(n);
    for (unsigned done = 0; done < n;) {
        unsigned in_byte = (at + done) & 7, take = n - done < 8 - in_byte ? n - done : 8 - in_byte;
        uint8_t mask = (uint8_t)(base_mask64(take) << in_byte);
        uint8_t *b = &bytes[(at + done) / 8];
        *b = (uint8_t)((*b & ~mask) | (v >> done << in_byte & mask));
        done += take;
    }
}

/* sRGB transfer functions: Khronos Data Format Specification 1.3, 13.3. */
static double
srgb_to_linear(double c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double
linear_to_srgb(double c)
{
    return c <= 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1 / 2.4) - 0.055;
}

/* Unsigned floats of 11 and 10 bits are half floats without a sign and with fewer fraction bits. */
static double
small_float(uint64_t v, unsigned bits)
{
    return base_f16_to_f64((uint16_t)(v << (15 - bits)));
}

/* Rounds to nearest even. Negative numbers give 0, numbers that are too large the largest finite
 * one; NaN and infinity are kept (Data Format Specification 1.3, 12.2). */
static uint64_t
to_small_float(double x, unsigned bits)
{
    unsigned cut = 15 - bits, fraction = bits - 5;
    uint64_t infinity = (uint64_t)31 << fraction;
    if (x != x)
        return infinity | UINT64_C(1) << (fraction - 1);
    if (x <= 0)
        return 0;
    if (isinf(x))
        return infinity;
    /* Rounds to the target's last place first, so that the half float in between loses no bits. */
    int e;
    frexp(x, &e);
    int last = (e < -13 ? -13 : e) - 1 - (int)fraction; /* exponent of the last place */
    double scaled = ldexp(x, -last), whole = floor(scaled), rest = scaled - whole;
    whole += rest > 0.5 || (rest == 0.5 && fmod(whole, 2) == 1);
    uint64_t v = base_f64_to_f16(ldexp(whole, last), BASE_ROUND_ZERO);
    return v >> cut >= infinity ? infinity - 1 : v >> cut;
}

/* Unsigned floats without infinities and NaNs, of 10 bits (Microsoft's DirectXTex, 6e4 and 7e3):
 * `fraction` bits, then an exponent, of which 0 means a denormal. Their biases are 7 and 3. */
static int
tiny_bias(unsigned fraction)
{
    return (1 << (9 - fraction)) - 1;
}

static double
tiny_float(uint64_t v, unsigned fraction)
{
    int exponent = (int)(v >> fraction), least = 1 - tiny_bias(fraction);
    double rest = ldexp((double)(v & base_mask64(fraction)), -(int)fraction);
    return exponent ? ldexp(1 + rest, exponent - 1 + least) : ldexp(rest, least);
}

/* Rounds to nearest even. Numbers that are too large become the largest one, negative numbers and
 * NaNs become 0. */
static uint64_t
to_tiny_float(double x, unsigned fraction)
{
    int e, least = 1 - tiny_bias(fraction);
    double most = tiny_float(1023, fraction);
    x = x > 0 ? (x < most ? x : most) : 0;
    frexp(x, &e);
    e = x == 0 || e - 1 < least ? least : e - 1;
    double scaled = ldexp(x, (int)fraction - e), whole = floor(scaled), rest = scaled - whole;
    whole += rest > 0.5 || (rest == 0.5 && fmod(whole, 2) == 1);
    /* the leading bit of a normal number, and a carry, increment the exponent */
    return (uint64_t)(e - least) * (UINT64_C(1) << fraction) + (uint64_t)whole;
}

static uint64_t
float_pattern(double x)
{
    return base_f64_to_f32(x, BASE_ROUND_EVEN);
}

/* The shader value of channel `c`, whose bits are `v`. */
static uint64_t
decode_channel(const mach_format_info *f, unsigned c, uint64_t v)
{
    unsigned bits = f->bits[c];
    double max = (double)base_mask64(bits), smax = (double)base_mask64(bits - 1);
    switch (f->kind) {
    case MACH_NUM_UINT: return v;
    case MACH_NUM_SINT: {
        uint64_t s = (uint64_t)base_sext64(v, bits);
        return bits == 64 ? s : (uint32_t)s;
    }
    case MACH_NUM_UNORM: return float_pattern((double)v / max);
    case MACH_NUM_SRGB:
        return float_pattern(c == 3 ? (double)v / max : srgb_to_linear((double)v / max));
    case MACH_NUM_SNORM: return float_pattern(fmax((double)base_sext64(v, bits) / smax, -1));
    case MACH_NUM_USCALED: return float_pattern((double)v);
    case MACH_NUM_SSCALED: return float_pattern((double)base_sext64(v, bits));
    case MACH_NUM_FLOAT:
        if (bits == 32)
            return v;
        return float_pattern(bits < 16 ? small_float(v, bits) : base_fp_decode(v, bits));
    case MACH_NUM_6E4:
    case MACH_NUM_7E3:
        return float_pattern(c == 3 ? (double)v / max
                                    : tiny_float(v, f->kind == MACH_NUM_6E4 ? 6 : 7));
    case MACH_NUM_CLAMPED: {
        float x = base_bits_f32((uint32_t)v);
        return base_f32_bits(x > 0 ? (x < 1 ? x : 1) : 0);
    }
    default: return 0;
    }
}

/* `x` clamped to [lo, hi] (NaN: 0), scaled and rounded to nearest even. */
static uint64_t
to_fixed(double x, double lo, double hi, double scale)
{
    x = x != x ? 0 : x < lo ? lo : x > hi ? hi : x;
    double scaled = x * scale, whole = floor(scaled), rest = scaled - whole;
    whole += rest > 0.5 || (rest == 0.5 && fmod(whole, 2) != 0);
    return (uint64_t)(int64_t)whole;
}

static uint64_t
clamp_int(uint64_t v, unsigned bits, bool is_signed)
{
    if (bits == 64)
        return v;
    if (!is_signed)
        return (uint32_t)v > base_mask64(bits) ? base_mask64(bits) : (uint32_t)v;
    int64_t x = base_sext64(v, 32), max = (int64_t)base_mask64(bits - 1);
    return (uint64_t)(x > max ? max : x < -max - 1 ? -max - 1 : x);
}

static uint64_t
encode_channel(const mach_format_info *f, unsigned c, uint64_t value)
{
    unsigned bits = f->bits[c];
    double max = (double)base_mask64(bits), smax = (double)base_mask64(bits - 1);
    double x = base_bits_f32((uint32_t)value);
    switch (f->kind) {
    case MACH_NUM_UINT: return clamp_int(value, bits, false);
    case MACH_NUM_SINT: return clamp_int(value, bits, true);
    case MACH_NUM_SRGB:
        x = x != x || x <= 0 ? 0 : x >= 1 ? 1 : c == 3 ? x : linear_to_srgb(x);
        return to_fixed(x, 0, 1, max);
    case MACH_NUM_UNORM: return to_fixed(x, 0, 1, max);
    case MACH_NUM_SNORM: return to_fixed(x, -1, 1, smax);
    case MACH_NUM_USCALED: return to_fixed(x, 0, max, 1);
    case MACH_NUM_SSCALED: return to_fixed(x, -smax - 1, smax, 1);
    case MACH_NUM_6E4:
    case MACH_NUM_7E3:
        return c == 3 ? to_fixed(x, 0, 1, max) : to_tiny_float(x, f->kind == MACH_NUM_6E4 ? 6 : 7);
    case MACH_NUM_CLAMPED:
    case MACH_NUM_FLOAT:
        if (bits == 32)
            return value;
        return bits < 16 ? to_small_float(x, bits) : base_fp_encode(x, bits, BASE_ROUND_EVEN);
    default: return 0;
    }
}

/* ---- shared exponents: Vulkan specification, "RGB9E5" ---- */

static void
read_shared(const uint8_t *at, uint64_t channel[4])
{
    int e = (int)get_bits(at, 27, 5);
    for (unsigned c = 0; c < 3; c++)
        channel[c] = float_pattern(ldexp((double)get_bits(at, 9 * c, 9), e - 15 - 9));
}

static void
write_shared(uint8_t *at, const uint64_t value[4])
{
    const double most = 511.0 / 512 * 65536;
    double c[3], greatest = 0;
    for (unsigned i = 0; i < 3; i++) {
        double x = base_bits_f32((uint32_t)value[i]);
        c[i] = x > 0 ? (x < most ? x : most) : 0;
        greatest = c[i] > greatest ? c[i] : greatest;
    }
    int e = 0;
    frexp(greatest, &e); /* floor(log2) + 1 */
    e = greatest == 0 || e < -15 ? -15 : e;
    e += 15;
    if (floor(greatest / ldexp(1, e - 15 - 9) + 0.5) == 512)
        e++;
    for (unsigned i = 0; i < 3; i++)
        put_bits(at, 9 * i, 9, (uint64_t)floor(c[i] / ldexp(1, e - 15 - 9) + 0.5));
    put_bits(at, 27, 5, (uint64_t)e);
}

/* ---- texels ---- */

/* The channel that a `swizzle` letter selects, or -1 for constants. */
static int
channel_of(char letter)
{
    return letter == 'w' ? 3 : letter >= 'x' && letter <= 'z' ? letter - 'x' : -1;
}

/* Reads the fragment of each sample, four bits per sample; 8 means unknown. In memory a sample has
 * as few bits as the fragments and "unknown" need, but never three (AMD's PAL, "packed expanded"
 * FMASK values). */
static void
read_fragments(const mach_format_info *f, const void *at, uint64_t channel[4])
{
    unsigned samples = f->bits[0], bits = f->bits[1], fragments = f->bits[2];
    for (unsigned s = 0; s < samples; s++) {
        uint64_t v = get_bits(at, s * bits, bits);
        channel[s / 8] |= (v < fragments ? v : 8) << (s % 8 * 4);
    }
}

/* Reads the channels of texel (x, y) of a block. */
static void
read_block(const mach_format_info *f, const uint8_t *at, unsigned x, unsigned y,
           uint64_t channel[4])
{
    double v[4] = {0, 0, 0, 0};
    uint8_t raw[4] = {at[f->block == MACH_BLOCK_XYZY ? 0 : 1],
                      at[f->block == MACH_BLOCK_XYZY ? 2 * x + 1 : 2 * x],
                      at[f->block == MACH_BLOCK_XYZY ? 2 : 3], 0};
    bool subsampled = f->block >= MACH_BLOCK_XYZY;
    if (!subsampled)
        mach_block_decode((mach_block)f->block, f->kind == MACH_NUM_SNORM, at, x, y, v);
    for (unsigned c = 0; c < f->channels; c++) {
        if (subsampled)
            channel[c] = decode_channel(f, c, raw[c]);
        else
            channel[c] = float_pattern(f->kind == MACH_NUM_SRGB && c < 3 ? srgb_to_linear(v[c])
                                                                         : v[c]);
    }
}

mach_texel
mach_texel_read_at(mach_format format, const void *at, uint32_t x, uint32_t y)
{
    const mach_format_info *f = mach_format_get(format);
    uint64_t channel[4] = {0}, one = mach_format_is_int(format) ? 1 : float_pattern(1);
    unsigned bit = 0;
    if (f->block)
        read_block(f, at, x % f->block_w, y % f->block_h, channel);
    else if (f->kind == MACH_NUM_SHARED)
        read_shared(at, channel);
    else if (f->kind == MACH_NUM_FMASK)
        read_fragments(f, at, channel);
    else
        for (unsigned c = 0; c < f->channels; bit += f->bits[c++])
            channel[c] = decode_channel(f, c, get_bits(at, bit, f->bits[c]));
    mach_texel t;
    for (unsigned i = 0; i < 4; i++) {
        int c = channel_of(f->swizzle[i]);
        t.c[i] = c >= 0 ? channel[c] : f->swizzle[i] == '1' ? one : 0;
    }
    return t;
}

mach_texel
mach_texel_read(mach_format format, const void *at)
{
    return mach_texel_read_at(format, at, 0, 0);
}

void
mach_texel_write(mach_format format, void *at, const mach_texel *t)
{
    const mach_format_info *f = mach_format_get(format);
    uint64_t channel[4] = {0};
    unsigned bit = 0;
    for (unsigned i = 0; i < 4; i++) {
        if (channel_of(f->swizzle[i]) >= 0)
            channel[channel_of(f->swizzle[i])] = t->c[i];
    }
    if (f->block || f->kind == MACH_NUM_FMASK)
        return;
    if (f->kind == MACH_NUM_SHARED)
        write_shared(at, channel);
    else
        for (unsigned c = 0; c < f->channels; bit += f->bits[c++])
            put_bits(at, bit, f->bits[c], encode_channel(f, c, channel[c]));
}
