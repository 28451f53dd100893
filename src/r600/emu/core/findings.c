/* Findings: the rules, and what is recorded. */
#include "r600/emu/core/wave.h"

#include "base/bits.h"

#include <stdio.h>
#include <string.h>

static const mach_rule rules[R600_RULE_COUNT] = {
#define RULE(id, check, name, text, clang) {MACH_CHECK_##check, name, text, clang},
#include "r600/emu/core/rules.def"
#undef RULE
};

bool
r600_emu_get_rule(uint32_t index, mach_rule *out)
{
    if (index >= R600_RULE_COUNT)
        return false;
    *out = rules[index];
    return true;
}

int
r600_emu_lowest(uint64_t mask)
{
    return mask ? (int)base_ctz64(mask) : -1;
}

static mach_finding
make_finding(const emu_wave *w, int lane, const char *message)
{
    emu_machine *m = emu_machine_of(w);
    mach_finding f = {.pc = (uint64_t)m->where * 4, .wave = w->id, .lane = lane, .count = 1};
    memcpy(f.group, w->group->id, sizeof f.group);
    m->text.size = 0;
    r600_print(m->isa, m->inst, NULL, &m->text);
    const char *text = buf_text(&m->text);
    while (*text == ' ')
        text++;
    snprintf(f.text, sizeof f.text, "%s", text);
    snprintf(f.message, sizeof f.message, "%s", message);
    return f;
}

void
r600_emu_find(const emu_wave *w, r600_rule rule, int lane, const char *message)
{
    emu_machine *m = emu_machine_of(w);
    if (!(m->d->checks & rules[rule].check) || mach_is_listed(m->d->rules_off, rules[rule].name))
        return;
    mach_finding f = make_finding(w, lane, message);
    f.check = rules[rule].check;
    f.rule = rules[rule].name;
    if (!mach_add_finding(m->report, &f))
        r600_emu_stop(w, MACH_RUN_STOPPED, "too many findings");
}

void
r600_emu_stop(const emu_wave *w, mach_status status, const char *message)
{
    emu_machine *m = emu_machine_of(w);
    const mach_finding f = make_finding(w, -1, message);
    m->report->status = status;
    mach_add_finding(m->report, &f);
    longjmp(m->stop, 1);
}

void
r600_emu_unsupported(const emu_wave *w, const char *message)
{
    r600_emu_stop(w, MACH_RUN_UNSUPPORTED, message);
}
