/* Multiplies a vector by each matrix of a product, rather than the matrices: (A B) v = A (B v).
 *
 *     p0 = a0 * b00 + a1 * b10             t0 = b00 * v0 + b01 * v1
 *     p1 = a0 * b01 + a1 * b11      ->     t1 = b10 * v0 + b11 * v1
 *     r  = p0 * v0 + p1 * v1               r  = a0 * t0 + a1 * t1
 *
 * Matrices are numbers here. A sum whose terms are entries (sums of products that only sums like it
 * use) times anything is a root; if each of its entries has one product by each of some common
 * factors, these may multiply sums of the other factors: inner sums. That is worth while for many
 * roots together: rows of one matrix share inner sums, where each row had its own entries. So roots
 * with an entry or an inner sum in common are a set, and a set is rewritten if that needs fewer
 * products. It is never rewritten back: inner sums are entries of the new roots, but nothing would
 * share what they became.
 *
 * A column that is multiplied by one, as of the vector (x, y, z, 1), has no entry: its products are
 * terms of the root.
 *
 * Vulkan allows it ("Evaluation of Expressions": rearrangement by associativity and distributivity)
 * unless an operation is exact, as the reader makes products of matrices for invariant outputs: the
 * decision depends on what else uses a product. Roots and entries are in one block: what is outside
 * of a loop is computed once. So is a product of uniform buffers' matrices where the machine has a
 * preamble (ir_ctx.computes_once); such entries are left alone. Rounds, since the new roots of
 * A B C v have entries of A B.
 */
#include "ir/replace.h"
#include "opt/opt.h"

#include "base/map.h"
#include "ir/builder.h"
#include "ir/value_table.h"
#include "opt/given.h"

enum {
    SIZE = 4,        /* of matrices */
    MOST = 3 * SIZE, /* terms of a root */
    MOST_ROUNDS = 8, /* matrices in a product */
};

/* A product of two factors, or of an entry and a factor. */
typedef struct product {
    ir_ref f[2];
} product;

/* A sum of products. */
typedef struct entry {
    product at[SIZE];
    unsigned n;
    uint32_t depth;  /* more than that of each entry among its factors */
    uint32_t takers; /* roots that multiply it */
    uint32_t root;   /* that counted it, or NO_ROOT */
} entry;

#define NO_ROOT UINT32_MAX

typedef struct term {
    entry *e;
    uint32_t id; /* the entry's value */
    ir_ref by;   /* NONE: one, of the entry that the root's own products are */
} term;

/* A sum that the roots of a set share; `built` from the first of them on. */
typedef struct inner {
    product at[SIZE]; /* by term; a factor of NONE is one */
    unsigned n;
    uint32_t root; /* the first that needs it */
    ir_ref built;
} inner;

typedef struct root {
    ir_instr *sum;
    term at[SIZE];
    unsigned n;
    entry own;         /* its own products, if any */
    ir_ref rest[MOST]; /* terms that are neither */
    unsigned n_rest;
    ir_ref common[SIZE];
    inner *inner[SIZE]; /* what each common factor multiplies */
    uint32_t set;       /* the first root of its set, by way of others */
    int32_t gain;       /* of the set: products that go, less products that come */
} root;

typedef struct order {
    ir_fn *f;
    ir_builder b;
    const uint32_t *uses;
    entry **entries;   /* by value; NULL: not looked at, or none */
    const bool *given; /* opt_find_given */
    root **roots;
    size_t n_roots, cap_roots;
    base_map inners; /* hash to inner */
    ir_replacement map;
} order;

/* ---- sums ---- */

static const ir_instr *
definition(const order *o, ir_ref r, ir_op op)
{
    const ir_instr *i = ir_def_of(o->f, r);
    return i && i->op == op && !(i->form & IR_EXACT) ? i : NULL;
}

static bool
is_alone(const order *o, ir_ref r, const ir_block *b)
{
    return o->uses[r.id] == 1 && o->f->values[r.id].def->block == b;
}

