/* Slots of spilled values: the stores, and the places of the slots.
 *
 * A class of cg_lower_to_cssa has one slot. Classes that are not live at the same time share slots:
 * sorted by their beginnings, each class takes the first place that is free. The operands of a
 * memory phi must be stored too, so "needed" propagates from a phi to its operands. Each needed
 * value is stored after its definition, unless it is a memory phi itself. Slots are counted in
 * units, and no slot crosses the boundary of a page.
 */
#include "cg/spill.h"

#include "base/bits.h"
#include "cg/place.h"

typedef struct slot_ctx {
    spill_ctx *c;
    cg_span *spans; /* by class: the span of all its members before spilling */
    uint32_t *slot; /* by class: first unit + 1, or 0; WANTED if it needs a slot and has none yet */
    uint64_t *taken; /* one bit per unit: in use now */
    uint32_t n_slots, n_words;
    size_t cap_words;
    uint32_t *wanted; /* classes, sorted by the beginnings of their spans */
    uint32_t n_wanted;
    uint32_t *heap; /* heap of the classes that have a slot; the first to end is on top */
    uint32_t n_heap;
    uint8_t *size;  /* by class */
    uint32_t *work; /* needed memory phis */
    size_t n_work, cap_work;
} slot_ctx;

/* ---- what is needed ---- */

static void
need(slot_ctx *s, uint32_t id)
{
    spill_value *v = &s->c->v[id];
    v->needed = true;
    if (!v->memory_phi || v->mark == UINT32_MAX)
        return;
    v->mark = UINT32_MAX;
    s->work = arena_grow(s->c->a, s->work, &s->cap_work, s->n_work + 1, sizeof *s->work);
    s->work[s->n_work++] = id;
}

static void
note_use(spill_ctx *c, ir_instr *i, uint32_t id)
{
    c->uses = arena_grow(c->a, c->uses, &c->cap_uses, c->n_uses + 1, sizeof *c->uses);
    c->uses[c->n_uses++] = (cg_spill_use){.instr = i, .id = id};
}

static ir_instr *
new_store(spill_ctx *c, ir_ref value, uint32_t id)
{
    ir_instr *i = ir_new_instr(c->f, c->m->ops.spill, 0, 1u + c->bank->more_refs);
    i->refs[0] = value;
    c->stored += c->v[id].size;
    note_use(c, i, id);
    return i;
}

/* The operands of a memory phi are stored at their definitions. Constants, if the bank spills them,
 * are stored at the end of their predecessor. */
static void
need_operands(slot_ctx *s, const ir_instr *phi)
{
    spill_ctx *c = s->c;
    const ir_edges *preds = &phi->block->preds[c->list];
    for (unsigned r = 0; r < phi->n_refs; r++) {
        if (ir_is_value(phi->refs[r])) {
            need(s, phi->refs[r].id);
        } else if (phi->refs[r].kind == IR_REF_CONST) {
            ir_ref constant = phi->refs[r];
            constant.rc = phi->defs[0].rc;
            ir_insert_before(preds->at[r]->last, new_store(c, constant, phi->defs[0].id));
        }
    }
}

static void
find_needed(slot_ctx *s)
{
    for (uint32_t id = 0; id < s->c->n_v; id++) {
        if (s->c->v[id].needed)
            need(s, id);
    }
    while (s->n_work)
        need_operands(s, s->c->v[s->work[--s->n_work]].memory_phi);
}

/* ---- stores ---- */

/* The instruction before which the store of the definitions of `def` is inserted. */
static ir_instr *
behind(const spill_ctx *c, ir_instr *def)
{
    return ir_has_flag(def, IR_OP_PHI) ? cg_place_at_beginning(def->block, c->list) : def->next;
}

static void
store_needed(spill_ctx *c)
{
    for (uint32_t id = 0; id < c->n_v; id++) {
        if (!c->v[id].needed || c->v[id].memory_phi)
            continue;
        ir_instr *def = c->f->values[id].def;
        ir_insert_before(behind(c, def), new_store(c, ir_use(c->f, id), id));
    }
}

/* ---- slots ---- */

#define WANTED UINT32_MAX

static uint32_t
class_of(const slot_ctx *s, uint32_t id)
{
    return cg_cssa_class(s->c->classes, id);
}

/* Merges the spans of values into those of their classes. */
static void
join_spans(slot_ctx *s)
{
    s->spans = s->c->spans;
    for (uint32_t id = 0; id < s->c->n_v; id++) {
        cg_span *all = &s->spans[class_of(s, id)], own = s->spans[id];
        all->start = own.start < all->start ? own.start : all->start;
        all->end = own.end > all->end ? own.end : all->end;
    }
}

/* True if class `a` comes before class `b` in the heap. */
typedef bool (*class_order)(const slot_ctx *s, uint32_t a, uint32_t b);

