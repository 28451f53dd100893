/* Runs a dispatch on several threads of the host. */
#ifndef KERNEL_THREADS_H
#define KERNEL_THREADS_H

#include "family/family.h"

/* The number of threads that the host runs concurrently. */
unsigned
kernel_host_threads(void);

/* A dispatch of an emulator, and the number of its groups. */
typedef struct kernel_job {
    const family_emulator *emulator;
    const void *launch;
    uint64_t groups;
} kernel_job;

/* Runs the dispatch on `threads` threads including the calling one; on fewer if it has fewer
 * groups, and on one if it does not allow more. Returns true if it ended without findings. */
bool
kernel_run_threads(const kernel_job *job, mach_memory *m, arena *a, unsigned threads,
                   mach_report *report);

#endif
