/* What handlers and checkers report: findings, and the end of a run. */
#ifndef AMD_EMU_FINDINGS_H
#define AMD_EMU_FINDINGS_H

#include "amd/emu/core/wave.h"

/* The rules of rules.def; EMU_RULE_HAZARD stands for all of hazards.def. */
typedef enum emu_rule {
#define RULE(id, check, name, text) EMU_RULE_##id,
#include "amd/emu/core/rules.def"
#undef RULE
    EMU_RULE_HAZARD,
    EMU_RULE_COUNT,
} emu_rule;

/* The rows of rules.def. */
extern const mach_rule amd_emu_rules[EMU_RULE_COUNT];

/* The rules that a list of names with commas switches off, as bits; hazards are left out. */
uint64_t
amd_emu_rules_off(const char *names);

/* What a finding is about. */
typedef struct emu_cause {
    emu_rule rule;
    const char *name;     /* of a hazard's rule; NULL: the rule's own */
    const char *resource; /* NULL: none */
    int lane;             /* -1: none */
} emu_cause;

/* Reports a finding at the current instruction. The report keeps the first one for each
 * instruction, rule and resource, and counts all. Does nothing if the dispatch has switched off the
 * rule or its checker. */
void
amd_emu_find_cause(emu_wave *w, const emu_cause *cause, const char *format, ...);

/* The same without a resource; lane -1 names none. */
void
amd_emu_find(emu_wave *w, emu_rule rule, int lane, const char *format, ...);

/* Ends the run with `status`. */
void
amd_emu_stop(emu_wave *w, mach_status status, const char *format, ...);

static inline bool
amd_emu_checks(const emu_wave *w, uint32_t check)
{
    return (w->m->d->checks & check) != 0;
}

/* Writes the disassembly of `i` to `out`. */
void
amd_emu_print_inst(const emu_wave *w, const emu_inst *i, char *out, size_t size);

#endif
