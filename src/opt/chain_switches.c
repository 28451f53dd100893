/* Turns nested ifs that test one divergent value, as a switch has them, into one after the other.
 *
 *     if x < 2 {                              t = undef
 *         if x == 0 { A } else { B }          if x == 0 { A }   t = phi A's value, t
 *     } else {                          ->    if x == 1 { B }   t = phi B's value, t
 *         if x == 2 { C } else { D }          if x == 2 { C }   ...
 *     }                                       if x > 2 { D }
 *
 * A machine that masks lanes pays a comparison and two changes of the mask for each of these ifs. A
 * nest pays one more change an if, and carries flags and values through each level. Where the value
 * is uniform a search is better, so this asks for divergence.
 *
 * A nest is found from its outermost if on: each arm either begins with another test of the value
 * and ends behind it, or is a leaf. The values with which a leaf is reached are a set of runs. The
 * phis start with the value that most leaves have, and leaves without code that have no other are
 * left out. All arms must reach the nest's end, so nothing in them dominates what follows. One
 * walk; a nest has a limited size.
 */
#include "opt/cfg.h"
#include "opt/opt.h"
#include "opt/speculate.h"
#include "opt/value_set.h"

#include "ir/analysis.h"
#include "ir/builder.h"

/* Leaves of a nest; leaves with code from which on a chain is shorter; operations that move up. */
enum { MAX_LEAVES = 8, MIN_CODE = 3, MAX_MOVED = 8, MAX_DEPTH = MAX_LEAVES };

/* Where a value comes from at one level of the nest. */
typedef struct step {
    const ir_block *merge;
    uint32_t from; /* the number of the predecessor */
} step;

typedef struct leaf {
    ir_block *first, *last; /* its blocks in structured order */
    opt_value_set set;
    step path[MAX_DEPTH]; /* from the outermost merge block on */
    unsigned depth;
    bool has_code;
    ir_ref *values; /* for the phis behind the nest */
} leaf;

typedef struct nest {
    ir_block *root, *end; /* the block that opens it, and its merge block */
    ir_ref selector;
    unsigned bits;
    leaf leaves[MAX_LEAVES];
    ir_block *inner[MAX_LEAVES]; /* the blocks that open the ifs inside */
    unsigned n_leaves, n_inner, n_moved, n_phis;
    ir_ref *start, *now; /* the phis' values before the first leaf, and behind the last one built */
} nest;

typedef struct chain_ctx {
    ir_fn *f;
    ir_builder b;
    ir_block **next; /* by index of a block: what follows in structured order; new blocks too */
    size_t n_next, cap_next;
    const uint32_t *uses; /* by value */
    bool changed;
} chain_ctx;

/* ---- finding a nest ---- */

/* Opens `b` another if of the nest, which ends right before `merge`? */
static bool
is_inner(const chain_ctx *c, nest *n, const ir_block *b, const ir_block *merge, opt_value_set *yes)
{
    const ir_instr *end = ir_terminator(b);
    if (end->op != IR_if || b->merge->preds[0].count != 2 || !opt_cfg_only_joins(b->merge, merge) ||
        !opt_values_for(c->f, end->refs[0], n->selector, yes))
        return false;
    for (const ir_instr *i = b->first; i != end; i = i->next) {
        if (!opt_may_speculate(i) || ir_has_flag(i, IR_OP_READS) || ++n->n_moved > MAX_MOVED)
            return false;
    }
    return true;
}

/* A leaf that no value reaches is left out. Other blocks than its first may leave a loop: what they
 * jump to would keep them as predecessors, so then there is no nest. */
static bool
add_leaf(nest *n, const leaf *l)
{
    if (!l->set.n)
        return l->first == l->last;
    if (n->n_leaves == MAX_LEAVES)
        return false;
    n->leaves[n->n_leaves++] = *l;
    return true;
}

/* Gathers the leaves of the if that `b` opens; `yes` are the values for its first arm. `way` has
 * the values with which `b` is reached, and the path to it. */
static bool
gather(const chain_ctx *c, nest *n, ir_block *b, const opt_value_set *yes, const leaf *way)
{
    opt_value_set sets[2] = {*yes};
    bool fits = opt_values_invert(yes, n->bits, &sets[1]) && way->depth < MAX_DEPTH;
    for (unsigned k = 0; fits && k < 2; k++) {
        leaf l = *way;
        uint32_t end = k ? b->merge->index : b->succs[0].at[1]->index;
        l.first = b->succs[0].at[k];
        l.last = c->f->blocks[end - 1];
        if (!opt_values_intersect(&way->set, &sets[k], &l.set))
            return false;
        uint32_t from = ir_pred_index(b->merge, l.last, 0);
        l.path[l.depth++] = (step){b->merge, from};
        opt_value_set inside;
        if (is_inner(c, n, l.first, b->merge, &inside) && n->n_inner < MAX_LEAVES) {
            n->inner[n->n_inner++] = l.first;
            fits = gather(c, n, l.first, &inside, &l);
        } else {
            l.has_code = l.first->first->op != IR_jump;
            fits = from != UINT32_MAX && add_leaf(n, &l);
        }
    }
    return fits;
}

