/* Combines two instructions into one (cg/combine.h), by rules.def. Whether a target has the
 * combined instruction is asked of its row in isa/ops.def. A result that is inverted where it is
 * read is not absorbed. */
#include "adreno/opt/combine.h"

#include "cg/combine.h"

typedef struct opt_rule {
    uint16_t outer;
    cg_rule rest;
} opt_rule;

static const opt_rule rules[] = {
#define RULE(outer, inner, fused, places, a, b, c)                                                 \
    {ADRENO_##outer, {ADRENO_##inner, ADRENO_##fused, CG_##places, {CG_##a, CG_##b, CG_##c}, 0}},
#include "adreno/opt/rules.def"
#undef RULE
};

static bool
exists(const adreno_opt *o, unsigned op, const ir_instr *i)
{
    const adreno_op_info *row = adreno_op_row((adreno_op)op);
    const bool either = row->format == ADRENO_FMT_CAT3_ALT;
    return adreno_op_exists((adreno_op)op, o->p->target->chip->gen) &&
           (either || !(row->properties & ADRENO_HALF) != adreno_is_half_class(i->defs[0].rc));
}

/* A number has a place in the instruction, or in the constant file: operations with one that would
 * have to stand in a register of its own gain nothing. */
static bool
has_place(const ir_instr *i, unsigned r)
{
    const adreno_operand kind = adreno_operand_of(i, r);
    if (adreno_operand_bits(i, r) & ~(1u << ADRENO_M_CFILE))
        return false;
    if (kind != ADRENO_O_NUMBER)
        return adreno_operand_fits(i, r, kind);
    return adreno_number_fits(i, r, i->refs[r]) ||
           (adreno_operand_fits(i, r, ADRENO_O_FILE) && !adreno_is_half_class(i->refs[r].rc));
}

static bool
fuse(void *user, const cg_match *m)
{
    adreno_opt *o = user;
    ir_instr *i = m->outer;
    if (m->inner->op != m->rule->inner || adreno_other_bits(m->inner) ||
        adreno_operand_bits(i, m->at) || m->inner->defs[0].rc != i->defs[0].rc)
        return false;
    ir_instr *made = ir_new_instr(o->f, m->rule->op, 0, CG_SOURCES);
    cg_find_sources(m, ADRENO_OPERAND_BITS, made->refs, &ir_words(made)[0]);
    /* a constant stands first where the first two sources may change places */
    if (m->rule->order[0] == CG_IN_0 && made->refs[1].kind == IR_REF_CONST)
        adreno_exchange(made, 0, 1);
    for (unsigned r = 0; r < CG_SOURCES; r++)
        if (!has_place(made, r) || !adreno_is_same_size(made->refs[r].rc, i->defs[0].rc))
            return false;
    adreno_opt_become(o, i, made);
    return true;
}

bool
adreno_opt_combine(adreno_opt *o, ir_instr *i)
{
    if (i->n_refs != 2 || adreno_other_bits(i) || i->defs[0].rc >= ADRENO_P1)
        return false;
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
        if (rules[k].outer == i->op && exists(o, rules[k].rest.op, i) &&
            cg_apply_rule(&o->uses, &rules[k].rest, i, fuse, o))
            return true;
    return false;
}
