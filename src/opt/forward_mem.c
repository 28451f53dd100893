/* Forwarding through memory: replaces loads of known values and removes stores that are
 * overwritten.
 *
 *     @store_ssbo (%1, %3, 0)             @store_ssbo (%2, %3, 0)
 *     32 %4 = @load_ssbo (%3, 0)    ->    (%4 is %1)
 *     @store_ssbo (%2, %3, 0)
 *
 * A fact states that the component at a place has a known value, which a store or an earlier load
 * established. A fact ends at writes to places that may alias (opt/memory.h), and at barriers and
 * atomics that order this memory; a write by another invocation without such ordering is a data
 * race (Vulkan memory model). Facts follow the structure: into the arms of an if, and past its
 * merge block unless the arms write to the place; into a loop, and past it, unless the loop writes
 * to the place. Coherent and volatile accesses neither make facts nor use them.
 *
 * Inside a block a fact made by a store is pending until something may read the place. When another
 * store overwrites a pending component, the first store need not write it, even if the second one's
 * value is undefined. A store also need not write a value that the place already holds, or held
 * before the stores that it overwrites, or an undefined value. A store that keeps only some of its
 * components becomes one store for each run of them.
 *
 * The pass is linear because the number of facts is limited (MAX_FACTS).
 */
#include "opt/memory.h"
#include "opt/opt.h"

#include "ir/builder.h"

enum { MAX_GROUPS = 32, MAX_FACTS = 64 };

/* States that the component of `bytes` bytes at `at` is `value`. */
typedef struct fact {
    int64_t at;
    ir_ref value;
    ir_ref before;   /* what the place held before the pending store, or NONE */
    ir_instr *store; /* the pending store, or NULL; it stores the value as component `comp` */
    uint8_t bytes, comp;
} fact;

/* Bytes from the base: [from, to). */
typedef struct range {
    int64_t from, to;
} range;

static const range everything = {INT64_MIN, INT64_MAX};

static range
place_range(const opt_place *p)
{
    return (range){p->at, p->at + ir_type_comps(p->type) * (int64_t)(ir_type_bits(p->type) / 8)};
}

/* Facts about places with the same resource and base. */
typedef struct group {
    ir_ref resource, base;
    uint64_t domain;
    struct group *next_spare;
    opt_memory memory;
    uint32_t n;
    fact facts[MAX_FACTS];
} group;

typedef struct state {
    uint32_t n;
    group *at[MAX_GROUPS]; /* shared by states: copied before modification ... */
    bool own[MAX_GROUPS];  /* ... unless owned by this state */
} state;

typedef struct construct {
    ir_block *opener;
    state before; /* the state on entry to its parts */
} construct;

typedef struct forward {
    ir_fn *f;
    ir_builder b;
    ir_replacement map;
    uint64_t *writes; /* by index of an opener: domains that the construct writes or orders */
    construct *open;
    uint32_t depth;
    state now;
    group *spare;   /* free list of groups */
    ir_instr **cut; /* stores with components that need not be written; `mark` has their bits */
    size_t n_cut, cap_cut;
    bool changed;
} forward;

/* ---- what constructs write ---- */

/* The domains that a block writes or orders. */
static uint64_t
survey_block(const forward *s, const ir_block *b)
{
    uint64_t writes = 0;
    IR_FOREACH_INSTR(i, b) {
        if (ir_has_flag(i, IR_OP_WRITES | IR_OP_BARRIER))
            writes |= opt_domain_of(&s->map, i);
    }
    return writes;
}

static void
survey_constructs(forward *s)
{
    arena *a = s->f->ctx->scratch;
    ir_block **open = ARENA_ARRAY(a, s->f->n_blocks + 1, ir_block *);
    uint32_t depth = 0, deepest = 0;
    s->writes = ARENA_ARRAY(a, s->f->n_blocks, uint64_t);
    IR_FOREACH_BLOCK(b, s->f) {
        uint64_t writes = 0;
        if (depth && open[depth - 1]->merge == b)
            writes = s->writes[open[--depth]->index];
        if (depth)
            s->writes[open[depth - 1]->index] |= writes | survey_block(s, b);
        if (b->merge)
            open[depth++] = b;
        deepest = depth > deepest ? depth : deepest;
    }
    s->open = arena_alloc(a, deepest * sizeof *s->open);
}

/* ---- facts ---- */

static group *
take_group(forward *s)
{
    group *g = s->spare;
    if (!g)
        return arena_alloc(s->f->ctx->scratch, sizeof *g);
    s->spare = g->next_spare;
    return g;
}

/* The current state no longer uses its group `g`. If the state owns it, no other state uses it
 * either, so it is recycled. */
