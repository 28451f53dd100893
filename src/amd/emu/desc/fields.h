/* Bit fields of descriptor words. */
#ifndef AMD_EMU_FIELDS_H
#define AMD_EMU_FIELDS_H

#include "base/bits.h"

/* Bits [high, low] of a word. */
static inline uint32_t
amd_emu_field_get(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & (uint32_t)base_mask64(high - low + 1);
}

/* `v`, truncated to the field's width, at bits [high, low]. */
static inline uint32_t
amd_emu_field_put(uint32_t v, unsigned high, unsigned low)
{
    return (v & (uint32_t)base_mask64(high - low + 1)) << low;
}

#endif
