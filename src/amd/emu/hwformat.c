/* Format numbers of all generations; see hwformat.h.
 *
 * Sources: gfx6 to gfx9: BUF_DATA_FORMAT, IMG_DATA_FORMAT and the number formats, GCN3 and Vega ISA,
 * "Buffer Image Data Formats"; ROCr's resource_kv.h (enum FMT). gfx10: RDNA ISA, "Image and buffer
 * formats"; gfx11, gfx12: the same tables of the RDNA 3 and RDNA 4 guides; both confirmed with the
 * enums BUF_FMT and IMG_FMT of AMD's PAL and, for buffers, with llvm-mc 19.
 */
#include "amd/emu/hwformat.h"

/* Number formats of gfx6 to gfx9. 6 is SNORM_OGL, which nothing newer has. */
enum { NUM_UNORM = 0, NUM_UINT = 4, NUM_SINT = 5, NUM_FLOAT = 7, NUM_SRGB = 9 };

/* The unified numbers of one data format: which number formats it has, in order. */
typedef enum family {
    NONE,
    SIX,        /* UNORM SNORM USCALED SSCALED UINT SINT */
    SEVEN,      /* and FLOAT */
    THREE,      /* UINT SINT FLOAT */
    ONLY_UNORM, /* single ones */
    ONLY_FLOAT,
    UNORM_UINT,
    UINT_FLOAT,
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
    [34] = {132, ONLY_FLOAT}, /* 5_9_9_9 */
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
    static const uint8_t packed[] = {36, 43, 44, 45, 48, 49}; /* of 10, 11 and 2 bits: 30 to 35 */
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

uint32_t
amd_format_of_image(amd_gen gen, uint32_t raw)
{
    if (gen < AMD_GFX10)
        return split_format(raw & 63, raw >> 6 & 15, raw);
    if (gen < AMD_GFX11)
        return raw <= 77 || (raw >= 128 && raw <= 146) ? raw : AMD_FORMAT_UNKNOWN | raw;
    /* 8_SRGB and so on; 6E4_FLOAT is no more */
    return raw < 64   ? unified_11(raw)
           : raw < 67 ? raw + 64
           : raw < 82 ? raw + 65
                      : AMD_FORMAT_UNKNOWN | raw;
}

/* The number below `end` that `of` takes for `format`; 0 if there is none. */
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