/* The leaves of a sum and of sums that only it uses, in order. */
typedef struct leaves {
    ir_ref at[MOST];
    product by[MOST]; /* the factors of those that are products which nothing else uses */
    bool is_product[MOST];
    unsigned n;
    unsigned inside; /* sums that are open */
    unsigned room;   /* the most leaves and open sums so far */
} leaves;

/* Returns false if there are too many. */
static bool
flatten(const order *o, const ir_instr *sum, leaves *l)
{
    unsigned room = ++l->inside + l->n;
    l->room = room > l->room ? room : l->room;
    if (room > MOST)
        return false;
    for (unsigned k = 0; k < 2; k++) {
        const ir_instr *i = definition(o, sum->refs[k], IR_fadd);
        if (i && is_alone(o, sum->refs[k], sum->block)) {
            if (!flatten(o, i, l))
                return false;
        } else if (l->n == MOST) {
            return false;
        } else {
            l->at[l->n++] = sum->refs[k];
        }
    }
    l->inside--;
    return true;
}

/* The leaf as a product that nothing else uses. */
static bool
read_product(const order *o, ir_ref leaf, const ir_block *b, product *p)
{
    const ir_instr *i = definition(o, leaf, IR_fmul);
    if (!i || !is_alone(o, leaf, b))
        return false;
    for (unsigned k = 0; k < 2; k++)
        p->f[k] = ir_look_through(o->f, i->refs[k]);
    return true;
}

static bool
read_leaves(const order *o, const ir_instr *sum, leaves *l)
{
    l->n = l->inside = l->room = 0;
    if (!flatten(o, sum, l))
        return false;
    for (unsigned k = 0; k < l->n; k++)
        l->is_product[k] = read_product(o, l->at[k], sum->block, &l->by[k]);
    return true;
}

/* The entry that `r` is, in block `b`, or NULL. */
static entry *
entry_of(const order *o, ir_ref r, const ir_block *b)
{
    const ir_instr *i = definition(o, r, IR_fadd);
    return i && i->block == b ? o->entries[r.id] : NULL;
}

/* Notes the sum as an entry if it is one. Those of its factors are known. */
static void
note_entry(order *o, const ir_instr *sum, const leaves *l)
{
    entry e = {.root = NO_ROOT, .depth = 1};
    if (l->n > SIZE || l->room > SIZE)
        return;
    for (; e.n < l->n; e.n++) {
        if (!l->is_product[e.n])
            return;
        e.at[e.n] = l->by[e.n];
        for (unsigned k = 0; k < 2; k++) {
            const entry *f = entry_of(o, e.at[e.n].f[k], sum->block);
            if (f && f->depth >= e.depth)
                e.depth = f->depth + 1;
        }
    }
    if (o->given && o->given[sum->defs[0].id])
        return;
    o->entries[sum->defs[0].id] = arena_copy(o->f->ctx->scratch, &e, sizeof e);
}

/* The factor of a product that is an entry, rather one with fewer uses; -1: none. */
static int
entry_factor(const order *o, const product *p, const ir_block *b)
{
    bool is[2] = {entry_of(o, p->f[0], b) != NULL, entry_of(o, p->f[1], b) != NULL};
    if (is[0] && is[1])
        return o->uses[p->f[1].id] < o->uses[p->f[0].id];
    return is[0] ? 0 : is[1] ? 1 : -1;
}

/* What a leaf of a root may be: an entry, or one of which it has more. */
typedef struct reading {
    entry *e; /* NULL: none */
    int k;    /* the entry's factor; -1: it is the leaf itself */
} reading;

static reading
read_leaf(const order *o, const leaves *l, unsigned n, const ir_block *b)
{
    if (!l->is_product[n])
        return (reading){entry_of(o, l->at[n], b), -1};
    int k = entry_factor(o, &l->by[n], b);
    return (reading){k >= 0 ? entry_of(o, l->by[n].f[k], b) : NULL, k};
}

