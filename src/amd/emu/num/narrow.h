/* Floats of 4 to 8 bits, as the Open Compute Project defines them (OCP MX, OFP8): fp8 (E4M3) and
 * bf8 (E5M2), fp6 (E2M3) and bf6 (E3M2), fp4 (E2M1). Those below 8 bits have neither infinities nor
 * NaNs. And those of 16 bits, for results that a seed rounds. */
#ifndef AMD_EMU_NARROW_H
#define AMD_EMU_NARROW_H

#include <stdbool.h>
#include <stdint.h>

typedef enum emu_narrow {
    EMU_FP8,
    EMU_BF8,
    EMU_FP6,
    EMU_BF6,
    EMU_FP4,
    EMU_HALF,  /* binary16 */
    EMU_BRAIN, /* bfloat16 */
} emu_narrow;

/* Bits of an element. */
uint32_t
amd_emu_narrow_bits(emu_narrow f);

/* The value of an encoding. */
float
amd_emu_from_narrow(emu_narrow f, uint32_t v);

/* The encoding of `x`, rounded to nearest even, or, with `random`, by the bits of `seed`: as many
 * of the highest ones as there are bits to drop are added to those. Too large numbers become fp8's
 * NaN and bf8's infinity, or the largest number with `saturate` and in the formats that have only
 * numbers; there, NaN becomes 0. */
typedef struct emu_rounding {
    bool random, saturate;
    uint32_t seed;
} emu_rounding;
uint32_t
amd_emu_to_narrow(emu_narrow f, float x, emu_rounding how);

#endif
