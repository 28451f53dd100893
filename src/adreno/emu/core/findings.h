/* What instructions and checkers report: findings, and the end of a run. */
#ifndef ADRENO_EMU_CORE_FINDINGS_H
#define ADRENO_EMU_CORE_FINDINGS_H

#include "adreno/emu/core/machine.h"

typedef enum adreno_rule {
#define RULE(id, check, name, text) ADRENO_RULE_##id,
#include "adreno/emu/core/rules.def"
#undef RULE
    ADRENO_RULE_COUNT
} adreno_rule;

extern const mach_rule adreno_rules[ADRENO_RULE_COUNT];

/* Reports a finding at the wave's current instruction; fibre -1 names none. */
void
adreno_find(adreno_wave *w, adreno_rule rule, int fibre, const char *format, ...);

/* What a finding is about: memory called `resource`. */
typedef struct adreno_cause {
    adreno_rule rule;
    int fibre;
    const char *resource;
} adreno_cause;

void
adreno_find_in(adreno_wave *w, const adreno_cause *cause, const char *format, ...);

/* Reports an address, index or number of a resource in a register without a value. */
void
adreno_need_value(adreno_wave *w, unsigned fibre, int64_t reg, bool half, const char *what);

/* Ends the run with `status`. */
void
adreno_stop(adreno_wave *w, mach_status status, const char *format, ...);

static inline bool
adreno_checks(const adreno_wave *w, uint32_t check)
{
    return w->m && w->m->d->checks & check;
}

#endif
