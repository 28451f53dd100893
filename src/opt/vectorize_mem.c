/* Adjacent memory accesses of a block become one.
 *
 *     32 %4 = iadd %1, 4
 *     32 %5 = @load_ssbo (%3, %1)           32x2 %9 = @load_ssbo (%3, %1)
 *     32 %6 = @load_ssbo (%3, %4)     ->    ... %9.x ... %9.y
 *
 * An address is a resource, a base and a constant. Accesses of one opcode, resource, base and size
 * form a group as long as nothing between them stands against moving them together: loads to the
 * first of them, stores to the last. A group is then sorted by constant, and runs without gaps are
 * merged, up to 16 bytes, or to 64 for loads that the scalar unit can do.
 *
 * Memory comes in kinds (buffers, shared, scratch); accesses of different kinds are independent,
 * those of one may touch the same place: a write ends the groups of loads of its kind, a load or
 * another write the groups of stores; but for stores of one group, which are known not to overlap.
 * A barrier or an atomic ends all. Loads of what does not change are never ended. n log n in the
 * accesses.
 */
#include "opt/opt.h"
#include "opt/replace.h"

#include "ir/builder.h"

#include <stdlib.h>

typedef enum kind { KIND_CONSTANT, KIND_BUFFER, KIND_SHARED, KIND_SCRATCH, KIND_NONE } kind;

/* An opcode that can be merged: places of its operands, or -1. */
typedef struct access_row {
    uint16_t op;
    int8_t data, resource, offset;
    uint8_t kind;
} access_row;

static const access_row rows[] = {
    {IR_load_ubo, -1, 0, 1, KIND_CONSTANT},       {IR_load_push_constant, -1, -1, 0, KIND_CONSTANT},
    {IR_load_constant, -1, -1, 0, KIND_CONSTANT}, {IR_load_ssbo, -1, 0, 1, KIND_BUFFER},
    {IR_load_global, -1, -1, 0, KIND_BUFFER},     {IR_load_shared, -1, -1, 0, KIND_SHARED},
    {IR_load_scratch, -1, -1, 0, KIND_SCRATCH},   {IR_store_ssbo, 0, 1, 2, KIND_BUFFER},
    {IR_store_global, 0, -1, 1, KIND_BUFFER},     {IR_store_shared, 0, -1, 1, KIND_SHARED},
    {IR_store_scratch, 0, -1, 1, KIND_SCRATCH},
};

typedef struct access {
    ir_instr *instr;
    int64_t at; /* constant part of the address */
    uint32_t bytes, order;
} access;

typedef struct group {
    const access_row *row;
    ir_ref resource, base; /* base: none for a constant address */
    unsigned bits, kind;
    uint32_t flags; /* access flags */
    uint32_t align_mul,
        align_offset; /* what is known of resource + base when the group is closed */
    access *accesses;
    size_t count, cap;
    bool open;
} group;

typedef struct vectorize {
    ir_fn *f;
    ir_builder b;
    opt_replace map;
    group *groups; /* of the block */
    size_t n_groups, cap_groups;
    base_map by_key;               /* hash of a group's key -> its index + 1 */
    size_t first_open[KIND_NONE];  /* groups of this kind before it are closed */
    unsigned n_open[KIND_NONE][2]; /* open groups of loads, of stores */
    uint32_t order;
    bool changed;
} vectorize;

static const access_row *
find_row(unsigned op)
{
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        if (rows[r].op == op)
            return &rows[r];
    }
    return NULL;
}

static uint32_t
attr_or_0(const ir_instr *i, ir_attr a)
{
    return ir_attr_has(i, a) ? ir_attr_get(i, a) : 0;
}

/* ---- addresses ---- */

/* Splits the constant parts off an offset or address. */
static ir_ref
split_base(const vectorize *v, ir_ref r, int64_t *at)
{
    const ir_fn *f = v->f;
    uint64_t c;
    unsigned bits = ir_type_bits(ir_ref_type(f, r));
    for (;;) {
        r = opt_replace_follow(&v->map, r);
        if (ir_is_const(f, r, &c)) {
            *at += base_sext64(c, bits);
            return ir_none();
        }
        const ir_instr *def = f->values[r.id].def;
        if (def->op != IR_iadd || !ir_is_const(f, def->refs[1], &c))
            return r;
        *at += base_sext64(c, bits);
        r = def->refs[0];
    }
}

static uint32_t
data_bytes(ir_type t)
{
    return ir_type_bits(t) / 8 * ir_type_comps(t);
}

