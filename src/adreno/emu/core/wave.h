/* The registers of a wave.
 *
 * A register is numbered as instructions do: four times the vec4, plus the component. From a6xx
 * on full and half registers are one file ("merged"): halves 2n and 2n + 1 are the parts of
 * register n. Before, half registers are their own file. Registers from r48.x on are shared by
 * all fibres; their halves lie in them in the same way (ir3_ra.h of Mesa, ra_physreg_to_num). */
#ifndef ADRENO_EMU_CORE_WAVE_H
#define ADRENO_EMU_CORE_WAVE_H

#include "adreno/isa/table/table.h"

enum {
    ADRENO_MAX_FIBRES = 128,
    ADRENO_REGISTERS = 256,
    ADRENO_FIRST_SHARED = 48 * 4,
    ADRENO_NUMBER_A0 = 61 * 4, /* a0.x; a1.x behind it */
    ADRENO_NUMBER_P0 = 62 * 4
};

typedef struct adreno_wave {
    const adreno_isa *isa;
    unsigned n_fibres;
    bool is_merged;
    uint64_t active[ADRENO_MAX_FIBRES / 64]; /* the fibres that execute */
    uint32_t full[ADRENO_REGISTERS][ADRENO_MAX_FIBRES];
    uint16_t half[ADRENO_REGISTERS][ADRENO_MAX_FIBRES]; /* unless merged */
    const uint32_t *consts;
    uint32_t n_consts;
} adreno_wave;

/* A fibre's register; half: 16 bits. Numbers outside the file read 0 and drop what is written. */
uint32_t
adreno_wave_read(const adreno_wave *w, unsigned fibre, int64_t reg, bool half);
void
adreno_wave_write(adreno_wave *w, unsigned fibre, int64_t reg, bool half, uint32_t value);

static inline bool
adreno_wave_is_active(const adreno_wave *w, unsigned fibre)
{
    return w->active[fibre / 64] >> fibre % 64 & 1;
}

#endif
