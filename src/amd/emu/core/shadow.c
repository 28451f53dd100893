/* The shadow state of registers; see shadow.h. */
#include "amd/emu/core/shadow.h"

#include "amd/emu/core/findings.h"
#include "amd/emu/core/gens.h"

void
amd_emu_shadow_start(emu_wave *w, uint32_t vectors, uint64_t exec)
{
    emu_shadow *s = w->shadow;
    memset(s, 0xff, sizeof *s);
    s->scc = true;
    s->flat_scratch = amd_emu_gen_of(w->m->d->gen)->flat_scratch != EMU_FS_ARCHITECTED;
    s->s[AMD_REG_NULL] = s->s[AMD_REG_EXEC_LO] = s->s[AMD_REG_EXEC_HI] = 0;
    for (uint32_t k = 0; k < vectors; k++)
        amd_emu_shadow_set(w, k, EMU_BYTES_ALL, exec, 0);
}

void
amd_emu_shadow_define(emu_wave *w, uint32_t code, uint32_t count)
{
    memset(w->shadow->s + code, 0, count * sizeof *w->shadow->s);
}

void
amd_emu_shadow_use_bytes(emu_wave *w, uint32_t reg, uint32_t bytes, uint64_t which,
                         const char *what)
{
    uint64_t bad = amd_emu_shadow_get(w, reg, bytes) & which;
    if (!bad)
        return;
    amd_emu_find(w, EMU_RULE_UNDEFINED_USE, (int)base_ctz64(bad), "v%u is undefined and used as %s",
                 reg, what);
    amd_emu_shadow_set(w, reg, bytes, which, 0);
}

void
amd_emu_shadow_use_scalar(emu_wave *w, uint32_t code, uint32_t count, const char *what)
{
    for (uint32_t k = code; k < code + count && k < EMU_SREGS; k++) {
        if (!w->shadow->s[k])
            continue;
        amd_emu_find(w, EMU_RULE_UNDEFINED_USE, -1, "%s%u is undefined and used as %s",
                     k < AMD_REG_VCC_LO ? "s" : "scalar register ", k, what);
        w->shadow->s[k] = 0;
    }
}

uint64_t
amd_emu_shadow_bits(const emu_wave *w, uint32_t code, bool wide)
{
    const emu_shadow *s = w->shadow;
    if (code == AMD_SRC_SCC)
        return s->scc;
    if (code >= EMU_SREGS)
        return 0;
    return s->s[code] | (wide && code + 1 < EMU_SREGS ? (uint64_t)s->s[code + 1] << 32 : 0);
}

void
amd_emu_shadow_set_scalar(emu_wave *w, uint32_t code, bool wide, uint64_t undefined)
{
    emu_shadow *s = w->shadow;
    bool exec = code == AMD_REG_EXEC_LO || code == AMD_REG_EXEC_HI;
    uint64_t decided = code == AMD_REG_EXEC_HI ? undefined << 32 : undefined;
    if (exec && decided & w->all_lanes) {
        amd_emu_find(w, EMU_RULE_UNDEFINED_EXEC, (int)base_ctz64(decided & w->all_lanes),
                     "exec is set from an undefined value");
        undefined = 0;
    }
    if (exec)
        undefined = 0;
    if (code >= EMU_SREGS || code == AMD_REG_NULL)
        return;
    s->s[code] = (uint32_t)undefined;
    if (wide && code + 1 < EMU_SREGS)
        s->s[code + 1] = (uint32_t)(undefined >> 32);
}