/* True if the instruction can take part; fills its group's key (without members) and itself. */
static bool
describe(const vectorize *v, ir_instr *i, group *g, access *a)
{
    const ir_fn *f = v->f;
    const access_row *row = find_row(i->op);
    if (!row)
        return false;
    ir_type t = row->data < 0 ? f->values[i->defs[0].id].type : ir_ref_type(f, i->refs[row->data]);
    uint32_t whole = (uint32_t)base_mask64(ir_type_comps(t));
    *g = (group){.row = row, .bits = ir_type_bits(t), .flags = attr_or_0(i, IR_A_ACCESS)};
    *a = (access){.instr = i, .at = attr_or_0(i, IR_A_BASE), .bytes = data_bytes(t)};
    g->kind = g->flags & IR_ACCESS_CAN_REORDER ? KIND_CONSTANT : row->kind;
    if (g->flags & IR_ACCESS_VOLATILE)
        return false;
    if (row->data >= 0 && ir_attr_get(i, IR_A_WRITE_MASK) != whole)
        return false;
    g->resource = row->resource < 0 ? ir_none() : i->refs[row->resource];
    g->base = split_base(v, i->refs[row->offset], &a->at);
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
    uint64_t h = g->row->op | (uint64_t)g->bits << 16 | (uint64_t)g->flags << 24;
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

/* Bytes that one access may have. */
static uint32_t
limit(const vectorize *v, const group *g)
{
    bool constant = g->row->kind == KIND_CONSTANT ||
                    (g->flags & (IR_ACCESS_READONLY | IR_ACCESS_CAN_REORDER));
    bool scalar = g->row->data < 0 && constant && is_uniform(v, g->resource) &&
                  is_uniform(v, g->base);
    uint32_t bytes = scalar ? 64 : 16, by_comps = IR_MAX_COMPS * g->bits / 8;
    return bytes < by_comps ? bytes : by_comps;
}

/* A power of two that divides `r`, at most 64: from the operations that make it. */
static uint32_t
divisor(const vectorize *v, ir_ref r, unsigned depth)
{
    uint64_t c;
    r = opt_replace_follow(&v->map, r);
    if (ir_is_const(v->f, r, &c))
        return c % 64 ? 1u << base_ctz64(c) : 64;
    const ir_instr *i = v->f->values[r.id].def;
    if (!i || depth == 4)
        return 1;
    uint32_t a = 1, b = 1;
    switch (i->op) {
    case IR_ishl:
        a = divisor(v, i->refs[0], depth + 1);
        b = ir_is_const(v->f, i->refs[1], &c) && c < 6 ? 1u << c : c < 32 ? 64 : 1;
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

/* The best that is known of the alignment of the group's base. Memory other than buffers begins at
 * 0.
 */
static void
find_alignment(const vectorize *v, group *g)
{
    g->align_mul = 1;
    bool from_0 = g->row->kind == KIND_SHARED || g->row->kind == KIND_SCRATCH;
    if (from_0)
        g->align_mul = ir_is_value(g->base) ? divisor(v, g->base, 0) : 64;
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

/* The address operand of a merged access at `at`: that of its lowest part if that comes no later,
 * else made there. */
static ir_ref
run_offset(vectorize *v, const group *g, const access *low, const access *at)
{
    ir_ref r = low->instr->refs[g->row->offset];
    if (low->order <= at->order)
        return r;
    int64_t c = low->at - attr_or_0(low->instr, IR_A_BASE);
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

/* `total`: bytes of the run. Loads may overlap. */
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
        opt_replace_add(&v->map, old.id, ir_build_vec(&v->b, comps, count));
    }
    for (size_t k = 0; k < n; k++)
        opt_remove(run[k].instr);
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

/* Bytes of the longest run that begins with run[0] (at most `n` parts); its length in *parts. */
static uint32_t
find_run(const group *g, const access *run, size_t n, uint32_t max, size_t *parts)
{
    uint32_t total = run[0].bytes, element = g->bits / 8;
    *parts = 1;
    /* Small elements are merged into dwords only where dwords may be read. */
    if (element < 4 && (g->align_mul < 4 || align_offset(g, &run[0]) % 4))
        return total;
    while (*parts < n) {
        const access *a = &run[*parts];
        int64_t from = a->at - run[0].at;
        uint32_t end = (uint32_t)from + a->bytes;
        bool overlaps = from < total;
        if (from > total || from % element || (from + a->bytes) > max ||
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
    v->n_open[g->kind][g->row->data >= 0]--;
    if (g->count < 2)
        return;
    qsort(g->accesses, g->count, sizeof *g->accesses, compare_access);
    uint32_t max = limit(v, g);
    find_alignment(v, g);
    for (size_t k = 0, parts; k < g->count; k += parts) {
        uint32_t total = find_run(g, &g->accesses[k], g->count - k, max, &parts);
        if (parts < 2)
            continue;
        if (g->row->data >= 0)
            merge_stores(v, g, &g->accesses[k], parts, total);
        else
            merge_loads(v, g, &g->accesses[k], parts, total);
        v->changed = true;
    }
}

/* ---- which groups end ---- */

/* Closes the open groups of a kind other than `but`: of stores, or of loads too. */
static void
close_kind(vectorize *v, unsigned k, bool loads, const group *but)
{
    unsigned left = v->n_open[k][1] + (loads ? v->n_open[k][0] : 0);
    if (but && but->open && but->kind == k && (loads || but->row->data >= 0))
        left--;
    for (size_t n = v->first_open[k]; left; n++) {
        group *g = &v->groups[n];
        if (!g->open || g->kind != k || g == but || (g->row->data < 0 && !loads))
            continue;
        close_group(v, g);
        left--;
    }
    if (!v->n_open[k][0] && !v->n_open[k][1])
        v->first_open[k] = v->n_groups;
}

static group *
find_group(vectorize *v, const group *key)
{
    uint64_t hash = hash_key(key), at;
    if (map_get(&v->by_key, hash, &at) && at <= v->n_groups && v->groups[at - 1].open &&
        same_key(&v->groups[at - 1], key))
        return &v->groups[at - 1];
    v->groups = arena_grow(v->f->ctx->scratch, v->groups, &v->cap_groups, v->n_groups + 1,
                           sizeof *v->groups);
    v->groups[v->n_groups] = *key;
    v->groups[v->n_groups++].open = true;
    v->n_open[key->kind][key->row->data >= 0]++;
    map_put(&v->by_key, hash, v->n_groups);
    return &v->groups[v->n_groups - 1];
}

/* Does the store overlap one of its group? Only the last few are looked at: a longer group is
 * ended. */
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

static void
add_access(vectorize *v, const group *key, access a)
{
    bool store = key->row->data >= 0;
    group *g = find_group(v, key);
    if (store && overlaps(g, &a)) {
        close_group(v, g);
        g = find_group(v, key);
    }
    size_t place = (size_t)(g - v->groups);
    if (key->kind != KIND_CONSTANT)
        close_kind(v, key->kind, store, g);
    g = &v->groups[place];
    g->accesses = arena_grow(v->f->ctx->scratch, g->accesses, &g->cap, g->count + 1,
                             sizeof *g->accesses);
    a.order = v->order++;
    g->accesses[g->count++] = a;
}

/* The kind of memory that an instruction other than those of the table touches, or all. */
static unsigned
touched_kind(const ir_instr *i)
{
    if (i->op == IR_shared_atomic || i->op == IR_shared_atomic_swap || i->op == IR_store_shared)
        return KIND_SHARED;
    if (i->op == IR_store_scratch)
        return KIND_SCRATCH;
    return ir_has_flag(i, IR_OP_BARRIER) ? KIND_NONE : KIND_BUFFER;
}

static void
visit(vectorize *v, ir_instr *i)
{
    group key;
    access a;
    opt_replace_in(&v->map, i);
    if (describe(v, i, &key, &a)) {
        add_access(v, &key, a);
        return;
    }
    if (!ir_has_flag(i, IR_OP_READS | IR_OP_WRITES | IR_OP_BARRIER))
        return;
    bool writes = ir_has_flag(i, IR_OP_WRITES | IR_OP_BARRIER);
    unsigned touched = touched_kind(i);
    for (unsigned k = KIND_BUFFER; k < KIND_NONE; k++) {
        if (touched == KIND_NONE || touched == k)
            close_kind(v, k, writes, NULL);
    }
}

static void
visit_block(vectorize *v, ir_block *b)
{
    v->n_groups = 0;
    v->by_key = map_make(v->f->ctx->scratch);
    memset(v->first_open, 0, sizeof v->first_open);
    memset(v->n_open, 0, sizeof v->n_open);
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
    vectorize v = {.f = f, .map = opt_replace_begin(f)};
    ir_builder_init(&v.b, f);
    IR_FOREACH_BLOCK(b, f)
    visit_block(&v, b);
    if (v.changed)
        opt_replace_all(&v.map);
    return v.changed;
}