/* Can `b` open a nest? */
static bool
may_be_root(const ir_block *b)
{
    if (ir_terminator(b)->op != IR_if || b->merge->preds[0].count != 2)
        return false;
    const ir_block *first = b->succs[0].at[0], *second = b->succs[0].at[1];
    return ir_terminator(first)->op == IR_if || ir_terminator(second)->op == IR_if;
}

static bool
find_nest(const chain_ctx *c, ir_block *b, nest *n)
{
    const ir_instr *end = ir_terminator(b);
    opt_value_set yes;
    ir_ref x = may_be_root(b) ? opt_tested_value(c->f, end->refs[0]) : ir_none();
    if (!ir_is_value(x) || !opt_values_for(c->f, end->refs[0], x, &yes))
        return false;
    *n = (nest){.root = b, .end = b->merge, .selector = x};
    n->bits = ir_type_bits(ir_ref_type(c->f, n->selector));
    leaf all = {.set = opt_values_all(n->bits)};
    unsigned with_code = 0;
    if (!gather(c, n, b, &yes, &all) || n->n_inner < 2)
        return false;
    for (unsigned k = 0; k < n->n_leaves; k++)
        with_code += n->leaves[k].has_code;
    return with_code >= MIN_CODE;
}

/* ---- phis ---- */

/* The value of the nest's phi behind the leaf. */
static ir_ref
value_behind(const chain_ctx *c, const leaf *l, const ir_instr *phi)
{
    ir_ref r = phi->refs[l->path[0].from];
    for (unsigned d = 1; d < l->depth; d++) {
        const ir_instr *def = c->f->values[r.id].def;
        if (def->op == IR_phi && def->block == l->path[d].merge)
            r = def->refs[l->path[d].from];
    }
    return r;
}

static unsigned
count_phis(const ir_block *b)
{
    unsigned n = 0;
    for (const ir_instr *i = b->first; i->op == IR_phi; i = i->next)
        n++;
    return n;
}

static void
find_values(const chain_ctx *c, nest *n)
{
    arena *a = c->f->ctx->scratch;
    n->n_phis = count_phis(n->end);
    n->start = ARENA_ARRAY(a, n->n_phis + 1, ir_ref);
    n->now = ARENA_ARRAY(a, n->n_phis + 1, ir_ref);
    for (unsigned k = 0; k < n->n_leaves; k++) {
        leaf *l = &n->leaves[k];
        unsigned p = 0;
        l->values = ARENA_ARRAY(a, n->n_phis + 1, ir_ref);
        for (const ir_instr *i = n->end->first; i->op == IR_phi; i = i->next)
            l->values[p++] = value_behind(c, l, i);
    }
}

static bool
is_undef(const chain_ctx *c, ir_ref r)
{
    return c->f->values[r.id].def->op == IR_undef;
}

/* The value of phi `p` that most leaves have; of values that one leaf alone has, that of a leaf
 * without code, else any. It is known before the nest. */
static ir_ref
common_value(const chain_ctx *c, const nest *n, unsigned p)
{
    ir_ref best = ir_none();
    unsigned most = 1;
    for (unsigned k = 0; k < n->n_leaves; k++) {
        ir_ref r = n->leaves[k].values[p];
        unsigned same = !n->leaves[k].has_code;
        for (unsigned j = k; j < n->n_leaves; j++)
            same += ir_same_ref(r, n->leaves[j].values[p]);
        if (same > most && !is_undef(c, r)) {
            best = r;
            most = same;
        }
    }
    return best;
}

/* Has the leaf nothing of its own: no code, and no other values than those at the start? */
static bool
is_idle(const chain_ctx *c, const nest *n, const leaf *l)
{
    bool idle = !l->has_code;
    for (unsigned p = 0; p < n->n_phis; p++)
        idle = idle && (ir_same_ref(l->values[p], n->start[p]) || is_undef(c, l->values[p]));
    return idle;
}

/* Finds the values that the nest's phis have before the first leaf. Leaves that need nothing else
 * leave the list. */
static void
find_start(chain_ctx *c, nest *n)
{
    unsigned p = 0, kept = 0;
    for (const ir_instr *i = n->end->first; i->op == IR_phi; i = i->next, p++) {
        n->start[p] = common_value(c, n, p);
        if (!ir_is_value(n->start[p]))
            n->start[p] = ir_build_undef(&c->b, c->f->values[i->defs[0].id].type);
        n->now[p] = n->start[p];
    }
    for (unsigned k = 0; k < n->n_leaves; k++) {
        if (!is_idle(c, n, &n->leaves[k]))
            n->leaves[kept++] = n->leaves[k];
    }
    n->n_leaves = kept;
}

/* ---- building the chain ---- */

/* Takes the ifs inside away; what is computed between them moves before the nest, but for their
 * conditions: the chain's tests are to stand before the ifs. */
