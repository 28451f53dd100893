/* Dead control flow elimination.
 *
 * - An if with a constant condition becomes the arm that is taken.
 * - A loop that never repeats and has one break at the end of its body becomes its body.
 * - If both arms leave, the merge block is not reached: everything from it up to the end of the
 *   enclosing part is removed. The merge block stays, empty, to end the part.
 *
 *     if true then b1 else b2 merge b3
 *         block b1: A   jump b3              A
 *         block b2: B   jump b3       ->     32 %9 = fneg %1
 *     block b3:
 *     32 %8 = phi b1: %1, b2: %2
 *     32 %9 = fneg %8
 *
 * One walk in structured order. The open constructs tell where the part that contains a block ends.
 */
#include "opt/cfg.h"
#include "opt/opt.h"

#include "ir/builder.h"

typedef struct part {
    ir_block *opener, *merge;
} part;

typedef struct dead_cf {
    ir_fn *f;
    ir_replacement map;
    ir_builder build;
    part *open;
    uint32_t depth;
    bool changed;
} dead_cf;

/* Index just after the last block of the part that contains the block with index `at`, where the
 * part's construct continues. */
static uint32_t
part_end(const dead_cf *d, uint32_t at)
{
    if (!d->depth)
        return (uint32_t)d->f->n_blocks;
    const part *p = &d->open[d->depth - 1];
    const ir_block *second = p->opener->cont ? p->opener->cont : p->opener->succs[0].at[1];
    return at < second->index ? second->index : p->merge->index;
}

/* The last block before index `end` that has not been removed. */
static ir_block *
last_before(const dead_cf *d, uint32_t end)
{
    while (opt_cfg_is_removed(d->f->blocks[end - 1]))
        end--;
    return d->f->blocks[end - 1];
}

/* ---- unreachable code ---- */

/* Drops the instructions. Uses of the values they define are unreachable too and become undefined.
 */
static void
drop_instrs(dead_cf *d, ir_block *b)
{
    IR_FOREACH_INSTR(i, b) {
        if (ir_has_flag(i, IR_OP_TERMINATOR))
            continue;
        for (unsigned n = 0; n < i->n_defs; n++) {
            ir_ref undef = ir_build_undef(&d->build, d->f->values[i->defs[n].id].type);
            ir_replace_add(&d->map, i->defs[n].id, undef);
            d->f->values[i->defs[n].id].def = NULL;
        }
        ir_unlink(i);
        d->changed = true;
    }
}

/* Removes blocks. Values that they define may still be used in unreachable code. */
static void
remove_blocks(dead_cf *d, uint32_t first, uint32_t end)
{
    for (uint32_t n = first; n < end; n++) {
        if (!opt_cfg_is_removed(d->f->blocks[n]))
            drop_instrs(d, d->f->blocks[n]);
    }
    opt_cfg_remove(d->f, first, end);
}

/* `b` and the blocks after it in its part are not reached: `b` becomes the part's end. */
static void
shrink_unreached(dead_cf *d, ir_block *b)
{
    uint32_t end = part_end(d, b->index);
    ir_block *last = last_before(d, end);
    drop_instrs(d, b);
    if (last == b)
        return;
    ir_instr *terminator = ir_terminator(last);
    opt_cfg_cut(b);
    ir_unlink(terminator);
    ir_append(b, terminator);
    ir_move_succs(last, b);
    remove_blocks(d, b->index + 1, end);
    d->changed = true;
}

/* ---- constant conditions ---- */

/* Handles the code after the folded construct: joins it to the end of the arm that reaches it or,
 * if no arm does, removes it. */
static void
join_merge(dead_cf *d, ir_block *merge)
{
    if (merge->preds[0].count) {
        opt_cfg_join(&d->map, merge->preds[0].at[0], merge);
        return;
    }
    remove_blocks(d, merge->index, part_end(d, merge->index));
}

/* Returns true if `at` is in a continue region, which must end with the jump to the header. */
static bool
in_continue_region(const dead_cf *d, uint32_t at)
{
    const part *p = d->depth ? &d->open[d->depth - 1] : NULL;
    return p && p->opener->cont && at >= p->opener->cont->index;
}

/* Returns true if control reaches the merge block from the arm with blocks in [first, end). */
static bool
reaches_merge(const ir_block *merge, uint32_t first, uint32_t end)
{
    for (uint32_t p = 0; p < merge->preds[0].count; p++) {
        uint32_t from = merge->preds[0].at[p]->index;
        if (from >= first && from < end)
            return true;
    }
    return false;
}

/* Folds the if that `a` opened if its condition is constant. Returns true if it did. */
static bool
fold_if(dead_cf *d, ir_block *a)
{
    uint64_t c;
    ir_instr *end = ir_terminator(a);
    if (end->op != IR_if || !ir_is_const(d->f, ir_replace_follow(&d->map, end->refs[0]), &c))
        return false;
    ir_block *then = a->succs[0].at[0], *otherwise = a->succs[0].at[1], *merge = a->merge;
    uint32_t first = c ? then->index : otherwise->index;
    uint32_t last = c ? otherwise->index : merge->index;
    if (in_continue_region(d, a->index) && !reaches_merge(merge, first, last))
        return false;
    if (!ir_may_change(d->f->ctx))
        return false;
    if (c)
        remove_blocks(d, otherwise->index, merge->index);
    else
        remove_blocks(d, then->index, otherwise->index);
    opt_cfg_join(&d->map, a, c ? then : otherwise);
    join_merge(d, merge);
    return true;
}

/* ---- loops without a back edge ---- */

/* `a` opened a loop whose blocks have all been visited except the merge block. If the loop runs
 * once and is left from the end of its body, joins the body to `a` and the merge block to the body.
 * Returns the block that the merge block has become part of. */
static ir_block *
fold_loop(dead_cf *d, ir_block *a)
{
    ir_block *merge = a->merge, *cont = a->cont;
    if (!cont || cont->preds[0].count || merge->preds[0].count != 1)
        return merge;
    ir_block *header = a->succs[0].at[0], *last = last_before(d, cont->index);
    if (merge->preds[0].at[0] != last || !ir_may_change(d->f->ctx))
        return merge;
    remove_blocks(d, cont->index, merge->index);
    opt_cfg_join(&d->map, a, header);
    last = last == header ? a : last;
    opt_cfg_join(&d->map, last, merge);
    d->changed = true;
    return last;
}

/* ---- the walk ---- */

static void
visit(dead_cf *d, ir_block *b)
{
    if (opt_cfg_is_removed(b))
        return;
    if (d->depth && d->open[d->depth - 1].merge == b)
        b = fold_loop(d, d->open[--d->depth].opener);
    if (!opt_cfg_is_reached(b))
        shrink_unreached(d, b);
    while (fold_if(d, b))
        d->changed = true;
    if (b->merge)
        d->open[d->depth++] = (part){b, b->merge};
}

bool
opt_dead_cf(ir_fn *f)
{
    dead_cf d = {.f = f, .map = {.f = f}};
    ir_builder_init(&d.build, f);
    d.open = ARENA_ARRAY(f->ctx->scratch, f->n_blocks + 1, part);
    for (size_t n = 0; n < f->n_blocks; n++)
        visit(&d, f->blocks[n]);
    if (!d.changed)
        return false;
    ir_compact_blocks(f);
    ir_replace_all(&d.map);
    return true;
}
