#include "adreno/target/repeat.h"

#include <string.h>

enum { LAST_REG = 48 * 4 };

bool
adreno_may_repeat(const ir_instr *i)
{
    if (adreno_is_pseudo(i->op) || i->n_defs != 1 || i->n_refs > 3 ||
        adreno_attr(i, 0, ADRENO_M_EI, 1) || adreno_attr(i, 0, ADRENO_M_REL, 1) ||
        i->defs[0].rc == ADRENO_P1 || adreno_row(i->defs[0].rc) != 1)
        return false;
    switch (adreno_op_row((adreno_op)i->op)->format) {
    case ADRENO_FMT_CAT1_MOV: return i->n_refs == 1;
    case ADRENO_FMT_CAT2_1:
    case ADRENO_FMT_CAT2_2:
    case ADRENO_FMT_CAT2_CMP:
    case ADRENO_FMT_CAT3:
    case ADRENO_FMT_CAT3_ALT:
    case ADRENO_FMT_CAT4: return true;
    default: return false;
    }
}

bool
adreno_can_repeat(const ir_instr *i)
{
    return adreno_may_repeat(i) && !(i->form >> ADRENO_FORM_NOP & 3) &&
           i->defs[0].reg < ADRENO_REG_SHARED;
}

/* Is `b` the register or constant that is `n` further than `a`? */
static bool
is_further(const ir_instr *i, unsigned r, ir_ref a, ir_ref b, unsigned n)
{
    if (a.kind != b.kind || a.rc != b.rc || a.kind == IR_REF_UNDEF)
        return false;
    if (a.kind == IR_REF_CONST)
        return adreno_attr(i, 0, ADRENO_M_CFILE + r, 1) && b.id == a.id + n;
    if (a.rc == ADRENO_P1 || a.reg == IR_REG_NONE || b.reg >= ADRENO_REG_SHARED)
        return false;
    return adreno_reg_number(b) == adreno_reg_number(a) + n && adreno_reg_number(b) < LAST_REG;
}

static bool
is_same(ir_ref a, ir_ref b)
{
    return a.kind == b.kind && a.rc == b.rc &&
           (a.kind == IR_REF_CONST ? a.id == b.id : a.reg == b.reg);
}

bool
adreno_is_repetition(const ir_instr *first, const ir_instr *i, unsigned n, uint32_t *counts)
{
    uint32_t mask = 0;
    if (i->op != first->op || i->form || i->n_refs != first->n_refs || !adreno_can_repeat(i) ||
        memcmp(ir_words(i), ir_words(first), ADRENO_WORDS * sizeof(uint32_t)) != 0 ||
        !is_further(first, 0, first->defs[0], i->defs[0], n))
        return false;
    for (unsigned r = 0; r < i->n_refs; r++) {
        const bool moves = is_further(first, r, first->refs[r], i->refs[r], n);
        if (!moves && !is_same(first->refs[r], i->refs[r]))
            return false;
        mask |= (uint32_t)moves << r;
    }
    *counts = n == 1 ? mask : *counts;
    return mask == *counts;
}
