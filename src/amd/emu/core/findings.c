/* Findings: the names of the checks, the report's entries, their text. */
#include "amd/emu/core/findings.h"

#include <stdarg.h>
#include <stdio.h>

#define MAX_TOTAL 100000 /* number of findings that ends the run */

void
amd_emu_print_inst(const emu_wave *w, const emu_inst *i, char *out, size_t size)
{
    if (!i || !i->row) {
        snprintf(out, size, "?");
        return;
    }
    arena_mark mark = arena_save(w->m->arena);
    base_buf text = buf_make(w->m->arena);
    amd_print(w->m->d->gen, &i->in, w->lanes > 32, &text);
    snprintf(out, size, "%s", buf_text(&text));
    arena_release(w->m->arena, mark);
}

/* The report's entry for a finding at the current instruction; NULL if there is no room. */
static mach_finding *
new_finding(emu_wave *w, uint32_t check, int lane)
{
    mach_report *r = w->m->report;
    if (r->n_findings >= MACH_MAX_FINDINGS)
        return NULL;
    mach_finding *f = &r->findings[r->n_findings++];
    *f = (mach_finding){.check = check, .wave = w->index, .lane = lane, .count = 1};
    memcpy(f->group, w->group->id, sizeof f->group);
    f->pc = w->at ? w->at->pc : w->pc;
    amd_emu_print_inst(w, w->at, f->text, sizeof f->text);
    return f;
}

void
amd_emu_find(emu_wave *w, uint32_t check, int lane, const char *format, ...)
{
    emu_machine *m = w->m;
    if (!(m->d->checks & check))
        return;
    m->report->total++;
    if (m->report->total >= MAX_TOTAL && !m->stop) {
        m->stop = true;
        m->report->status = MACH_RUN_STOPPED;
        m->report->stopped_at = m->group;
    }
    for (uint32_t k = 0; k < m->report->n_findings; k++) {
        mach_finding *old = &m->report->findings[k];
        if (old->check == check && w->at && old->pc == w->at->pc) {
            old->count++;
            return;
        }
    }
    mach_finding *f = new_finding(w, check, lane);
    if (!f)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(f->message, sizeof f->message, format, args);
    va_end(args);
}

void
amd_emu_stop(emu_wave *w, mach_status status, const char *format, ...)
{
    if (w->m->stop)
        return;
    w->m->stop = true;
    w->m->report->status = status;
    w->m->report->stopped_at = w->m->group;
    w->m->report->total++;
    if (w->m->report->n_findings == MACH_MAX_FINDINGS)
        w->m->report->n_findings--; /* keep room for the reason why the run ended */
    mach_finding *f = new_finding(w, status == MACH_RUN_HANG ? MACH_CHECK_HANGS : 0, -1);
    va_list args;
    va_start(args, format);
    vsnprintf(f->message, sizeof f->message, format, args);
    va_end(args);
}
