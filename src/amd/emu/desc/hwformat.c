/* Format numbers of all generations; see hwformat.h.
 *
 * Sources: gfx6 to gfx9: BUF_DATA_FORMAT, IMG_DATA_FORMAT and the number formats, GCN3 and Vega
 * ISA, "Buffer Image Data Formats"; ROCr's resource_kv.h (enum FMT). gfx10: RDNA ISA, "Image and
 * buffer formats"; gfx11, gfx12: the same tables of the RDNA 3 and RDNA 4 guides; both confirmed
 * with the enums BUF_FMT and IMG_FMT of AMD's PAL and, for buffers, with llvm-mc 19.
 * IMG_DATA_FORMAT: gfx6 to gfx8 ROCr's gfx_7_2_enum.h, gfx9 the Linux kernel's vega10_enum.h.
 * Before gfx10 BC6 is signed if the number format is SNORM (Mesa, ac_descriptors.c).
 */
#include "amd/emu/desc/hwformat.h"

/* Number formats of gfx6 to gfx9. 6 is SNORM_OGL, which later generations lack. */
enum { NUM_UNORM = 0, NUM_SNORM = 1, NUM_UINT = 4, NUM_SINT = 5, NUM_FLOAT = 7, NUM_SRGB = 9 };

/* The unified numbers of a data format: the number formats that it has, in order. */
typedef enum family {
    NONE,
    SIX,        /* UNORM SNORM USCALED SSCALED UINT SINT */
    SEVEN,      /* the same and FLOAT */
    THREE,      /* UINT SINT FLOAT */
    ONLY_UNORM, /* a single number format */
    ONLY_FLOAT,
    ONLY_UINT,
    UNORM_UINT,
    UINT_FLOAT,
    UNORM_SNORM,
    UNORM_SRGB,
    FOUR, /* UNORM SNORM UINT SRGB */
} family;

typedef struct data_format {
    uint8_t first; /* its first unified number */
    uint8_t family;
} data_format;

/* By IMG_DATA_FORMAT; the first 16 are BUF_DATA_FORMAT too. */
static const data_format data_formats[64] = {
    [1] = {1, SIX},           /* 8 */
    [2] = {7, SEVEN},         /* 16 */
    [3] = {14, SIX},          /* 8_8 */
    [4] = {20, THREE},        /* 32 */
    [5] = {23, SEVEN},        /* 16_16 */
    [6] = {30, SEVEN},        /* 10_11_11 */
    [7] = {37, SEVEN},        /* 11_11_10 */
    [8] = {44, SIX},          /* 10_10_10_2 */
    [9] = {50, SIX},          /* 2_10_10_10 */
    [10] = {56, SIX},         /* 8_8_8_8 */
    [11] = {62, THREE},       /* 32_32 */
    [12] = {65, SEVEN},       /* 16_16_16_16 */
    [13] = {72, THREE},       /* 32_32_32 */
    [14] = {75, THREE},       /* 32_32_32_32 */
    [16] = {133, ONLY_UNORM}, /* 5_6_5 */
    [17] = {134, ONLY_UNORM}, /* 1_5_5_5 */
    [18] = {135, ONLY_UNORM}, /* 5_5_5_1 */
    [19] = {136, ONLY_UNORM}, /* 4_4_4_4 */
    [20] = {141, UNORM_UINT}, /* 8_24 */
    [21] = {143, UNORM_UINT}, /* 24_8 */
    [22] = {145, UINT_FLOAT}, /* X24_8_32 */
    [32] = {147, FOUR},       /* GB_GR */
    [33] = {151, FOUR},       /* BG_RG */
    [34] = {132, ONLY_FLOAT}, /* 5_9_9_9 */
    [35] = {169, UNORM_SRGB}, /* BC1 and so on */
    [36] = {171, UNORM_SRGB},
    [37] = {173, UNORM_SRGB},
    [38] = {175, UNORM_SNORM},
    [39] = {177, UNORM_SNORM},
    [40] = {179, UNORM_SNORM},
    [41] = {181, UNORM_SRGB},
    [57] = {137, ONLY_UNORM}, /* 4_4 */
};

