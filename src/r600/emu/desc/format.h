/* Texel formats of resources and of RATs, and where the components of a texel come from. */
#ifndef R600_EMU_DESC_FORMAT_H
#define R600_EMU_DESC_FORMAT_H

#include "machine/format.h"

/* How words name a format. */
typedef struct r600_texel_format {
    uint8_t number, what; /* DATA_FORMAT, NUM_FORMAT_ALL */
    bool is_signed, degamma;
} r600_texel_format;

/* The format with these bits; its components may be in another order than those of a texel.
 * MACH_FORMAT_none: there is none. */
mach_format
r600_decode_format(const r600_texel_format *f);

/* What words say of a format. Returns false if the hardware does not have it. */
bool
r600_encode_format(mach_format f, r600_texel_format *out);

/* The selects of a view, 3 bits a component: 0 to 3 are the channels from the lowest on, 4 and 5
 * constants. `swizzle` is that of a mach_image. Channels that the format lacks are what it says of
 * them: 0, of alpha 1. */
uint32_t
r600_encode_selects(mach_format f, const char *swizzle);
/* Does the view show the channels from the lowest on, without selects? */
bool
r600_is_in_order(mach_format f, const char *swizzle);
void
r600_decode_selects(mach_format f, uint32_t selects, char swizzle[5]);

#endif