static void
drop_group(forward *s, uint32_t g)
{
    if (!s->now.own[g])
        return;
    s->now.at[g]->next_spare = s->spare;
    s->spare = s->now.at[g];
}

static group *
own_group(forward *s, uint32_t g)
{
    if (!s->now.own[g]) {
        const group *old = s->now.at[g];
        size_t size = offsetof(group, facts) + old->n * sizeof *old->facts;
        group *copy = take_group(s);
        memcpy(copy, old, size);
        s->now.at[g] = copy;
        s->now.own[g] = true;
    }
    return s->now.at[g];
}

static void
remove_group(forward *s, uint32_t g)
{
    drop_group(s, g);
    s->now.n--;
    s->now.at[g] = s->now.at[s->now.n];
    s->now.own[g] = s->now.own[s->now.n];
}

/* Index of the group for the place's facts, or UINT32_MAX. */
static uint32_t
find_group(const forward *s, const opt_place *p)
{
    for (uint32_t g = 0; g < s->now.n; g++) {
        const group *o = s->now.at[g];
        if (o->memory == p->memory && ir_same_ref(o->resource, p->resource) &&
            ir_same_ref(o->base, p->base))
            return g;
    }
    return UINT32_MAX;
}

/* The same, but makes the group if there is none. */
static group *
get_group(forward *s, const opt_place *p)
{
    uint32_t g = find_group(s, p);
    if (g != UINT32_MAX)
        return own_group(s, g);
    if (s->now.n == MAX_GROUPS)
        remove_group(s, 0);
    group *new = take_group(s);
    new->resource = p->resource;
    new->base = p->base;
    new->domain = p->domain;
    new->memory = p->memory;
    new->n = 0;
    s->now.own[s->now.n] = true;
    s->now.at[s->now.n++] = new;
    return new;
}

/* Adds a fact about the component: returns it, with its value and store to be filled in. */
static fact *
add_fact(group *g, const opt_place *p, unsigned comp)
{
    uint8_t bytes = (uint8_t)(ir_type_bits(p->type) / 8);
    if (g->n == MAX_FACTS) {
        g->n--;
        memmove(g->facts, g->facts + 1, g->n * sizeof *g->facts);
    }
    fact *t = &g->facts[g->n++];
    *t = (fact){.at = p->at + (int64_t)comp * bytes, .bytes = bytes, .comp = (uint8_t)comp};
    t->value = t->before = ir_none();
    return t;
}

/* The fact about the component at the place, or NULL. */
static const fact *
find_fact(const group *g, const opt_place *p, unsigned comp)
{
    unsigned bytes = ir_type_bits(p->type) / 8;
    int64_t at = p->at + (int64_t)comp * bytes;
    for (uint32_t n = 0; n < g->n; n++) {
        if (g->facts[n].at == at && g->facts[n].bytes == bytes)
            return &g->facts[n];
    }
    return NULL;
}

/* The known value of the component at the place, or NONE. */
static ir_ref
known(const group *g, const opt_place *p, unsigned comp)
{
    const fact *t = find_fact(g, p, comp);
    return t ? t->value : ir_none();
}

static bool
meets_range(const fact *t, const range *r)
{
    return t->at < r->to && t->at + t->bytes > r->from;
}

/* Makes the facts about places in the range no longer pending. */
static void
read_in_group(forward *s, uint32_t g, const range *r)
{
    bool pending = false;
    const group *old = s->now.at[g];
    for (uint32_t n = 0; n < old->n; n++)
        pending |= old->facts[n].store && meets_range(&old->facts[n], r);
    if (!pending)
        return;
    group *o = own_group(s, g);
    for (uint32_t n = 0; n < o->n; n++) {
        if (meets_range(&o->facts[n], r))
            o->facts[n].store = NULL;
    }
}

/* Ends the facts about places in the range. */
static void
write_in_group(forward *s, uint32_t g, const range *r)
{
    uint32_t met = 0, kept = 0, all = s->now.at[g]->n;
    for (uint32_t n = 0; n < all; n++)
        met += meets_range(&s->now.at[g]->facts[n], r);
    if (met == all)
        remove_group(s, g);
    if (!met || met == all)
        return;
    group *o = own_group(s, g);
    for (uint32_t n = 0; n < all; n++) {
        if (!meets_range(&o->facts[n], r))
            o->facts[kept++] = o->facts[n];
    }
    o->n = kept;
}

static void
touch_group(forward *s, uint32_t g, const range *r, bool write)
{
    if (write)
        write_in_group(s, g, r);
    else
        read_in_group(s, g, r);
}

/* For all groups whose places may be in the domain: ends their facts (if `write`), or makes them no
 * longer pending. */
