/* Moves what both arms of an if compute to before it.
 *
 *     if %1 then b1 else b2 merge b3              32 %4 = iadd %2, %3
 *         block b1: 32 %4 = iadd %2, %3           if %1 then b1 else b2 merge b3
 *                   32 %5 = ishl %4, 1     ->         block b1: 32 %5 = ishl %4, 1
 *         block b2: 32 %6 = iadd %2, %3               block b2: 32 %7 = ishl %4, 2
 *                   32 %7 = ishl %6, 2
 *
 * Lanes that diverge would compute it twice. Value numbering does not see it, because neither arm
 * dominates the other. The first block of each arm is looked at: of the first one a table is made,
 * in which the operations of the second one are looked up. What these read is defined before the if
 * or has been moved there, so an equal operation may be moved, too.
 */
#include "opt/common_arms.h"
#include "opt/speculate.h"

#include "ir/hir.h"
#include "ir/value_table.h"

typedef struct arms {
    const ir_fn *f;
    const ir_block *then;
} arms;

static bool
is_movable(const ir_instr *i)
{
    return i->op != IR_phi && opt_is_pure(i);
}

static bool
has_gone(const void *user, const ir_instr *have, const ir_instr *i)
{
    (void)user, (void)have, (void)i;
    return false;
}

static bool
may_replace(const void *user, const ir_instr *have, const ir_instr *i)
{
    const arms *a = user;
    ir_type type = a->f->values[i->defs[0].id].type;
    return have->block == a->then && a->f->values[have->defs[0].id].type == type &&
           ir_same_operation(have, i);
}

static const ir_value_rules rules = {has_gone, may_replace};

static ir_instr *
find_or_add(ir_value_table *t, const arms *a, ir_instr *i)
{
    uint32_t hash = ir_operation_hash(i, a->f->values[i->defs[0].id].type, 0);
    return ir_value_table_find_or_add(t, i, hash, &rules, a);
}

static ir_value_table
table_of(const ir_replacement *map, const arms *a)
{
    size_t n = 0;
    IR_FOREACH_INSTR(i, a->then)
        n++;
    ir_value_table t = ir_value_table_make(map->f->ctx->scratch, n);
    IR_FOREACH_INSTR(i, a->then) {
        ir_replace_in(map, i);
        if (is_movable(i))
            find_or_add(&t, a, i);
    }
    return t;
}

bool
opt_hoist_common(ir_replacement *map, ir_block *a)
{
    ir_instr *end = ir_terminator(a);
    bool changed = false;
    if (end->op != IR_if || ir_has_flag(a->succs[0].at[0]->first, IR_OP_TERMINATOR) ||
        ir_has_flag(a->succs[0].at[1]->first, IR_OP_TERMINATOR))
        return false;
    const arms both = {map->f, a->succs[0].at[0]};
    ir_value_table t = table_of(map, &both);
    IR_FOREACH_INSTR(i, a->succs[0].at[1]) {
        ir_replace_in(map, i);
        ir_instr *same = is_movable(i) ? find_or_add(&t, &both, i) : NULL;
        if (!same || !ir_may_change(map->f->ctx))
            continue;
        ir_unlink(same);
        ir_insert_before(end, same);
        ir_replace_add(map, i->defs[0].id, same->defs[0]);
        ir_remove(i);
        changed = true;
    }
    return changed;
}