/* ---- roots ---- */

/* Returns false if the root has too many terms, or one of this entry. */
static bool
add_term(root *r, entry *e, ir_ref value, ir_ref by)
{
    for (unsigned k = 0; k < r->n; k++) {
        if (r->at[k].e == e)
            return false;
    }
    if (r->n == SIZE)
        return false;
    r->at[r->n++] = (term){.e = e, .id = value.id, .by = by};
    return true;
}

/* Adds leaf `n` to the root, whose terms have entries of this depth. Returns false if there is no
 * room. */
static bool
add_leaf(root *r, const leaves *l, unsigned n, reading as, uint32_t depth)
{
    const product *p = &l->by[n];
    if (as.e && as.e->depth == depth)
        return as.k < 0 ? add_term(r, as.e, l->at[n], ir_none())
                        : add_term(r, as.e, p->f[as.k], p->f[1 - as.k]);
    if (!l->is_product[n]) {
        r->rest[r->n_rest++] = l->at[n];
        return true;
    }
    if (r->own.n == SIZE)
        return false;
    r->own.at[r->own.n++] = *p;
    return true;
}

/* Makes terms of the leaves, of which some have entries, at most of this depth. Those with entries
 * of less depth than others are products of the root itself. */
static bool
read_root(root *r, const leaves *l, const reading as[MOST], uint32_t depth)
{
    for (unsigned k = 0; k < l->n; k++) {
        if (!add_leaf(r, l, k, as[k], depth))
            return false;
    }
    return r->n + (r->own.n != 0) >= 2;
}

/* The product of the entry that has the factor `f`, by the other factor, which is returned; NONE if
 * none or several have it. */
static ir_ref
other_factor(const entry *e, ir_ref f)
{
    ir_ref found = ir_none();
    for (unsigned k = 0; k < e->n; k++) {
        for (unsigned side = 0; side < 2; side++) {
            if (!ir_same_ref(e->at[k].f[side], f))
                continue;
            if (ir_is_value(found))
                return ir_none();
            found = e->at[k].f[1 - side];
        }
    }
    return found;
}

/* Does each entry of the root have one product by `f`? Then `to` has the other factors. */
static bool
is_common(const root *r, ir_ref f, inner *to)
{
    *to = (inner){.n = r->n};
    for (unsigned k = 0; k < r->n; k++) {
        ir_ref other = other_factor(r->at[k].e, f);
        if (!ir_is_value(other))
            return false;
        to->at[k] = (product){{other, r->at[k].by}};
    }
    return true;
}

static inner *
intern(order *o, const inner *i, const ir_block *b, uint32_t at)
{
    uint64_t hash = b->index, found;
    for (unsigned k = 0; k < i->n; k++) {
        for (unsigned side = 0; side < 2; side++)
            hash = ir_hash_step(hash, (uint64_t)i->at[k].f[side].id << 8 | i->at[k].f[side].comp);
    }
    if (map_get(&o->inners, hash, &found)) {
        inner *old = (inner *)(uintptr_t)found;
        if (old->n == i->n && !memcmp(old->at, i->at, i->n * sizeof *i->at))
            return old;
    }
    inner *made = arena_copy(o->f->ctx->scratch, i, sizeof *i);
    made->root = at;
    map_put(&o->inners, hash, (uintptr_t)made);
    return made;
}

/* Finds the common factors of a root with an entry. */
static bool
find_common(order *o, root *r)
{
    inner found[SIZE];
    const entry *first = r->at[0].e;
    for (unsigned k = 0; k < first->n; k++) {
        unsigned side = is_common(r, first->at[k].f[0], &found[k]) ? 0 : 1;
        if (side && !is_common(r, first->at[k].f[1], &found[k]))
            return false;
        r->common[k] = first->at[k].f[side];
    }
    for (unsigned k = 1; k < r->n; k++) {
        if (r->at[k].e->n != first->n)
            return false;
    }
    for (unsigned k = 0; k < first->n; k++)
        r->inner[k] = intern(o, &found[k], r->sum->block, (uint32_t)o->n_roots);
    return true;
}

