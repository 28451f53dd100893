/* Facts about values in the arms of ifs.
 *
 *     block b3:
 *     1 %4 = phi b1: %1, b2: true
 *     32 %5 = phi b1: 2, b2: %2
 *     if %4 then b4 else b5 merge b6
 *         block b5:                              (%4 is false: the path led through b1, %5 is 2)
 *         32 %6 = iadd %5, %3            ->      32 %6 = iadd 2, %3
 *
 * In the arm the condition is known, and so are the conditions that it is made of. An integer that
 * it compares with a constant keeps its name, because what was computed from it before is there. If
 * the condition is a phi, the paths on which it has the other value are
 * excluded; another phi of its block is known if it has the same constant on those that are left,
 * through phis of the arms before it, too. An unrolled loop with breaks gives such phis: flags that
 * say how the loop was left, and counters beside them.
 *
 * A fact holds in the blocks that the arm's first block dominates. It is per value and leaves with
 * them, so the walk stays linear; the paths looked at for one fact are limited (MAX_PATHS).
 */
#include "opt/arm_facts.h"

#include "ir/dominance.h"

enum { MAX_PATHS = 64 };

typedef struct scope {
    uint32_t last;  /* number of the arm's last block in preorder */
    size_t n_facts; /* when it was entered */
} scope;

struct opt_facts {
    ir_fn *f;
    ir_builder *b;
    const ir_replacement *map;
    ir_ref *known; /* by value: its constant; kind NONE: not known. NULL without any fact */
    size_t n_known;
    uint32_t *facts; /* the values that are known, in the order of learning */
    size_t n_facts, cap_facts;
    scope *scopes;
    size_t n_scopes, cap_scopes;
};

opt_facts *
opt_facts_new(ir_builder *b, const ir_replacement *map)
{
    opt_facts *t = ARENA_NEW(b->f->ctx->scratch, opt_facts);
    t->f = b->f;
    t->b = b;
    t->map = map;
    return t;
}

static bool
is_known(const opt_facts *t, ir_ref r)
{
    return t->n_facts && ir_is_value(r) && r.id < t->n_known && ir_is_value(t->known[r.id]);
}

static ir_ref
follow(const opt_facts *t, ir_ref r)
{
    r = ir_replace_follow(t->map, r);
    return is_known(t, r) ? t->known[r.id] : r;
}

/* ---- learning ---- */

static void
learn_constant(opt_facts *t, ir_ref r, ir_ref constant)
{
    arena *a = t->f->ctx->scratch;
    if (!t->known) {
        t->n_known = t->f->n_values;
        t->known = ARENA_ARRAY(a, t->n_known, ir_ref);
    }
    if (r.id >= t->n_known || is_known(t, r))
        return;
    t->known[r.id] = constant;
    t->facts = arena_grow(a, t->facts, &t->cap_facts, t->n_facts + 1, sizeof *t->facts);
    t->facts[t->n_facts++] = r.id;
}

/* The definition of a scalar, or NULL. */
static const ir_instr *
definition(const opt_facts *t, ir_ref r)
{
    bool scalar = ir_is_value(r) && ir_type_comps(t->f->values[r.id].type) == 1;
    return scalar ? t->f->values[r.id].def : NULL;
}

static const ir_instr *
phi_of(const opt_facts *t, ir_ref r)
{
    const ir_instr *def = definition(t, r);
    return def && def->op == IR_phi ? def : NULL;
}

/* What a phi is on the paths that are not excluded. */
typedef struct paths {
    ir_ref value; /* the constant on those seen so far; kind NONE: none seen */
    unsigned left;
    bool fails;
} paths;

static void
add_value(const opt_facts *t, paths *p, ir_ref v)
{
    uint64_t c, have;
    const ir_instr *def = t->f->values[v.id].def;
    if (def && def->op == IR_undef)
        return;
    if (!ir_is_const(t->f, v, &c))
        p->fails = true;
    else if (!ir_is_value(p->value))
        p->value = v;
    else if (ir_is_const(t->f, p->value, &have) && have != c)
        p->fails = true;
}

/* The phis of a loop's header have values of earlier iterations, of which nothing is known. */
static bool
is_header(const ir_block *b)
{
    return b->loop_header == b;
}

