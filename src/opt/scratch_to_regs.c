/* Promotes scratch memory to values, and shared memory that one invocation has for itself.
 *
 * Accesses say what they may touch: constant places do, and computed ones have BASE and RANGE.
 * Bytes that accesses hold together are a region, about a variable, and each region is looked at
 * for itself. It is divided into slots of the size of the elements that are loaded and stored (8,
 * 16 or 32 bits; 64-bit elements take two). If every place is constant, all slots become values. If
 * some are computed, only a small region (16 slots; 8, if stores are and the machine has arrays of
 * registers) is promoted: a computed load selects among the
 * slots, a computed store conditionally replaces each slot.
 *
 *     @store_scratch (%1, 0)  @store_scratch (%2, 4)            32 %5 = ieq %3, 0
 *     32 %4 = @load_scratch (%3)                         ->     32 %4 = bcsel %5, %1, %2
 *
 * A copy of unchanging memory is not kept at all (scratch_copy.h).
 *
 * SSA is built in one walk in structured order. A block's slots are those of its predecessors,
 * joined by phis if they differ. A loop's header gets phis for the slots that the loop stores to.
 */
#include "opt/memory.h"
#include "opt/opt.h"
#include "opt/scratch_copy.h"

#include "base/bitset.h"
#include "ir/builder.h"
#include "ir/ssa_repair.h"

#include <stdlib.h>

enum {
    MAX_SELECTED = 16, /* the same, where registers are picked by a number: */
    MAX_REPLACED = 8,
    MAX_STATE = 1 << 22, /* slots times blocks */
};

/* Bytes of the memory that accesses hold together. */
typedef struct region {
    uint32_t from, to;
    unsigned unit;  /* bits per slot; 0: not known yet */
    bool computed;  /* some places are not constant */
    bool replaced;  /* those of some stores */
    bool stays;     /* it cannot be promoted */
    uint32_t first; /* the number of its first slot */
} region;

typedef struct promote {
    ir_fn *f;
    ir_builder b;
    ir_replacement map;
    uint16_t load, store; /* opcodes */
    uint32_t size;        /* of the memory in bytes */
    region *regions;      /* in order */
    size_t n_regions, cap_regions;
    uint8_t *unit; /* by slot: bits */
    uint32_t n_slots;
    ir_ref **at_end; /* by block: the values of its slots at its end */
    ir_ref *now;
    bool now_shared;   /* `now` belongs to another block: copy before writing */
    uint64_t **stored; /* by index of a loop's opener: the slots that the loop stores to */
} promote;

static bool
is_load(const promote *p, const ir_instr *i)
{
    return i->op == p->load;
}

static bool
is_store(const promote *p, const ir_instr *i)
{
    return i->op == p->store;
}

static ir_type
data_type(const promote *p, const ir_instr *i)
{
    return is_load(p, i) ? p->f->values[i->defs[0].id].type : ir_ref_type(p->f, i->refs[0]);
}

static ir_ref
place(const promote *p, const ir_instr *i)
{
    return i->refs[is_load(p, i) ? 0 : 1];
}

/* ---- eligibility ---- */

/* The bytes that the access may touch, or false if they are not in the memory. */
static bool
bytes_of(const promote *p, const ir_instr *i, region *out)
{
    ir_type t = data_type(p, i);
    uint64_t at, base = ir_attr_get(i, IR_A_BASE), bytes = ir_type_bits(t) / 8 * ir_type_comps(t);
    uint32_t range = opt_attr_or_0(i, IR_A_RANGE);
    *out = (region){0};
    if (ir_is_const(p->f, place(p, i), &at)) {
        base += at;
    } else {
        bytes = range ? range : p->size - (base < p->size ? base : 0);
        out->computed = true;
    }
    out->from = (uint32_t)base;
    out->to = (uint32_t)(base + bytes);
    return base + bytes <= p->size;
}

static int
compare_regions(const void *a, const void *b)
{
    const region *x = a, *y = b;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : 0;
}

