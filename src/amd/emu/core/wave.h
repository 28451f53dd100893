/* The state of a run: its waves, the group that runs, the machine.
 *
 * A wave's vector registers are rows of EMU_LANES dwords, so that an instruction is a loop over a
 * row, which the compiler vectorises. Scalar registers are indexed by their operand codes (0 to 105
 * SGPRs, 106 vcc, 108 ttmp, 124 m0, 125 null, 126 exec), so that reading vcc or exec is not a
 * special case; null is kept at 0.
 *
 * While a handler runs, `pc` already points after the instruction. Errors are reported with
 * amd_emu_find (a finding of a checker, the run continues) or amd_emu_stop (the run ends), both in
 * findings.h.
 */
#ifndef AMD_EMU_WAVE_H
#define AMD_EMU_WAVE_H

#include "amd/emu/core/inst.h"
#include "amd/emu/core/lock.h"
#include "amd/emu/emu.h"
#include "amd/isa/table/counters.h"
#include "base/bits.h"
#include "machine/turns.h"

typedef struct emu_group emu_group;
typedef struct emu_machine emu_machine;

/* EMU_WAITING: at an instruction that is executed again after a resource has changed. */
typedef enum emu_state { EMU_READY, EMU_AT_BARRIER, EMU_WAITING, EMU_ENDED } emu_state;

/* A resource of global wave sync (gds.c). */
typedef struct emu_gws {
    uint32_t counter; /* a semaphore's counter; for a barrier, the number of waves that have not
                         arrived */
    uint32_t turn;    /* how often the barrier has completed */
} emu_gws;

/* What the checkers keep (check/) and the shadow of registers (shadow.h). */
struct emu_pending;
struct emu_shadow;
struct emu_hazards;
struct emu_races;
struct emu_race_wave;
struct hazard_set;

struct emu_wave {
    emu_group *group;
    emu_machine *m;
    uint32_t index; /* in the group */
    emu_state state;
    uint32_t lanes;     /* 32 or 64 */
    uint64_t all_lanes; /* mask of them */
    uint64_t pc;
    bool scc;
    uint32_t mode;
    uint64_t flat_scratch;
    uint32_t trapsts;
    bool at_gws, ordered_released;
    uint32_t lds_direct;   /* value of the source lds_direct in the current instruction */
    uint32_t barrier_bits; /* gfx12: completed barriers that the wave has not yet waited for */
    int32_t named_barrier; /* gfx12: the one that the wave has joined, 0: none */
    uint32_t gws_turn;     /* the barrier's turn when the wave arrived */
    bool in_trap;          /* in the trap handler */
    uint64_t scratch;      /* address of this wave's scratch memory */
    uint64_t instructions; /* number executed */
    uint64_t lane_instructions;
    uint64_t exports;      /* number executed */
    uint32_t exports_done; /* kinds of which the last export was executed (graphics/export.c) */
    uint32_t n_vgprs, n_agprs;
    uint32_t n_shared;             /* of the VGPRs: the last ones, which the halves share */
    uint32_t sgpr[EMU_SREGS + 16]; /* padding keeps tuples at the end within the array */
    uint32_t (*vgpr)[EMU_LANES];
    uint64_t exec_spread;           /* the exec value that exec_lanes represents */
    uint32_t exec_lanes[EMU_LANES]; /* 0 or ~0 per lane */
    const emu_inst *at;             /* the instruction being executed */
    uint32_t region_hint;           /* for mach_memory_find */
    struct emu_pending *pending;    /* NULL: the waits checker is off */
    struct emu_shadow *shadow;      /* NULL: the undefined checker is off */
    struct emu_hazards *hazards;    /* NULL: the hazards checker is off */
    struct emu_race_wave *race;     /* NULL: the races checker is off */
};

/* A barrier of gfx12 (barrier.c). */
typedef struct emu_barrier {
    uint32_t signals, members;
} emu_barrier;

struct emu_group {
    uint32_t id[3];
    uint32_t n_waves;
    emu_wave *waves;
    uint8_t *lds;
    emu_barrier barriers[64]; /* by number modulo 64 */
    uint8_t *lds_defined;     /* one byte per byte of LDS; NULL: checker off */
};

/* Handlers notify the checkers (check/) and the watch (watch/) about the current instruction
 * through these functions. NULL: there is no listener; access is set if the machine is watched,
 * shared if its waves have a `race`. */
typedef struct emu_listeners {
    /* Each access to memory. For LDS the address is the offset in it. */
    void (*access)(emu_wave *w, bool lds, uint64_t address, uint32_t size, int lane);
    /* Each access to memory that waves or groups share; `same`: a store that changes nothing. */
    void (*shared)(emu_wave *w, uint64_t address, uint32_t size, int lane, bool same);
    /* The wave's counters are now at most `counts` (UINT32_MAX: not waited for). */
    void (*waited)(emu_wave *w, const uint32_t counts[AMD_WAIT_COUNT]);
    /* The wave's memory instructions have read their VGPRs. */
    void (*sent)(emu_wave *w);
    /* All waves of the group have passed a barrier. */
    void (*barrier)(emu_group *g);
} emu_listeners;

struct emu_machine {
    const amd_emu_dispatch *d;
    emu_listeners tell;
    mach_memory *memory;
    arena *arena;
    mach_report *report;
    bool stop;     /* no further instruction is executed */
    uint64_t time; /* value returned by s_memtime; increases */
    /* code: the region that contains the entry, and its decoded instructions, by dword */
    const mach_region *code;
    mach_region *scratch; /* the waves' scratch memory, or NULL */
    /* the pages of scratch memory that the current group has stored to, one byte for each; NULL:
     * scratch->defined is NULL */
    uint8_t *scratch_stored;
    mach_region *gds; /* global data share, or NULL */
    emu_gws gws[64];
    uint32_t gs_registers[24]; /* gfx11: streamout and GS registers, in GDS (gds.c) */
    emu_inst **insts;
    struct emu_code *codes;        /* all regions that were entered (code.c) */
    mach_turns turns;              /* of the group that runs */
    struct emu_watching *watching; /* NULL: the dispatch is not watched */
    struct amd_emu_share *share;   /* NULL: no other thread runs groups of this dispatch */
    amd_emu_locks *locks;          /* the same */
    uint64_t group;                /* number of the current group */
    struct hazard_set *hazards;    /* the generation's rules; NULL: the checker is off */
    struct emu_races *races;       /* NULL: the checker is off */
    uint64_t rules_off;            /* amd_emu_rules_off */
    uint32_t special_modes; /* MODE bits that change how instructions run: amd_emu_mode_special */
};

#endif
