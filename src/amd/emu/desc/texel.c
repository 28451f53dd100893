/* Converts formats, images and samplers between descriptors and the machine layer. See texel.h. */
#include "amd/emu/desc/texel.h"

#include <string.h>

typedef struct hw_format {
    uint16_t number;
    uint8_t kind;    /* mach_numeric */
    uint8_t bits[4]; /* X Y Z W */
    uint8_t block;   /* mach_block */
    uint8_t bytes;   /* bytes per texel; 0: just enough for the bits */
} hw_format;

/* Numbers of a family with UNORM SNORM USCALED SSCALED UINT SINT from `n` on. */
#define SIX(n, x, y, z, w)                                                                         \
    {n, MACH_NUM_UNORM, {x, y, z, w}}, {n + 1, MACH_NUM_SNORM, {x, y, z, w}},                      \
        {n + 2, MACH_NUM_USCALED, {x, y, z, w}}, {n + 3, MACH_NUM_SSCALED, {x, y, z, w}},          \
        {n + 4, MACH_NUM_UINT, {x, y, z, w}},                                                      \
    {                                                                                              \
        n + 5, MACH_NUM_SINT,                                                                      \
        {                                                                                          \
            x, y, z, w                                                                             \
        }                                                                                          \
    }
#define SEVEN(n, x, y, z, w)                                                                       \
    SIX(n, x, y, z, w),                                                                            \
    {                                                                                              \
        n + 6, MACH_NUM_FLOAT,                                                                     \
        {                                                                                          \
            x, y, z, w                                                                             \
        }                                                                                          \
    }
#define THREE(n, x, y, z, w)                                                                       \
    {n, MACH_NUM_UINT, {x, y, z, w}}, {n + 1, MACH_NUM_SINT, {x, y, z, w}},                        \
    {                                                                                              \
        n + 2, MACH_NUM_FLOAT,                                                                     \
        {                                                                                          \
            x, y, z, w                                                                             \
        }                                                                                          \
    }