/* Finds the regions. Returns false if there are no accesses, or one leaves the memory. */
static bool
find_regions(promote *p)
{
    size_t n = 0;
    IR_FOREACH_INSTR_OF(i, p->f) {
        if (!is_load(p, i) && !is_store(p, i))
            continue;
        p->regions = arena_grow(p->f->ctx->scratch, p->regions, &p->cap_regions, n + 1,
                                sizeof *p->regions);
        if (!bytes_of(p, i, &p->regions[n++]))
            return false;
    }
    if (!n)
        return false;
    qsort(p->regions, n, sizeof *p->regions, compare_regions);
    for (size_t k = 1; k < n; k++) {
        region *last = &p->regions[p->n_regions], *next = &p->regions[k];
        if (next->from >= last->to) {
            p->regions[++p->n_regions] = *next;
            continue;
        }
        last->to = next->to > last->to ? next->to : last->to;
        last->computed |= next->computed;
    }
    p->n_regions++;
    return true;
}

/* The region that the access is in. */
static region *
region_of(const promote *p, const ir_instr *i)
{
    uint64_t at = 0;
    size_t low = 0, high = p->n_regions;
    ir_is_const(p->f, place(p, i), &at);
    at += ir_attr_get(i, IR_A_BASE);
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (p->regions[middle].from <= at)
            low = middle;
        else
            high = middle;
    }
    return &p->regions[low];
}

/* Records in the region what the access allows. */
static void
add_access(const promote *p, const ir_instr *i)
{
    uint64_t at;
    region *g = region_of(p, i);
    ir_type t = data_type(p, i);
    unsigned bits = ir_type_bits(t) == 64 ? 32 : ir_type_bits(t);
    uint32_t align = ir_attr_get(i, IR_A_ALIGN_MUL);
    g->stays |= g->unit && g->unit != bits;
    g->stays |= align < bits / 8 || ir_attr_get(i, IR_A_ALIGN_OFFSET) % (bits / 8);
    g->unit = bits;
    if (ir_is_const(p->f, place(p, i), &at))
        g->stays |= (at + ir_attr_get(i, IR_A_BASE)) % (bits / 8) != 0;
    else
        g->replaced |= !is_load(p, i);
}

/* Gives the regions that can be promoted their slots. Returns true if there are any. */
static bool
number_slots(promote *p)
{
    for (size_t k = 0; k < p->n_regions; k++) {
        region *g = &p->regions[k];
        uint32_t n = g->stays ? 0 : (g->to - g->from) / (g->unit / 8);
        uint32_t most = g->replaced && p->f->ctx->has_arrays ? MAX_REPLACED : MAX_SELECTED;
        g->stays |= g->from % (g->unit / 8) || (g->computed && n > most) ||
                    (uint64_t)(p->n_slots + n) * p->f->n_blocks > MAX_STATE;
        g->first = p->n_slots;
        p->n_slots += g->stays ? 0 : n;
    }
    p->unit = ARENA_ARRAY(p->f->ctx->scratch, p->n_slots + 1, uint8_t);
    for (size_t k = 0; k < p->n_regions; k++) {
        const region *g = &p->regions[k];
        for (uint32_t at = g->stays ? g->to : g->from; at < g->to; at += g->unit / 8)
            p->unit[g->first + (at - g->from) / (g->unit / 8)] = (uint8_t)g->unit;
    }
    return p->n_slots != 0;
}

static bool
is_possible(promote *p)
{
    if (!find_regions(p))
        return false;
    IR_FOREACH_INSTR_OF(i, p->f) {
        if (is_load(p, i) || is_store(p, i))
            add_access(p, i);
    }
    return number_slots(p);
}

/* ---- slots ---- */

static void
set_slot(promote *p, uint32_t slot, ir_ref r)
{
    if (p->now_shared) {
        p->now = arena_copy(p->f->ctx->scratch, p->now, p->n_slots * sizeof *p->now);
        p->now_shared = false;
    }
    p->now[slot] = r;
}

