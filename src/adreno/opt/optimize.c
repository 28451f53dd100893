/* optimize: combines instructions on SSA, using what one machine instruction can do.
 *
 *     f1: %2 = MOV 17 cfile:0x1
 *     f1: %4 = ADD_U %3, %2                       ->    f1: %4 = ADD_U %3, 17 cfile:0x2
 *
 *     f1: %2 = CMPS_F %1, 0 cond:lt
 *     p1: %4 = CMPS_S %2, 0 cond:ne               ->    p1: %4 = CMPS_F %1, 0 cond:lt
 *
 * A walk forward folds the definitions of operands into their users. Use counts are maintained, and
 * what is unused in the end is removed (opt/dce.c).
 *
 * Results stay the same: signs are bits, and an operation rounds its result to the size of its
 * sources before it is converted to another. */
#include "adreno/opt/combine.h"
#include "opt/opt.h"

void
adreno_opt_become(adreno_opt *o, ir_instr *i, const ir_instr *from)
{
    ir_ref refs[3];
    for (unsigned r = 0; r < from->n_refs; r++)
        refs[r] = from->refs[r];
    while (i->n_refs < from->n_refs) {
        cg_add_ref(&o->uses, i);
        i->refs[i->n_refs++] = adreno_number(0, false);
    }
    i->op = from->op;
    ir_words(i)[0] = ir_words(from)[0];
    cg_set_refs(&o->uses, i, from->n_refs, refs);
}

static void
visit(adreno_opt *o, ir_instr *i)
{
    cg_rename_refs(&o->uses, i);
    if (!ir_may_change(o->f->ctx))
        return;
    if (i->op == ADRENO_BR) {
        adreno_opt_fold_boolean(o, i);
        return;
    }
    const unsigned category = adreno_category(i->op);
    if (category == 6)
        adreno_opt_fold_offset(o, i);
    if (category < 1 || category > 4)
        return;
    adreno_opt_fold_operands(o, i);
    adreno_opt_fold_boolean(o, i);
    if (adreno_opt_fold_result(o, i))
        return;
    while (adreno_opt_combine(o, i))
        continue;
}

void
adreno_optimize(ir_fn *f)
{
    arena_mark mark = arena_save(f->ctx->scratch);
    adreno_opt o = {.f = f, .p = adreno_prog(f), .uses = cg_count_uses(f, f->ctx->scratch)};
    IR_FOREACH_INSTR_OF(i, f)
        visit(&o, i);
    cg_rename_phis(&o.uses);
    IR_FOREACH_INSTR_OF(i, f)
        adreno_opt_trim_load(&o, i);
    opt_dce(f);
    arena_release(f->ctx->scratch, mark);
}
