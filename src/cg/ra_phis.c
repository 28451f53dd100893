/* Block boundaries: the registers of live values at a block's entry, and the phis for them.
 *
 * A value that is live into a block keeps its name and register if all predecessors agree about
 * them. If they do not, or if it must make room for a phi's definition, it gets a phi of its own.
 * At a loop header the back edge is not yet allocated, so every live-in gets a phi; those that turn
 * out to merge one value with itself are removed at the end. References of phis are named when
 * their predecessor has been allocated (ra_leave_block), as in the SSA construction of Braun et al.
 * (2013).
 *
 * A block whose only predecessor was allocated just before it inherits the register file.
 *
 * No copies are made here: ssa_elimination inserts those that the phis' registers require.
 */
#include "cg/ra.h"
#include "ir/ssa_repair.h"

#include <assert.h>

static bool
is_done(const ra_ctx *c, const ir_block *b)
{
    return c->out[b->index] != NULL;
}

static ra_place
place_at_end(const ra_ctx *c, const ir_block *pred, uint32_t id)
{
    uint32_t at = cg_find_id(&c->live->out[pred->index], id);
    assert(at != UINT32_MAX);
    return c->out[pred->index][at];
}

/* ---- entry ---- */

/* A live-in as the allocated predecessors have it. */
typedef struct live_in {
    ra_place place; /* its register in the first predecessor */
    bool agree;     /* all have it in that register under that name */
    bool special;   /* all have it in that register, which is a special one */
} live_in;

/* Cursors into the predecessors' live-out sets: all sets are sorted, so each cursor only
 * advances. */
typedef struct entry {
    const ir_block *b;
    live_in *ins; /* by index in the block's live-in set */
    uint32_t *cursor[2];
    bool all_done[2]; /* by edge list */
} entry;

static ra_place
next_place(const ra_ctx *c, entry *e, unsigned list, uint32_t pred, uint32_t id)
{
    const ir_block *from = e->b->preds[list].at[pred];
    const cg_id_set *out = &c->live->out[from->index];
    uint32_t at = e->cursor[list][pred];
    while (out->ids[at] != id)
        at++;
    e->cursor[list][pred] = at;
    return c->out[from->index][at];
}

static live_in
find_live_in(const ra_ctx *c, entry *e, uint32_t id)
{
    unsigned list = cg_ra_class(c, cg_ra_val(c, id)->rc)->edges;
    const ir_edges *preds = &e->b->preds[list];
    live_in in = {.place = {.reg = RA_NOWHERE}, .agree = true, .special = true};
    for (uint32_t k = 0; k < preds->count; k++) {
        if (!e->all_done[list] && !is_done(c, preds->at[k]))
            continue;
        ra_place place = next_place(c, e, list, k, id);
        if (in.place.reg == RA_NOWHERE)
            in.place = place;
        in.agree &= place.name == in.place.name;
        in.special &= place.reg == in.place.reg;
    }
    assert(in.place.reg != RA_NOWHERE);
    in.special &= ir_is_special(c->f->level->machine, (unsigned)in.place.reg << c->shift);
    return in;
}

/* Assigns a live-in the register that its predecessors agree about; leaves it without one if they
 * disagree. Nothing takes it out of a special register, so that its names are one value's. */
static void
enter_live_in(ra_ctx *c, uint32_t id, live_in in)
{
    ra_value *v = cg_ra_val(c, id);
    const bool stays = in.agree || in.special;
    v->name = in.place.name;
    v->reg = RA_NOWHERE;
    if (stays && cg_ra_is_free(c->file.before, in.place.reg, cg_ra_units(c, v->rc)))
        cg_ra_put(c, id, in.place.reg);
    else
        cg_ra_evict(c, id);
}

static entry
open_entry(const ra_ctx *c, const ir_block *b)
{
    entry e = {.b = b, .ins = ARENA_ARRAY(c->a, c->live->in[b->index].count, live_in)};
    for (unsigned list = 0; list < 2; list++) {
        e.cursor[list] = ARENA_ARRAY(c->a, b->preds[list].count, uint32_t);
        e.all_done[list] = true;
        for (uint32_t k = 0; k < b->preds[list].count; k++)
            e.all_done[list] &= is_done(c, b->preds[list].at[k]);
    }
    return e;
}

static void
enter_phi(ra_ctx *c, const ir_instr *phi)
{
    uint32_t id = phi->defs[0].id;
    cg_ra_val(c, id)->reg = RA_NOWHERE;
    if (phi->defs[0].flags & IR_FIXED) {
        cg_ra_val(c, id)->fixed_at = c->clock;
        cg_ra_clear(c, phi->defs[0].reg >> c->shift, cg_ra_units(c, phi->defs[0].rc));
        cg_ra_put(c, id, phi->defs[0].reg >> c->shift);
    } else {
        cg_ra_evict(c, id);
    }
}

