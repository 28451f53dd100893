/* Findings: the names of the checks, the report's entries, their text. */
#include "amd/emu/core/findings.h"

#include <stdarg.h>
#include <stdio.h>

#define MAX_TOTAL 100000 /* number of findings that ends the run */

static const char *const check_names[] = {"waits",     "hazards", "memory",
                                          "undefined", "races",   "hangs"};
enum { N_CHECKS = sizeof check_names / sizeof *check_names };

static uint32_t
check_bit(uint32_t check)
{
    return check ? base_ctz32(check) : N_CHECKS;
}

const char *
amd_emu_check_name(uint32_t check)
{
    uint32_t bit = check_bit(check);
    return bit < N_CHECKS ? check_names[bit] : "error";
}

int
amd_emu_parse_checks(const char *names)
{
    int checks = 0;
    while (*names) {
        size_t n = strcspn(names, ",");
        int bit = -1;
        for (int c = 0; c < N_CHECKS; c++)
            if (strlen(check_names[c]) == n && !strncmp(check_names[c], names, n))
                bit = 1 << c;
        if (n == 3 && !strncmp(names, "all", n))
            bit = AMD_EMU_CHECK_ALL;
        if (n == 4 && !strncmp(names, "none", n))
            bit = 0;
        if (bit < 0)
            return -1;
        checks |= bit;
        names += n + (names[n] == ',');
    }
    return checks;
}

void
amd_emu_print_finding(const amd_emu_finding *f, base_buf *out)
{
    if (!f->text[0]) { /* a finding about the dispatch has no instruction */
        buf_printf(out, "%s: %s", amd_emu_check_name(f->check), f->message);
        return;
    }
    buf_printf(out, "%s: pc 0x%llx `%s` group (%u, %u, %u) wave %u", amd_emu_check_name(f->check),
               (unsigned long long)f->pc, f->text, f->group[0], f->group[1], f->group[2], f->wave);
    if (f->lane >= 0)
        buf_printf(out, " lane %d", (int)f->lane);
    buf_printf(out, ": %s", f->message);
    if (f->count > 1)
        buf_printf(out, " (%u times)", f->count);
}

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
static amd_emu_finding *
new_finding(emu_wave *w, uint32_t check, int lane)
{
    amd_emu_report *r = w->m->report;
    if (r->n_findings >= AMD_EMU_MAX_FINDINGS)
        return NULL;
    amd_emu_finding *f = &r->findings[r->n_findings++];
    *f = (amd_emu_finding){.check = check, .wave = w->index, .lane = lane, .count = 1};
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
        m->report->status = AMD_EMU_STOPPED;
        m->report->stopped_at = m->group;
    }
    for (uint32_t k = 0; k < m->report->n_findings; k++) {
        amd_emu_finding *old = &m->report->findings[k];
        if (old->check == check && w->at && old->pc == w->at->pc) {
            old->count++;
            return;
        }
    }
    amd_emu_finding *f = new_finding(w, check, lane);
    if (!f)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(f->message, sizeof f->message, format, args);
    va_end(args);
}

void
amd_emu_stop(emu_wave *w, amd_emu_status status, const char *format, ...)
{
    if (w->m->stop)
        return;
    w->m->stop = true;
    w->m->report->status = status;
    w->m->report->stopped_at = w->m->group;
    w->m->report->total++;
    if (w->m->report->n_findings == AMD_EMU_MAX_FINDINGS)
        w->m->report->n_findings--; /* keep room for the reason why the run ended */
    amd_emu_finding *f = new_finding(w, status == AMD_EMU_HANG ? AMD_EMU_CHECK_HANGS : 0, -1);
    va_list args;
    va_start(args, format);
    vsnprintf(f->message, sizeof f->message, format, args);
    va_end(args);
}