static void
note_root(order *o, ir_instr *sum, const leaves *l)
{
    arena *a = o->f->ctx->scratch;
    reading as[MOST];
    uint32_t depth = 0;
    for (unsigned k = 0; k < l->n; k++) {
        as[k] = read_leaf(o, l, k, sum->block);
        depth = as[k].e && as[k].e->depth > depth ? as[k].e->depth : depth;
    }
    if (!depth)
        return;
    root r = {.sum = sum, .set = (uint32_t)o->n_roots, .own.root = NO_ROOT};
    if (!read_root(&r, l, as, depth))
        return;
    root *made = arena_copy(a, &r, sizeof r);
    if (made->own.n && !add_term(made, &made->own, ir_none(), ir_none()))
        return;
    if (!find_common(o, made))
        return;
    for (unsigned k = 0; k < made->n; k++)
        made->at[k].e->takers++;
    o->roots = arena_grow(a, o->roots, &o->cap_roots, o->n_roots + 1, sizeof(root *));
    o->roots[o->n_roots++] = made;
}

static bool
is_sum(const ir_instr *i)
{
    return i->op == IR_fadd && !(i->form & IR_EXACT);
}

/* Marks the sums that are parts of other ones. Returns true if there are sums. */
static bool
mark_parts(const order *o, const ir_block *b)
{
    bool any = false;
    IR_FOREACH_INSTR(i, b) {
        if (!is_sum(i))
            continue;
        any = true;
        i->mark = 0;
        for (unsigned k = 0; k < 2; k++) {
            if (definition(o, i->refs[k], IR_fadd) && is_alone(o, i->refs[k], b))
                o->f->values[i->refs[k].id].def->mark = 1;
        }
    }
    return any;
}

/* A sum that is not a part of another one may be an entry, and may be a root. */
static void
find_roots(order *o)
{
    leaves l;
    IR_FOREACH_BLOCK(b, o->f) {
        if (!mark_parts(o, b))
            continue;
        IR_FOREACH_INSTR(i, b) {
            if (!is_sum(i) || i->mark || !o->uses[i->defs[0].id] || !read_leaves(o, i, &l))
                continue;
            note_entry(o, i, &l);
            note_root(o, i, &l);
        }
    }
}

/* ---- sets ---- */

static root *
set_of(const order *o, uint32_t at)
{
    while (o->roots[at]->set != at)
        at = o->roots[at]->set = o->roots[o->roots[at]->set]->set;
    return o->roots[at];
}

static void
join(const order *o, uint32_t a, uint32_t b)
{
    set_of(o, a)->set = set_of(o, b)->set;
}

static void
join_sets(const order *o)
{
    for (uint32_t n = 0; n < o->n_roots; n++) {
        const root *r = o->roots[n];
        for (unsigned k = 0; k < r->n; k++) {
            if (r->at[k].e->root == NO_ROOT)
                r->at[k].e->root = n;
            join(o, n, r->at[k].e->root);
        }
        for (unsigned k = 0; k < r->at[0].e->n; k++)
            join(o, n, r->inner[k]->root);
    }
}

/* The products that the root needs no more, less those that it will need. Entries and inner sums
 * count for the first root that has them. */
static int32_t
gain_of(const order *o, const root *r, uint32_t n)
{
    int32_t gain = -(int32_t)r->at[0].e->n;
    for (unsigned k = 0; k < r->n; k++) {
        const entry *e = r->at[k].e;
        bool goes = e == &r->own || (e->root == n && e->takers == o->uses[r->at[k].id]);
        gain += (goes ? (int32_t)e->n : 0) + ir_is_value(r->at[k].by);
    }
    for (unsigned k = 0; k < r->at[0].e->n; k++) {
        const inner *i = r->inner[k];
        for (unsigned j = 0; i->root == n && j < i->n; j++)
            gain -= ir_is_value(i->at[j].f[1]);
    }
    return gain;
}

