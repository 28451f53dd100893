/* Registers that a rule is about, and the finding of a rule. */
#include "amd/emu/check/hazards.h"
#include "amd/emu/core/findings.h"

#include <stdarg.h>
#include <stdio.h>

bool
amd_emu_hazard_in_space(hazard_space space, uint32_t code)
{
    bool vcc = code == AMD_REG_VCC_LO || code == AMD_REG_VCC_HI, sgpr = code <= AMD_REG_VCC_HI;
    switch (space) {
    case HAZARD_S_SGPR: return sgpr;
    case HAZARD_S_VCC: return vcc;
    case HAZARD_S_SGPR_NOT_VCC: return sgpr && !vcc;
    case HAZARD_S_EXEC: return code == AMD_REG_EXEC_LO || code == AMD_REG_EXEC_HI;
    case HAZARD_S_M0: return code == AMD_REG_M0;
    case HAZARD_S_SCALAR: return code < EMU_SREGS && code != AMD_REG_NULL;
    case HAZARD_S_VECTOR: return code >= AMD_REG_VGPR0 && code < HAZARD_HWREG0;
    case HAZARD_S_HWREG: return code >= HAZARD_HWREG0;
    default: return false;
    }
}

bool
amd_emu_hazard_overlap(hazard_space space, const hazard_use *a, const hazard_use *b)
{
    uint32_t from = a->code > b->code ? a->code : b->code;
    uint32_t end_a = (uint32_t)a->code + a->count, end_b = (uint32_t)b->code + b->count;
    for (uint32_t code = from; code < end_a && code < end_b; code++)
        if (amd_emu_hazard_in_space(space, code))
            return true;
    return false;
}

void
amd_emu_hazard_report(emu_wave *w, const hazard_rule *rule, const emu_inst *first,
                      const char *format, ...)
{
    const emu_cause cause = {.rule = EMU_RULE_HAZARD, .name = rule->name, .lane = -1};
    char other[112], what[160];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (first)
        amd_emu_print_inst(w, first->hazards->written, other, sizeof other);
    if (first)
        amd_emu_find_cause(w, &cause, "%s: %s; `%s` at 0x%llx %s", rule->name, rule->text, other,
                           (unsigned long long)first->pc, what);
    else
        amd_emu_find_cause(w, &cause, "%s: %s%s", rule->name, rule->text, what);
}
