/* Merges adjacent memory accesses of a block.
 *
 *     32 %4 = iadd %1, 4
 *     32 %5 = @load_ssbo (%3, %1)           32x2 %9 = @load_ssbo (%3, %1)
 *     32 %6 = @load_ssbo (%3, %4)     ->    ... %9.x ... %9.y
 *
 * An address is a resource, a base and a constant. Accesses with the same opcode, resource, base
 * and size form a group as long as nothing between them prevents moving them together: loads to the
 * first of them, stores to the last. The group is then sorted by constant, and runs without gaps
 * are merged, up to 16 bytes, or 64 for loads that the scalar unit can do; those of a buffer also
 * with a hole of two dwords, since one instruction counts more than two registers. Such loads were
 * gathered from other blocks before (opt/gather_loads.h).
 *
 * Accesses that may touch the same place (opt/memory.h) keep their order: a write ends groups of
 * loads, and a load or another write ends groups of stores, unless resource and base are the same
 * and the constants prove that they do not overlap. A barrier or an atomic ends the groups of the
 * memory that it orders. Groups of loads from unchanging memory are never ended early. Time is O(n
 * log n) in the number of accesses.
 */
#include "opt/gather_loads.h"
#include "opt/memory.h"
#include "opt/opt.h"

#include "ir/builder.h"

#include <stdlib.h>

typedef struct access {
    ir_instr *instr;
    int64_t at; /* constant part of the address */
    uint32_t bytes, order;
} access;

typedef struct group {
    const opt_access_row *row;
    ir_ref resource, base; /* base: none for a constant address */
    uint64_t domain;
    unsigned bits, kind;
    uint32_t flags; /* access flags */
    uint32_t align_mul,
        align_offset; /* alignment of resource + base, known when the group is closed */
    access *accesses;
    size_t count, cap;
    int64_t stored_from, stored_to; /* of loads: the range stored to since the group's first load */
    bool open;
} group;

enum {
    MAX_OPEN = 64,
    BUFFER_ALIGN = 4, /* the least that a driver may state */
};

typedef struct vectorize {
    ir_fn *f;
    ir_builder b;
    ir_replacement map;
    group *groups; /* groups of the block */
    size_t n_groups, cap_groups;
    base_map by_key;       /* hash of a group's key -> its index + 1 */
    size_t open[MAX_OPEN]; /* open groups of memory that may change, oldest first */
    unsigned n_open;
    uint32_t order;
    bool changed;
} vectorize;

/* Returns true if the instruction can take part. Fills in its access and its group's key (without
 * members). */
static bool
describe(const vectorize *v, ir_instr *i, group *g, access *a)
{
    opt_place p;
    if (!opt_find_place(&v->map, i, &p) || (p.flags & IR_ACCESS_VOLATILE))
        return false;
    uint32_t whole = (uint32_t)base_mask64(ir_type_comps(p.type));
    if (p.row->data >= 0 && ir_attr_get(i, IR_A_WRITE_MASK) != whole)
        return false;
    *g = (group){.row = p.row,
                 .resource = p.resource,
                 .base = p.base,
                 .domain = p.domain,
                 .bits = ir_type_bits(p.type),
                 .kind = p.memory,
                 .flags = p.flags};
    *a = (access){.instr = i, .at = p.at, .bytes = g->bits / 8 * ir_type_comps(p.type)};
    return true;
}

static bool
same_key(const group *a, const group *b)
{
    return a->row == b->row && a->bits == b->bits && a->flags == b->flags &&
           ir_same_ref(a->resource, b->resource) && ir_same_ref(a->base, b->base);
}

static uint64_t
hash_key(const group *g)
{
    uint64_t h = base_hash64(g->row->op | (uint64_t)g->bits << 16 | (uint64_t)g->flags << 24);
    h = base_hash64(h ^ g->resource.id ^ (uint64_t)g->resource.comp << 32);
    return base_hash64(h ^ g->base.id ^ (uint64_t)g->base.comp << 32 ^
                       (uint64_t)g->base.kind << 40);
}