/* BC formats of four 8-bit channels, UNORM and SRGB. */
#define COLORS(n, b)                                                                               \
    {n, MACH_NUM_UNORM, {8, 8, 8, 8}, MACH_BLOCK_##b, 0},                                          \
    {                                                                                              \
        n + 1, MACH_NUM_SRGB, {8, 8, 8, 8}, MACH_BLOCK_##b, 0                                      \
    }
#define SIGNS(n, b, x, y)                                                                          \
    {n, MACH_NUM_UNORM, {x, y, 0, 0}, MACH_BLOCK_##b, 0},                                          \
    {                                                                                              \
        n + 1, MACH_NUM_SNORM, {x, y, 0, 0}, MACH_BLOCK_##b, 0                                     \
    }
#define SUBSAMPLED(n, b)                                                                           \
    {n, MACH_NUM_UNORM, {8, 8, 8, 0}, MACH_BLOCK_##b, 0},                                          \
        {n + 1, MACH_NUM_SNORM, {8, 8, 8, 0}, MACH_BLOCK_##b, 0},                                  \
        {n + 2, MACH_NUM_UINT, {8, 8, 8, 0}, MACH_BLOCK_##b, 0},                                   \
    {                                                                                              \
        n + 3, MACH_NUM_SRGB, {8, 8, 8, 0}, MACH_BLOCK_##b, 0                                      \
    }
#define FMASK(k, samples, bits, fragments)                                                         \
    {                                                                                              \
        AMD_FORMAT_FMASK + k, MACH_NUM_FMASK, {samples, bits, fragments}, 0, 0                     \
    }

/* Numbers up to 77 are those of MTBUF's formats, each confirmed with llvm-mc 19; the image formats
 * from 128 on are gfx10's IMG_FORMAT (Mesa's and others' tables of SQ_IMG_RSRC_WORD1.FORMAT
 * agree). */
static const hw_format formats[] = {
    SIX(1, 8, 0, 0, 0),
    SEVEN(7, 16, 0, 0, 0),
    SIX(14, 8, 8, 0, 0),
    THREE(20, 32, 0, 0, 0),
    SEVEN(23, 16, 16, 0, 0),
    SEVEN(30, 11, 11, 10, 0),
    SEVEN(37, 10, 11, 11, 0),
    SIX(44, 2, 10, 10, 10),
    SIX(50, 10, 10, 10, 2),
    SIX(56, 8, 8, 8, 8),
    THREE(62, 32, 32, 0, 0),
    SEVEN(65, 16, 16, 16, 16),
    THREE(72, 32, 32, 32, 0),
    THREE(75, 32, 32, 32, 32),
    {128, MACH_NUM_SRGB, {8, 0, 0, 0}},
    {129, MACH_NUM_SRGB, {8, 8, 0, 0}},
    {130, MACH_NUM_SRGB, {8, 8, 8, 8}},
    {132, MACH_NUM_SHARED, {9, 9, 9, 5}},
    {133, MACH_NUM_UNORM, {5, 6, 5, 0}},
    {134, MACH_NUM_UNORM, {5, 5, 5, 1}},
    {135, MACH_NUM_UNORM, {1, 5, 5, 5}},
    {136, MACH_NUM_UNORM, {4, 4, 4, 4}},
    {137, MACH_NUM_UNORM, {4, 4, 0, 0}},
    {AMD_FORMAT_6E4, MACH_NUM_6E4, {10, 10, 10, 2}},
    {AMD_FORMAT_7E3, MACH_NUM_7E3, {10, 10, 10, 2}},
    {AMD_FORMAT_32_FLOAT_CLAMP, MACH_NUM_CLAMPED, {32, 0, 0, 0}},
    {AMD_FORMAT_8_24_UNORM, MACH_NUM_UNORM, {24, 8, 0, 0}},
    {142, MACH_NUM_UINT, {24, 8, 0, 0}},
    {143, MACH_NUM_UNORM, {8, 24, 0, 0}},
    {144, MACH_NUM_UINT, {8, 24, 0, 0}},
    {145, MACH_NUM_UINT, {32, 8, 0, 0}, 0, 8},
    {AMD_FORMAT_X24_8_32_FLOAT, MACH_NUM_FLOAT, {32, 0, 0, 0}, 0, 8},
    SUBSAMPLED(AMD_FORMAT_GB_GR, XYZY),
    SUBSAMPLED(AMD_FORMAT_BG_RG, YXYZ),
    FMASK(0, 2, 1, 1),
    FMASK(1, 4, 1, 1),
    FMASK(2, 8, 1, 1),
    FMASK(3, 2, 1, 2),
    FMASK(4, 4, 2, 2),
    FMASK(5, 4, 2, 4),
    FMASK(6, 16, 1, 1),
    FMASK(7, 8, 2, 2),
    FMASK(8, 16, 2, 2),
    FMASK(9, 8, 4, 4),
    FMASK(10, 8, 4, 8),
    FMASK(11, 16, 4, 4),
    FMASK(12, 16, 4, 8),
    COLORS(AMD_FORMAT_BC1, BC1),
    COLORS(171, BC2),
    COLORS(173, BC3),
    SIGNS(175, BC4, 8, 0),
    SIGNS(177, BC5, 8, 8),
    {179, MACH_NUM_FLOAT, {16, 16, 16, 0}, MACH_BLOCK_BC6, 0},
    {180, MACH_NUM_FLOAT, {16, 16, 16, 0}, MACH_BLOCK_BC6_SIGNED, 0},
    COLORS(181, BC7),
};
enum { N_FORMATS = sizeof formats / sizeof *formats };

static const char channels[] = "xyzw", components[] = "rgba";

/* Are the channel widths the same? e5b9g9r9's exponent may count as a channel or not. */
static bool
same_bits(const hw_format *h, const mach_format_info *info)
{
    if (h->kind != info->kind || h->block != info->block)
        return false;
    if (h->kind == MACH_NUM_SHARED)
        return true;
    unsigned bits = 0;
    for (unsigned k = 0; k < 4 && !h->block && h->kind != MACH_NUM_FMASK; k++)
        bits += h->bits[k];
    return !memcmp(h->bits, info->bits, 4) &&
           (bits == 0 || info->bytes == (h->bytes ? h->bytes : bits / 8));
}

static char
select_char(uint32_t sel)
{
    return sel >= AMD_SEL_X ? channels[sel - AMD_SEL_X] : sel == AMD_SEL_1 ? '1' : '0';
}

/* Do the selects give absent channels the same values as `info`? */
static bool
same_select(const mach_format_info *info, const uint32_t dst_sel[4])
{
    for (unsigned k = 0; k < 4; k++)
        if (info->swizzle[k] != select_char(dst_sel[k]))
            return false;
    return true;
}

/* The component of the mach_format that contains channel `c`; '0' if none does. */
static char
component_of(const mach_format_info *info, char c)
{
    for (unsigned k = 0; k < 4; k++)
        if (info->swizzle[k] == c)
            return components[k];
    return '0';
}

/* Rejects the stencil of X24_8_32_FLOAT: the effect of its number format is not documented
 * anywhere. */
static bool
has_channels(const hw_format *h, const uint32_t dst_sel[4])
{
    for (unsigned k = 0; k < 4; k++)
        if (h->number == AMD_FORMAT_X24_8_32_FLOAT && dst_sel[k] == AMD_SEL_Y)
            return false;
    return true;
}

mach_format
amd_format_to_mach(uint32_t number, const uint32_t dst_sel[4], char swizzle[5])
{
    const hw_format *h = NULL;
    mach_format found = MACH_FORMAT_none;
    for (unsigned k = 0; k < N_FORMATS; k++)
        if (formats[k].number == number)
            h = &formats[k];
    swizzle[0] = '\0';
    if (!h || !has_channels(h, dst_sel))
        return MACH_FORMAT_none;
    for (mach_format f = (mach_format)1; f < MACH_FORMAT_COUNT; f++) {
        const mach_format_info *info = mach_format_get(f);
        if (!same_bits(h, info) || mach_format_is_depth(f))
            continue;
        if (same_select(info, dst_sel))
            return f;
        if (!found)
            found = f;
    }
    if (!found)
        return found;
    const mach_format_info *info = mach_format_get(found);
    for (unsigned k = 0; k < 4; k++) {
        char c = select_char(dst_sel[k]);
        swizzle[k] = c == '0' || c == '1' ? c : component_of(info, c);
    }
    swizzle[4] = '\0';
    return found;
}

/* The format whose texels `f` shows in part, for formats that omit channels. */
static mach_format
whole_format(mach_format f)
{
    switch (f) {
    case MACH_FORMAT_bc1_rgb_unorm_block: return MACH_FORMAT_bc1_rgba_unorm_block;
    case MACH_FORMAT_bc1_rgb_srgb_block: return MACH_FORMAT_bc1_rgba_srgb_block;
    case MACH_FORMAT_x8_d24_unorm:
    case MACH_FORMAT_d24_unorm_s8_uint: return MACH_FORMAT_hw_8_24_unorm;
    default: return f;
    }
}

uint32_t
amd_format_from_mach(mach_format f, uint32_t dst_sel[4])
{
    mach_format_info shown = *mach_format_get(whole_format(f)), *info = &shown;
    memcpy(shown.swizzle, mach_format_get(f)->swizzle, sizeof shown.swizzle);
    for (unsigned k = 0; k < N_FORMATS; k++) {
        if (!same_bits(&formats[k], info))
            continue;
        for (unsigned c = 0; c < 4; c++) {
            const char *at = strchr(channels, info->swizzle[c]);
            dst_sel[c] = at && *at                 ? AMD_SEL_X + (uint32_t)(at - channels)
                         : info->swizzle[c] == '1' ? AMD_SEL_1
                                                   : AMD_SEL_0;
        }
        return formats[k].number;
    }
    return 0;
}

static bool
dimension_of(uint32_t type, mach_dim *dim, bool *array)
{
    switch (type) {
    case AMD_IMG_1D: *dim = MACH_DIM_1D; break;
    case AMD_IMG_1D_ARRAY: *dim = MACH_DIM_1D, *array = true; break;
    case AMD_IMG_2D:
    case AMD_IMG_2D_MSAA: *dim = MACH_DIM_2D; break;
    case AMD_IMG_2D_ARRAY:
    case AMD_IMG_2D_MSAA_ARRAY: *dim = MACH_DIM_2D, *array = true; break;
    case AMD_IMG_3D: *dim = MACH_DIM_3D; break;
    case AMD_IMG_CUBE: *dim = MACH_DIM_CUBE; break;
    default: return false;
    }
    return true;
}

/* Sets the view of `m` within the resource that a T# describes. */
static bool
set_view(const amd_image_desc *d, bool msaa, uint32_t last_layer, mach_image *m)
{
    bool volume = m->dim == MACH_DIM_3D;
    if (!msaa) {
        m->base_level = d->base_level;
        m->view_levels = d->last_level >= d->base_level ? d->last_level - d->base_level + 1 : 1;
    }
    m->base_layer = volume ? 0 : d->base_array;
    m->view_layers = volume ? 1 : last_layer - m->base_layer + 1;
    m->min_lod = (float)d->min_lod / 256.0f;
    return m->base_level + m->view_levels <= m->levels && m->base_layer <= last_layer &&
           last_layer < m->layers;
}

/* The number of levels. On gfx6 to gfx8 POW2_PAD may be set for an image of one texel. */
static uint32_t
levels_of(amd_gen gen, const amd_image_desc *d)
{
    uint32_t longest = d->width | d->height | (d->type == AMD_IMG_3D ? d->depth : 1);
    return gen <= AMD_GFX8 && d->last_level == 0 && longest == 1 ? 1 : d->max_mip + 1;
}

bool
amd_image_to_mach(amd_gen gen, const amd_image_desc *d, mach_image *m)
{
    bool msaa = d->type == AMD_IMG_2D_MSAA || d->type == AMD_IMG_2D_MSAA_ARRAY;
    bool single = d->type == AMD_IMG_3D || d->type == AMD_IMG_1D || d->type == AMD_IMG_2D ||
                  d->type == AMD_IMG_2D_MSAA;
    uint32_t last_layer = single ? d->base_array : d->depth - 1;
    *m = (mach_image){0};
    if (!dimension_of(d->type, &m->dim, &m->array))
        return false;
    m->format = amd_format_to_mach(d->format, d->dst_sel, m->swizzle);
    m->width = d->width;
    m->height = m->dim == MACH_DIM_1D ? 1 : d->height;
    m->depth = m->dim == MACH_DIM_3D ? d->depth : 1;
    m->samples = msaa ? 1u << d->last_level : 1;
    m->levels = msaa ? 1 : levels_of(gen, d);
    m->layers = m->dim != MACH_DIM_3D && d->layers > last_layer ? d->layers : last_layer + 1;
    if (m->dim == MACH_DIM_3D)
        m->layers = 1, last_layer = 0;
    if (m->dim == MACH_DIM_CUBE) {
        m->array = last_layer + 1 - d->base_array > 6;
        m->layers = (m->layers + 5) / 6 * 6;
    }
    char swizzle[5];
    memcpy(swizzle, m->swizzle, sizeof swizzle);
    if (!m->format || !amd_image_layout_with(gen, d->pitch, m))
        return false;
    if (d->tiled)
        amd_image_pack(gen, d, m);
    memcpy(m->swizzle, swizzle, sizeof swizzle);
    return set_view(d, msaa, last_layer, m);
}

/* Applies a view swizzle to the format's own selects. */
static void
apply_swizzle(const char *swizzle, uint32_t dst_sel[4])
{
    uint32_t own[4];
    memcpy(own, dst_sel, sizeof own);
    for (unsigned k = 0; swizzle[0] && k < 4; k++) {
        const char *at = strchr(components, swizzle[k]);
        dst_sel[k] = at && *at ? own[at - components] : swizzle[k] == '1' ? AMD_SEL_1 : AMD_SEL_0;
    }
}

static uint32_t
log2_of(uint32_t v)
{
    uint32_t n = 0;
    while (v >>= 1)
        n++;
    return n;
}

bool
amd_image_from_mach(amd_gen gen, const mach_image *m, uint64_t base, amd_image_desc *d)
{
    static const uint8_t plain[] = {AMD_IMG_1D, AMD_IMG_2D, AMD_IMG_3D, AMD_IMG_CUBE};
    static const uint8_t arrays[] = {AMD_IMG_1D_ARRAY, AMD_IMG_2D_ARRAY, AMD_IMG_3D, AMD_IMG_CUBE};
    bool msaa = m->samples > 1;
    *d = (amd_image_desc){.base = base, .width = m->width, .height = m->height};
    d->format = amd_format_from_mach(m->format, d->dst_sel);
    if (!d->format || m->dim > MACH_DIM_CUBE)
        return false;
    apply_swizzle(m->swizzle, d->dst_sel);
    d->type = m->array ? arrays[m->dim] : plain[m->dim];
    if (msaa)
        d->type = m->array ? AMD_IMG_2D_MSAA_ARRAY : AMD_IMG_2D_MSAA;
    bool layered = m->array || m->dim == MACH_DIM_CUBE;
    d->depth = m->dim == MACH_DIM_3D ? m->depth : layered ? m->base_layer + m->view_layers : 1;
    d->base_array = m->dim == MACH_DIM_3D ? 0 : m->base_layer;
    d->layers = gen <= AMD_GFX8 && m->dim != MACH_DIM_3D ? m->layers : 0;
    d->sw_mode = gen <= AMD_GFX8 ? AMD_TILING_LINEAR : 0;
    d->pitch = amd_image_pitch(gen, m);
    d->base_level = msaa ? 0 : m->base_level;
    d->last_level = msaa ? log2_of(m->samples) : m->base_level + m->view_levels - 1;
    d->max_mip = msaa ? log2_of(m->samples) : m->levels - 1;
    d->min_lod = m->min_lod > 0 ? (uint32_t)(m->min_lod * 256.0f) : 0;
    return true;
}

void
amd_sampler_to_mach(const amd_sampler_desc *d, bool is_int, bool compare, mach_sampler *s)
{
    static const uint8_t address[8] = {
        MACH_ADDRESS_REPEAT,          MACH_ADDRESS_MIRRORED_REPEAT,
        MACH_ADDRESS_CLAMP_TO_EDGE,   MACH_ADDRESS_MIRROR_CLAMP_TO_EDGE,
        MACH_ADDRESS_HALF_BORDER,     MACH_ADDRESS_MIRROR_HALF_BORDER,
        MACH_ADDRESS_CLAMP_TO_BORDER, MACH_ADDRESS_MIRROR_CLAMP_TO_BORDER};
    uint32_t one = is_int ? 1 : 0x3f800000, ratio = 1u << (d->max_aniso < 4 ? d->max_aniso : 4);
    *s = (mach_sampler){
        .mag_linear = d->mag_filter & 1,
        .min_linear = d->min_filter & 1,
        .mip_linear = d->mip_filter == 2,
        .z_filter = (uint8_t)d->z_filter,
        .mag_aniso = (uint8_t)(d->mag_filter >= 2 ? ratio : 1),
        .min_aniso = (uint8_t)(d->min_filter >= 2 ? ratio : 1),
        .unnormalized = d->unnormalized,
        .seam = d->disable_cube_wrap,
        .compare_enable = compare,
        .compare = (uint8_t)d->compare,
        .reduction = (uint8_t)d->reduction,
        .lod_bias = (float)d->lod_bias / 256.0f,
        .min_lod = (float)d->min_lod / 256.0f,
        .max_lod = (float)d->max_lod / 256.0f,
    };
    if (d->mip_filter == 0)
        s->min_lod = s->max_lod = 0;
    for (unsigned k = 0; k < 3; k++) {
        s->address[k] = address[d->clamp[k]];
        s->border[k] = d->border_type == 2 ? one : 0;
    }
    s->border[3] = d->border_type == 1 || d->border_type == 2 ? one : 0;
}

/* Converts a sampler value to steps of 1/256, clamped to `most`. */
static uint32_t
fixed8(float v, uint32_t most)
{
    return !(v > 0) ? 0 : v * 256.0f >= (float)most ? most : (uint32_t)(v * 256.0f);
}

void
amd_sampler_from_mach(const mach_sampler *s, amd_sampler_desc *d)
{
    static const uint8_t clamp[8] = {0, 1, 2, 6, 3, 7, 4, 5};
    uint32_t mag = s->mag_aniso > 1, min = s->min_aniso > 1,
             ratio = s->mag_aniso > s->min_aniso ? s->mag_aniso : s->min_aniso;
    float bias = s->lod_bias < -32 ? -32 : s->lod_bias > 31.99f ? 31.99f : s->lod_bias;
    *d = (amd_sampler_desc){
        .compare = s->compare_enable ? s->compare : 0,
        .unnormalized = s->unnormalized,
        .disable_cube_wrap = s->seam,
        .reduction = s->reduction,
        .min_lod = fixed8(s->min_lod, 4095),
        .max_lod = fixed8(s->max_lod, 4095),
        .lod_bias = (int32_t)(bias * 256.0f),
        .mag_filter = s->mag_linear | mag << 1,
        .min_filter = s->min_linear | min << 1,
        .max_aniso = log2_of(ratio),
        .z_filter = s->z_filter,
        .mip_filter = s->mip_linear ? 2 : 1,
    };
    for (unsigned k = 0; k < 3; k++)
        d->clamp[k] = clamp[s->address[k] & 7];
    d->border_type = s->border[0] ? 2 : s->border[3] ? 1 : 0;
}
