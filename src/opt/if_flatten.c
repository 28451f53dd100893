/* Converts small ifs to selections.
 *
 *     if %1 then b1 else b2 merge b3
 *         block b1: 32 %4 = fneg %2  jump b3          32 %4 = fneg %2
 *         block b2: jump b3                     ->    32 %5 = bcsel %1, %4, %3
 *     block b3: 32 %5 = phi b1: %4, b2: %3
 *
 * Both arms must be single blocks of operations that may be speculated (opt/speculate.h). Their
 * cost, together with that of the selections, must not exceed that of a branch. What both arms
 * compute is moved to before the if first (opt/common_arms.h). An if is handled when its merge
 * block is reached, so inner ifs come before outer ones and nested ifs fold.
 *
 * Of an if that stays and contains nothing but another one, both without code in their other arms,
 * one is made. An if that has code in its second arm alone gets the opposite condition.
 */
#include "opt/if_flatten.h"
#include "opt/cfg.h"
#include "opt/common_arms.h"
#include "opt/opt.h"
#include "opt/speculate.h"

#include "ir/builder.h"

/* In units of a simple operation: the approximate cost of two jumps, and of saving and restoring an
 * exec mask; what is never worth it. */
enum { BUDGET = 8, NEVER = 1000 };

typedef struct flatten {
    ir_fn *f;
    ir_replacement map;
    ir_builder b;
    unsigned budget;
    bool changed;
} flatten;

static unsigned
cost(const ir_fn *f, const ir_instr *i)
{
    switch (i->op) {
    case IR_load_const:
    case IR_undef:
    case IR_vec:
    case IR_mov: return 0;
    case IR_fdiv:
    case IR_fsqrt:
    case IR_frsq:
    case IR_frcp:
    case IR_fexp2:
    case IR_flog2:
    case IR_fsin:
    case IR_fcos:
    case IR_fpow:
    case IR_load_ubo:
    case IR_load_ssbo:
    case IR_load_constant: return 4;
    case IR_tex:
    case IR_image_load:
    case IR_image_size: return NEVER;
    default: return ir_type_bits(f->values[i->defs[0].id].type) == 64 ? 2 : 1;
    }
}

/* Returns true if `arm` is one block that jumps to `merge` and may be speculated. Adds its cost. */
static bool
is_small(const flatten *p, const ir_block *arm, const ir_block *merge, unsigned *sum)
{
    const ir_instr *end = ir_terminator(arm);
    if (end->op != IR_jump || arm->succs[0].at[0] != merge)
        return false;
    for (const ir_instr *i = arm->first; i != end; i = i->next) {
        if (!opt_may_speculate(i))
            return false;
        *sum += cost(p->f, i);
        if (*sum > p->budget)
            return false;
    }
    return true;
}

/* The cost of the selections that replace the phis of `merge`. */
static unsigned
phi_cost(const ir_fn *f, const ir_block *merge)
{
    unsigned sum = 0;
    for (const ir_instr *i = merge->first; i->op == IR_phi; i = i->next) {
        ir_type t = f->values[i->defs[0].id].type;
        sum += ir_type_parts(t);
    }
    return sum;
}

static void
move_instrs(flatten *p, ir_block *from, ir_instr *before)
{
    IR_FOREACH_INSTR(i, from) {
        if (ir_has_flag(i, IR_OP_TERMINATOR))
            continue;
        ir_replace_in(&p->map, i);
        ir_unlink(i);
        ir_insert_before(before, i);
    }
}

/* An undefined value may be the other one. */
static bool
is_undef(const ir_fn *f, ir_ref r)
{
    return f->values[r.id].def->op == IR_undef;
}

static ir_ref
select(flatten *p, ir_ref cond, ir_ref yes, ir_ref no)
{
    ir_ref comps[IR_MAX_COMPS];
    unsigned n = ir_type_comps(ir_ref_type(p->f, yes));
    if (ir_same_ref(yes, no) || is_undef(p->f, no))
        return yes;
    if (is_undef(p->f, yes))
        return no;
    if (yes.comp != IR_WHOLE)
        return irb_bcsel(&p->b, cond, yes, no);
    for (unsigned c = 0; c < n; c++)
        comps[c] = irb_bcsel(&p->b, cond, ir_comp(yes, c), ir_comp(no, c));
    return ir_build_vec(&p->b, comps, n);
}

/* Folding looks at operands of operands: they must be up to date when a block is reached. */
static void
rewrite(const flatten *p, const ir_block *b)
{
    if (!p->map.any)
        return;
    IR_FOREACH_INSTR(i, b)
        ir_replace_in(&p->map, i);
}