/* ---- merging ---- */

static int
compare_access(const void *a, const void *b)
{
    const access *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static bool
is_uniform(const vectorize *v, ir_ref r)
{
    return !ir_is_value(r) || !v->f->values[r.id].divergent;
}

/* The maximum number of bytes of one access. */
static uint32_t
limit(const vectorize *v, const group *g)
{
    bool constant = g->row->memory == OPT_MEMORY_CONSTANT ||
                    (g->flags & (IR_ACCESS_READONLY | IR_ACCESS_CAN_REORDER));
    bool scalar = g->row->data < 0 && constant && is_uniform(v, g->resource) &&
                  is_uniform(v, g->base);
    uint32_t bytes = scalar ? OPT_SCALAR_BYTES : 16, by_comps = IR_MAX_COMPS * g->bits / 8;
    return bytes < by_comps ? bytes : by_comps;
}

/* A power of two, at most 64, that divides `r`, derived from the operations that compute it. */
static uint32_t
divisor(const vectorize *v, ir_ref r, unsigned depth)
{
    uint64_t c;
    r = ir_replace_follow(&v->map, r);
    if (ir_is_const(v->f, r, &c))
        return c % 64 ? 1u << base_ctz64(c) : 64;
    const ir_instr *i = v->f->values[r.id].def;
    if (!i || depth == 4)
        return 1;
    uint32_t a = 1, b = 1;
    switch (i->op) {
    case IR_ishl:
        a = divisor(v, i->refs[0], depth + 1);
        if (ir_is_const(v->f, i->refs[1], &c) && c < 32)
            b = c < 6 ? 1u << c : 64;
        break;
    case IR_imul:
        a = divisor(v, i->refs[0], depth + 1);
        b = divisor(v, i->refs[1], depth + 1);
        break;
    case IR_iadd:
    case IR_isub:
        a = divisor(v, i->refs[0], depth + 1);
        b = divisor(v, i->refs[1], depth + 1);
        return a < b ? a : b;
    case IR_iand:
        a = divisor(v, i->refs[0], depth + 1);
        b = divisor(v, i->refs[1], depth + 1);
        return a > b ? a : b;
    default: return 1;
    }
    return a * b < 64 ? a * b : 64;
}

/* The alignment of the group's base that its own operations tell. Memory other than buffers starts
 * at 0, and buffers at a multiple of BUFFER_ALIGN (Vulkan, minStorageBufferOffsetAlignment). */
static uint32_t
base_alignment(const vectorize *v, const group *g)
{
    bool from_0 = g->row->memory == OPT_MEMORY_SHARED || g->row->memory == OPT_MEMORY_SCRATCH;
    if (!from_0 && g->row->resource < 0)
        return 1;
    uint32_t align = ir_is_value(g->base) ? divisor(v, g->base, 0) : 64;
    return from_0 || align < BUFFER_ALIGN ? align : BUFFER_ALIGN;
}

/* Finds the best known alignment of the group's base. */
static void
find_alignment(const vectorize *v, group *g)
{
    g->align_mul = base_alignment(v, g);
    for (size_t k = 0; k < g->count; k++) {
        const access *a = &g->accesses[k];
        uint32_t mul = ir_attr_get(a->instr, IR_A_ALIGN_MUL);
        if (mul <= g->align_mul)
            continue;
        g->align_mul = mul;
        g->align_offset = ir_attr_get(a->instr, IR_A_ALIGN_OFFSET) - (uint32_t)a->at;
    }
}

static uint32_t
align_offset(const group *g, const access *a)
{
    return (g->align_offset + (uint32_t)a->at) & (g->align_mul - 1);
}

/* The address operand of a merged access at `at`: that of its lowest part if it is defined early
 * enough, else a newly built one. */
static ir_ref
run_offset(vectorize *v, const group *g, const access *low, const access *at)
{
    ir_ref r = low->instr->refs[g->row->offset];
    if (low->order <= at->order)
        return r;
    int64_t c = low->at - opt_attr_or_0(low->instr, IR_A_BASE);
    unsigned bits = ir_type_bits(ir_ref_type(v->f, r));
    ir_ref imm = ir_build_imm(&v->b, bits, (uint64_t)c);
    return ir_is_value(g->base) ? irb_iadd(&v->b, g->base, imm) : imm;
}

/* Copies attributes and operands of the lowest part to the merged access. */
static ir_instr *
make_access(vectorize *v, const group *g, const access *run, size_t n, const access *at)
{
    ir_ref offset = run_offset(v, g, &run[0], at);
    ir_instr *i = ir_clone_instr(v->f, run[0].instr);
    i->refs[g->row->offset] = offset;
    ir_attr_set(i, IR_A_ALIGN_MUL, g->align_mul);
    ir_attr_set(i, IR_A_ALIGN_OFFSET, align_offset(g, &run[0]));
    if (ir_attr_has(i, IR_A_RANGE)) {
        uint64_t end = 0;
        for (size_t k = 0; k < n; k++) {
            uint64_t e = (uint64_t)ir_attr_get(run[k].instr, IR_A_BASE) +
                         ir_attr_get(run[k].instr, IR_A_RANGE);
            end = e > end ? e : end;
        }
        ir_attr_set(i, IR_A_RANGE, (uint32_t)end - ir_attr_get(i, IR_A_BASE));
    }
    return i;
}

static const access *
first_in_order(const access *run, size_t n)
{
    const access *best = run;
    for (size_t k = 1; k < n; k++)
        best = run[k].order < best->order ? &run[k] : best;
    return best;
}

static const access *
last_in_order(const access *run, size_t n)
{
    const access *best = run;
    for (size_t k = 1; k < n; k++)
        best = run[k].order > best->order ? &run[k] : best;
    return best;
}

/* `total` is the number of bytes in the run. Loads may overlap. */
static void
merge_loads(vectorize *v, const group *g, const access *run, size_t n, uint32_t total)
{
    const access *at = first_in_order(run, n);
    ir_builder_before(&v->b, at->instr);
    v->b.loc = at->instr->loc;
    ir_instr *load = make_access(v, g, run, n, at);
    ir_ref whole = ir_define(v->f, load, 0, IR_TYPE(g->bits, total * 8 / g->bits));
    ir_build_place(&v->b, load);
    for (size_t k = 0; k < n; k++) {
        ir_ref old = run[k].instr->defs[0], comps[IR_MAX_COMPS];
        unsigned first = (unsigned)(run[k].at - run[0].at) * 8 / g->bits;
        unsigned count = ir_type_comps(v->f->values[old.id].type);
        for (unsigned c = 0; c < count; c++)
            comps[c] = ir_comp(whole, first + c);
        ir_replace_add(&v->map, old.id, ir_build_vec(&v->b, comps, count));
    }
    for (size_t k = 0; k < n; k++)
        ir_remove(run[k].instr);
}

static void
merge_stores(vectorize *v, const group *g, const access *run, size_t n, uint32_t total)
{
    const access *at = last_in_order(run, n);
    ir_ref comps[IR_MAX_COMPS];
    unsigned filled = 0;
    ir_builder_before(&v->b, at->instr);
    v->b.loc = at->instr->loc;
    for (size_t k = 0; k < n; k++) {
        ir_ref data = run[k].instr->refs[g->row->data];
        unsigned count = ir_type_comps(ir_ref_type(v->f, data));
        for (unsigned c = 0; c < count; c++)
            comps[filled++] = count == 1 ? data : ir_comp(data, c);
    }
    ir_ref whole = ir_build_vec(&v->b, comps, filled);
    ir_instr *store = make_access(v, g, run, n, at);
    store->refs[g->row->data] = whole;
    ir_attr_set(store, IR_A_WRITE_MASK, (uint32_t)base_mask64(total * 8 / g->bits));
    ir_build_place(&v->b, store);
    for (size_t k = 0; k < n; k++)
        ir_unlink(run[k].instr);
}

/* The bytes of the longest run that starts with run[0] (at most `n` parts); `*parts` receives its
 * number of parts. */
static uint32_t
find_run(const group *g, const access *run, size_t n, uint32_t max, size_t *parts)
{
    uint32_t total = run[0].bytes, element = g->bits / 8;
    uint32_t hole = max == OPT_SCALAR_BYTES && g->row->resource >= 0 ? OPT_SCALAR_HOLE : 0;
    *parts = 1;
    /* Small elements are merged into dwords only if dword accesses are allowed there. */
    if (element < 4 && (g->align_mul < 4 || align_offset(g, &run[0]) % 4))
        return total;
    while (*parts < n) {
        const access *a = &run[*parts];
        int64_t from = a->at - run[0].at;
        uint32_t end = (uint32_t)from + a->bytes;
        bool overlaps = from < total;
        if (from > total + hole || from % element || (from + a->bytes) > max ||
            (overlaps && g->row->data >= 0))
            break;
        total = end > total ? end : total;
        ++*parts;
    }
    return total;
}

static void
close_group(vectorize *v, group *g)
{
    g->open = false;
    if (g->count < 2)
        return;
    qsort(g->accesses, g->count, sizeof *g->accesses, compare_access);
    uint32_t max = limit(v, g);
    find_alignment(v, g);
    for (size_t k = 0, parts; k < g->count; k += parts) {
        uint32_t total = find_run(g, &g->accesses[k], g->count - k, max, &parts);
        if (parts < 2 || !ir_may_change(v->f->ctx))
            continue;
        if (g->row->data >= 0)
            merge_stores(v, g, &g->accesses[k], parts, total);
        else
            merge_loads(v, g, &g->accesses[k], parts, total);
        v->changed = true;
    }
}

/* ---- conflicts ---- */

static bool
is_store(const group *g)
{
    return g->row->data >= 0;
}

/* Returns true if the access overlaps one of the group's. A long group counts as overlapping. */
static bool
overlaps(const group *g, const access *a)
{
    for (size_t k = g->count; k-- > 0;) {
        const access *o = &g->accesses[k];
        if (a->at < o->at + o->bytes && o->at < a->at + a->bytes)
            return true;
    }
    return g->count >= 32;
}

/* Returns true if the open group `g` must end before the access `a`, which belongs to a group like
 * `key`. For some places it is known whether they overlap (opt_constants_tell); a group of
 * loads then stays open, but not for loads of places that have been stored to. */
static bool
conflicts(group *g, const group *key, const access *a)
{
    if ((!is_store(g) && !is_store(key)) || !opt_domains_meet(g->domain, key->domain))
        return false;
    if (g->kind != key->kind || !ir_same_ref(g->base, key->base) ||
        !opt_constants_tell(g->resource, g->domain, key->resource, key->domain))
        return true;
    if (is_store(g))
        return overlaps(g, a);
    bool first = g->stored_from == g->stored_to;
    if (first || a->at < g->stored_from)
        g->stored_from = a->at;
    if (first || a->at + a->bytes > g->stored_to)
        g->stored_to = a->at + a->bytes;
    return false;
}

/* Closes the open groups that conflict with the access, except group number `but`. */
static void
close_conflicts(vectorize *v, const group *key, const access *a, size_t but)
{
    unsigned kept = 0;
    for (unsigned k = 0; k < v->n_open; k++) {
        group *g = &v->groups[v->open[k]];
        if (g->open && v->open[k] != but && conflicts(g, key, a))
            close_group(v, g);
        if (g->open)
            v->open[kept++] = v->open[k];
    }
    v->n_open = kept;
}

/* Closes the open groups whose places may be in the domain: groups of stores and, if `loads`,
 * groups of loads. */
static void
close_domain(vectorize *v, uint64_t domain, bool loads)
{
    unsigned kept = 0;
    for (unsigned k = 0; k < v->n_open; k++) {
        group *g = &v->groups[v->open[k]];
        if (g->open && (loads || is_store(g)) && opt_domains_meet(g->domain, domain))
            close_group(v, g);
        if (g->open)
            v->open[kept++] = v->open[k];
    }
    v->n_open = kept;
}

static size_t
new_group(vectorize *v, const group *key)
{
    if (key->kind != OPT_MEMORY_CONSTANT) {
        if (v->n_open == MAX_OPEN)
            close_domain(v, ~UINT64_C(0), true);
        v->open[v->n_open++] = v->n_groups;
    }
    v->groups = arena_grow(v->f->ctx->scratch, v->groups, &v->cap_groups, v->n_groups + 1,
                           sizeof *v->groups);
    v->groups[v->n_groups] = *key;
    v->groups[v->n_groups].open = true;
    return v->n_groups++;
}

/* Returns the number of the group that the access joins. */
static size_t
find_group(vectorize *v, const group *key, const access *a)
{
    uint64_t hash = hash_key(key), at;
    if (map_get(&v->by_key, hash, &at) && at <= v->n_groups && v->groups[at - 1].open &&
        same_key(&v->groups[at - 1], key)) {
        group *g = &v->groups[at - 1];
        bool stored = a->at < g->stored_to && a->at + a->bytes > g->stored_from;
        if (is_store(key) ? !overlaps(g, a) : !stored)
            return at - 1;
        close_group(v, g);
    }
    size_t made = new_group(v, key);
    map_put(&v->by_key, hash, made + 1);
    return made;
}

static void
add_access(vectorize *v, const group *key, access a)
{
    size_t at = find_group(v, key, &a);
    if (key->kind != OPT_MEMORY_CONSTANT)
        close_conflicts(v, key, &a, at);
    group *g = &v->groups[at];
    g->accesses = arena_grow(v->f->ctx->scratch, g->accesses, &g->cap, g->count + 1,
                             sizeof *g->accesses);
    a.order = v->order++;
    g->accesses[g->count++] = a;
}

static void
visit(vectorize *v, ir_instr *i)
{
    group key;
    access a;
    opt_place p;
    ir_replace_in(&v->map, i);
    if (!ir_has_flag(i, IR_OP_READS | IR_OP_WRITES | IR_OP_BARRIER) &&
        !ir_has_flag(i, IR_OP_INTRINSIC))
        return;
    if (describe(v, i, &key, &a)) {
        add_access(v, &key, a);
        return;
    }
    bool writes = ir_has_flag(i, IR_OP_WRITES | IR_OP_BARRIER);
    bool in_table = opt_find_place(&v->map, i, &p);
    close_domain(v, in_table ? p.domain : opt_domain_of(&v->map, i), writes);
}

static void
visit_block(vectorize *v, ir_block *b)
{
    v->n_groups = 0;
    v->by_key = map_make(v->f->ctx->scratch);
    v->n_open = 0;
    IR_FOREACH_INSTR(i, b)
        visit(v, i);
    for (size_t g = 0; g < v->n_groups; g++) {
        if (v->groups[g].open)
            close_group(v, &v->groups[g]);
    }
}

bool
opt_vectorize_mem(ir_fn *f)
{
    vectorize v = {.f = f, .map = {.f = f}};
    ir_builder_init(&v.b, f);
    v.changed = opt_gather_loads(&v.map);
    IR_FOREACH_BLOCK(b, f)
        visit_block(&v, b);
    if (v.changed)
        ir_replace_all(&v.map);
    return v.changed;
}
