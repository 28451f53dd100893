#include "adreno/emu/core/wave.h"

/* The register that holds a half one, and whether it is the upper part. */
static unsigned
holder_of(unsigned reg, bool *is_upper)
{
    const unsigned first = reg < ADRENO_FIRST_SHARED ? 0 : ADRENO_FIRST_SHARED;
    *is_upper = (reg - first) % 2;
    return first + (reg - first) / 2;
}

static bool
is_special(unsigned reg)
{
    return reg >= ADRENO_NUMBER_A0;
}

/* Shared registers have one value. */
static unsigned
column_of(unsigned reg, unsigned fibre)
{
    const bool is_shared = reg >= ADRENO_FIRST_SHARED && !is_special(reg);
    return is_shared || reg == ADRENO_NUMBER_A0 + 1 ? 0 : fibre;
}

uint32_t
adreno_wave_read(const adreno_wave *w, unsigned fibre, int64_t reg, bool half)
{
    bool is_upper;
    if (reg < 0 || reg >= ADRENO_REGISTERS)
        return 0;
    const unsigned number = (unsigned)reg, column = column_of(number, fibre);
    if (!half || is_special(number))
        return w->full[number][column] & (half ? 0xffff : UINT32_MAX);
    if (!w->is_merged)
        return w->half[number][column];
    const uint32_t value = w->full[holder_of(number, &is_upper)][column];
    return is_upper ? value >> 16 : value & 0xffff;
}

static void
write_half(adreno_wave *w, unsigned column, unsigned reg, uint32_t value)
{
    bool is_upper;
    if (!w->is_merged) {
        w->half[reg][column] = (uint16_t)value;
        return;
    }
    uint32_t *holder = &w->full[holder_of(reg, &is_upper)][column];
    *holder = is_upper ? (*holder & 0xffff) | value << 16 : (*holder & ~UINT32_C(0xffff)) | value;
}

void
adreno_wave_write(adreno_wave *w, unsigned fibre, int64_t reg, bool half, uint32_t value)
{
    if (reg < 0 || reg >= ADRENO_REGISTERS)
        return;
    const unsigned number = (unsigned)reg, column = column_of(number, fibre);
    if (number >= ADRENO_NUMBER_NONE)
        return;
    if (number >= ADRENO_NUMBER_P0)
        w->full[number][column] = value != 0;
    else if (half && !is_special(number))
        write_half(w, column, number, value & 0xffff);
    else
        w->full[number][column] = half ? value & 0xffff : value;
}

unsigned
adreno_unit_of(const adreno_wave *w, int64_t reg, bool half, unsigned *count)
{
    bool is_upper = false;
    *count = 0;
    if (reg < 0 || reg >= ADRENO_NUMBER_NONE)
        return 0;
    const unsigned number = (unsigned)reg;
    if (!half || is_special(number)) {
        *count = 2;
        return 2 * number;
    }
    *count = 1;
    if (!w->is_merged)
        return 2 * ADRENO_REGISTERS + number;
    const unsigned holder = holder_of(number, &is_upper);
    return 2 * holder + is_upper;
}

bool
adreno_wave_is_defined(const adreno_wave *w, unsigned fibre, int64_t reg, bool half)
{
    unsigned n;
    const unsigned first = adreno_unit_of(w, reg, half, &n);
    bool all = true;
    if (!w->defined || !n)
        return true;
    const unsigned column = column_of((unsigned)reg, fibre);
    for (unsigned u = first; u < first + n; u++)
        all = all && (w->defined[u].word[column / 64] >> column % 64 & 1);
    return all;
}

void
adreno_wave_define(adreno_wave *w, unsigned fibre, int64_t reg, bool half, bool defined)
{
    unsigned n;
    const unsigned first = adreno_unit_of(w, reg, half, &n);
    if (!w->defined || !n)
        return;
    const unsigned column = column_of((unsigned)reg, fibre);
    const uint64_t bit = UINT64_C(1) << column % 64;
    for (unsigned u = first; u < first + n; u++) {
        uint64_t *word = &w->defined[u].word[column / 64];
        *word = defined ? *word | bit : *word & ~bit;
    }
}

void
adreno_give_zeros(adreno_wave *w, unsigned fibre, unsigned reg, unsigned n)
{
    for (unsigned k = 0; k < n; k++) {
        adreno_wave_write(w, fibre, reg + k, false, 0);
        adreno_wave_define(w, fibre, reg + k, false, true);
    }
}
