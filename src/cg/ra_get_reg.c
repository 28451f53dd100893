/* Finds registers for definitions when the free ones are fragmented.
 *
 * First a window is cleared: of all possible positions of the definition, the one whose occupants
 * are cheapest to move, each to a free register outside; or values slide together (ra_slide.c). If
 * that fails, the whole bank is reassigned, which cannot fail as long as the demand is within the
 * budget: values that live on are packed from the top down, largest alignment first, so that no
 * register between them is lost; operands that die, and definitions, are each packed from the
 * bottom up into the rest. As sizes are multiples of their alignment (and those with alignment 1
 * come last), no register is lost there either. If some classes have a limit, values of other
 * classes are placed beyond it first. Registers between that limit and the values that live on may
 * be too few for a value, and so may registers beside values that must not move: the family
 * reserves as many as its largest class takes (cg_spill_bank.reserved).
 */
#include "cg/ra.h"

#include <assert.h>
#include <string.h>

void
cg_ra_evict(ra_ctx *c, uint32_t id)
{
    ra_value *v = cg_ra_val(c, id);
    if (v->moved_at != c->clock) {
        v->moved_at = c->clock;
        v->from = v->reg;
        c->moves = arena_grow(c->a, c->moves, &c->cap_moves, c->n_moves + 1, sizeof *c->moves);
        c->moves[c->n_moves++] = id;
    }
    if (v->reg != RA_NOWHERE)
        cg_ra_take(c, id);
}

bool
cg_ra_settle(ra_ctx *c)
{
    for (;;) {
        uint32_t largest = 0;
        for (size_t m = 0; m < c->n_moves; m++) {
            const ra_value *v = cg_ra_val(c, c->moves[m]);
            bool larger = !largest ||
                          cg_ra_units(c, v->rc) > cg_ra_units(c, cg_ra_val(c, largest)->rc);
            if (v->reg == RA_NOWHERE && larger)
                largest = c->moves[m];
        }
        if (!largest)
            return true;
        ra_shape shape = cg_ra_shape_of(c, cg_ra_val(c, largest)->rc);
        unsigned reg = cg_ra_search(c->file.before, c->file.after, &shape);
        if (reg == RA_NOWHERE)
            return false;
        cg_ra_put(c, largest, reg);
    }
}

/* The original that lives on in `reg`; 0 if none does, UINT32_MAX if a definition has the
 * register. */
static uint32_t
survivor(const ra_ctx *c, unsigned reg)
{
    if (cg_ra_is_free(c->file.after, reg, 1))
        return 0;
    uint32_t id = c->file.owner[reg];
    return id && !cg_ra_is_dying(c, id) ? id : UINT32_MAX;
}

void
cg_ra_clear(ra_ctx *c, unsigned reg, unsigned size)
{
    for (unsigned r = reg; r < reg + size; r++) {
        uint32_t id = survivor(c, r);
        if (id && id != UINT32_MAX)
            cg_ra_evict(c, id);
    }
}

unsigned
cg_ra_window_cost(const ra_ctx *c, unsigned reg, unsigned size)
{
    unsigned cost = 0;
    uint32_t last = 0;
    for (unsigned r = reg; r < reg + size; r++) {
        uint32_t id = survivor(c, r);
        if (id == 0 || id == last)
            continue;
        if (id == UINT32_MAX || cg_ra_val(c, id)->pinned || cg_ra_val(c, id)->fixed_at == c->clock)
            return RA_COST_NEVER;
        cost += cg_ra_units(c, cg_ra_val(c, id)->rc);
        last = id;
    }
    return cost;
}

/* `*cost`: registers that move out of it. */
static unsigned
cheapest_window(const ra_ctx *c, const ra_shape *shape, unsigned *cost_of_best)
{
    unsigned best = RA_NOWHERE, best_cost = RA_COST_NEVER;
    for (unsigned r = shape->lo; r + shape->size <= shape->hi; r += shape->align) {
        unsigned cost = cg_ra_window_cost(c, r, shape->size);
        bool better = shape->high ? cost < RA_COST_NEVER : cost < best_cost;
        if (!better)
            continue;
        best = r;
        best_cost = cost;
    }
    *cost_of_best = best_cost;
    return best;
}

/* Is there a place outside for each value in the window? Two may get the same one, so this is a
 * guess. */
