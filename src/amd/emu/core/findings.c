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

const mach_rule amd_emu_rules[] = {
#define RULE(id, check, name, text) {MACH_CHECK_##check, name, text, NULL},
#include "amd/emu/core/rules.def"
#undef RULE
    {MACH_CHECK_HAZARDS, "", "", NULL},
};
_Static_assert(EMU_RULE_COUNT <= 64, "emu_machine.rules_off has a bit for each rule");

uint64_t
amd_emu_rules_off(const char *names)
{
    return mach_find_rules(names, amd_emu_rules, EMU_RULE_HAZARD);
}

/* A finding at the current instruction, without its message. */
static mach_finding
make_finding(const emu_wave *w, uint32_t check)
{
    mach_finding f = {.check = check, .wave = w->index, .lane = -1, .count = 1};
    memcpy(f.group, w->group->id, sizeof f.group);
    f.pc = w->at ? w->at->pc : w->pc;
    return f;
}

/* Counts a finding. */
static void
count_finding(emu_machine *m)
{
    m->report->total++;
    if (m->report->total >= MAX_TOTAL && !m->stop) {
        m->stop = true;
        m->report->status = MACH_RUN_STOPPED;
        m->report->stopped_at = m->group;
    }
}

static void
find_v(emu_wave *w, const emu_cause *cause, const char *format, va_list args)
{
    const mach_rule *rule = &amd_emu_rules[cause->rule];
    emu_machine *m = w->m;
    if (!(m->d->checks & rule->check) || m->rules_off >> cause->rule & 1)
        return;
    count_finding(m);
    mach_finding f = make_finding(w, rule->check);
    f.rule = cause->name ? cause->name : rule->name;
    f.lane = cause->lane;
    snprintf(f.resource, sizeof f.resource, "%s", cause->resource ? cause->resource : "");
    if (mach_repeat_finding(m->report, &f) || m->report->n_findings == MACH_MAX_FINDINGS)
        return;
    amd_emu_print_inst(w, w->at, f.text, sizeof f.text);
    vsnprintf(f.message, sizeof f.message, format, args);
    mach_add_finding(m->report, &f);
}

void
amd_emu_find_cause(emu_wave *w, const emu_cause *cause, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    find_v(w, cause, format, args);
    va_end(args);
}

void
amd_emu_find(emu_wave *w, emu_rule rule, int lane, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    find_v(w, &(emu_cause){.rule = rule, .lane = lane}, format, args);
    va_end(args);
}

void
amd_emu_stop(emu_wave *w, mach_status status, const char *format, ...)
{
    bool hangs = status == MACH_RUN_HANG;
    if (w->m->stop)
        return;
    w->m->stop = true;
    mach_finding *f = mach_report_end(w->m->report, status, w->m->group);
    *f = make_finding(w, hangs ? MACH_CHECK_HANGS : 0);
    f->rule = hangs ? amd_emu_rules[EMU_RULE_HANG].name : NULL;
    amd_emu_print_inst(w, w->at, f->text, sizeof f->text);
    va_list args;
    va_start(args, format);
    vsnprintf(f->message, sizeof f->message, format, args);
    va_end(args);
}
