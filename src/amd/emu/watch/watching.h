/* The state of a watched dispatch, inside the emulator. */
#ifndef AMD_EMU_WATCHING_H
#define AMD_EMU_WATCHING_H

#include "amd/emu/core/wave.h"
#include "amd/emu/watch/watch.h"

enum { EMU_MAX_ACCESSES = 512 };

/* An access of the current instruction: its first byte; twice the lane number + 1, plus one for
 * LDS. */
typedef struct emu_access_note {
    uint64_t address;
    uint32_t size, lane;
} emu_access_note;

typedef struct emu_watching {
    mach_watch *watch;
    /* state before the instruction */
    uint64_t exec, found; /* found: number of findings */
    bool traced, scc;
    uint32_t sgpr[EMU_SREGS];
    uint32_t (*vgpr)[EMU_LANES];
    const emu_inst **last;       /* by wave of the group: executed last (poison.c) */
    bool dumped;                 /* the single dump of DUMP_FINDING has been made */
    struct emu_times *times;     /* NULL: nothing is counted */
    struct emu_origins *origins; /* by wave of the group; NULL: nobody asks for descriptors */
    uint32_t n_accesses;
    emu_access_note accesses[EMU_MAX_ACCESSES];
} emu_watching;

/* Makes the state of the dispatch's watch and listens to the accesses of its waves. */
void
amd_emu_watch_open(emu_machine *m);

/* Adds the dispatch's time to the watch. Called once, when its groups have run. */
void
amd_emu_watch_close(emu_machine *m);

/* The time of waves (times.c): the state for groups of up to `n_waves` waves; the instruction that
 * was just executed, with the lines of memory and the conflicts of LDS banks that it met. */
struct emu_times *
amd_emu_times_open(emu_machine *m, uint32_t n_waves);
void
amd_emu_times_note(emu_wave *w, const emu_inst *i, uint64_t lines[2], uint64_t conflicts);
void
amd_emu_times_close(emu_machine *m);

/* The cycle of the wave at which its next instruction could issue, if nothing holds it back. */
uint64_t
amd_emu_times_now(const emu_wave *w);

/* The descriptors that instructions use (descriptors.c): the state for groups of up to `n_waves`
 * waves; before and after an instruction. */
void
amd_emu_descriptors_open(emu_machine *m, uint32_t n_waves);
void
amd_emu_descriptors_before(const emu_wave *w, const emu_inst *i);
void
amd_emu_descriptors_after(const emu_wave *w, const emu_inst *i);

/* Called before and after an instruction; called when the run stops in a wave. */
void
amd_emu_watch_before(emu_wave *w, const emu_inst *i);
void
amd_emu_watch_after(emu_wave *w, const emu_inst *i);
void
amd_emu_watch_stop(emu_wave *w);

/* Prints one trace line for the instruction that was just executed, and one for each VGPR that
 * changed. */
void
amd_emu_trace(emu_wave *w, const emu_inst *i);

/* Fills registers that are not live before the instruction, if the watch says so; called before the
 * checkers see the instruction. */
void
amd_emu_poison(emu_wave *w, const emu_inst *i);

/* Dumps the wave's registers, its group's LDS and memory, as the options request. */
void
amd_emu_dump(emu_wave *w, uint64_t pc);

#endif
