/* Up to gfx9 an instruction has a data format, which says the channels, and a number format. gfx10
 * has one number for both: a data format's numbers follow each other, in the order of the number
 * formats that it has. gfx11 left some out and closed the gaps.
 *
 * Sources: "Buffer Image Data Formats" of the GCN 3 and Vega ISA guides, "Image and buffer formats"
 * of the RDNA 1, 3 and 4 ISA guides; llvm-mc 19 prints the same names.
 */
#include "amd/abi/typed_format.h"

#include <string.h>

enum { N_KINDS = 7, FIRST_WIDE_KIND = 4, NUM_FLOAT = 7 };

/* Which number formats a data format has: UNORM, SNORM, USCALED, SSCALED, UINT, SINT; the same and
 * FLOAT; UINT, SINT, FLOAT. */
typedef enum has { SIX, SEVEN, THREE } has;

typedef struct data_format {
    uint8_t bits[4];
    uint8_t number; /* up to gfx9 */
    uint8_t first;  /* of gfx10's numbers */
    uint8_t has;
} data_format;

static const data_format data_formats[] = {
    {{8}, 1, 1, SIX},
    {{16}, 2, 7, SEVEN},
    {{8, 8}, 3, 14, SIX},
    {{32}, 4, 20, THREE},
    {{16, 16}, 5, 23, SEVEN},
    {{11, 11, 10}, 6, 30, SEVEN},
    {{10, 11, 11}, 7, 37, SEVEN},
    {{2, 10, 10, 10}, 8, 44, SIX},
    {{10, 10, 10, 2}, 9, 50, SIX},
    {{8, 8, 8, 8}, 10, 56, SIX},
    {{32, 32}, 11, 62, THREE},
    {{16, 16, 16, 16}, 12, 65, SEVEN},
    {{32, 32, 32}, 13, 72, THREE},
    {{32, 32, 32, 32}, 14, 75, THREE},
};

/* The place of a kind among all, or -1. */
static int
place_of(mach_numeric kind)
{
    static const uint8_t kinds[N_KINDS] = {MACH_NUM_UNORM,   MACH_NUM_SNORM, MACH_NUM_USCALED,
                                           MACH_NUM_SSCALED, MACH_NUM_UINT,  MACH_NUM_SINT,
                                           MACH_NUM_FLOAT};
    for (int k = 0; k < N_KINDS; k++) {
        if (kinds[k] == (uint8_t)kind)
            return k;
    }
    return -1;
}

/* The number on gfx11 for one of gfx10: formats of 10, 11 and 2 bits have fewer kinds. */
static uint32_t
without_gaps(uint32_t unified)
{
    enum { FIRST_GAP = 30, LAST_GAP = 49, LEFT_OUT = 14 };
    static const uint8_t kept[] = {36, 43, 44, 45, 48, 49};
    if (unified < FIRST_GAP)
        return unified;
    if (unified > LAST_GAP)
        return unified - LEFT_OUT;
    for (uint32_t k = 0; k < sizeof kept; k++) {
        if (kept[k] == unified)
            return FIRST_GAP + k;
    }
    return 0;
}

uint32_t
amd_typed_format(const amd_target *t, const uint8_t bits[4], mach_numeric kind)
{
    int place = place_of(kind);
    const data_format *d = data_formats, *end = d + sizeof data_formats / sizeof *data_formats;
    while (d < end && memcmp(d->bits, bits, sizeof d->bits) != 0)
        d++;
    if (d == end || place < 0 || (d->has == SIX && kind == MACH_NUM_FLOAT) ||
        (d->has == THREE && place < FIRST_WIDE_KIND))
        return 0;
    if (!amd_has(t, unified_formats))
        return d->number | (uint32_t)(kind == MACH_NUM_FLOAT ? NUM_FLOAT : place) << 4;
    uint32_t unified = d->first + (uint32_t)(d->has == THREE ? place - FIRST_WIDE_KIND : place);
    return amd_has(t, unified_formats) == 1 ? unified : without_gaps(unified);
}