static bool
try_put(ra_ctx *c, uint32_t id, unsigned reg)
{
    ra_shape shape = cg_ra_shape_of(c, cg_ra_val(c, id)->rc);
    if (cg_ra_val(c, id)->reg != RA_NOWHERE || reg == RA_NOWHERE || !cg_ra_fits(&shape, reg) ||
        !cg_ra_is_free(c->file.before, reg, shape.size))
        return false;
    cg_ra_put(c, id, reg);
    return true;
}

/* Tries the predecessors' registers for live-ins without one. */
static void
try_places_of_preds(ra_ctx *c, const ir_block *b, uint32_t id)
{
    const ir_edges *preds = &b->preds[cg_ra_class(c, cg_ra_val(c, id)->rc)->edges];
    for (uint32_t k = 0; k < preds->count && cg_ra_val(c, id)->reg == RA_NOWHERE; k++) {
        if (is_done(c, preds->at[k]))
            try_put(c, id, place_at_end(c, preds->at[k], id).reg);
    }
}

/* Tries the registers of a phi's operands. */
static void
try_places_of_refs(ra_ctx *c, const ir_instr *phi)
{
    for (unsigned r = 0; r < phi->n_refs; r++) {
        ir_ref ref = phi->refs[r];
        if (ir_is_value(ref) && (ref.flags & IR_ASSIGNED) && (ref.flags & IR_KILL) &&
            try_put(c, phi->defs[0].id, (unsigned)ref.reg >> c->shift))
            return;
    }
}

static void
place_homeless(ra_ctx *c)
{
    for (size_t m = 0; m < c->n_moves; m++) {
        uint32_t id = c->moves[m];
        unsigned rc = cg_ra_val(c, id)->rc;
        if (cg_ra_val(c, id)->reg != RA_NOWHERE)
            continue;
        unsigned reg = cg_ra_get_reg(c, rc, id);
        if (reg == RA_NOWHERE)
            cg_ra_repack(c, cg_ra_class(c, rc)->bank);
        else
            cg_ra_put(c, id, reg);
    }
}

/* ---- phis inserted by allocation ---- */

static void
make_phi(ra_ctx *c, ir_block *b, uint32_t id)
{
    ra_value *v = cg_ra_val(c, id);
    unsigned list = cg_ra_class(c, v->rc)->edges;
    const ir_edges *preds = &b->preds[list];
    ir_instr *phi = ir_new_phi(c->f, b, list, v->rc);
    for (uint32_t k = 0; k < preds->count; k++) {
        phi->refs[k] = ir_use(c->f, id);
        if (!is_done(c, preds->at[k]))
            continue;
        ra_place place = place_at_end(c, preds->at[k], id);
        phi->refs[k].id = place.name;
        phi->refs[k].reg = (uint16_t)(place.reg << c->shift);
        phi->refs[k].flags = IR_ASSIGNED;
    }
    v->name = phi->defs[0].id;
    phi->defs[0].reg = (uint16_t)(v->reg << c->shift);
    phi->defs[0].flags = IR_ASSIGNED;
    ir_prepend(b, phi);
    c->phis = arena_grow(c->a, c->phis, &c->cap_phis, c->n_phis + 1, sizeof *c->phis);
    c->phis[c->n_phis++] = phi;
}

/* True if the live-in has one name and register on all edges, and has kept both. */
static bool
is_settled(const ra_ctx *c, const entry *e, uint32_t id, live_in in)
{
    const ra_value *v = cg_ra_val(c, id);
    return e->all_done[cg_ra_class(c, v->rc)->edges] && in.agree && v->reg == in.place.reg;
}

static void
finish_phi(ra_ctx *c, ir_instr *phi)
{
    ir_ref *def = &phi->defs[0];
    const ra_value *v = cg_ra_val(c, def->id);
    def->reg = (uint16_t)(v->reg << c->shift);
    def->flags |= IR_ASSIGNED;
    cg_ra_note_used(c, v->reg, cg_ra_units(c, v->rc));
    cg_ra_web_placed(c, def->id, v->reg, true);
}

static void
place_entry(ra_ctx *c, ir_block *b, entry *e, ir_instr *body)
{
    const cg_id_set *in = &c->live->in[b->index];
    for (uint32_t k = 0; k < in->count; k++) {
        e->ins[k] = find_live_in(c, e, in->ids[k]);
        enter_live_in(c, in->ids[k], e->ins[k]);
    }
    for (ir_instr *i = b->first; i != body; i = i->next)
        enter_phi(c, i);
    for (size_t m = 0, n = c->n_moves; m < n; m++) {
        if (cg_live_has(in, c->moves[m]))
            try_places_of_preds(c, b, c->moves[m]);
    }
    for (ir_instr *i = b->first; i != body; i = i->next) {
        if (cg_ra_val(c, i->defs[0].id)->pinned) /* before others take the place of its operands */
            try_places_of_refs(c, i);
    }
    for (ir_instr *i = b->first; i != body; i = i->next) {
        try_put(c, i->defs[0].id, cg_ra_web_place(c, i->defs[0].id));
        try_places_of_refs(c, i);
        if (cg_ra_val(c, i->defs[0].id)->reg == RA_NOWHERE)
            try_put(c, i->defs[0].id, cg_ra_find_room(c, i->defs[0].id));
        if (cg_ra_val(c, i->defs[0].id)->reg != RA_NOWHERE)
            cg_ra_web_decide(c, i->defs[0].id, cg_ra_val(c, i->defs[0].id)->reg);
    }
    place_homeless(c);
}

