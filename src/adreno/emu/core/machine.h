/* What runs: the machine of a dispatch, its current group, and decoded code. */
#ifndef ADRENO_EMU_CORE_MACHINE_H
#define ADRENO_EMU_CORE_MACHINE_H

#include "adreno/emu/core/wave.h"
#include "adreno/emu/emu.h"
#include "machine/turns.h"

typedef struct adreno_group {
    uint32_t id[3];
    uint64_t number;
    uint32_t n_waves;
    adreno_wave *waves;
    uint8_t *local;
    uint8_t *local_defined; /* a byte for each; NULL: not checked */
} adreno_group;

/* Whether the preamble, which one wave runs for all, has been run. */
typedef enum adreno_preamble {
    ADRENO_PREAMBLE_NONE,
    ADRENO_PREAMBLE_RUNS,
    ADRENO_PREAMBLE_DONE,
} adreno_preamble;

enum { ADRENO_ALIAS_OUTPUTS = 32 }; /* four components of eight render targets */

struct adreno_plan;
struct adreno_sync_plan;
struct adreno_races;
struct adreno_access;

typedef struct adreno_machine {
    const adreno_dispatch *d;
    const adreno_isa *isa;
    mach_memory *memory;
    arena *arena;
    mach_report *report;
    uint64_t rules_off; /* bits by rule */
    bool stop;
    const mach_region *code;
    adreno_inst *insts; /* by word; op ADRENO_OP_COUNT: not decoded yet */
    uint32_t n_insts;
    /* By word: what the ALU and the checker of waits have found of an instruction, or NULL. */
    struct adreno_plan **plans;
    struct adreno_sync_plan **sync_plans;
    adreno_preamble preamble;
    uint32_t consts[ADRENO_EMU_CONSTS];
    uint8_t const_state[ADRENO_EMU_CONSTS]; /* 1: has a value */
    uint32_t outputs[ADRENO_ALIAS_OUTPUTS]; /* what stands for them (alias.rt) */
    uint32_t outputs_given;                 /* for which of them, as bits */
    mach_region *private_memory;
    mach_turns turns;           /* of the group that runs */
    struct adreno_races *races; /* NULL: not checked */
    /* Hears of each access to global and local memory; NULL: nobody listens. */
    void (*note_access)(adreno_wave *w, const struct adreno_access *a);
} adreno_machine;

#endif
