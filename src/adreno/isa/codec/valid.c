/* Which values of fields mean nothing: a word with one is no instruction. */
#include "adreno/isa/table/table.h"

static bool
is_valid_source(const adreno_isa *t, const adreno_inst *in, adreno_element e)
{
    const uint32_t bits = in->f[adreno_element_row(e)->field];
    switch (e) {
    case ADRENO_E_s1:
    case ADRENO_E_s2: return adreno_read_source(bits).kind != ADRENO_S_NONE;
    case ADRENO_E_c1:
    case ADRENO_E_c3:
        return adreno_read_source3(t, in->op, e == ADRENO_E_c3, bits).kind != ADRENO_S_NONE;
    case ADRENO_E_msrc:
    case ADRENO_E_asrc: return adreno_read_move(in).kind != ADRENO_S_NONE;
    case ADRENO_E_lane: return bits <= 0x80; /* a number of 7 bits, or a0.x */
    case ADRENO_E_adst: return in->f[ADRENO_F_scope] + in->f[ADRENO_F_scope_high] != 1 || bits < 32;
    default: return true;
    }
}

static bool
is_valid_element(const adreno_isa *t, const adreno_inst *in, adreno_element e)
{
    const adreno_element_info *row = adreno_element_row(e);
    const char *name;
    size_t size;
    if (row->kind == ADRENO_E_NAMES)
        return adreno_get_name(row->text, in->f[row->field], &name, &size);
    return is_valid_source(t, in, e);
}

bool
adreno_is_valid(const adreno_isa *t, const adreno_inst *in)
{
    ADRENO_FOREACH_PIECE(p, t, in->op) {
        if (p->element < ADRENO_ELEMENT_COUNT &&
            !is_valid_element(t, in, (adreno_element)p->element))
            return false;
    }
    return true;
}
