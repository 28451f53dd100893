/* Operands read what their definitions copy: registers, shared registers, the constant file; and
 * signs and inversions become modifiers. */
#include "adreno/opt/combine.h"

/* A copy of one register, number or constant, bit by bit. */
static bool
is_copy(const ir_instr *def)
{
    return def->op == ADRENO_MOV && def->n_refs == 1 && def->defs[0].rc != ADRENO_P1 &&
           !adreno_attr(def, 0, ADRENO_M_REL, 1) && !adreno_attr(def, 0, ADRENO_M_SAT, 1);
}

/* The signs that `def` gives its operand as (neg) and (abs), if `i` may have them in operand `r`,
 * merged with those that it has; false: it may not. */
static bool
merge_signs(const ir_instr *i, unsigned r, const ir_instr *def, uint32_t *bits)
{
    const uint32_t neg = 1u << ADRENO_M_NEG, abs = 1u << ADRENO_M_ABS;
    const uint32_t outer = adreno_operand_bits(i, r), inner = adreno_operand_bits(def, 0);
    const unsigned may = adreno_signs_of(i->op);
    *bits = outer & abs ? (outer & neg) | abs : ((outer ^ inner) & neg) | (inner & abs);
    *bits |= inner & 1u << ADRENO_M_CFILE;
    return def->op == ADRENO_ABSNEG_F && !adreno_other_bits(def) && may &&
           (may & ADRENO_SIGN_ABS || !(*bits & abs));
}

static bool
merge_inversion(const ir_instr *i, unsigned r, const ir_instr *def, uint32_t *bits)
{
    *bits = (adreno_operand_bits(i, r) ^ 1u << ADRENO_M_NEG) | adreno_operand_bits(def, 0);
    return def->op == ADRENO_NOT_B && !(adreno_operand_bits(def, 0) & 1u << ADRENO_M_NEG) &&
           (i->op == ADRENO_AND_B || i->op == ADRENO_OR_B || i->op == ADRENO_XOR_B);
}

/* May operand `r` of `i` be what operand 0 of `def` is? */
static bool
fits(const ir_instr *i, unsigned r, const ir_instr *def)
{
    const adreno_operand kind = adreno_operand_of(def, 0);
    if (!adreno_is_same_size(def->refs[0].rc, i->refs[r].rc) || (adreno_category(i->op) == 1 && r))
        return false;
    return kind == ADRENO_O_NUMBER ? adreno_number_fits(i, r, def->refs[0])
                                   : adreno_operand_fits(i, r, kind);
}

static bool
fold_operand(adreno_opt *o, ir_instr *i, unsigned r)
{
    const ir_instr *def = cg_def_of(&o->uses, i->refs[r]);
    uint32_t bits;
    if (!def || def->n_refs != 1 || def->n_defs != 1 || !fits(i, r, def))
        return false;
    if (is_copy(def))
        bits = adreno_operand_bits(i, r) | adreno_operand_bits(def, 0);
    else if (!merge_signs(i, r, def, &bits) && !merge_inversion(i, r, def, &bits))
        return false;
    adreno_set_operand_bits(i, r, bits);
    cg_set_ref(&o->uses, i, r, def->refs[0]);
    return true;
}

/* The second source of category 3 is a register: what may stand elsewhere goes there. */
static void
order(adreno_opt *o, ir_instr *i)
{
    const ir_instr *second = cg_def_of(&o->uses, i->refs[1]);
    const ir_instr *first = cg_def_of(&o->uses, i->refs[0]);
    if (second && is_copy(second) && !ir_is_value(second->refs[0]) &&
        i->refs[0].kind != IR_REF_CONST && !(first && is_copy(first)))
        adreno_swap_operands(i);
}

void
adreno_opt_fold_operands(adreno_opt *o, ir_instr *i)
{
    if (adreno_category(i->op) == 3)
        order(o, i);
    for (unsigned r = 0; r < i->n_refs && r < 3; r++)
        while (fold_operand(o, i, r))
            continue;
}
