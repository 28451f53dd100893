/* Varyings are read at the start of a fragment shader: their memory is free for others behind the
 * last one, which is marked (post/mark_inputs.c), and a killed fragment has none. Ifs that only
 * demote become instructions, so that their quads stay together. */
#include "adreno/lower/lower.h"

#include "adreno/target/hir_level.h"
#include "ir/analysis.h"
#include "opt/fold_demotes.h"
#include "opt/lower_helper.h"

/* Weights that the hardware gives, and what is read with them or without any. */
static bool
is_input(const ir_fn *f, const ir_instr *i)
{
    switch (i->op) {
    case IR_load_barycentric:
    case IR_load_input:
    case IR_load_point_coord: return true;
    case IR_load_interpolated_input: return f->values[i->refs[0].id].def->op == IR_load_barycentric;
    default: return false;
    }
}

/* Moves inputs from `i` on before `at`. */
static void
move_inputs(const ir_fn *f, ir_instr *i, ir_instr *at)
{
    for (ir_instr *next; i; i = next) {
        next = i->next;
        if (!is_input(f, i))
            continue;
        ir_unlink(i);
        ir_insert_before(at, i);
    }
}

void
adreno_lower_stage(ir_fn *f)
{
    f->level = &adreno_hir_level;
    if (f->shader.stage != IR_STAGE_FRAGMENT)
        return;
    opt_lower_helper(f);
    /* who is left counts where invocations of a wave hear of each other */
    if (!f->shader.uses_subgroups && opt_fold_demotes(f, ADRENO_HIR_demote_if_adreno)) {
        ir_compute_dominance(f);
        ir_compute_loops(f);
    }
    ir_instr *at = f->blocks[0]->first;
    while (is_input(f, at)) /* they stand there */
        at = at->next;
    IR_FOREACH_BLOCK(b, f)
        move_inputs(f, b->index ? b->first : at, at);
}
