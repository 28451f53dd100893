#include "adreno/emu/core/alias.h"

#include "adreno/emu/core/findings.h"

bool
adreno_is_texture_alias(const adreno_inst *in)
{
    return in->op == ADRENO_ALIAS && !in->f[ADRENO_F_scope] && !in->f[ADRENO_F_scope_high];
}

uint32_t
adreno_alias_value(adreno_wave *w, const adreno_source *s)
{
    if (s->kind != ADRENO_S_CONST)
        return (uint32_t)s->value;
    if (s->value >= w->n_consts)
        return 0;
    if (w->defined && !w->m->const_state[s->value])
        adreno_find(w, ADRENO_RULE_UNDEFINED_CONST, -1, "c%u.%c", (unsigned)s->value / 4,
                    "xyzw"[s->value % 4]);
    return w->consts[s->value];
}

static bool
add_output(adreno_wave *w, const adreno_inst *in)
{
    const adreno_source s = adreno_read_move(in);
    const unsigned at = in->f[ADRENO_F_dst] % ADRENO_ALIAS_OUTPUTS;
    if (!w->in_preamble || s.kind == ADRENO_S_REG)
        adreno_find(w, ADRENO_RULE_ALIAS, -1, "alias.rt of a register, or not in the preamble");
    w->m->outputs[at] = adreno_alias_value(w, &s);
    w->m->outputs_given |= 1u << at;
    return true;
}

bool
adreno_alias_add(adreno_wave *w, const adreno_inst *in)
{
    if (!adreno_is_texture_alias(in))
        return !in->f[ADRENO_F_scope_high] && add_output(w, in);
    if (w->n_aliases == ADRENO_MAX_ALIASES) {
        adreno_find(w, ADRENO_RULE_ALIAS, -1, "more than %u aliases", ADRENO_MAX_ALIASES);
        return true;
    }
    if (!w->n_aliases)
        w->aliases_stated = in->f[ADRENO_F_table] + 1;
    w->aliases[w->n_aliases++] = (adreno_alias){.source = adreno_read_move(in),
                                                .reg = (uint16_t)in->f[ADRENO_F_dst],
                                                .half = !in->f[ADRENO_F_tsize]};
    return true;
}

void
adreno_alias_end(adreno_wave *w, const adreno_inst *in)
{
    if (!w->n_aliases || adreno_is_texture_alias(in))
        return;
    if (w->isa->value[in->op] >> 61 != 5)
        adreno_find(w, ADRENO_RULE_ALIAS, -1, "no texture instruction stands behind alias.tex");
    else if (w->n_aliases != w->aliases_stated)
        adreno_find(w, ADRENO_RULE_ALIAS, -1, "%u aliases, %u were stated", w->n_aliases,
                    w->aliases_stated);
    w->n_aliases = 0;
}

adreno_source
adreno_alias_of(const adreno_wave *w, unsigned reg, bool half)
{
    for (uint32_t k = w->n_aliases; k-- > 0;)
        if (w->aliases[k].reg == reg && w->aliases[k].half == half)
            return w->aliases[k].source;
    return (adreno_source){.kind = ADRENO_S_REG, .value = reg};
}

bool
adreno_alias_output(const adreno_wave *w, unsigned color, unsigned c, uint32_t *value)
{
    const unsigned at = 4 * color + c;
    *value = w->m->outputs[at];
    return w->m->outputs_given >> at & 1;
}
