/* Runs a dispatch on several threads of the host. */
#ifndef KERNEL_THREADS_H
#define KERNEL_THREADS_H

#include "amd/emu/run/share.h"

/* The number of threads that the host runs concurrently. */
unsigned
kernel_host_threads(void);

/* Runs the dispatch on `threads` threads including the calling one; on fewer if it has fewer
 * groups, and on one if it does not allow more (amd_emu_may_share). Returns as amd_emu_run does. */
bool
kernel_run_threads(const amd_emu_dispatch *d, mach_memory *m, arena *a, unsigned threads,
                   amd_emu_report *report);

#endif