static bool
can_empty(const ra_ctx *c, unsigned reg, unsigned size)
{
    uint64_t after[RA_WORDS];
    if (reg == RA_NOWHERE)
        return false;
    memcpy(after, c->file.after, sizeof after);
    cg_ra_mark(after, reg, size);
    for (unsigned r = reg; r < reg + size; r++) {
        uint32_t id = survivor(c, r);
        if (!id || id == UINT32_MAX)
            continue;
        ra_shape shape = cg_ra_shape_of(c, cg_ra_val(c, id)->rc);
        if (cg_ra_search(c->file.before, after, &shape) == RA_NOWHERE)
            return false;
    }
    return true;
}

bool
cg_ra_make_room(ra_ctx *c, unsigned reg, unsigned size, uint32_t self)
{
    if (cg_ra_is_free(c->file.after, reg, size))
        return true;
    cg_ra_clear(c, reg, size);
    cg_ra_mark(c->file.after, reg, size);
    if (self)
        cg_ra_val(c, self)->reg = (uint16_t)reg; /* not to be settled with the others */
    bool settled = cg_ra_settle(c);
    if (self)
        cg_ra_val(c, self)->reg = RA_NOWHERE;
    cg_ra_unmark(c->file.after, reg, size);
    return settled;
}

unsigned
cg_ra_get_reg(ra_ctx *c, unsigned rc, uint32_t self)
{
    ra_shape shape = cg_ra_shape_of(c, rc);
    unsigned reg = shape.high ? RA_NOWHERE : cg_ra_take_cheap(c, &shape);
    if (reg == RA_NOWHERE && !shape.high)
        reg = cg_ra_take_free(c, NULL, &shape);
    if (reg != RA_NOWHERE)
        return reg;
    unsigned cost;
    reg = cheapest_window(c, &shape, &cost);
    if (!shape.high && !can_empty(c, reg, shape.size))
        cost = RA_COST_NEVER;
    unsigned slid = shape.high ? RA_NOWHERE : cg_ra_slide(c, &shape, cost);
    if (slid != RA_NOWHERE || reg == RA_NOWHERE)
        return slid;
    return cg_ra_make_room(c, reg, shape.size, self) ? reg : RA_NOWHERE;
}

bool
cg_ra_is_open_def(const ra_ctx *c, unsigned d)
{
    return !(c->instr->defs[d].flags & IR_FIXED) && c->tied.def != (int)d;
}

/* ---- reassigning a bank ---- */

typedef enum pack_group { PACK_PINNED, PACK_THROUGH, PACK_DYING, PACK_DEF } pack_group;

typedef struct pack_item {
    pack_group group;
    uint32_t id;  /* the original; 0 for a definition */
    unsigned def; /* number of the definition, also of one tied to an original; or RA_MAX_DEFS */
    ra_shape shape;
} pack_item;

struct ra_pack {
    pack_item items[RA_REGS];
    unsigned count;
    uint16_t limit_end; /* see find_limit */
};

static bool
goes_before(const pack_item *a, const pack_item *b)
{
    if (a->group != b->group)
        return a->group < b->group;
    if (a->shape.align != b->shape.align)
        return a->shape.align > b->shape.align;
    return a->shape.size > b->shape.size;
}

static void
pack_add(ra_pack *p, pack_item item)
{
    unsigned at = p->count++;
    assert(at < RA_REGS);
    for (; at > 0 && goes_before(&item, &p->items[at - 1]); at--)
        p->items[at] = p->items[at - 1];
    p->items[at] = item;
}

/* The definition that is tied to a dying original, or RA_MAX_DEFS. */
static unsigned
tied_to(const ra_ctx *c, uint32_t id)
{
    int ref = c->instr ? c->tied.ref : -1, def = c->instr ? c->tied.def : -1;
    bool tied = ref >= 0 && def >= 0 && ir_is_value(c->instr->refs[ref]) &&
                c->instr->refs[ref].id == id;
    return tied ? (unsigned)def : RA_MAX_DEFS;
}

