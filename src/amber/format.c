/* Texel formats and numbers in memory.
 *
 * The components of a format follow from its name (Vulkan 1.0, "Identification of Formats"):
 * letters with their bits, each group followed by its numeric mode. With _PACKn, the components
 * fill one n-bit word from its most significant bit down; otherwise they are in memory in the order
 * named.
 */
#include "amber/amber.h"
#include "base/bits.h"

#include <math.h>
#include <string.h>

typedef struct format_row {
    const char *name;
    uint16_t vk;
} format_row;

static const format_row formats[] = {
#define AMBER_FORMAT(name, vk) {#name, vk},
#include "amber/formats.def"
#undef AMBER_FORMAT
};

static const struct {
    const char *name;
    amber_mode mode;
} mode_names[] = {
    {"UINT", AMBER_UINT},     {"SINT", AMBER_SINT},       {"UNORM", AMBER_UNORM},
    {"SNORM", AMBER_SNORM},   {"USCALED", AMBER_USCALED}, {"SSCALED", AMBER_SSCALED},
    {"UFLOAT", AMBER_UFLOAT}, {"SFLOAT", AMBER_SFLOAT},   {"SRGB", AMBER_SRGB},
};

/* Appends the components of one chunk of the name, such as "R8G8B8", to `t`. */
static void
add_components(amber_texel *t, const char *chunk, size_t len)
{
    size_t i = 0;
    while (i < len && t->count < 5) {
        amber_component *c = &t->part[t->count++];
        c->name = chunk[i++];
        while (i < len && chunk[i] >= '0' && chunk[i] <= '9')
            c->bits = (uint8_t)(c->bits * 10 + (chunk[i++] - '0'));
    }
}

/* Handles one chunk between underscores: a mode for the components from `*from` on, the packing, or
 * components. */
static void
read_chunk(amber_texel *t, const char *chunk, size_t len, unsigned *from)
{
    for (size_t m = 0; m < sizeof mode_names / sizeof mode_names[0]; m++) {
        if (strlen(mode_names[m].name) != len || memcmp(mode_names[m].name, chunk, len) != 0)
            continue;
        for (; *from < t->count; ++*from)
            t->part[*from].mode = (uint8_t)mode_names[m].mode;
        return;
    }
    if (len > 4 && memcmp(chunk, "PACK", 4) == 0) {
        for (size_t i = 4; i < len; i++)
            t->packed = (uint8_t)(t->packed * 10 + (chunk[i] - '0'));
        return;
    }
    add_components(t, chunk, len);
}

static void
place_components(amber_texel *t)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < t->count; i++) {
        unsigned at = t->packed ? t->count - 1 - i : i;
        t->part[at].shift = (uint8_t)bits;
        bits += t->part[at].bits;
    }
    t->bytes = (uint8_t)(bits / 8);
    /* Vulkan's rules pad the stencil of D16_S8 and D32_S8 to the depth's alignment only for copies;
     * a script sees the components side by side. */
}

static void
describe(const format_row *row, amber_texel *t)
{
    unsigned from = 0;
    const char *p = row->name;
    *t = (amber_texel){.name = row->name, .vk = row->vk};
    while (*p) {
        size_t len = strcspn(p, "_");
        read_chunk(t, p, len, &from);
        p += len + (p[len] == '_');
    }
    place_components(t);
}

bool
amber_texel_find(const char *name, size_t len, amber_texel *out)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strlen(formats[i].name) == len && memcmp(formats[i].name, name, len) == 0) {
            describe(&formats[i], out);
            return true;
        }
    }
    return false;
}

bool
amber_texel_by_number(unsigned vk, amber_texel *out)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (formats[i].vk == vk) {
            describe(&formats[i], out);
            return true;
        }
    }
    return false;
}

bool
amber_type_equal(const amber_type *a, const amber_type *b)
{
    if (a->size != b->size || a->slot_count != b->slot_count || a->std140 != b->std140)
        return false;
    for (uint32_t i = 0; i < a->slot_count; i++) {
        const amber_slot *x = &a->slots[i], *y = &b->slots[i];
        if (x->offset != y->offset || x->mode != y->mode || x->bits != y->bits)
            return false;
    }
    return true;
}

