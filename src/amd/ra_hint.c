/* The preferred register of a definition: vcc, the position that its web has, that of an operand
 * that dies, or one with room for its web. */
#include "amd/ra.h"

static bool
is_open(const ra_ctx *c, ra_shape shape, unsigned reg)
{
    return reg != RA_NOWHERE && ra_fits(shape, reg) && ra_is_free(c->file.after, reg, shape.size);
}

/* The register of operand `r` of the current instruction, if it dies there and its class has the
 * bank of `shape`; RA_NOWHERE otherwise. */
static unsigned
dying_reg(const ra_ctx *c, ir_ref r, ra_shape shape)
{
    if (!ir_is_value(r) || !ra_is_dying(c, r.id) ||
        amd_rc_is_vgpr(r.rc) != (shape.lo >= AMD_REG_VGPR0))
        return RA_NOWHERE;
    return c->v[r.id].reg;
}

/* The number of registers of p_create_vector's dying operands that already are where a vector at
 * `base` has them. */
static unsigned
count_matching(const ra_ctx *c, const ir_instr *i, ra_shape shape, unsigned base)
{
    unsigned matching = 0, at = 0;
    for (unsigned r = 0; r < i->n_refs; at += amd_rc_bytes(i->refs[r].rc), r++) {
        if (at % 4 == 0 && dying_reg(c, i->refs[r], shape) == base + at / 4)
            matching += amd_rc_regs(i->refs[r].rc);
    }
    return matching;
}

/* The window for p_create_vector that saves the most copies, among those that match the position of
 * an operand. Values in its way move if they are smaller than the savings. */
static unsigned
hint_create_vector(const ra_ctx *c, const ir_instr *i, ra_shape shape)
{
    unsigned best = RA_NOWHERE, most = 0, offset = 0;
    for (unsigned r = 0; r < i->n_refs; offset += amd_rc_bytes(i->refs[r].rc), r++) {
        unsigned reg = dying_reg(c, i->refs[r], shape);
        if (reg == RA_NOWHERE || offset % 4 || reg < shape.lo + offset / 4)
            continue;
        unsigned base = reg - offset / 4;
        if (!ra_fits(shape, base))
            continue;
        unsigned matching = count_matching(c, i, shape, base);
        unsigned cost = ra_window_cost(c, base, shape.size);
        if (matching > cost && matching - cost > most) {
            best = base;
            most = matching - cost;
        }
    }
    return best;
}

static unsigned
hint_pseudo(const ra_ctx *c, const ir_instr *i, unsigned d, ra_shape shape)
{
    unsigned offset = 0, reg;
    switch (i->op) {
    case AMD_P_PARALLELCOPY: reg = dying_reg(c, i->refs[d], shape); break;
    case AMD_P_CREATE_VECTOR: return hint_create_vector(c, i, shape);
    case AMD_P_EXTRACT_VECTOR:
        offset = i->refs[1].id * amd_rc_bytes(i->defs[0].rc);
        reg = dying_reg(c, i->refs[0], shape);
        break;
    case AMD_P_SPLIT_VECTOR:
        for (unsigned k = 0; k < d; k++)
            offset += amd_rc_bytes(i->defs[k].rc);
        reg = dying_reg(c, i->refs[0], shape);
        break;
    default: return RA_NOWHERE;
    }
    if (reg == RA_NOWHERE || offset % 4)
        return RA_NOWHERE;
    return is_open(c, shape, reg + offset / 4) ? reg + offset / 4 : RA_NOWHERE;
}

unsigned
ra_find_room(const ra_ctx *c, uint32_t id)
{
    unsigned own;
    ra_shape window = ra_web_window(c, id, &own), soft = window;
    unsigned used = c->soft_end[window.lo >= AMD_REG_VGPR0];
    soft.hi = (uint16_t)(used < window.hi ? used : window.hi);
    unsigned reg = ra_search(c->file.after, c->wanted, soft);
    if (reg == RA_NOWHERE)
        reg = ra_search(c->file.after, NULL, soft);
    if (reg == RA_NOWHERE)
        reg = ra_search(c->file.after, c->wanted, window);
    return reg == RA_NOWHERE ? reg : reg + own;
}

unsigned
ra_hint(ra_ctx *c, const ir_instr *i, unsigned d)
{
    uint32_t id = i->defs[d].id;
    const ra_value *v = ra_val(c, id);
    ra_shape shape = ra_shape_of(c, v->rc);
    unsigned vcc = AMD_REG_VCC_LO;
    if (shape.high)
        return RA_NOWHERE;
    if (v->vcc && v->rc == c->p->lane_mask && ra_is_free(c->file.after, vcc, shape.size) &&
        !amd_live_has(&c->live->out[i->block->index], id))
        return vcc;
    unsigned place = ra_web_place(c, id), reg;
    if (is_open(c, shape, place))
        return place;
    reg = i->op >= AMD_OP_HW_COUNT ? hint_pseudo(c, i, d, shape) : RA_NOWHERE;
    if (reg == RA_NOWHERE && place == RA_NOWHERE)
        reg = ra_find_room(c, id);
    return reg;
}
