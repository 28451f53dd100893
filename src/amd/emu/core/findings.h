/* What handlers and checkers report: findings, and the end of a run. */
#ifndef AMD_EMU_FINDINGS_H
#define AMD_EMU_FINDINGS_H

#include "amd/emu/core/wave.h"

/* Reports a finding of `check` (one bit) at the current instruction; lane -1 names none. The report
 * keeps the first one for each instruction and counts all. Does nothing if the dispatch does not
 * request `check`. */
void
amd_emu_find(emu_wave *w, uint32_t check, int lane, const char *format, ...);

/* Ends the run with `status`. */
void
amd_emu_stop(emu_wave *w, mach_status status, const char *format, ...);

static inline bool
amd_emu_checks(const emu_wave *w, uint32_t check)
{
    return (w->m->d->checks & check) != 0;
}

/* Writes the disassembly of `i` to `out`. */
void
amd_emu_print_inst(const emu_wave *w, const emu_inst *i, char *out, size_t size);

#endif