float
amber_half_to_float(uint16_t h)
{
    int exponent = h >> 10 & 31;
    float sign = h >> 15 ? -1.0f : 1.0f;
    float mantissa = (float)(h & 0x3ff);
    if (exponent == 31)
        return h & 0x3ff ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexpf(mantissa + 1024.0f, exponent - 25) : ldexpf(mantissa, -24));
}

/* Amber rounds to binary32 and then truncates the low bits (src/float16_helper.cc of google/amber).
 * The expected values of its scripts rely on that: if inputs are rounded to nearest, no evaluation
 * of VK-GL-CTS' determinant_compute_fp16_mat_3x3 gives the expected result. */
uint16_t
amber_float_to_half(double f)
{
    uint16_t sign = signbit(f) ? 0x8000 : 0;
    float x = fabsf((float)f);
    int exponent;
    if (isnan(f))
        return (uint16_t)(sign | 0x7e00);
    if (x >= 65536.0f)
        return (uint16_t)(sign | 0x7c00);
    if (x < 0x1p-14f) /* subnormal: a multiple of 2^-24 */
        return (uint16_t)(sign | (uint16_t)ldexpf(x, 24));
    frexpf(x, &exponent);                                   /* x = m * 2^exponent, 0.5 <= m < 1 */
    uint32_t mantissa = (uint32_t)ldexpf(x, 11 - exponent); /* 1024 to 2047 */
    return (uint16_t)(sign | (((uint32_t)(exponent + 13) << 10) + mantissa));
}

/* The unsigned small floats of B10G11R11: 5 exponent bits, `bits` - 5 mantissa bits. */
static double
small_float(uint32_t v, unsigned bits)
{
    unsigned mantissa_bits = bits - 5;
    return (double)amber_half_to_float((uint16_t)(v << (10 - mantissa_bits)));
}

static uint64_t
load_bits(const uint8_t *at, unsigned shift, unsigned bits)
{
    uint64_t v = 0;
    unsigned first = shift / 8, last = (shift + bits - 1) / 8;
    for (unsigned i = last + 1; i-- > first;) {
        /* A component never straddles more than 8 bytes, because 64-bit components are aligned. */
        v = v << 8 | at[i];
    }
    return v >> shift % 8 & base_mask64(bits);
}

static bool
is_signed(amber_mode mode)
{
    return mode == AMBER_SINT || mode == AMBER_SNORM || mode == AMBER_SSCALED;
}

static double
float_of_bits(uint64_t v, unsigned bits)
{
    switch (bits) {
    case 16: return (double)amber_half_to_float((uint16_t)v);
    case 32: return (double)base_bits_f32((uint32_t)v);
    case 64: return base_bits_f64(v);
    default: return small_float((uint32_t)v, bits);
    }
}

amber_value
amber_load(const uint8_t *at, amber_mode mode, unsigned bits)
{
    amber_value v = {.u = load_bits(at, 0, bits)};
    if (mode == AMBER_SFLOAT || mode == AMBER_UFLOAT) {
        v.is_float = true;
        v.f = float_of_bits(v.u, bits);
    } else if (is_signed(mode)) {
        v.u = (uint64_t)base_sext64(v.u, bits);
        v.f = (double)(int64_t)v.u;
    } else {
        v.f = (double)v.u;
    }
    return v;
}

/* Converting a float outside the integer's range would be undefined behaviour (C11 6.3.1.4). */
static uint64_t
whole_number(double f)
{
    if (f >= -0x1p63 && f < 0x1p63)
        return (uint64_t)(int64_t)f;
    return f >= 0x1p63 && f < 0x1p64 ? (uint64_t)f : 0;
}

void
amber_store(uint8_t *at, amber_mode mode, unsigned bits, amber_value v)
{
    uint64_t u;
    if (mode == AMBER_SFLOAT || mode == AMBER_UFLOAT) {
        double f = v.is_float ? v.f : (double)(int64_t)v.u;
        u = bits == 16   ? amber_float_to_half(f)
            : bits == 32 ? base_f32_bits((float)f)
                         : base_f64_bits(f);
    } else {
        u = v.is_float ? whole_number(v.f) : v.u;
    }
    for (unsigned i = 0; i < bits / 8; i++)
        at[i] = (uint8_t)(u >> 8 * i);
}

