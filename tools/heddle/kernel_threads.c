/* POSIX threads for the emulator. Each has its own arena; if one runs out of memory, its part ends
 * with an error. */
#define _POSIX_C_SOURCE 200809L

#include "kernel_threads.h"

#include "base/diag.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { MAX_THREADS = 64 };

typedef struct part {
    const amd_emu_dispatch *d;
    const mach_memory *m;
    amd_emu_share *share;
    amd_emu_report report;
    pthread_t thread;
    bool started;
} part;

unsigned
kernel_host_threads(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > MAX_THREADS ? MAX_THREADS : (unsigned)n;
}

static void *
run_part(void *user)
{
    part *p = user;
    arena a;
    diag d;
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    if (DIAG_TRY(&d)) {
        amd_emu_run_part(p->d, p->m, p->share, &a, &p->report);
    } else {
        p->report = (amd_emu_report){.status = AMD_EMU_BAD_DISPATCH, .total = 1, .n_findings = 1};
        p->report.findings[0].lane = -1;
        snprintf(p->report.findings[0].message, sizeof p->report.findings[0].message, "%.200s",
                 d.message);
    }
    arena_free(&a);
    return NULL;
}

bool
kernel_run_threads(const amd_emu_dispatch *d, mach_memory *m, arena *a, unsigned threads,
                   amd_emu_report *report)
{
    uint64_t groups = (uint64_t)d->grid_groups[0] * d->grid_groups[1] * d->grid_groups[2];
    unsigned n = threads < MAX_THREADS ? threads : MAX_THREADS;
    n = n < groups ? n : (unsigned)groups;
    if (n < 2 || !amd_emu_may_share(d, m))
        return amd_emu_run(d, m, a, report);
    amd_emu_share *share = ARENA_NEW(a, amd_emu_share);
    part *parts = ARENA_ARRAY(a, n, part);
    amd_emu_report *reports = ARENA_ARRAY(a, n, amd_emu_report);
    amd_emu_share_init(share);
    for (unsigned i = 0; i < n; i++) {
        parts[i] = (part){.d = d, .m = m, .share = share};
        parts[i].started = i && pthread_create(&parts[i].thread, NULL, run_part, &parts[i]) == 0;
    }
    run_part(&parts[0]);
    for (unsigned i = 0; i < n; i++) {
        if (parts[i].started)
            pthread_join(parts[i].thread, NULL);
        reports[i] = parts[i].report;
    }
    return amd_emu_merge(d, reports, n, report);
}
