/* Promotes scratch memory to values.
 *
 * Scratch is divided into slots of the size of the elements that are loaded and stored (8, 16 or 32
 * bits; 64-bit elements take two). If every place is constant, all slots become values. If some are
 * computed, only a small scratch memory (16 slots) is promoted: a computed load selects among the
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
#include "opt/opt.h"
#include "opt/scratch_copy.h"

#include "base/bitset.h"
#include "ir/builder.h"
#include "ir/ssa_repair.h"

enum {
    MAX_SELECTED = 16,
    MAX_STATE = 1 << 22, /* slots times blocks */
};

typedef struct promote {
    ir_fn *f;
    ir_builder b;
    ir_replacement map;
    unsigned unit; /* bits per slot */
    uint32_t n_slots;
    bool computed;   /* some places are not constant */
    ir_ref **at_end; /* by block: the values of its slots at its end */
    ir_ref *now;
    bool now_shared;   /* `now` belongs to another block: copy before writing */
    uint64_t **stored; /* by index of a loop's opener: the slots that the loop stores to */
} promote;

static bool
is_load(const ir_instr *i)
{
    return i->op == IR_load_scratch;
}

static bool
is_store(const ir_instr *i)
{
    return i->op == IR_store_scratch;
}

static ir_type
data_type(const ir_fn *f, const ir_instr *i)
{
    return is_load(i) ? f->values[i->defs[0].id].type : ir_ref_type(f, i->refs[0]);
}

static ir_ref
place(const ir_instr *i)
{
    return i->refs[is_load(i) ? 0 : 1];
}

/* ---- eligibility ---- */

/* Records the access. Returns false if it prevents promotion. */
static bool
add_access(promote *p, const ir_instr *i)
{
    uint64_t at;
    ir_type t = data_type(p->f, i);
    unsigned bits = ir_type_bits(t) == 64 ? 32 : ir_type_bits(t);
    uint32_t bytes = ir_type_bits(t) / 8 * ir_type_comps(t);
    if (p->unit && p->unit != bits)
        return false;
    p->unit = bits;
    uint32_t align = ir_attr_get(i, IR_A_ALIGN_MUL);
    if (align < bits / 8 || ir_attr_get(i, IR_A_ALIGN_OFFSET) % (bits / 8))
        return false;
    if (!ir_is_const(p->f, place(i), &at)) {
        p->computed = true;
        return true;
    }
    at += ir_attr_get(i, IR_A_BASE);
    return at % (bits / 8) == 0 && at + bytes <= p->f->shader.scratch_size;
}

static bool
is_possible(promote *p)
{
    bool any = false;
    IR_FOREACH_BLOCK(b, p->f) {
        IR_FOREACH_INSTR(i, b) {
            if (!is_load(i) && !is_store(i))
                continue;
            any = true;
            if (!add_access(p, i))
                return false;
        }
    }
    if (!any)
        return false;
    p->n_slots = p->f->shader.scratch_size / (p->unit / 8);
    if (p->computed && p->n_slots > MAX_SELECTED)
        return false;
    return (uint64_t)p->n_slots * p->f->n_blocks <= MAX_STATE;
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
        set_slot(p, slot, ir_build_undef(&p->b, IR_TYPE(p->unit, 1)));
    return p->now[slot];
}

/* An undefined slot may take any value. */
static bool
is_defined(const promote *p, uint32_t slot)
{
    return ir_is_value(p->now[slot]) && p->f->values[p->now[slot].id].def->op != IR_undef;
}

/* The slot number of the access's component `c`, if it is constant. */
static bool
constant_slot(const promote *p, const ir_instr *i, uint32_t c, uint32_t *slot)
{
    uint64_t at;
    if (!ir_is_const(p->f, place(i), &at))
        return false;
    *slot = (uint32_t)(at + ir_attr_get(i, IR_A_BASE)) / (p->unit / 8) + c;
    return true;
}

/* Builds the condition that unit `c` of the computed access is in slot number `slot`. */
static ir_ref
is_slot(promote *p, const ir_instr *i, uint32_t c, uint32_t slot)
{
    uint32_t bytes = (slot - c) * (p->unit / 8) - ir_attr_get(i, IR_A_BASE);
    return irb_ieq(&p->b, ir_replace_follow(&p->map, place(i)), ir_build_imm(&p->b, 32, bytes));
}

/* Returns true if unit `c` of the computed access may be in slot number `slot`. BASE plus the
 * offset does not wrap, and the alignment is known. */
static bool
may_be_slot(const promote *p, const ir_instr *i, uint32_t c, uint32_t slot)
{
    uint32_t unit = p->unit / 8, mul = ir_attr_get(i, IR_A_ALIGN_MUL);
    uint32_t at = (slot - c) * unit, base = ir_attr_get(i, IR_A_BASE);
    return slot >= c && at >= base && at % mul == ir_attr_get(i, IR_A_ALIGN_OFFSET);
}