static bool
begins_before(const slot_ctx *s, uint32_t a, uint32_t b)
{
    uint32_t x = s->spans[a].start, y = s->spans[b].start;
    return x != y ? x < y : a < b;
}

static bool
ends_before(const slot_ctx *s, uint32_t a, uint32_t b)
{
    return s->spans[a].end < s->spans[b].end;
}

static void
heap_push(const slot_ctx *s, uint32_t *heap, uint32_t *n, uint32_t class, class_order before)
{
    uint32_t at = (*n)++;
    for (; at && before(s, class, heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = class;
}

static uint32_t
heap_pop(const slot_ctx *s, uint32_t *heap, uint32_t *n, class_order before)
{
    uint32_t first = heap[0], last = heap[--*n], at = 0;
    for (uint32_t k; (k = 2 * at + 1) < *n; at = k) {
        k += k + 1 < *n && before(s, heap[k + 1], heap[k]);
        if (!before(s, heap[k], last))
            break;
        heap[at] = heap[k];
    }
    heap[at] = last;
    return first;
}

static bool
is_taken(const slot_ctx *s, uint32_t at)
{
    return at / 64 < s->n_words && (s->taken[at / 64] >> at % 64 & 1);
}

/* The first free unit at or after `at`. */
static uint32_t
next_free(const slot_ctx *s, uint32_t at)
{
    for (; at / 64 < s->n_words; at = at / 64 * 64 + 64) {
        uint64_t rest = ~s->taken[at / 64] >> at % 64;
        if (rest)
            return at + base_ctz64(rest);
    }
    return at;
}

/* The first free place for `size` units. */
static uint32_t
find_place(const slot_ctx *s, uint32_t size)
{
    uint32_t page = s->c->bank->page, at = next_free(s, 0), n = 0;
    while (n < size) {
        if (page && at / page != (at + size - 1) / page) {
            at = next_free(s, (at + page - 1) / page * page);
            continue;
        }
        for (n = 1; n < size && !is_taken(s, at + n);)
            n++;
        if (n < size)
            at = next_free(s, at + n);
    }
    return at;
}

static void
set_taken(slot_ctx *s, uint32_t at, uint32_t size, bool taken)
{
    uint32_t words = (at + size + 63) / 64;
    s->taken = arena_grow(s->c->a, s->taken, &s->cap_words, words, sizeof *s->taken);
    while (s->n_words < words)
        s->taken[s->n_words++] = 0;
    for (uint32_t k = at; k < at + size; k++) {
        uint64_t bit = UINT64_C(1) << k % 64;
        s->taken[k / 64] = taken ? s->taken[k / 64] | bit : s->taken[k / 64] & ~bit;
    }
    s->n_slots = at + size > s->n_slots ? at + size : s->n_slots;
}

/* Gives the class the first place that is free once the classes which end before it begins have
 * left. */
static void
give_slot(slot_ctx *s, uint32_t class)
{
    while (s->n_heap && s->spans[s->heap[0]].end <= s->spans[class].start) {
        uint32_t ended = heap_pop(s, s->heap, &s->n_heap, ends_before);
        set_taken(s, s->slot[ended] - 1, s->size[ended], false);
    }
    uint32_t at = find_place(s, s->size[class]);
    s->slot[class] = at + 1;
    set_taken(s, at, s->size[class], true);
    heap_push(s, s->heap, &s->n_heap, class, ends_before);
}

/* Assigns slots to the classes that are stored or reloaded, in the order in which they begin. */
static void
give_slots(slot_ctx *s)
{
    spill_ctx *c = s->c;
    join_spans(s);
    s->wanted = ARENA_ARRAY(c->a, c->n_uses, uint32_t);
    s->heap = ARENA_ARRAY(c->a, c->n_uses, uint32_t);
    s->size = ARENA_ARRAY(c->a, c->f->n_values, uint8_t);
    for (size_t k = 0; k < c->n_uses; k++) {
        uint32_t class = class_of(s, c->uses[k].id);
        if (s->slot[class] == WANTED)
            continue;
        s->slot[class] = WANTED;
        s->size[class] = c->v[c->uses[k].id].size;
        heap_push(s, s->wanted, &s->n_wanted, class, begins_before);
    }
    while (s->n_wanted)
        give_slot(s, heap_pop(s, s->wanted, &s->n_wanted, begins_before));
}

uint32_t
cg_spill_assign_slots(spill_ctx *c)
{
    slot_ctx s = {.c = c, .slot = ARENA_ARRAY(c->a, c->f->n_values, uint32_t)};
    find_needed(&s);
    store_needed(c);
    give_slots(&s);
    for (size_t k = 0; k < c->n_uses; k++)
        ir_words(c->uses[k].instr)[0] = s.slot[class_of(&s, c->uses[k].id)] - 1;
    return s.n_slots;
}
