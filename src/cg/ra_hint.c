/* The preferred register of a definition: one that makes the instruction shorter, the place that
 * its web has, the register of a dying operand, or a place with room for its web. */
#include "cg/ra.h"

static bool
is_open(const ra_ctx *c, const ra_shape *shape, unsigned reg)
{
    return reg != RA_NOWHERE && cg_ra_fits(shape, reg) &&
           cg_ra_is_free(c->file.after, reg, shape->size);
}

/* The register of operand `r` of the current instruction, if it dies there and is in the bank of
 * `shape`; otherwise RA_NOWHERE. */
static unsigned
dying_reg(const ra_ctx *c, ir_ref r, const ra_shape *shape)
{
    if (!ir_is_value(r) || !cg_ra_is_dying(c, r.id) || cg_ra_class(c, r.rc)->bank != shape->bank)
        return RA_NOWHERE;
    return c->v[r.id].reg;
}

/* Counts the registers of p_create_vector's dying operands that are already in place for a vector
 * at `base`. */
static unsigned
count_matching(const ra_ctx *c, const ir_instr *i, const ra_shape *shape, unsigned base)
{
    unsigned matching = 0, at = 0;
    for (unsigned r = 0; r < i->n_refs; at += cg_ra_bytes(c, i->refs[r].rc), r++) {
        if (!(at & (c->unit - 1)) && dying_reg(c, i->refs[r], shape) == base + (at >> c->shift))
            matching += cg_ra_units(c, i->refs[r].rc);
    }
    return matching;
}

/* Is there a free place for it that costs nothing? */
static bool
has_cheap_place(const ra_ctx *c, const ra_shape *shape)
{
    ra_shape cheap = *shape;
    unsigned end = c->soft_end[shape->bank];
    cheap.hi = (uint16_t)(end < shape->hi ? end : shape->hi);
    return cg_ra_search(c->file.after, NULL, &cheap) != RA_NOWHERE;
}

/* The window for p_create_vector that saves most copies, among those which contain an operand in
 * its place. Values in the way move if they are smaller than what is saved, or as large if all free
 * places would make the program use more registers. */
static unsigned
hint_create_vector(const ra_ctx *c, const ir_instr *i, const ra_shape *shape)
{
    unsigned best = RA_NOWHERE, offset = 0;
    int most = has_cheap_place(c, shape) ? 0 : -1;
    for (unsigned r = 0; r < i->n_refs; offset += cg_ra_bytes(c, i->refs[r].rc), r++) {
        unsigned reg = dying_reg(c, i->refs[r], shape);
        if (reg == RA_NOWHERE || offset & (c->unit - 1) || reg < shape->lo + (offset >> c->shift))
            continue;
        unsigned base = reg - (offset >> c->shift);
        if (!cg_ra_fits(shape, base))
            continue;
        unsigned matching = count_matching(c, i, shape, base);
        unsigned cost = cg_ra_window_cost(c, base, shape->size);
        if ((int)matching - (int)cost > most) {
            best = base;
            most = (int)matching - (int)cost;
        }
    }
    return best;
}

/* Does operand `r` lie where it makes an instruction shorter, a register that is not handed out
 * otherwise, and may definition `id` stay there? */
static bool
keeps_place(const ra_ctx *c, const ir_instr *i, ir_ref r, uint32_t id, unsigned reg)
{
    const ra_value *v = &c->v[r.id];
    return v->want != RA_NOWHERE && v->want == v->reg &&
           cg_ra_is_free(c->file.after, reg, cg_ra_units(c, cg_ra_val(c, id)->rc)) &&
           !cg_live_has(&c->live->out[i->block->index], id);
}

/* The place of a definition of a copy, or of a part of a split vector, if it takes the registers of
 * its operand. */
static unsigned
hint_pseudo(const ra_ctx *c, const ir_instr *i, unsigned d, const ra_shape *shape)
{
    const ir_machine_ops *ops = &c->f->level->machine->ops;
    unsigned offset = 0, ref = 0;
    if (i->op == ops->create_vector)
        return hint_create_vector(c, i, shape);
    if (i->op == ops->parallel_copy) {
        ref = d;
    } else if (i->op == ops->extract_vector) {
        offset = i->refs[1].id * cg_ra_bytes(c, i->defs[0].rc);
    } else if (i->op == ops->split_vector) {
        for (unsigned k = 0; k < d; k++)
            offset += cg_ra_bytes(c, i->defs[k].rc);
    } else {
        return RA_NOWHERE;
    }
    unsigned reg = dying_reg(c, i->refs[ref], shape);
    if (reg == RA_NOWHERE || offset & (c->unit - 1))
        return RA_NOWHERE;
    reg += offset >> c->shift;
    bool open = is_open(c, shape, reg) || keeps_place(c, i, i->refs[ref], i->defs[d].id, reg);
    return open ? reg : RA_NOWHERE;
}

/* The register of the operand that the definition overwrites in a shorter form, if it dies. */
static unsigned
hint_shorter(const ra_ctx *c, const ir_instr *i, unsigned d, const ra_shape *shape)
{
    const ir_machine *m = c->f->level->machine;
    int ref = m->shorter_in && c->webs[i->defs[d].id].next == i->defs[d].id ? m->shorter_in(i) : -1;
    unsigned reg = ref < 0 ? RA_NOWHERE : dying_reg(c, i->refs[ref], shape);
    return is_open(c, shape, reg) ? reg : RA_NOWHERE;
}

unsigned
cg_ra_find_room(ra_ctx *c, uint32_t id)
{
    unsigned own;
    ra_shape window = cg_ra_web_window(c, id, &own), soft = window;
    unsigned used = c->soft_end[window.bank];
    soft.hi = (uint16_t)(used < window.hi ? used : window.hi);
    bool chooses = !c->state->in_turn[window.bank] && cg_ra_has_choice(c, window.bank);
    unsigned reg = chooses ? cg_ra_web_room(c, id, c->wanted, &soft, own) : RA_NOWHERE;
    if (reg == RA_NOWHERE)
        reg = cg_ra_take_cheap(c, &window);
    if (reg == RA_NOWHERE)
        reg = cg_ra_take_free(c, NULL, &soft);
    if (reg == RA_NOWHERE)
        reg = cg_ra_web_room(c, id, NULL, &soft, own);
    if (reg == RA_NOWHERE)
        reg = cg_ra_take_free(c, c->wanted, &window);
    return reg == RA_NOWHERE ? reg : reg + own;
}

unsigned
cg_ra_hint(ra_ctx *c, const ir_instr *i, unsigned d)
{
    uint32_t id = i->defs[d].id;
    const ra_value *v = cg_ra_val(c, id);
    ra_shape shape = cg_ra_shape_of(c, v->rc);
    if (shape.high)
        return RA_NOWHERE;
    if (v->want != RA_NOWHERE && cg_ra_is_free(c->file.after, v->want, shape.size) &&
        !cg_live_has(&c->live->out[i->block->index], id))
        return v->want;
    unsigned place = cg_ra_web_place(c, id), reg;
    if (is_open(c, &shape, place))
        return place;
    reg = hint_pseudo(c, i, d, &shape);
    if (reg == RA_NOWHERE && place == RA_NOWHERE)
        reg = hint_shorter(c, i, d, &shape);
    if (reg == RA_NOWHERE && place == RA_NOWHERE)
        reg = cg_ra_find_room(c, id);
    return reg;
}