/* ---- new sums ---- */

static ir_ref
now(const order *o, ir_ref r)
{
    return ir_replace_follow(&o->map, r);
}

static ir_ref
build_inner(order *o, inner *i)
{
    ir_ref sum = ir_none();
    for (unsigned k = 0; k < i->n && !ir_is_value(i->built); k++) {
        const product *p = &i->at[k];
        ir_ref x = now(o, p->f[0]);
        x = ir_is_value(p->f[1]) ? irb_fmul(&o->b, x, now(o, p->f[1])) : x;
        sum = ir_is_value(sum) ? irb_fadd(&o->b, sum, x) : x;
    }
    if (!ir_is_value(i->built))
        i->built = sum;
    return i->built;
}

static ir_ref
build_root(order *o, const root *r)
{
    ir_ref sum = ir_none();
    ir_builder_before(&o->b, r->sum);
    o->b.loc = r->sum->loc;
    for (unsigned k = 0; k < r->at[0].e->n; k++) {
        ir_ref x = irb_fmul(&o->b, now(o, r->common[k]), build_inner(o, r->inner[k]));
        sum = ir_is_value(sum) ? irb_fadd(&o->b, sum, x) : x;
    }
    for (unsigned k = 0; k < r->n_rest; k++)
        sum = irb_fadd(&o->b, sum, now(o, r->rest[k]));
    return sum;
}

/* Removes operations without uses. Returns the uses by value, for the next round. */
static uint32_t *
remove_unused(const order *o)
{
    uint32_t *uses = ir_count_uses(o->f, o->f->ctx->scratch);
    for (size_t n = o->f->n_blocks; n--;) {
        IR_FOREACH_INSTR_REVERSE(i, o->f->blocks[n]) {
            if ((i->op != IR_fadd && i->op != IR_fmul) || uses[i->defs[0].id])
                continue;
            for (unsigned k = 0; k < i->n_refs; k++)
                uses[i->refs[k].id]--;
            ir_remove(i);
        }
    }
    return uses;
}

static bool
rewrite(order *o)
{
    for (uint32_t n = 0; n < o->n_roots; n++)
        set_of(o, n)->gain += gain_of(o, o->roots[n], n);
    for (uint32_t n = 0; n < o->n_roots; n++) {
        root *r = o->roots[n];
        if (set_of(o, n)->gain <= 0 || !ir_may_change(o->f->ctx))
            continue;
        ir_replace_add(&o->map, r->sum->defs[0].id, build_root(o, r));
        ir_remove(r->sum);
    }
    if (o->map.any)
        ir_replace_all(&o->map);
    return o->map.any;
}

/* Returns the uses then, or NULL if nothing has changed. */
static const uint32_t *
do_round(ir_fn *f, const uint32_t *uses)
{
    arena *a = f->ctx->scratch;
    order o = {.f = f, .uses = uses, .inners = map_make(a), .map = {.f = f}};
    o.entries = ARENA_ARRAY(a, f->n_values, entry *);
    o.given = opt_find_given(f);
    ir_builder_init(&o.b, f);
    find_roots(&o);
    join_sets(&o);
    return rewrite(&o) ? remove_unused(&o) : NULL;
}

bool
opt_order_products(ir_fn *f)
{
    unsigned rounds = 0;
    if (!ir_made_op(f, IR_fmul) || !ir_made_op(f, IR_fadd))
        return false;
    const uint32_t *uses = ir_count_uses(f, f->ctx->scratch);
    while (rounds < MOST_ROUNDS && (uses = do_round(f, uses)) != NULL)
        rounds++;
    return rounds != 0;
}