/* Khronos Data Format 1.2, section 18.3, the sRGB transfer function. */
static double
srgb_to_linear(double c)
{
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double
decode_component(const amber_component *c, const uint8_t *texel)
{
    uint64_t u = load_bits(texel, c->shift, c->bits);
    double s = is_signed((amber_mode)c->mode) ? (double)base_sext64(u, c->bits) : (double)u;
    switch ((amber_mode)c->mode) {
    case AMBER_UNORM: return s / (double)base_mask64(c->bits);
    case AMBER_SNORM: return fmax(s / (double)base_mask64(c->bits - 1u), -1.0);
    case AMBER_SRGB:
        s /= (double)base_mask64(c->bits);
        return c->name == 'A' ? s : srgb_to_linear(s);
    case AMBER_UFLOAT:
    case AMBER_SFLOAT: return float_of_bits(u, c->bits);
    default: return s;
    }
}

/* VK_FORMAT_E5B9G9R9_UFLOAT_PACK32: three mantissas of 9 bits and a shared exponent with bias 15.
 */
static void
decode_shared_exponent(const uint8_t *texel, double out[4])
{
    uint32_t v = (uint32_t)load_bits(texel, 0, 32);
    for (unsigned i = 0; i < 3; i++)
        out[i] = ldexp((double)(v >> 9 * i & 0x1ff), (int)(v >> 27) - 15 - 9);
}

void
amber_texel_decode(const amber_texel *t, const uint8_t *texel, double out[4])
{
    static const char order[] = "RGBA";
    out[0] = out[1] = out[2] = 0.0;
    out[3] = 1.0;
    if (t->part[0].name == 'E') {
        decode_shared_exponent(texel, out);
        return;
    }
    for (unsigned i = 0; i < t->count; i++) {
        const amber_component *c = &t->part[i];
        const char *place = strchr(order, c->name);
        if (place || c->name == 'D' || c->name == 'S')
            out[place ? place - order : c->name == 'S'] = decode_component(c, texel);
    }
}

static double
linear_to_srgb(double c)
{
    return c <= 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1.0 / 2.4) - 0.055;
}

static double
clamp(double x, double low, double high)
{
    return x > low ? fmin(x, high) : low;
}

static uint64_t
bits_of_float(double f, unsigned bits)
{
    switch (bits) {
    case 16: return amber_float_to_half(f);
    case 32: return base_f32_bits((float)f);
    case 64: return base_f64_bits(f);
    default: return (uint64_t)amber_float_to_half(f > 0.0 ? f : 0.0) >> (15 - bits);
    }
}

static uint64_t
encode_component(const amber_component *c, double x)
{
    double most = (double)base_mask64(c->bits), half = (double)base_mask64(c->bits - 1u);
    switch ((amber_mode)c->mode) {
    case AMBER_UNORM: return (uint64_t)rint(clamp(x, 0.0, 1.0) * most);
    case AMBER_SNORM: return (uint64_t)(int64_t)rint(clamp(x, -1.0, 1.0) * half);
    case AMBER_SRGB:
        x = clamp(x, 0.0, 1.0);
        return (uint64_t)rint((c->name == 'A' ? x : linear_to_srgb(x)) * most);
    case AMBER_UFLOAT:
    case AMBER_SFLOAT: return bits_of_float(x, c->bits);
    default: return whole_number(x);
    }
}

void
amber_texel_encode(const amber_texel *t, const double in[4], uint8_t *texel)
{
    static const char order[] = "RGBA";
    memset(texel, 0, t->bytes);
    for (unsigned i = 0; i < t->count; i++) {
        const amber_component *c = &t->part[i];
        const char *place = strchr(order, c->name);
        if (!place && c->name != 'D' && c->name != 'S')
            continue;
        uint64_t u = encode_component(c, in[place ? place - order : c->name == 'S']) &
                     base_mask64(c->bits);
        for (unsigned b = 0; b < c->bits; b++)
            texel[(c->shift + b) / 8] |= (uint8_t)((u >> b & 1) << (c->shift + b) % 8);
    }
}
