#include "adreno/emu/core/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_TOTAL = 100000 }; /* findings that end the run */

const mach_rule adreno_rules[] = {
#define RULE(id, check, name, text) {MACH_CHECK_##check, name, text, NULL},
#include "adreno/emu/core/rules.def"
#undef RULE
};
_Static_assert(ADRENO_RULE_COUNT <= 64, "adreno_machine.rules_off has a bit for each rule");

static void
print_current(const adreno_wave *w, char *out, size_t size)
{
    const adreno_machine *m = w->m;
    if (w->at >= m->n_insts) {
        snprintf(out, size, "?");
        return;
    }
    const arena_mark mark = arena_save(m->arena);
    base_buf text = buf_make(m->arena);
    adreno_print(m->isa, &m->insts[w->at], NULL, &text);
    snprintf(out, size, "%s", buf_text(&text));
    arena_release(m->arena, mark);
}

static mach_finding
make_finding(const adreno_wave *w, uint32_t check)
{
    mach_finding f = {.check = check, .wave = w->index, .lane = -1, .count = 1};
    memcpy(f.group, w->group->id, sizeof f.group);
    f.pc = (w->m->code ? w->m->code->base : 0) + (uint64_t)w->at * ADRENO_WORD_BYTES;
    return f;
}

static void
find_v(adreno_wave *w, adreno_rule rule, mach_finding f, const char *format, va_list args)
{
    adreno_machine *m = w->m;
    mach_report *r = m->report;
    if (++r->total >= MAX_TOTAL && !m->stop) {
        m->stop = true;
        r->status = MACH_RUN_STOPPED;
        r->stopped_at = w->group->number;
    }
    f.rule = adreno_rules[rule].name;
    if (mach_repeat_finding(r, &f) || r->n_findings == MACH_MAX_FINDINGS)
        return;
    print_current(w, f.text, sizeof f.text);
    vsnprintf(f.message, sizeof f.message, format, args);
    mach_add_finding(r, &f);
}

static bool
is_on(const adreno_wave *w, adreno_rule rule)
{
    return adreno_checks(w, adreno_rules[rule].check) && !(w->m->rules_off >> rule & 1);
}

void
adreno_find(adreno_wave *w, adreno_rule rule, int fibre, const char *format, ...)
{
    va_list args;
    if (!is_on(w, rule))
        return;
    mach_finding f = make_finding(w, adreno_rules[rule].check);
    f.lane = fibre;
    va_start(args, format);
    find_v(w, rule, f, format, args);
    va_end(args);
}

void
adreno_find_in(adreno_wave *w, const adreno_cause *cause, const char *format, ...)
{
    va_list args;
    if (!is_on(w, cause->rule))
        return;
    mach_finding f = make_finding(w, adreno_rules[cause->rule].check);
    f.lane = cause->fibre;
    snprintf(f.resource, sizeof f.resource, "%s", cause->resource);
    va_start(args, format);
    find_v(w, cause->rule, f, format, args);
    va_end(args);
}

void
adreno_stop(adreno_wave *w, mach_status status, const char *format, ...)
{
    const bool hangs = status == MACH_RUN_HANG;
    va_list args;
    if (w->m->stop)
        return;
    w->m->stop = true;
    mach_finding *f = mach_report_end(w->m->report, status, w->group->number);
    *f = make_finding(w, hangs ? MACH_CHECK_HANGS : 0);
    f->rule = hangs ? adreno_rules[ADRENO_RULE_HANG].name : NULL;
    print_current(w, f->text, sizeof f->text);
    va_start(args, format);
    vsnprintf(f->message, sizeof f->message, format, args);
    va_end(args);
}

void
adreno_need_value(adreno_wave *w, unsigned fibre, int64_t reg, bool half, const char *what)
{
    if (!adreno_wave_is_defined(w, fibre, reg, half))
        adreno_find(w, ADRENO_RULE_UNDEFINED_USE, (int)fibre, "%s is in %sr%d.%c, not defined",
                    what, half ? "h" : "", (int)(reg >> 2), "xyzw"[reg & 3]);
}