static bool
follows_only_pred(const ra_ctx *c, const ir_block *b)
{
    for (unsigned list = 0; list < 2; list++) {
        if (b->preds[list].count > 1 || (b->preds[list].count && b->preds[list].at[0] != c->last))
            return false;
    }
    return c->last && !(b->first && ir_has_flag(b->first, IR_OP_PHI));
}

/* Frees values that are live out of the previous block but not into this one. */
static void
keep_live_ins(ra_ctx *c, const ir_block *b)
{
    const cg_id_set *in = &c->live->in[b->index], *out = &c->live->out[c->last->index];
    for (uint32_t k = 0, at = 0; k < out->count; k++) {
        if (at < in->count && in->ids[at] == out->ids[k])
            at++;
        else
            cg_ra_take(c, out->ids[k]);
    }
}

/* Clears the few registers that have owners: the whole table is 4 KiB. */
static void
empty_file(ra_file *file)
{
    for (unsigned w = 0; w < RA_WORDS; w++) {
        for (uint64_t taken = file->before[w]; taken; taken &= taken - 1)
            file->owner[w * 64 + base_ctz64(taken)] = 0;
        file->before[w] = file->after[w] = 0;
    }
}

void
cg_ra_enter_block(ra_ctx *c, ir_block *b)
{
    if (follows_only_pred(c, b)) {
        keep_live_ins(c, b);
        return;
    }
    const cg_id_set *in = &c->live->in[b->index];
    ir_instr *body = ir_first_non_phi(b), *first = b->first;
    entry e = open_entry(c, b);
    c->clock++;
    c->instr = NULL;
    c->n_moves = 0;
    if (c->last) /* else it is empty */
        empty_file(&c->file);
    place_entry(c, b, &e, body);
    for (uint32_t k = 0; k < in->count; k++) {
        const ra_value *v = cg_ra_val(c, in->ids[k]);
        cg_ra_note_used(c, v->reg, cg_ra_units(c, v->rc));
        if (!is_settled(c, &e, in->ids[k], e.ins[k]))
            make_phi(c, b, in->ids[k]);
    }
    for (ir_instr *i = first; i != body; i = i->next)
        finish_phi(c, i);
    for (ir_instr *i = first; i != body; i = i->next) {
        if (i->defs[0].flags & IR_KILL)
            cg_ra_take(c, i->defs[0].id);
    }
    c->n_moves = 0;
}

/* ---- end ---- */

static void
name_ref(const ra_ctx *c, ir_ref *ref)
{
    if (!ir_is_value(*ref))
        return;
    const ra_value *v = cg_ra_val(c, ref->id);
    assert(v->reg != RA_NOWHERE);
    ref->id = v->name;
    ref->reg = (uint16_t)(v->reg << c->shift);
    ref->flags |= IR_ASSIGNED;
}

/* Names what the phis of successor `to` take from `b`. */
static void
name_operands(const ra_ctx *c, const ir_block *b, const ir_block *to, unsigned list)
{
    uint32_t pred = UINT32_MAX;
    for (const ir_instr *i = to->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
        if (ir_has_flag(i, IR_OP_LINEAR_PHI) != (list == 1))
            continue;
        pred = pred == UINT32_MAX ? ir_pred_index(to, b, list) : pred;
        name_ref(c, &i->refs[pred]);
    }
}

void
cg_ra_leave_block(ra_ctx *c, ir_block *b)
{
    const cg_id_set *out = &c->live->out[b->index];
    c->last = b;
    ra_place *places = ARENA_ARRAY(c->a, out->count, ra_place);
    for (uint32_t k = 0; k < out->count; k++) {
        const ra_value *v = cg_ra_val(c, out->ids[k]);
        assert(v->reg != RA_NOWHERE);
        places[k] = (ra_place){.name = v->name, .reg = v->reg};
    }
    c->out[b->index] = places;
    for (unsigned list = 0; list < 2; list++) {
        for (uint32_t s = 0; s < b->succs[list].count; s++)
            name_operands(c, b, b->succs[list].at[s], list);
    }
}

/* ---- clean-up ---- */

/* A phi moves its value where the registers differ. */
static ir_ref
choose(void *user, const ir_instr *phi, ir_ref only)
{
    (void)user;
    only.flags = IR_ASSIGNED;
    return only.reg == phi->defs[0].reg ? only : ir_none();
}

void
cg_ra_remove_trivial_phis(ra_ctx *c)
{
    ir_replacement map = {.f = c->f};
    ir_replace_trivial_phis(&map, c->phis, c->n_phis, choose, NULL);
    ir_replace_all(&map);
}