/* Adds the values of `phi` on the paths on which `flag`, a phi of the same block, may be `want`. */
static void
add_paths(const opt_facts *t, paths *p, const ir_instr *flag, const ir_instr *phi, bool want)
{
    for (unsigned k = 0; k < flag->n_refs && !p->fails; k++) {
        ir_ref f = follow(t, flag->refs[k]), v = follow(t, phi->refs[k]);
        const ir_instr *flags = phi_of(t, f), *values = phi_of(t, v);
        uint64_t c;
        if (!p->left || !p->left--)
            p->fails = true;
        else if (ir_is_const(t->f, f, &c) && c != want)
            continue;
        else if (flags && values && flags->block == values->block && !is_header(flags->block))
            add_paths(t, p, flags, values, want);
        else
            add_value(t, p, v);
    }
}

/* `flag` is `want`: what are the other phis of its block? */
static void
learn_phis(opt_facts *t, const ir_instr *flag, bool want)
{
    unsigned left = MAX_PATHS;
    if (is_header(flag->block))
        return;
    for (const ir_instr *i = flag->block->first; i && i->op == IR_phi; i = i->next) {
        paths p = {.left = left};
        if (i == flag || ir_type_comps(t->f->values[i->defs[0].id].type) != 1)
            continue;
        add_paths(t, &p, flag, i, want);
        left = p.left;
        if (!p.fails && ir_is_value(p.value))
            learn_constant(t, i->defs[0], p.value);
    }
}

static void
learn(opt_facts *t, ir_ref condition, bool want)
{
    ir_ref r = ir_replace_follow(t->map, condition);
    const ir_instr *def = definition(t, r);
    if (!def || is_known(t, r) || ir_is_const(t->f, r, NULL))
        return;
    learn_constant(t, r, ir_build_imm(t->b, 1, want));
    switch (def->op) {
    case IR_phi: learn_phis(t, def, want); break;
    case IR_inot: learn(t, def->refs[0], !want); break;
    case IR_iand:
    case IR_ior:
        if (want != (def->op == IR_iand))
            return;
        learn(t, def->refs[0], want);
        learn(t, def->refs[1], want);
        break;
    default: break;
    }
}

/* ---- the walk ---- */

static void
leave_arms(opt_facts *t, uint32_t pre)
{
    while (t->n_scopes && t->scopes[t->n_scopes - 1].last < pre) {
        for (size_t end = t->scopes[--t->n_scopes].n_facts; t->n_facts > end;)
            t->known[t->facts[--t->n_facts]] = ir_none();
    }
}

bool
opt_facts_enter(opt_facts *t, const ir_block *b)
{
    const ir_dom_node *place = ir_dom(b, 0);
    leave_arms(t, place->pre);
    const ir_block *opener = b->preds[0].count == 1 ? b->preds[0].at[0] : NULL;
    const ir_instr *end = opener ? ir_terminator(opener) : NULL;
    if (end && end->op == IR_if && opener->succs[0].at[0] != opener->succs[0].at[1]) {
        t->scopes = arena_grow(t->f->ctx->scratch, t->scopes, &t->cap_scopes, t->n_scopes + 1,
                               sizeof *t->scopes);
        t->scopes[t->n_scopes++] = (scope){place->post, t->n_facts};
        learn(t, end->refs[0], opener->succs[0].at[0] == b);
    }
    return t->n_facts != 0;
}

static bool
use(const opt_facts *t, ir_ref *r)
{
    if (!is_known(t, *r))
        return false;
    *r = t->known[r->id];
    return true;
}

bool
opt_facts_use(const opt_facts *t, ir_instr *i)
{
    bool changed = false;
    for (unsigned r = 0; r < i->n_refs; r++)
        changed |= use(t, &i->refs[r]);
    return changed;
}

bool
opt_facts_leave(const opt_facts *t, const ir_block *b)
{
    bool changed = false;
    for (uint32_t s = 0; t->n_facts && s < b->succs[0].count; s++) {
        const ir_block *to = b->succs[0].at[s];
        uint32_t at = ir_pred_index(to, b, 0);
        for (ir_instr *i = to->first; i && i->op == IR_phi; i = i->next) {
            i->refs[at] = ir_replace_follow(t->map, i->refs[at]);
            changed |= use(t, &i->refs[at]);
        }
    }
    return changed;
}