static ir_ref
get_slot(promote *p, uint32_t slot)
{
    if (!ir_is_value(p->now[slot]))
        set_slot(p, slot, ir_build_undef(&p->b, IR_TYPE(p->unit[slot], 1)));
    return p->now[slot];
}

/* An undefined slot may take any value. */
static bool
is_defined(const promote *p, uint32_t slot)
{
    return ir_is_value(p->now[slot]) && p->f->values[p->now[slot].id].def->op != IR_undef;
}

/* The slot number of the access's component `c` in region `g`, if it is constant. */
static bool
constant_slot(const promote *p, const region *g, const ir_instr *i, uint32_t c, uint32_t *slot)
{
    uint64_t at;
    if (!ir_is_const(p->f, place(p, i), &at))
        return false;
    at += ir_attr_get(i, IR_A_BASE);
    *slot = g->first + (uint32_t)(at - g->from) / (g->unit / 8) + c;
    return true;
}

/* The address of the access whose unit `c` is in slot number `slot`. */
static uint32_t
address_for(const region *g, uint32_t c, uint32_t slot)
{
    return g->from + (slot - g->first - c) * (g->unit / 8);
}

/* Builds the condition that unit `c` of the computed access is in slot number `slot`. */
static ir_ref
is_slot(promote *p, const region *g, const ir_instr *i, uint32_t c, uint32_t slot)
{
    uint32_t bytes = address_for(g, c, slot) - ir_attr_get(i, IR_A_BASE);
    return irb_ieq(&p->b, ir_replace_follow(&p->map, place(p, i)), ir_build_imm(&p->b, 32, bytes));
}

/* Returns true if unit `c` of the computed access may be in slot number `slot`. BASE plus the
 * offset does not wrap, and the alignment is known. */
static bool
may_be_slot(const region *g, const ir_instr *i, uint32_t c, uint32_t slot)
{
    uint32_t mul = ir_attr_get(i, IR_A_ALIGN_MUL), range = opt_attr_or_0(i, IR_A_RANGE);
    uint32_t at = address_for(g, c, slot), base = ir_attr_get(i, IR_A_BASE);
    return slot - g->first >= c && at >= base && (!range || at - base < range) &&
           at % mul == ir_attr_get(i, IR_A_ALIGN_OFFSET);
}

/* Behind the last slot of the region. */
static uint32_t
end_of(const region *g)
{
    return g->first + (g->to - g->from) / (g->unit / 8);
}

static ir_ref
load_unit(promote *p, const region *g, const ir_instr *i, uint32_t c)
{
    uint32_t slot;
    if (constant_slot(p, g, i, c, &slot))
        return get_slot(p, slot);
    ir_ref r = ir_none();
    for (slot = end_of(g); slot-- > g->first;) {
        if (!is_defined(p, slot) || !may_be_slot(g, i, c, slot))
            continue;
        ir_ref v = get_slot(p, slot);
        r = ir_is_value(r) ? irb_bcsel(&p->b, is_slot(p, g, i, c, slot), v, r) : v;
    }
    return ir_is_value(r) ? r : ir_build_undef(&p->b, IR_TYPE(g->unit, 1));
}

static void
store_unit(promote *p, const region *g, const ir_instr *i, uint32_t c, ir_ref value)
{
    uint32_t slot;
    if (constant_slot(p, g, i, c, &slot)) {
        set_slot(p, slot, value);
        return;
    }
    for (slot = g->first; slot < end_of(g); slot++) {
        if (!may_be_slot(g, i, c, slot))
            continue;
        ir_ref here = is_slot(p, g, i, c, slot);
        set_slot(p, slot, irb_bcsel(&p->b, here, value, get_slot(p, slot)));
    }
}

/* ---- accesses ---- */