/* Place of a number format in its family, or -1. */
static int
place_of(family f, uint32_t num)
{
    switch (f) {
    case SEVEN: return num == NUM_FLOAT ? 6 : num <= NUM_SINT ? (int)num : -1;
    case SIX: return num <= NUM_SINT ? (int)num : -1;
    case THREE: return num == NUM_UINT ? 0 : num == NUM_SINT ? 1 : num == NUM_FLOAT ? 2 : -1;
    case ONLY_UNORM: return num == NUM_UNORM ? 0 : -1;
    case ONLY_FLOAT: return num == NUM_FLOAT ? 0 : -1;
    case ONLY_UINT: return num == NUM_UINT ? 0 : -1;
    case UNORM_SNORM: return num <= NUM_SNORM ? (int)num : -1;
    case UNORM_SRGB: return num == NUM_UNORM ? 0 : num == NUM_SRGB ? 1 : -1;
    case FOUR: return num <= NUM_SNORM ? (int)num : num == NUM_UINT ? 2 : num == NUM_SRGB ? 3 : -1;
    case UNORM_UINT: return num == NUM_UNORM ? 0 : num == NUM_UINT ? 1 : -1;
    case UINT_FLOAT: return num == NUM_UINT ? 0 : num == NUM_FLOAT ? 1 : -1;
    default: return -1;
    }
}

static uint32_t
split_format(uint32_t data, uint32_t num, uint32_t raw)
{
    if (data == 0)
        return AMD_FORMAT_INVALID;
    if (num == NUM_SRGB && (data == 1 || data == 3 || data == 10))
        return data == 1 ? 128 : data == 3 ? 129 : 130;
    int place = place_of((family)data_formats[data].family, num);
    return place < 0 ? AMD_FORMAT_UNKNOWN | raw : data_formats[data].first + (uint32_t)place;
}

/* gfx11 and gfx12, the numbers that buffers have. */
static uint32_t
unified_11(uint32_t raw)
{
    static const uint8_t packed[] = {36, 43, 44, 45,
                                     48, 49}; /* formats of 10, 11 and 2 bits: 30
                                                                 to 35 */
    return raw < 30 ? raw : raw < 36 ? packed[raw - 30] : raw + 14;
}

uint32_t
amd_format_of_buffer(amd_gen gen, uint32_t raw)
{
    enum { LAST_10 = 77, LAST_11 = 63 };
    if (gen < AMD_GFX10)
        return split_format(raw & 15, raw >> 4 & 7, raw);
    if (raw > (gen < AMD_GFX11 ? LAST_10 : LAST_11))
        return AMD_FORMAT_UNKNOWN | raw;
    return gen < AMD_GFX11 ? raw : unified_11(raw);
}

/* FMASK formats: gfx6 to gfx8 have a data format for each, from 44 on; gfx9 has one data format,
 * and the number format selects. */
static uint32_t
fragment_mask(amd_gen gen, uint32_t data, uint32_t num)
{
    enum { FIRST = 44, COUNT = 13, GFX9 = 45 };
    if (gen <= AMD_GFX8 && data >= FIRST && data < FIRST + COUNT && num == NUM_UINT)
        return AMD_FORMAT_FMASK + data - FIRST;
    return gen > AMD_GFX8 && data == GFX9 && num < COUNT ? AMD_FORMAT_FMASK + num : 0;
}

static uint32_t
split_image_format(amd_gen gen, uint32_t raw)
{
    uint32_t data = raw & 63, num = raw >> 6 & 15, mask = fragment_mask(gen, data, num);
    return mask ? mask : split_format(data, num, raw);
}

