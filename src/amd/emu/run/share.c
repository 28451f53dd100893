/* State shared by the parts of a dispatch, and merging of their reports. */
#include "amd/emu/run/share.h"

#include <string.h>

void
amd_emu_share_init(amd_emu_share *share)
{
    atomic_init(&share->next, 0);
    atomic_init(&share->stop_at, UINT64_MAX);
    amd_emu_init_locks(&share->locks);
}

bool
amd_emu_may_share(const amd_emu_dispatch *d, const mach_memory *m)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->regions[i]->defined)
            return false;
    return !(d->checks & MACH_CHECK_RACES) && !d->gds_bytes && !d->on_export && !d->watch;
}

/* The number of a finding's group, in the order in which groups are started. */
static uint64_t
group_of(const amd_emu_dispatch *d, const mach_finding *f)
{
    uint64_t x = f->group[0] - d->first_group[0], y = f->group[1] - d->first_group[1],
             z = f->group[2] - d->first_group[2];
    return x + d->grid_groups[0] * (y + d->grid_groups[1] * z);
}

/* Takes the next finding: the one with the lowest group among the parts' next findings. Each part's
 * findings are in order. */
static const mach_finding *
take_next(const amd_emu_dispatch *d, const mach_report *parts, uint32_t n, uint32_t *taken)
{
    const mach_finding *best = NULL;
    uint32_t from = 0;
    for (uint32_t p = 0; p < n; p++) {
        const mach_finding *f = &parts[p].findings[taken[p]];
        if (taken[p] < parts[p].n_findings && (!best || group_of(d, f) < group_of(d, best))) {
            best = f;
            from = p;
        }
    }
    if (best)
        taken[from]++;
    return best;
}

/* Reports the cause that ended the run, even if the findings exceed the report's room: it is the
 * last finding of its part. */
static void
add_last(mach_report *r, const mach_report *part)
{
    const mach_finding *last = &part->findings[part->n_findings - 1];
    for (uint32_t k = 0; k < r->n_findings; k++)
        if (mach_is_same_finding(&r->findings[k], last))
            return;
    r->findings[MACH_MAX_FINDINGS - 1] = *last;
}

bool
amd_emu_merge(const amd_emu_dispatch *d, const mach_report *parts, uint32_t n, mach_report *report)
{
    enum { MAX_PARTS = 256 };
    uint32_t taken[MAX_PARTS] = {0};
    const mach_finding *f;
    const mach_report *ended = NULL;
    memset(report, 0, offsetof(mach_report, findings) + sizeof report->findings[0]);
    report->stopped_at = UINT64_MAX;
    n = n < MAX_PARTS ? n : MAX_PARTS;
    for (uint32_t p = 0; p < n; p++) {
        report->instructions += parts[p].instructions;
        report->lane_instructions += parts[p].lane_instructions;
        report->exports += parts[p].exports;
        report->total += parts[p].total;
        if (parts[p].status != MACH_RUN_DONE && parts[p].stopped_at < report->stopped_at) {
            report->status = parts[p].status;
            report->stopped_at = parts[p].stopped_at;
            ended = &parts[p];
        }
    }
    while ((f = take_next(d, parts, n, taken)))
        if (group_of(d, f) <= report->stopped_at)
            mach_add_finding(report, f);
    if (ended && ended->n_findings && report->n_findings == MACH_MAX_FINDINGS)
        add_last(report, ended);
    if (report->status == MACH_RUN_DONE)
        report->stopped_at = 0;
    return report->status == MACH_RUN_DONE && report->total == 0;
}