static void
dissolve(chain_ctx *c, nest *n)
{
    ir_instr *end = ir_terminator(n->root);
    for (unsigned k = 0; k < n->n_inner; k++) {
        ir_block *b = n->inner[k], *merge = b->merge;
        uint32_t cond = ir_terminator(b)->refs[0].id;
        for (ir_instr *i = b->first, *next; i != ir_terminator(b); i = next) {
            next = i->next;
            if (i->defs[0].id == cond && c->uses[cond] == 1)
                continue;
            ir_unlink(i);
            ir_insert_before(end, i);
        }
        opt_cfg_forget(c->f, b);
        opt_cfg_forget(c->f, merge);
    }
    ir_unlink(end);
    n->root->succs[0].count = 0;
    n->root->merge = NULL;
}

static ir_block *
new_block(chain_ctx *c)
{
    ir_block *b = ir_block_new(c->f);
    c->next = arena_grow(c->f->ctx->scratch, c->next, &c->cap_next, c->n_next + 1, sizeof *c->next);
    c->next[c->n_next] = NULL;
    b->index = (uint32_t)c->n_next++;
    return b;
}

/* Sets n->now to the values behind the if around `l`. No lane was in a leaf before, so those of the
 * lanes of `l` are still the ones at the start where it has the same. */
static void
meet(chain_ctx *c, const nest *n, const leaf *l, ir_block *merge)
{
    ir_ref *now = n->now;
    unsigned p = 0;
    for (ir_instr *i = n->end->first; i->op == IR_phi; i = i->next, p++) {
        bool same = ir_same_ref(l->values[p], n->start[p]) || is_undef(c, l->values[p]);
        ir_instr *phi = i;
        if (merge != n->end && same)
            continue;
        if (merge != n->end)
            phi = ir_build_phi(&c->b, merge, c->f->values[i->defs[0].id].type, 2);
        phi->refs[0] = same ? now[p] : l->values[p];
        phi->refs[1] = now[p];
        now[p] = ir_use(c->f, phi->defs[0].id);
    }
}

/* Makes an if around `l` at the end of `at`, which ends in `merge`. */
static void
add_if(chain_ctx *c, const nest *n, const leaf *l, ir_block *at, ir_block *merge)
{
    ir_block *skip = new_block(c);
    l->first->preds[0].count = l->last->succs[0].count = merge->preds[0].count = 0;
    ir_builder_at_end(&c->b, at);
    ir_ref cond = opt_values_test(&c->b, n->selector, &l->set, n->bits);
    ir_build_if(&c->b, cond, l->first, skip, merge);
    ir_add_edge(l->last, merge, 0);
    ir_builder_at_end(&c->b, skip);
    ir_build_jump(&c->b, merge);
    c->next[at->index] = l->first;
    c->next[l->last->index] = skip;
    c->next[skip->index] = merge;
}

static void
build_chain(chain_ctx *c, nest *n)
{
    ir_block *at = n->root;
    find_values(c, n);
    find_start(c, n);
    c->b.loc = ir_terminator(n->root)->loc;
    dissolve(c, n);
    for (unsigned k = 0; k < n->n_leaves; k++) {
        ir_block *merge = k + 1 == n->n_leaves ? n->end : new_block(c);
        add_if(c, n, &n->leaves[k], at, merge);
        meet(c, n, &n->leaves[k], merge);
        at = merge;
    }
    c->changed = true;
}

/* ---- the walk ---- */

static void
place_blocks(const chain_ctx *c)
{
    ir_fn *f = c->f;
    ir_block *at = f->blocks[0];
    f->n_blocks = 0;
    f->blocks = ARENA_ARRAY(f->arena, c->n_next, ir_block *);
    f->cap_blocks = c->n_next;
    while (at) {
        ir_block *next = c->next[at->index];
        ir_append_block(f, at);
        at = next;
    }
    f->valid = 0;
}

static void
start(chain_ctx *c)
{
    ir_fn *f = c->f;
    ir_builder_init(&c->b, f);
    ir_require(f, IR_HAS_LOOPS | IR_HAS_DIVERGENCE);
    c->uses = ir_count_uses(f, f->ctx->scratch);
    c->next = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, ir_block *);
    c->n_next = c->cap_next = f->n_blocks;
    for (size_t k = 1; k < f->n_blocks; k++)
        c->next[k - 1] = f->blocks[k];
}

bool
opt_chain_switches(ir_fn *f)
{
    chain_ctx c = {.f = f};
    nest n;
    for (size_t k = 0; k < f->n_blocks; k++) {
        ir_block *b = f->blocks[k];
        if (opt_cfg_is_removed(b) || !find_nest(&c, b, &n))
            continue;
        if (!c.next)
            start(&c);
        if (f->values[n.selector.id].divergent && ir_may_change(f->ctx))
            build_chain(&c, &n);
    }
    if (c.changed)
        place_blocks(&c);
    return c.changed;
}
