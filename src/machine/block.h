/* Block compression: one texel of a block of 4x4. */
#ifndef MACH_BLOCK_H
#define MACH_BLOCK_H

#include "machine/format.h"

/* Decodes texel (x, y), both below 4, of the block at `at` into as many channels as the format has:
 * normalised numbers (BC1 to BC5, BC7; of sRGB formats before the transfer function) or what the
 * half floats are (BC6). `is_signed`: BC4 and BC5 as SNORM. */
void
mach_block_decode(mach_block block, bool is_signed, const uint8_t *at, unsigned x, unsigned y,
                  double out[4]);

/* The parts of it that BC6 and BC7 are; `texel` is 4 * y + x. */
void
mach_block_bc6(bool is_signed, const uint8_t *at, unsigned texel, double out[4]);
void
mach_block_bc7(const uint8_t *at, unsigned texel, double out[4]);

#endif
