/* The state of a watched dispatch, inside the emulator. */
#ifndef AMD_EMU_WATCHING_H
#define AMD_EMU_WATCHING_H

#include "amd/emu/watch.h"
#include "amd/emu/wave.h"

enum { EMU_MAX_ACCESSES = 512 };

/* An access of the instruction that runs: its first byte; twice the lane's number + 1, and one more
 * for LDS. */
typedef struct emu_access_note {
    uint64_t address;
    uint32_t size, lane;
} emu_access_note;

typedef struct emu_watching {
    amd_emu_watch *watch;
    /* before the instruction */
    uint64_t exec, found; /* found: findings */
    bool traced, scc;
    uint32_t sgpr[EMU_SREGS];
    uint32_t (*vgpr)[EMU_LANES];
    bool dumped; /* the one dump of DUMP_FINDING was made */
    uint32_t n_accesses;
    emu_access_note accesses[EMU_MAX_ACCESSES];
} emu_watching;

emu_watching *
emu_watch_new(arena *a, amd_emu_watch *watch);

/* Around an instruction; when the run stops in a wave. */
void
emu_watch_before(emu_wave *w, const emu_inst *i);
void
emu_watch_after(emu_wave *w, const emu_inst *i);
void
emu_watch_stop(emu_wave *w);

/* One line of the trace for the instruction, which was just executed, and one for each VGPR that
 * changed. */
void
emu_trace(emu_wave *w, const emu_inst *i);

/* The wave's registers, its group's LDS and memory, as the options say. */
void
emu_dump(emu_wave *w, uint64_t pc);

#endif
