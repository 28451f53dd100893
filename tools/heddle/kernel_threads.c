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
    const kernel_job *job;
    const mach_memory *m;
    void *share;
    mach_report report;
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
        p->job->emulator->run_part(p->job->launch, p->m, p->share, &a, &p->report);
    } else {
        p->report = (mach_report){.status = MACH_RUN_BAD_DISPATCH, .total = 1, .n_findings = 1};
        p->report.findings[0].lane = -1;
        snprintf(p->report.findings[0].message, sizeof p->report.findings[0].message, "%.200s",
                 d.message);
    }
    arena_free(&a);
    return NULL;
}

bool
kernel_run_threads(const kernel_job *job, mach_memory *m, arena *a, unsigned threads,
                   mach_report *report)
{
    const family_emulator *e = job->emulator;
    unsigned n = threads < MAX_THREADS ? threads : MAX_THREADS;
    n = n < job->groups ? n : (unsigned)job->groups;
    void *share = n < 2 || !e->share ? NULL : e->share(job->launch, m, a);
    if (!share)
        return e->run(job->launch, m, a, report);
    part *parts = ARENA_ARRAY(a, n, part);
    mach_report *reports = ARENA_ARRAY(a, n, mach_report);
    for (unsigned i = 0; i < n; i++) {
        parts[i] = (part){.job = job, .m = m, .share = share};
        parts[i].started = i && pthread_create(&parts[i].thread, NULL, run_part, &parts[i]) == 0;
    }
    run_part(&parts[0]);
    for (unsigned i = 0; i < n; i++) {
        if (parts[i].started)
            pthread_join(parts[i].thread, NULL);
        reports[i] = parts[i].report;
    }
    return e->merge(job->launch, reports, n, report);
}
