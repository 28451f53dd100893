/* Stages of graphics: groups of waves that fixed functions start.
 *
 * A stage has the launch state of a dispatch (program, register counts, MODE, LDS, checks, the
 * callbacks of exports and messages), but no grid: the caller gives each wave its registers. One
 * stage stays open for a whole draw, so that its program is decoded once.
 */
#ifndef AMD_EMU_STAGE_H
#define AMD_EMU_STAGE_H

#include "amd/emu/emu.h"

enum { AMD_EMU_STAGE_SGPRS = 64, AMD_EMU_STAGE_VGPRS = 32 };

/* A wave's registers at its start; those that are not set hold garbage. */
typedef struct amd_emu_stage_wave {
    uint64_t exec;    /* 0: the wave ends at once */
    uint64_t defined; /* lanes whose VGPRs are set, helpers too */
    uint32_t n_sgprs, n_vgprs;
    uint64_t sgprs_set, vgprs_set; /* a bit each */
    uint32_t sgprs[AMD_EMU_STAGE_SGPRS];
    uint32_t vgprs[AMD_EMU_STAGE_VGPRS][64];
} amd_emu_stage_wave;

typedef struct amd_emu_stage_group {
    uint32_t id[3]; /* for findings */
    uint32_t n_waves;
    const amd_emu_stage_wave *waves;
    /* The first bytes of LDS, and whether each of them is defined; NULL: none are set. */
    const uint8_t *lds, *lds_defined;
    uint32_t lds_bytes;
} amd_emu_stage_group;

typedef struct amd_emu_stage amd_emu_stage;

/* What is wrong with a stage's launch state, or NULL. */
const char *
amd_emu_stage_error(const amd_emu_dispatch *d);

/* Opens a stage of groups with at most `n_waves`. `scratch` is the memory that the draw's stages
 * share (amd_emu_map_scratch), NULL if none has any. `d`, `m` and `report` must outlive it. */
typedef struct amd_emu_stage_place {
    mach_memory *memory;
    mach_region *scratch;
    arena *arena;   /* what is allocated while the stage runs may be given back */
    arena *touches; /* with amd_emu_dispatch.touched: lives until the stage is closed */
    mach_report *report;
} amd_emu_stage_place;

amd_emu_stage *
amd_emu_stage_open(const amd_emu_dispatch *d, const amd_emu_stage_place *place, uint32_t n_waves);
void
amd_emu_stage_close(amd_emu_stage *s);

/* The counters of streamout that ds_add_gs_reg_rtn adds to, 0 when the stage opens: of the first
 * buffer, and those behind it. */
uint32_t *
amd_emu_stage_counters(amd_emu_stage *s);

/* Runs a group's waves to their end. False if the run must end. */
bool
amd_emu_stage_run(amd_emu_stage *s, const amd_emu_stage_group *g);

/* Reports at the end of wave `wave` that it has not made an export that the pipeline waits for. */
void
amd_emu_stage_missing_export(amd_emu_stage *s, uint32_t wave, const char *what);

#endif