uint32_t
amd_format_of_image(amd_gen gen, uint32_t raw)
{
    /* 1-bit formats, 155; from gfx11 on also multimedia formats */
    bool unbuilt = raw == 138 || raw == 139 || raw == 155;
    if (gen < AMD_GFX10)
        return split_image_format(gen, raw);
    if (gen < AMD_GFX11)
        return raw <= 77 || (raw >= 128 && raw <= AMD_FORMAT_BC7_SRGB && !unbuilt)
                   ? raw
                   : AMD_FORMAT_UNKNOWN | raw;
    if (raw < 64)
        return unified_11(raw);
    if (raw == 227 || raw == 228)
        return raw == 227 ? AMD_FORMAT_6E4 : AMD_FORMAT_7E3;
    if (raw < 67) /* 8_SRGB etc.; 6E4_FLOAT, the next, has moved elsewhere */
        return raw + 64;
    if (raw < 90 && raw != 73 && raw != 74)
        return raw + 65;
    return raw >= 109 && raw <= 122 ? raw + AMD_FORMAT_BC1 - 109 : AMD_FORMAT_UNKNOWN | raw;
}

static const struct format_group {
    uint8_t first_gen, last_gen;
    uint16_t first, last; /* before gfx10: data formats */
    const char *name;
} groups[] = {
    {AMD_GFX6, AMD_GFX7, 61, 63, "32_AS_8 and others"},
    {AMD_GFX8, AMD_GFX950, 61, 63, "8_AS_32 and others"},
    {AMD_GFX8, AMD_GFX950, 23, 23, "8_AS_8_8_8_8"},
    {AMD_GFX8, AMD_GFX950, 24, 28, "ETC2"},
    {AMD_GFX8, AMD_GFX950, 31, 31, "6E4"},
    {AMD_GFX9, AMD_GFX950, 42, 44, "16_AS_32_32 and others"},
    {AMD_GFX9, AMD_GFX950, 46, 51, "ASTC"},
    {AMD_GFX9, AMD_GFX950, 52, 55, "N_IN_16"},
    {AMD_GFX6, AMD_GFX950, 58, 58, "6_5_5"},
    {AMD_GFX6, AMD_GFX8, 59, 60, "1 bit"},
    {AMD_GFX10, AMD_GFX10_3, 138, 139, "1_UNORM"},
    {AMD_GFX10, AMD_GFX10_3, 183, 192, "ETC2"},
    {AMD_GFX10, AMD_GFX10_3, 193, 264, "ASTC"},
    {AMD_GFX10, AMD_GFX10_3, 265, 284, "multimedia"},
    {AMD_GFX11, AMD_GFX12, 73, 74, "1_UNORM"},
    {AMD_GFX11, AMD_GFX12, 90, 95, "multimedia"},
    {AMD_GFX11, AMD_GFX12, 205, 206, "YCBCR"},
    {AMD_GFX11, AMD_GFX12, 207, 226, "multimedia"},
};

const char *
amd_format_group(amd_gen gen, uint32_t raw)
{
    uint32_t number = gen < AMD_GFX10 ? raw & 63 : raw;
    for (unsigned k = 0; k < sizeof groups / sizeof *groups; k++)
        if (gen >= groups[k].first_gen && gen <= groups[k].last_gen && number >= groups[k].first &&
            number <= groups[k].last)
            return groups[k].name;
    bool known = gen < AMD_GFX10 &&
                 (data_formats[number].family != NONE || fragment_mask(gen, number, NUM_UINT));
    return known ? "a number format that the data format does not have" : "reserved";
}

uint32_t
amd_format_block_width(uint32_t format)
{
    if (format >= AMD_FORMAT_BC1 && format <= AMD_FORMAT_BC7_SRGB)
        return 4;
    return format >= AMD_FORMAT_GB_GR && format < AMD_FORMAT_BG_RG + 4 ? 2 : 1;
}

/* The smallest number below `end` that `of` maps to `format`; 0 if there is none. */
static uint32_t
number_of(uint32_t (*of)(amd_gen gen, uint32_t raw), amd_gen gen, uint32_t format, uint32_t end)
{
    for (uint32_t raw = 1; format && raw < end; raw++)
        if (of(gen, raw) == format)
            return raw;
    return 0;
}

uint32_t
amd_format_to_buffer(amd_gen gen, uint32_t format)
{
    return number_of(amd_format_of_buffer, gen, format, 128);
}

uint32_t
amd_format_to_image(amd_gen gen, uint32_t format)
{
    return number_of(amd_format_of_image, gen, format, 1024);
}
