/* A wave with everything needed to execute an instruction, for tests of the emulator's internals.
 *
 * The wave is alone in its group. Its user sets the registers and calls the handlers and checkers
 * of wave.h directly; no dispatch is run.
 */
#ifndef ONE_WAVE_H
#define ONE_WAVE_H

#include "amd/emu/core/operand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Its parts point to each other: it must not be moved after it was opened. */
typedef struct one_wave {
    arena a;
    mach_memory memory;
    amd_emu_dispatch d;
    mach_report report;
    emu_machine m;
    emu_group g;
    emu_wave w;
} one_wave;

/* For arenas of tests: ends the test. */
static inline void
one_wave_no_memory(void *user)
{
    (void)user;
    fputs("out of memory\n", stderr);
    abort();
}

/* Resets the wave: all lanes are active, all other registers 0, MODE keeps denormals, no findings.
 * Shadow, pending operations and hazards are kept. */
static inline void
one_wave_reset(one_wave *o)
{
    emu_wave *w = &o->w;
    *w = (emu_wave){.group = &o->g,
                    .m = &o->m,
                    .lanes = o->d.wave_size,
                    .all_lanes = base_mask64(o->d.wave_size),
                    .mode = 0xf0,
                    .n_vgprs = 256,
                    .vgpr = w->vgpr,
                    .shadow = w->shadow,
                    .pending = w->pending,
                    .hazards = w->hazards};
    memset(w->vgpr, 0, (EMU_MAX_VGPRS + 16) * sizeof *w->vgpr);
    amd_emu_write_s64(w, AMD_REG_EXEC_LO, w->all_lanes);
    o->report.total = o->report.n_findings = 0;
    o->m.stop = false;
}

/* The dispatch gives generation, wave size, checkers, and the size of LDS. */
static inline void
one_wave_open(one_wave *o, const amd_emu_dispatch *d)
{
    memset(o, 0, sizeof *o);
    arena_init(&o->a, &base_malloc_allocator, one_wave_no_memory, NULL);
    mach_memory_init(&o->memory, &o->a);
    o->d = *d;
    o->m = (emu_machine){.d = &o->d, .memory = &o->memory, .arena = &o->a, .report = &o->report};
    o->g = (emu_group){.n_waves = 1, .waves = &o->w};
    if (d->lds_bytes)
        o->g.lds = arena_zalloc(&o->a, d->lds_bytes + 16);
    o->w.vgpr = arena_zalloc(&o->a, (EMU_MAX_VGPRS + 16) * sizeof *o->w.vgpr);
    one_wave_reset(o);
}

/* Drops all decoded instructions: needed when code has changed or the arena is released. */
static inline void
one_wave_forget_code(one_wave *o)
{
    o->m.code = NULL;
    o->m.codes = NULL;
}

static inline void
one_wave_close(one_wave *o)
{
    arena_free(&o->a);
}

/* The same, allocated from the heap. */
static inline one_wave *
one_wave_new(const amd_emu_dispatch *d)
{
    one_wave *o = malloc(sizeof *o);
    if (!o)
        one_wave_no_memory(NULL);
    one_wave_open(o, d);
    return o;
}

static inline void
one_wave_free(one_wave *o)
{
    one_wave_close(o);
    free(o);
}

#endif