/* If the if that `a` opened is small, merges it and its merge block into `a`. */
static bool
flatten_if(flatten *p, ir_block *a)
{
    ir_instr *end = ir_terminator(a);
    unsigned sum = 0;
    if (end->op != IR_if)
        return false;
    ir_block *then = a->succs[0].at[0], *otherwise = a->succs[0].at[1], *merge = a->merge;
    if (!is_small(p, then, merge, &sum) || !is_small(p, otherwise, merge, &sum) ||
        sum + phi_cost(p->f, merge) > p->budget || !ir_may_change(p->f->ctx))
        return false;
    move_instrs(p, then, end);
    move_instrs(p, otherwise, end);
    ir_builder_before(&p->b, end);
    p->b.loc = end->loc;
    uint32_t yes = ir_pred_index(merge, then, 0);
    for (ir_instr *i = merge->first; i->op == IR_phi; i = i->next) {
        ir_ref cond = ir_replace_follow(&p->map, end->refs[0]);
        ir_ref r = select(p, cond, ir_replace_follow(&p->map, i->refs[yes]),
                          ir_replace_follow(&p->map, i->refs[!yes]));
        ir_replace_add(&p->map, i->defs[0].id, r);
    }
    rewrite(p, merge);
    opt_cfg_remove(p->f, then->index, merge->index);
    opt_cfg_join(&p->map, a, merge);
    p->changed = true;
    return true;
}

/* ---- nested ifs ---- */

/* An if whose arm `inner` does little but open another if, of which one arm is empty, too. */
typedef struct nest {
    ir_block *outer, *inner; /* the blocks that open the ifs */
    unsigned at, kept;       /* which arm of the outer one is `inner`; of that, which has code */
    ir_block *arm_end, *end; /* the last block of the arm with code, and the inner merge block */
    uint32_t from_arm;       /* the number of `arm_end` among the predecessors of `end` */
} nest;

static bool
is_empty(const ir_block *arm, const ir_block *merge)
{
    return arm->first->op == IR_jump && arm->succs[0].at[0] == merge;
}

/* May the block run where only the outer condition is known? Loads stay: they take their time. */
static bool
may_hoist(const ir_fn *f, const ir_block *b)
{
    unsigned sum = 0;
    for (const ir_instr *i = b->first; i != ir_terminator(b); i = i->next) {
        sum += cost(f, i);
        if (!opt_may_speculate(i) || ir_has_flag(i, IR_OP_READS) || sum > BUDGET)
            return false;
    }
    return true;
}

/* What the value that comes from the inner if is behind its arm with code (or the empty one). */
static ir_ref
value_behind(const flatten *p, const nest *n, ir_ref r, bool arm)
{
    r = ir_replace_follow(&p->map, r);
    const ir_instr *phi = p->f->values[r.id].def;
    if (phi->op != IR_phi || phi->block != n->end)
        return r;
    return ir_replace_follow(&p->map, phi->refs[arm ? n->from_arm : !n->from_arm]);
}

/* Are values the same behind both empty arms? */
static bool
values_agree(const flatten *p, const nest *n)
{
    const ir_block *merge = n->outer->merge;
    uint32_t k = ir_pred_index(merge, n->end, 0);
    for (const ir_instr *i = merge->first; i->op == IR_phi; i = i->next) {
        ir_ref other = ir_replace_follow(&p->map, i->refs[!k]);
        if (!ir_same_ref(value_behind(p, n, i->refs[k], false), other))
            return false;
    }
    return true;
}

static bool
find_nest(const flatten *p, ir_block *a, unsigned at, nest *n)
{
    ir_block *b = a->succs[0].at[at], *merge = a->merge, *end = b->merge;
    if (!is_empty(a->succs[0].at[!at], merge) || ir_terminator(b)->op != IR_if ||
        merge->preds[0].count != 2 || end->preds[0].count != 2 || !opt_cfg_only_joins(end, merge) ||
        !may_hoist(p->f, b))
        return false;
    for (unsigned kept = 0; kept < 2; kept++) {
        const ir_block *other = b->succs[0].at[!kept];
        if (!is_empty(other, end))
            continue;
        uint32_t from = !ir_pred_index(end, other, 0);
        *n = (nest){a, b, at, kept, end->preds[0].at[from], end, from};
        return values_agree(p, n);
    }
    return false;
}

/* The condition of the outer if for both: the arm with code is `at` of it. */
static ir_ref
join_conditions(flatten *p, const nest *n)
{
    ir_ref outer = ir_replace_follow(&p->map, ir_terminator(n->outer)->refs[0]);
    ir_ref inner = ir_replace_follow(&p->map, ir_terminator(n->inner)->refs[0]);
    if (n->at != n->kept)
        inner = irb_inot(&p->b, inner);
    return n->at ? irb_ior(&p->b, outer, inner) : irb_iand(&p->b, outer, inner);
}

/* If the if that `a` opened has another one in an arm and nothing else, makes one if of both:
 *
 *     if c { if d { code } }    ->    if c and d { code }
 */