static void
touch_domain(forward *s, uint64_t domain, bool write)
{
    for (uint32_t g = s->now.n; g-- > 0;) {
        if (opt_domains_meet(s->now.at[g]->domain, domain))
            touch_group(s, g, &everything, write);
    }
}

/* The same for an access to the place, and groups other than the place's own. */
static void
touch_others(forward *s, const opt_place *p, const group *own, bool write)
{
    const range accessed = place_range(p);
    for (uint32_t g = s->now.n; g-- > 0;) {
        const group *o = s->now.at[g];
        if (o == own || !opt_domains_meet(o->domain, p->domain))
            continue;
        bool exact = o->memory == p->memory && ir_same_ref(o->base, p->base) &&
                     opt_constants_tell(o->resource, o->domain, p->resource, p->domain);
        touch_group(s, g, exact ? &accessed : &everything, write);
    }
}

/* ---- partial stores ---- */

static void
cut(forward *s, ir_instr *store, unsigned comp)
{
    if (!store->mark) {
        s->cut = arena_grow(s->f->ctx->scratch, s->cut, &s->cap_cut, s->n_cut + 1, sizeof *s->cut);
        s->cut[s->n_cut++] = store;
    }
    store->mark |= 1u << comp;
}

/* Ends the facts about places in [from, to), which are overwritten. */
static void
overwrite(forward *s, group *g, int64_t from, int64_t to)
{
    uint32_t kept = 0;
    for (uint32_t n = 0; n < g->n; n++) {
        const fact *t = &g->facts[n];
        if (t->at < to && t->at + t->bytes > from) {
            if (t->store && t->at >= from && t->at + t->bytes <= to)
                cut(s, t->store, t->comp);
        } else if (kept++ != n) {
            g->facts[kept - 1] = *t;
        }
    }
    g->n = kept;
}

/* Makes a store of those components of the store `old`, from `first` on, that are in `run`. */
static void
store_run(forward *s, const ir_instr *old, const opt_place *p, unsigned first, unsigned count)
{
    ir_ref comps[IR_MAX_COMPS], data = old->refs[p->row->data];
    uint32_t bytes = first * ir_type_bits(p->type) / 8, mul = ir_attr_get(old, IR_A_ALIGN_MUL);
    for (unsigned c = 0; c < count; c++)
        comps[c] = ir_type_comps(p->type) == 1 ? data : ir_comp(data, first + c);
    ir_ref value = ir_build_vec(&s->b, comps, count), offset = old->refs[p->row->offset];
    bool has_base = ir_attr_has(old, IR_A_BASE);
    if (bytes && !has_base) {
        unsigned bits = ir_type_bits(ir_ref_type(s->f, offset));
        offset = irb_iadd(&s->b, offset, ir_build_imm(&s->b, bits, bytes));
    }
    ir_instr *i = ir_clone_instr(s->f, old);
    i->refs[p->row->data] = value;
    i->refs[p->row->offset] = offset;
    if (has_base)
        ir_attr_set(i, IR_A_BASE, ir_attr_get(old, IR_A_BASE) + bytes);
    ir_attr_set(i, IR_A_WRITE_MASK, (1u << count) - 1);
    if (mul)
        ir_attr_set(i, IR_A_ALIGN_OFFSET, (ir_attr_get(old, IR_A_ALIGN_OFFSET) + bytes) % mul);
    ir_build_place(&s->b, i);
}

/* Makes the stores that remain of a store with dropped components. */
static void
split_store(forward *s, ir_instr *i)
{
    opt_place p;
    uint32_t left = ir_attr_get(i, IR_A_WRITE_MASK) & ~i->mark;
    opt_find_place(&s->map, i, &p);
    ir_builder_before(&s->b, i);
    s->b.loc = i->loc;
    while (left) {
        unsigned first = base_ctz64(left);
        unsigned count = base_ctz64(~((uint64_t)left >> first));
        store_run(s, i, &p, first, count);
        left &= ~(uint32_t)(base_mask64(count) << first);
    }
    ir_unlink(i);
    s->changed = true;
}

/* ---- accesses ---- */