static void
visit_load(promote *p, const region *g, ir_instr *i)
{
    ir_ref comps[IR_MAX_COMPS];
    ir_type t = data_type(p, i);
    bool wide = ir_type_bits(t) == 64;
    for (unsigned c = 0; c < ir_type_comps(t); c++) {
        comps[c] = load_unit(p, g, i, wide ? 2 * c : c);
        if (wide)
            comps[c] = irb_pack_64_2x32(&p->b, comps[c], load_unit(p, g, i, 2 * c + 1));
    }
    ir_replace_add(&p->map, i->defs[0].id, ir_build_vec(&p->b, comps, ir_type_comps(t)));
    ir_remove(i);
}

static void
visit_store(promote *p, const region *g, ir_instr *i)
{
    ir_type t = data_type(p, i);
    uint32_t mask = ir_attr_get(i, IR_A_WRITE_MASK);
    bool wide = ir_type_bits(t) == 64;
    for (unsigned c = 0; c < ir_type_comps(t); c++) {
        ir_ref v = i->refs[0];
        v = ir_replace_follow(&p->map, ir_type_comps(t) == 1 ? v : ir_comp(v, c));
        if (!(mask >> c & 1))
            continue;
        store_unit(p, g, i, wide ? 2 * c : c, wide ? irb_unpack_64_2x32_x(&p->b, v) : v);
        if (wide)
            store_unit(p, g, i, 2 * c + 1, irb_unpack_64_2x32_y(&p->b, v));
    }
    ir_unlink(i);
}

/* ---- blocks ---- */

/* Adds the slots that the store may change. */
static void
add_stored(const promote *p, const region *g, const ir_instr *i, uint64_t *set)
{
    ir_type t = data_type(p, i);
    uint32_t slot, end = end_of(g);
    if (constant_slot(p, g, i, 0, &slot))
        end = slot + ir_type_parts(t);
    else
        slot = g->first;
    for (; slot < end; slot++)
        bitset_add(set, slot);
}

/* Finds the slots that are stored to inside each loop. */
static void
find_stored(promote *p)
{
    arena *a = p->f->ctx->scratch;
    ir_block **open = ARENA_ARRAY(a, p->f->n_blocks + 1, ir_block *);
    uint32_t depth = 0;
    p->stored = ARENA_ARRAY(a, p->f->n_blocks, uint64_t *);
    IR_FOREACH_BLOCK(b, p->f) {
        while (depth && open[depth - 1]->merge == b) {
            uint64_t *inner = p->stored[open[--depth]->index];
            if (depth)
                bitset_union(p->stored[open[depth - 1]->index], inner, p->n_slots);
        }
        IR_FOREACH_INSTR(i, b) {
            const region *g = is_store(p, i) && depth ? region_of(p, i) : NULL;
            if (g && !g->stays)
                add_stored(p, g, i, p->stored[open[depth - 1]->index]);
        }
        if (b->cont) {
            open[depth++] = b;
            p->stored[b->index] = bitset_new(a, p->n_slots);
        }
    }
}

static ir_instr *
make_phi(promote *p, ir_block *b, uint32_t slot)
{
    return ir_build_phi(&p->b, b, IR_TYPE(p->unit[slot], 1), b->preds[0].count);
}

/* At a loop's header: makes phis whose second reference is set after the loop has been walked. */
static void
enter_loop(promote *p, ir_block *b, const ir_block *opener)
{
    for (uint32_t s = 0; s < p->n_slots; s++) {
        if (!bitset_has(p->stored[opener->index], s))
            continue;
        ir_ref first = get_slot(p, s);
        ir_instr *phi = make_phi(p, b, s);
        phi->refs[0] = first;
        phi->mark = s;
        set_slot(p, s, phi->defs[0]);
    }
}

static void
merge_states(promote *p, ir_block *b)
{
    uint32_t n = b->preds[0].count;
    ir_ref *refs = ARENA_ARRAY(p->f->ctx->scratch, n, ir_ref);
    for (uint32_t s = 0; s < p->n_slots; s++) {
        for (uint32_t k = 0; k < n; k++)
            refs[k] = p->at_end[b->preds[0].at[k]->index][s];
        ir_ref met = ir_meet(p->f, b, 0, IR_TYPE(p->unit[s], 1), refs);
        if (ir_same_ref(met, refs[0]))
            continue;
        ir_instr *phi = p->f->values[met.id].def;
        phi->loc = p->b.loc;
        for (uint32_t k = 0; k < n; k++) {
            if (!ir_is_value(phi->refs[k]))
                phi->refs[k] = ir_build_undef(&p->b, IR_TYPE(p->unit[s], 1));
        }
        set_slot(p, s, met);
    }
}