static void
merge_nested(flatten *p, ir_block *a)
{
    ir_instr *end = ir_terminator(a);
    nest n;
    if (end->op != IR_if || !(find_nest(p, a, 0, &n) || find_nest(p, a, 1, &n)) ||
        !ir_may_change(p->f->ctx))
        return;
    ir_block *arm = n.inner->succs[0].at[n.kept], *empty = n.inner->succs[0].at[!n.kept];
    uint32_t k = ir_pred_index(a->merge, n.end, 0);
    move_instrs(p, n.inner, end);
    ir_builder_before(&p->b, end);
    p->b.loc = end->loc;
    end->refs[0] = join_conditions(p, &n);
    for (ir_instr *i = a->merge->first; i->op == IR_phi; i = i->next)
        i->refs[k] = value_behind(p, &n, i->refs[k], true);
    a->merge->preds[0].at[k] = n.arm_end;
    n.arm_end->succs[0].at[0] = a->merge;
    a->succs[0].at[n.at] = arm;
    arm->preds[0].at[0] = a;
    opt_cfg_forget(p->f, n.inner);
    opt_cfg_forget(p->f, n.end);
    opt_cfg_forget(p->f, empty);
    p->f->valid = 0;
    p->changed = true;
}

/* ---- ifs without a first arm ---- */

/* The blocks as a list in structured order, by index: the neighbours' indices. */
typedef struct block_order {
    uint32_t *next, *prev;
} block_order;

static void
join(const block_order *o, uint32_t a, uint32_t b)
{
    o->next[a] = b;
    o->prev[b] = a;
}

/* Swaps the arms of the if that `a` opens; the first one is one block, which moves to before the
 * merge block. */
static void
swap_arms(flatten *p, ir_block *a, const block_order *o)
{
    ir_instr *end = ir_terminator(a);
    ir_block **arms = a->succs[0].at, *then = arms[0], *otherwise = arms[1];
    ir_builder_before(&p->b, end);
    p->b.loc = end->loc;
    end->refs[0] = irb_inot(&p->b, end->refs[0]);
    arms[0] = otherwise;
    arms[1] = then;
    join(o, a->index, otherwise->index);
    join(o, o->prev[a->merge->index], then->index);
    join(o, then->index, a->merge->index);
}

static bool
is_second_only(const ir_block *a)
{
    if (ir_terminator(a)->op != IR_if)
        return false;
    const ir_block *const *arms = (const ir_block *const *)a->succs[0].at;
    return is_empty(arms[0], a->merge) && !is_empty(arms[1], a->merge);
}

/* Puts the arm with code first: no jump past an empty one is needed then. Returns true if there was
 * one. */
static bool
order_arms(flatten *p)
{
    ir_fn *f = p->f;
    uint32_t n = (uint32_t)f->n_blocks, swapped = 0;
    block_order o = {ARENA_ARRAY(f->ctx->scratch, n + 1, uint32_t),
                     ARENA_ARRAY(f->ctx->scratch, n + 1, uint32_t)};
    for (uint32_t b = 0; b < n; b++)
        join(&o, b, b + 1);
    for (uint32_t b = n; b-- > 0;) {
        if (!is_second_only(f->blocks[b]) || !ir_may_change(f->ctx))
            continue;
        swap_arms(p, f->blocks[b], &o);
        swapped++;
    }
    if (!swapped)
        return false;
    ir_block **blocks = ARENA_ARRAY(f->arena, n, ir_block *);
    for (uint32_t b = 0, at = 0; b < n; b++, at = o.next[at])
        blocks[b] = f->blocks[at];
    f->blocks = blocks;
    for (uint32_t b = 0; b < n; b++)
        blocks[b]->index = b;
    f->cap_blocks = n;
    return true;
}

bool
opt_flatten_ifs(ir_fn *f, unsigned budget)
{
    flatten p = {.f = f, .map = {.f = f}, .budget = budget};
    ir_block **open = ARENA_ARRAY(f->ctx->scratch, f->n_blocks + 1, ir_block *);
    uint32_t depth = 0;
    ir_builder_init(&p.b, f);
    for (size_t n = 0; n < f->n_blocks; n++) {
        ir_block *b = f->blocks[n];
        rewrite(&p, b);
        if (depth && open[depth - 1]->merge == b) {
            ir_block *opener = open[--depth];
            p.changed |= opt_hoist_common(&p.map, opener);
            if (flatten_if(&p, opener))
                b = opener;
            else
                merge_nested(&p, opener);
        }
        if (!opt_cfg_is_removed(b) && b->merge)
            open[depth++] = b;
    }
    if (p.changed) {
        ir_compact_blocks(f);
        ir_replace_all(&p.map);
    }
    return order_arms(&p) || p.changed;
}

bool
opt_if_flatten(ir_fn *f)
{
    return opt_flatten_ifs(f, BUDGET);
}
