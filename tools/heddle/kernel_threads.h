/* A dispatch on several threads of the host. */
#ifndef KERNEL_THREADS_H
#define KERNEL_THREADS_H

#include "amd/emu/share.h"

/* Threads that the host runs at once. */
unsigned
kernel_host_threads(void);

/* Runs the dispatch on `threads` threads, this one among them, or on fewer where it has fewer
 * groups, or on one where it does not allow more (amd_emu_may_share). True as amd_emu_run. */
bool
kernel_run_threads(const amd_emu_dispatch *d, mach_memory *m, arena *a, unsigned threads,
                   amd_emu_report *report);

#endif
