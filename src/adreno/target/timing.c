#include "adreno/target/timing.h"

static adreno_kind
memory_kind(unsigned op)
{
    const unsigned properties = adreno_op_row((adreno_op)op)->properties;
    if (properties & ADRENO_BY_SS)
        return ADRENO_K_SHORT_LOAD;
    return (properties & ADRENO_UPDATES) == ADRENO_STORES ? ADRENO_K_STORE : ADRENO_K_LOAD;
}

adreno_kind
adreno_kind_of(const ir_instr *i)
{
    if (i->op == ADRENO_P_PREFETCH)
        return ADRENO_K_TEXTURE;
    switch (adreno_category(i->op)) {
    case 0: return ADRENO_K_FLOW;
    case 1:
    case 2:
    case 3: return ADRENO_K_ALU;
    case 4: return ADRENO_K_SPECIAL;
    case 5: return ADRENO_K_TEXTURE;
    case 6: return memory_kind(i->op);
    default: return ADRENO_K_OTHER;
    }
}

unsigned
adreno_read_delay(const adreno_target *t, const ir_instr *i, unsigned r)
{
    if (i->op >= ADRENO_MAD_U16 && i->op <= ADRENO_MAD_F32) /* and madsh */
        return r == 2 ? t->mad_delay : 0;
    return i->op == ADRENO_SWZ ? r : 0;
}

/* Branches may be removed, and the scalar ALU is not counted. */
unsigned
adreno_cycles_of(const ir_instr *i)
{
    const adreno_kind k = adreno_kind_of(i);
    if (k == ADRENO_K_ALU && i->n_defs && adreno_is_shared_reg(i->defs[0]))
        return 0;
    if (k == ADRENO_K_ALU)
        return i->op == ADRENO_SWZ ? 2 : 1;
    if (i->op == ADRENO_NOP)
        return 1 + ir_words(i)[1];
    return k == ADRENO_K_FLOW && i->op != ADRENO_BR && i->op != ADRENO_JUMP ? 1 : 0;
}
