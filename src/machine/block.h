/* Block compression: decodes one texel of a 4x4 block. */
#ifndef MACH_BLOCK_H
#define MACH_BLOCK_H

#include "machine/format.h"

/* Decodes texel (x, y), both below 4, of the block at `at` into as many channels as the format has.
 * The results are normalised numbers (BC1 to BC5, BC7; for sRGB formats before the transfer
 * function) or the values of the half floats (BC6). `is_signed` selects the SNORM variants of BC4
 * and BC5. */
void
mach_block_decode(mach_block block, bool is_signed, const uint8_t *at, unsigned x, unsigned y,
                  double out[4]);

/* The parts for BC6 and BC7; `texel` is 4 * y + x. */
void
mach_block_bc6(bool is_signed, const uint8_t *at, unsigned texel, double out[4]);
void
mach_block_bc7(const uint8_t *at, unsigned texel, double out[4]);

#endif