static void
visit_load(forward *s, ir_instr *i, const opt_place *p)
{
    unsigned n = ir_type_comps(p->type), found = 0;
    ir_ref comps[IR_MAX_COMPS];
    bool usable = !(p->flags & (IR_ACCESS_COHERENT | IR_ACCESS_VOLATILE));
    uint32_t at = usable ? find_group(s, p) : UINT32_MAX;
    for (unsigned c = 0; c < n; c++) {
        comps[c] = at != UINT32_MAX ? known(s->now.at[at], p, c) : ir_none();
        found += ir_is_value(comps[c]);
    }
    if (found == n && ir_may_change(s->map.f->ctx)) {
        ir_builder_before(&s->b, i);
        s->b.loc = i->loc;
        ir_replace_add(&s->map, i->defs[0].id, ir_build_vec(&s->b, comps, n));
        ir_remove(i);
        s->changed = true;
        return;
    }
    group *g = usable ? get_group(s, p) : NULL;
    touch_others(s, p, NULL, false);
    if (!g)
        return;
    for (unsigned c = 0; c < n; c++) {
        if (!ir_is_value(comps[c]))
            add_fact(g, p, c)->value = n == 1 ? i->defs[0] : ir_comp(i->defs[0], c);
    }
}

static bool
is_undef(const forward *s, ir_ref r)
{
    return s->f->values[r.id].def->op == IR_undef;
}

static void
visit_store(forward *s, ir_instr *i, const opt_place *p)
{
    if (p->flags & (IR_ACCESS_COHERENT | IR_ACCESS_VOLATILE)) {
        touch_others(s, p, NULL, true);
        return;
    }
    unsigned n = ir_type_comps(p->type), bytes = ir_type_bits(p->type) / 8;
    uint32_t mask = ir_attr_get(i, IR_A_WRITE_MASK);
    group *g = get_group(s, p);
    i->mark = 0;
    touch_others(s, p, g, true);
    for (unsigned c = 0; c < n; c++) {
        ir_ref data = i->refs[p->row->data];
        ir_ref value = ir_look_through(s->f, n == 1 ? data : ir_comp(data, c));
        if (!(mask >> c & 1))
            continue;
        value = ir_replace_follow(&s->map, value);
        const fact *old = find_fact(g, p, c);
        if (old && ir_same_ref(old->value, value)) {
            cut(s, i, c);
            continue;
        }
        ir_ref before = !old ? ir_none() : old->store ? old->before : old->value;
        int64_t at = p->at + (int64_t)c * bytes;
        overwrite(s, g, at, at + bytes);
        if (is_undef(s, value)) {
            cut(s, i, c);
            continue;
        }
        fact *new = add_fact(g, p, c);
        new->value = value;
        if (ir_is_value(before) && ir_same_ref(before, value)) {
            cut(s, i, c);
            continue;
        }
        new->store = i;
        new->before = before;
    }
}

static void
visit(forward *s, ir_instr *i)
{
    opt_place p;
    if (i->op != IR_phi)
        ir_replace_in(&s->map, i);
    if (!ir_has_flag(i, IR_OP_READS | IR_OP_WRITES | IR_OP_BARRIER))
        return;
    if (!opt_find_place(&s->map, i, &p))
        touch_domain(s, opt_domain_of(&s->map, i), true);
    else if (p.memory == OPT_MEMORY_CONSTANT)
        return;
    else if (p.row->data < 0)
        visit_load(s, i, &p);
    else
        visit_store(s, i, &p);
}

/* ---- the walk ---- */

/* Marks all groups of the current state as shared, and all facts as no longer pending. */
static void
share(forward *s)
{
    touch_domain(s, ~UINT64_C(0), false);
    for (uint32_t g = 0; g < s->now.n; g++)
        s->now.own[g] = false;
}

static void
enter_block(forward *s, const ir_block *b)
{
    if (!s->depth)
        return;
    construct *c = &s->open[s->depth - 1];
    for (uint32_t g = 0; g < s->now.n; g++)
        drop_group(s, g);
    s->now = c->before;
    if (c->opener->merge != b)
        return;
    touch_domain(s, s->writes[c->opener->index], true);
    s->depth--;
}

static void
leave_block(forward *s, ir_block *b)
{
    if (s->depth && !b->merge)
        return; /* the next block starts from the state kept for the enclosing construct */
    share(s);
    if (!b->merge)
        return;
    if (b->cont)
        touch_domain(s, s->writes[b->index], true);
    s->open[s->depth].opener = b;
    s->open[s->depth++].before = s->now;
}

bool
opt_forward_mem(ir_fn *f)
{
    forward s = {.f = f, .map = {.f = f}};
    if (!opt_may_access_memory(f))
        return false;
    if (f->n_blocks > 1)
        survey_constructs(&s);
    ir_builder_init(&s.b, f);
    IR_FOREACH_BLOCK(b, f) {
        enter_block(&s, b);
        IR_FOREACH_INSTR(i, b)
            visit(&s, i);
        leave_block(&s, b);
    }
    for (size_t n = 0; n < s.n_cut; n++)
        split_store(&s, s.cut[n]);
    if (s.map.any)
        ir_replace_all(&s.map);
    return s.changed;
}