/* Returns true if `b` is the header of the loop that its first predecessor opens. */
static bool
is_header(const ir_block *b)
{
    return b->preds[0].count && b->preds[0].at[0]->cont && b->preds[0].at[0]->succs[0].at[0] == b;
}

static void
enter(promote *p, ir_block *b)
{
    if (!b->preds[0].count) {
        p->now = ARENA_ARRAY(p->f->ctx->scratch, p->n_slots, ir_ref);
        p->now_shared = false;
        return;
    }
    p->now = p->at_end[b->preds[0].at[0]->index];
    p->now_shared = true;
    if (is_header(b))
        enter_loop(p, b, b->preds[0].at[0]);
    else if (b->preds[0].count > 1)
        merge_states(p, b);
}

/* At the end of a continue region: sets the back-edge references of the header's phis. */
static void
close_loop(promote *p, const ir_block *b)
{
    const ir_block *to = b->succs[0].count == 1 ? b->succs[0].at[0] : NULL;
    if (!to || !is_header(to) || to->index > b->index)
        return;
    uint32_t at = ir_pred_index(to, b, 0);
    for (ir_instr *i = to->first; i->op == IR_phi; i = i->next) {
        if (!ir_is_value(i->refs[at]))
            i->refs[at] = get_slot(p, i->mark);
    }
}

static void
visit_block(promote *p, ir_block *b)
{
    ir_builder_at_end(&p->b, b);
    enter(p, b);
    IR_FOREACH_INSTR(i, b) {
        const region *g = is_load(p, i) || is_store(p, i) ? region_of(p, i) : NULL;
        if (!g || g->stays)
            continue;
        ir_builder_before(&p->b, i);
        p->b.loc = i->loc;
        if (is_load(p, i))
            visit_load(p, g, i);
        else
            visit_store(p, g, i);
    }
    close_loop(p, b);
    p->at_end[b->index] = p->now;
}

/* Promotes what it can of the memory that these opcodes access. Returns true if that is anything;
 * `*size` receives the number of bytes that are still needed. */
static bool
promote_all(ir_fn *f, ir_op load, ir_op store, uint32_t *size)
{
    promote p = {.f = f, .load = (uint16_t)load, .store = (uint16_t)store, .size = *size};
    if (!*size || !is_possible(&p))
        return false;
    p.map = (ir_replacement){.f = f};
    p.at_end = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, ir_ref *);
    ir_builder_init(&p.b, f);
    find_stored(&p);
    IR_FOREACH_BLOCK(b, f)
        visit_block(&p, b);
    ir_replace_all(&p.map);
    *size = 0;
    for (size_t k = 0; k < p.n_regions; k++)
        *size = p.regions[k].stays ? (p.regions[k].to + 15u) & ~15u : *size;
    return true;
}

/* Shared memory is like scratch if no other invocation sees it. */
static bool
promote_shared(ir_fn *f)
{
    bool any = ir_made_op(f, IR_load_shared) || ir_made_op(f, IR_store_shared);
    bool plain = !ir_made_op(f, IR_shared_atomic) && !ir_made_op(f, IR_shared_atomic_swap);
    return any && plain && opt_is_alone(f) &&
           promote_all(f, IR_load_shared, IR_store_shared, &f->shader.shared_size);
}

bool
opt_scratch_to_regs(ir_fn *f)
{
    bool changed = promote_shared(f);
    if (f->shader.scratch_size && opt_forward_scratch_copy(f))
        return true;
    return promote_all(f, IR_load_scratch, IR_store_scratch, &f->shader.scratch_size) || changed;
}
