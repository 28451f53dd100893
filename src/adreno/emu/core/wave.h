/* The registers of a wave, and where it is.
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
    ADRENO_FIBRE_WORDS = ADRENO_MAX_FIBRES / 64,
    ADRENO_REGISTERS = 256,
    ADRENO_FIRST_SHARED = 48 * 4,
    ADRENO_NUMBER_A0 = 61 * 4, /* a0.x; a1.x behind it */
    ADRENO_NUMBER_P0 = 62 * 4,
    ADRENO_NUMBER_NONE = 63 * 4, /* r63.x: what is written to it is dropped */
    /* Halves of registers, and behind them half registers that are their own file. */
    ADRENO_UNITS = 3 * ADRENO_REGISTERS,
};

typedef enum adreno_wave_state {
    ADRENO_WAVE_READY,
    ADRENO_WAVE_AT_BARRIER,
    ADRENO_WAVE_WAITING, /* for the preamble of another wave */
    ADRENO_WAVE_ENDED,
} adreno_wave_state;

/* A set of fibres. */
typedef struct adreno_fibres {
    uint64_t word[ADRENO_FIBRE_WORDS];
} adreno_fibres;

/* Fibres that wait at a place of the code. */
typedef struct adreno_waiting {
    uint32_t place;
    adreno_fibres fibres;
} adreno_waiting;

/* What stands for a register in texture instructions (alias.h). */
typedef struct adreno_alias {
    adreno_source source;
    uint16_t reg;
    bool half;
} adreno_alias;

enum { ADRENO_MAX_ALIASES = 16 };

struct adreno_machine;
struct adreno_group;
struct adreno_sync;
struct adreno_varyings;

typedef struct adreno_wave {
    const adreno_isa *isa;
    unsigned n_fibres;
    bool is_merged;
    uint64_t active[ADRENO_FIBRE_WORDS]; /* the fibres that execute */
    uint32_t full[ADRENO_REGISTERS][ADRENO_MAX_FIBRES];
    uint16_t half[ADRENO_REGISTERS][ADRENO_MAX_FIBRES]; /* unless merged */
    const uint32_t *consts;
    uint32_t n_consts;

    /* Of a run; NULL and zeros if only operations are executed. */
    struct adreno_machine *m;
    struct adreno_group *group;
    uint32_t index; /* in the group */
    adreno_wave_state state;
    uint32_t pc, at; /* words of the code: the next instruction, the current one */
    uint64_t instructions, lane_instructions;
    /* Fibres that wait until the wave comes by (flow.h), the lowest place last. */
    adreno_waiting waiting[ADRENO_MAX_FIBRES];
    uint32_t n_waiting;
    bool is_predicated;
    adreno_fibres outside; /* that were active before predt or predf */
    bool in_preamble;
    adreno_alias aliases[ADRENO_MAX_ALIASES]; /* for the next texture instruction */
    uint32_t n_aliases, aliases_stated;
    uint32_t region_hint;
    uint32_t descriptor;   /* of category 6: the number that the first fibre has */
    uint64_t private_base; /* the address of the wave's private memory */
    /* Of a wave of fragments; without them the wave is another. */
    const struct adreno_varyings *varyings;
    bool has_inputs;       /* there are varyings */
    bool inputs_ended;     /* they can no longer be read */
    adreno_fibres helpers; /* have no effects; those that were killed, too */
    adreno_fibres killed;

    /* By unit: the fibres in which it has a value; NULL: not checked. */
    adreno_fibres *defined;
    struct adreno_sync *sync; /* NULL: not checked */
} adreno_wave;

/* A fibre's register; half: 16 bits. Numbers outside the file read 0 and drop what is written. */
uint32_t
adreno_wave_read(const adreno_wave *w, unsigned fibre, int64_t reg, bool half);
void
adreno_wave_write(adreno_wave *w, unsigned fibre, int64_t reg, bool half, uint32_t value);

/* The first unit of a register, and how many it has. */
unsigned
adreno_unit_of(const adreno_wave *w, int64_t reg, bool half, unsigned *count);

/* Whether a fibre's register has a value, and sets it. Always true if it is not checked. */
bool
adreno_wave_is_defined(const adreno_wave *w, unsigned fibre, int64_t reg, bool half);
void
adreno_wave_define(adreno_wave *w, unsigned fibre, int64_t reg, bool half, bool defined);

/* Gives `n` full registers from `reg` on the value 0. */
void
adreno_give_zeros(adreno_wave *w, unsigned fibre, unsigned reg, unsigned n);

static inline bool
adreno_wave_is_active(const adreno_wave *w, unsigned fibre)
{
    return w->active[fibre / 64] >> fibre % 64 & 1;
}

/* The first active fibre; n_fibres if there is none. */
static inline unsigned
adreno_wave_first(const adreno_wave *w)
{
    unsigned fibre = 0;
    while (fibre < w->n_fibres && !adreno_wave_is_active(w, fibre))
        fibre++;
    return fibre;
}

#define ADRENO_FOREACH_FIBRE(f, w)                                                                 \
    for (unsigned f = 0; f < (w)->n_fibres; f++)                                                   \
        if (adreno_wave_is_active(w, f))

static inline bool
adreno_is_shared(int64_t reg)
{
    return reg >= ADRENO_FIRST_SHARED && reg < ADRENO_NUMBER_A0;
}

#endif