static ir_ref
load_unit(promote *p, const ir_instr *i, uint32_t c)
{
    uint32_t slot;
    if (constant_slot(p, i, c, &slot))
        return get_slot(p, slot);
    ir_ref r = ir_none();
    for (slot = p->n_slots; slot-- > 0;) {
        if (!is_defined(p, slot) || !may_be_slot(p, i, c, slot))
            continue;
        ir_ref v = get_slot(p, slot);
        r = ir_is_value(r) ? irb_bcsel(&p->b, is_slot(p, i, c, slot), v, r) : v;
    }
    return ir_is_value(r) ? r : ir_build_undef(&p->b, IR_TYPE(p->unit, 1));
}

static void
store_unit(promote *p, const ir_instr *i, uint32_t c, ir_ref value)
{
    uint32_t slot;
    if (constant_slot(p, i, c, &slot)) {
        set_slot(p, slot, value);
        return;
    }
    for (slot = 0; slot < p->n_slots; slot++) {
        if (!may_be_slot(p, i, c, slot))
            continue;
        ir_ref here = is_slot(p, i, c, slot);
        set_slot(p, slot, irb_bcsel(&p->b, here, value, get_slot(p, slot)));
    }
}

/* ---- accesses ---- */

static void
visit_load(promote *p, ir_instr *i)
{
    ir_ref comps[IR_MAX_COMPS];
    ir_type t = data_type(p->f, i);
    bool wide = ir_type_bits(t) == 64;
    for (unsigned c = 0; c < ir_type_comps(t); c++) {
        comps[c] = load_unit(p, i, wide ? 2 * c : c);
        if (wide)
            comps[c] = irb_pack_64_2x32(&p->b, comps[c], load_unit(p, i, 2 * c + 1));
    }
    ir_replace_add(&p->map, i->defs[0].id, ir_build_vec(&p->b, comps, ir_type_comps(t)));
    ir_remove(i);
}

static void
visit_store(promote *p, ir_instr *i)
{
    ir_type t = data_type(p->f, i);
    uint32_t mask = ir_attr_get(i, IR_A_WRITE_MASK);
    bool wide = ir_type_bits(t) == 64;
    for (unsigned c = 0; c < ir_type_comps(t); c++) {
        ir_ref v = i->refs[0];
        v = ir_replace_follow(&p->map, ir_type_comps(t) == 1 ? v : ir_comp(v, c));
        if (!(mask >> c & 1))
            continue;
        store_unit(p, i, wide ? 2 * c : c, wide ? irb_unpack_64_2x32_x(&p->b, v) : v);
        if (wide)
            store_unit(p, i, 2 * c + 1, irb_unpack_64_2x32_y(&p->b, v));
    }
    ir_unlink(i);
}

/* ---- blocks ---- */

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
            uint32_t units = is_store(i) && depth ? p->n_slots : 0, slot;
            ir_type t = units ? data_type(p->f, i) : 0;
            if (units && constant_slot(p, i, 0, &slot))
                units = ir_type_comps(t) * (ir_type_bits(t) == 64 ? 2 : 1);
            else
                slot = 0;
            for (uint32_t u = 0; u < units; u++)
                bitset_add(p->stored[open[depth - 1]->index], slot + u);
        }
        if (b->cont) {
            open[depth++] = b;
            p->stored[b->index] = bitset_new(a, p->n_slots);
        }
    }
}

static ir_instr *
make_phi(promote *p, ir_block *b)
{
    return ir_build_phi(&p->b, b, IR_TYPE(p->unit, 1), b->preds[0].count);
}

/* At a loop's header: makes phis whose second reference is set after the loop has been walked. */
static void
enter_loop(promote *p, ir_block *b, const ir_block *opener)
{
    for (uint32_t s = 0; s < p->n_slots; s++) {
        if (!bitset_has(p->stored[opener->index], s))
            continue;
        ir_ref first = get_slot(p, s);
        ir_instr *phi = make_phi(p, b);
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
        ir_ref met = ir_meet(p->f, b, 0, IR_TYPE(p->unit, 1), refs);
        if (ir_same_ref(met, refs[0]))
            continue;
        ir_instr *phi = p->f->values[met.id].def;
        phi->loc = p->b.loc;
        for (uint32_t k = 0; k < n; k++) {
            if (!ir_is_value(phi->refs[k]))
                phi->refs[k] = ir_build_undef(&p->b, IR_TYPE(p->unit, 1));
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
        if (!is_load(i) && !is_store(i))
            continue;
        ir_builder_before(&p->b, i);
        p->b.loc = i->loc;
        if (is_load(i))
            visit_load(p, i);
        else
            visit_store(p, i);
    }
    close_loop(p, b);
    p->at_end[b->index] = p->now;
}

bool
opt_scratch_to_regs(ir_fn *f)
{
    promote p = {.f = f};
    if (!f->shader.scratch_size)
        return false;
    if (opt_forward_scratch_copy(f))
        return true;
    if (!is_possible(&p))
        return false;
    p.map = (ir_replacement){.f = f};
    p.at_end = ARENA_ARRAY(f->ctx->scratch, f->n_blocks, ir_ref *);
    ir_builder_init(&p.b, f);
    find_stored(&p);
    IR_FOREACH_BLOCK(b, f)
        visit_block(&p, b);
    ir_replace_all(&p.map);
    f->shader.scratch_size = 0;
    return true;
}