static void
pack_original(ra_ctx *c, ra_pack *p, uint32_t id)
{
    ra_value *v = cg_ra_val(c, id);
    pack_item item = {.group = PACK_THROUGH, .id = id, .def = RA_MAX_DEFS};
    if (v->reg != RA_NOWHERE && (v->pinned || v->fixed_at == c->clock))
        return;
    item.shape = cg_ra_shape_of(c, v->rc);
    if (v->pinned)
        item.group = PACK_PINNED;
    if (cg_ra_is_dying(c, id)) {
        item.def = tied_to(c, id);
        item.group = item.def == RA_MAX_DEFS ? PACK_DYING : PACK_THROUGH;
        if (item.def != RA_MAX_DEFS && c->def_reg[item.def] != RA_NOWHERE)
            cg_ra_unmark(c->file.after, v->reg, item.shape.size);
    }
    pack_add(p, item);
    cg_ra_evict(c, id);
}

static void
pack_definitions(ra_ctx *c, ra_pack *p, unsigned bank)
{
    for (unsigned d = 0; c->instr && d < c->instr->n_defs; d++) {
        unsigned rc = c->instr->defs[d].rc;
        if (!cg_ra_is_open_def(c, d) || cg_ra_class(c, rc)->bank != bank)
            continue;
        pack_item item = {.group = PACK_DEF, .def = d, .shape = cg_ra_shape_of(c, rc)};
        if (item.shape.high)
            item.group = PACK_PINNED;
        if (c->def_reg[d] != RA_NOWHERE)
            cg_ra_unmark(c->file.after, c->def_reg[d], item.shape.size);
        c->def_reg[d] = RA_NOWHERE;
        pack_add(p, item);
    }
}

/* The place for an item: beyond the part of the bank that limited classes use, if its class allows
 * that and there is room. */
static unsigned
pack_search(const ra_ctx *c, const pack_item *item)
{
    ra_shape shape = item->shape, behind;
    bool needs_before = item->group <= PACK_DYING, needs_after = item->group != PACK_DYING;
    const uint64_t *a = needs_before ? c->file.before : c->file.after;
    const uint64_t *b = needs_after ? c->file.after : NULL;
    if (item->group == PACK_THROUGH)
        shape.high = true;
    behind = shape;
    behind.lo = c->pack->limit_end;
    unsigned reg = behind.lo < shape.hi && !shape.high ? cg_ra_search(a, b, &behind) : RA_NOWHERE;
    return reg == RA_NOWHERE ? cg_ra_search(a, b, &shape) : reg;
}

static void
pack_place(ra_ctx *c, const pack_item *item)
{
    unsigned reg = pack_search(c, item);
    if (reg == RA_NOWHERE)
        diag_fail(c->f->ctx->diag, ERR_INTERNAL, "register demand above the budget");
    if (item->id)
        cg_ra_put(c, item->id, reg);
    if (item->def == RA_MAX_DEFS)
        return;
    c->def_reg[item->def] = (uint16_t)reg;
    cg_ra_mark(c->file.after, reg, item->shape.size);
}

/* The end of the registers that classes with a limit may use; the bank's first if there are no such
 * classes. */
static unsigned
find_limit(const ra_ctx *c, unsigned bank)
{
    enum { CLASSES = 256 };
    unsigned limit = 0;
    for (unsigned rc = 0; rc < CLASSES; rc++) {
        const ir_class *class = cg_ra_class(c, rc);
        limit = class->bank == bank && class->limit > limit ? class->limit : limit;
    }
    return c->f->level->machine->banks[bank].first + limit;
}

void
cg_ra_repack(ra_ctx *c, unsigned bank)
{
    ra_pack *p = c->pack = c->pack ? c->pack : ARENA_NEW(c->a, ra_pack);
    unsigned lo = c->f->level->machine->banks[bank].first, hi = c->end[bank];
    p->count = 0;
    p->limit_end = (uint16_t)find_limit(c, bank);
    for (size_t m = 0; m < c->n_moves; m++) {
        const ra_value *v = cg_ra_val(c, c->moves[m]);
        if (v->reg == RA_NOWHERE && cg_ra_class(c, v->rc)->bank == bank)
            pack_original(c, p, c->moves[m]);
    }
    for (unsigned r = lo; r < hi; r++) {
        if (c->file.owner[r])
            pack_original(c, p, c->file.owner[r]);
    }
    pack_definitions(c, p, bank);
    for (unsigned k = 0; k < p->count; k++)
        pack_place(c, &p->items[k]);
}
