/* Arms of ifs that only end or demote their invocations become instructions with a condition:
 *
 *     if %1 then b1 else b2 merge b3          demote where %1
 *         block b1: @terminate   jump b3      A
 *         block b2: A            jump b3      B
 *     block b3: B
 *
 * Ended invocations go on as helpers, whose values nothing uses but other helpers and, of a quad,
 * derivatives, which are undefined without them anyway.
 */
#include "opt/fold_demotes.h"

#include "ir/builder.h"
#include "opt/cfg.h"

/* The only instruction of the arm besides its jump to the merge block, if it ends or demotes. */
static const ir_instr *
only_demotes(const ir_block *arm, const ir_block *merge)
{
    const ir_instr *i = arm->first, *end = ir_terminator(arm);
    bool is_one = i && i->next == end && (i->op == IR_demote || i->op == IR_terminate);
    return is_one && end->op == IR_jump && arm->succs[0].at[0] == merge ? i : NULL;
}

/* Would the merge block's values change for invocations that go on? Those of ended ones are
 * undefined behind it. */
static bool
keeps_values(const ir_replacement *map, const ir_instr *demote, const ir_block *merge)
{
    uint32_t at = ir_pred_index(merge, demote->block, 0);
    for (const ir_instr *i = merge->first; i && i->op == IR_phi; i = i->next) {
        ir_ref mine = ir_replace_follow(map, i->refs[at]);
        ir_ref other = ir_replace_follow(map, i->refs[!at]);
        bool undefined = ir_is_value(mine) && map->f->values[mine.id].def->op == IR_undef;
        if (demote->op == IR_demote && !undefined && !ir_same_ref(mine, other))
            return false;
    }
    return true;
}

static bool
fold(ir_builder *b, ir_replacement *map, ir_block *opener, unsigned demote_if)
{
    ir_fn *f = b->f;
    const ir_instr *end = ir_terminator(opener);
    if (end->op != IR_if)
        return false;
    ir_block *arms[2] = {opener->succs[0].at[0], opener->succs[0].at[1]}, *merge = opener->merge;
    unsigned which = only_demotes(arms[0], merge) ? 0 : 1;
    const ir_instr *demote = only_demotes(arms[which], merge);
    if (!demote || arms[0] == merge || arms[1] == merge || merge->preds[0].count != 2 ||
        !keeps_values(map, demote, merge))
        return false;
    ir_builder_before(b, opener->last);
    b->loc = demote->loc;
    ir_ref cond = ir_replace_follow(map, end->refs[0]);
    if (which)
        cond = ir_build_alu(b, IR_inot, IR_BOOL, cond, ir_none(), ir_none());
    ir_build_intr(b, demote_if, 0, &cond, 1);
    opt_cfg_remove(f, arms[which]->index, arms[which]->index + 1);
    opt_cfg_join(map, opener, arms[!which]);
    opt_cfg_join(map, merge->preds[0].at[0], merge);
    return true;
}

bool
opt_fold_demotes(ir_fn *f, unsigned demote_if)
{
    ir_builder b;
    ir_replacement map = {.f = f};
    bool changed = false;
    ir_builder_init(&b, f);
    for (size_t n = 0; n < f->n_blocks; n++) {
        while (!opt_cfg_is_removed(f->blocks[n]) && fold(&b, &map, f->blocks[n], demote_if))
            changed = true;
    }
    if (!changed)
        return false;
    ir_compact_blocks(f);
    ir_replace_all(&map);
    return true;
}
