/* The last instruction of a fragment shader that reads a varying frees their memory: (ei). Where
 * there is no last one for all ways through the program, or it is ldlv, which has no (ei), one is
 * added at its end, whose result is dropped. It waits by (ss) for what ldlv still reads, as
 * ir3_legalize.c of Mesa does. */
#include "adreno/adreno.h"

static bool
has_varyings(const adreno_program *p)
{
    for (uint32_t k = 0; k < p->n_io; k++)
        if (adreno_has_places(&p->io[k]))
            return true;
    return false;
}

/* The last one in the code, if all are in one block, which is part of all ways: the first that
 * follows the preamble. */
static ir_instr *
find_last(const ir_fn *f)
{
    ir_instr *last = NULL;
    IR_FOREACH_INSTR_OF(i, f) {
        if (!adreno_is_varying_op(i->op))
            continue;
        if (last && last->block != i->block)
            return NULL;
        last = i;
    }
    const ir_block *b = last ? last->block : NULL;
    for (uint32_t k = 0; b && k < b->index; k++)
        if (adreno_is_branch(f->blocks[k]->last->op))
            return NULL;
    return last && last->op == ADRENO_LDLV ? NULL : last;
}

/* An instruction that reads a varying to nowhere; the weights of bary.f may be anything. */
static ir_instr *
new_last(ir_fn *f)
{
    enum { DROPPED = 4 * 63 * 4 };
    const bool flat = adreno_prog(f)->target->flat_op == ADRENO_FLAT_B;
    ir_instr *i = ir_new_instr(f, flat ? ADRENO_FLAT_B : ADRENO_BARY_F, 1, flat ? 1 : 2);
    i->refs[0] = adreno_number(0, false);
    if (!flat)
        i->refs[1] = ir_pack_ref(IR_REF_NONE, 0, 0, adreno_class(false, 2), IR_ASSIGNED);
    i->defs[0] = ir_pack_ref(IR_REF_NONE, 0, DROPPED, ADRENO_F1, IR_ASSIGNED);
    return i;
}

void
adreno_mark_inputs(ir_fn *f)
{
    ir_instr *end = ir_find_op(f, ADRENO_END);
    if (!has_varyings(adreno_prog(f)))
        return;
    ir_instr *last = find_last(f);
    if (!last && !end)
        return;
    if (!last) {
        last = new_last(f);
        last->loc = end->loc;
        ir_insert_before(end, last);
    }
    adreno_set(last, 0, ADRENO_M_EI, 1);
    if (ir_find_op(f, ADRENO_LDLV))
        last->form |= ADRENO_FORM_SS;
}
