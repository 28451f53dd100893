/* Where values would best go: affinities found before allocation, hints during it.
 *
 * Webs: values that want one register, because a copy between them disappears then: a phi and
 * the operands that die on its edges, both sides of a parallel copy whose source dies, a definition
 * and the operand tied to it. Webs are union-find classes; the register of the member placed last
 * is the hint for the next. Members may live at the same time: then the hint is simply taken.
 *
 * Vectors: operands of p_create_vector want to lie side by side, the parts of a dying operand of
 * p_split_vector want to stay where they are.
 */
#include "amd/isa/table.h"
#include "amd/ra.h"

static uint32_t
find_web(const ra_ctx *c, uint32_t id)
{
    while (c->v[id].web != id) {
        c->v[id].web = c->v[c->v[id].web].web;
        id = c->v[id].web;
    }
    return id;
}

static void
join(ra_ctx *c, ir_ref a, ir_ref b)
{
    bool same = amd_rc_is_vgpr(a.rc) == amd_rc_is_vgpr(b.rc) &&
                amd_rc_regs(a.rc) == amd_rc_regs(b.rc);
    if (!ir_is_value(a) || !ir_is_value(b) || !(b.flags & IR_KILL) || !same)
        return;
    uint32_t x = find_web(c, a.id), y = find_web(c, b.id);
    c->v[x < y ? y : x].web = x < y ? x : y;
}

static void
want_vcc(ra_ctx *c, const ir_instr *i)
{
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    if (row->fmt != AMD_VOPC && row->fmt != AMD_VOP2)
        return;
    unsigned def = 0, ref = 0;
    for (const amd_operand *o = row->operands; o < row->operands + AMD_MAX_OPERANDS && o->role;
         o++) {
        bool dst = o->role == AMD_ROLE_DST || o->role == AMD_ROLE_BOTH;
        const ir_ref *r = NULL;
        if (dst && def < i->n_defs)
            r = &i->defs[def];
        if (o->role == AMD_ROLE_SRC && ref < i->n_refs)
            r = &i->refs[ref];
        def += dst;
        ref += o->role == AMD_ROLE_SRC;
        if (o->kind == AMD_K_MASK && r && ir_is_value(*r))
            c->v[r->id].vcc = true;
    }
}

static void
note_vector(ra_ctx *c, ir_instr *i)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        bool same = amd_rc_is_vgpr(i->refs[r].rc) == amd_rc_is_vgpr(i->defs[0].rc);
        if (ir_is_value(i->refs[r]) && (i->refs[r].flags & IR_KILL) && same)
            c->v[i->refs[r].id].vector = i;
    }
}

void
ra_find_affinities(ra_ctx *c)
{
    IR_FOREACH_BLOCK(b, c->f)
    {
        IR_FOREACH_INSTR(i, b)
        {
            int tied = amd_tied_ref(i), def = amd_tied_def(i);
            if (tied >= 0 && def >= 0)
                join(c, i->defs[def], i->refs[tied]);
            for (unsigned r = 0; r < i->n_refs; r++) {
                if (ir_is_value(i->refs[r]) && (i->refs[r].flags & IR_FIXED) &&
                    i->refs[r].reg == AMD_VCC)
                    c->v[i->refs[r].id].vcc = true;
            }
            if (!amd_is_pseudo(i->op))
                want_vcc(c, i);
            else if (ir_has_flag(i, IR_OP_PHI))
                for (unsigned r = 0; r < i->n_refs; r++)
                    join(c, i->defs[0], i->refs[r]);
            else if (i->op == AMD_P_PARALLELCOPY)
                for (unsigned r = 0; r < i->n_refs; r++)
                    join(c, i->defs[r], i->refs[r]);
            else if (i->op == AMD_P_CREATE_VECTOR)
                note_vector(c, i);
        }
    }
}

unsigned
ra_web(const ra_ctx *c, uint32_t id)
{
    return c->v[find_web(c, id)].web_reg;
}

void
ra_set_web(ra_ctx *c, uint32_t id, unsigned reg, bool force)
{
    ra_value *root = &c->v[find_web(c, id)];
    if (force || root->web_reg == RA_NOWHERE)
        root->web_reg = (uint16_t)reg;
}

/* ---- hints ---- */

static bool
is_open(const ra_ctx *c, ra_shape shape, unsigned reg)
{
    return reg != RA_NOWHERE && ra_fits(shape, reg) && ra_is_free(c->file.after, reg, shape.size);
}

/* Register where operand `r` of the running instruction lies if it dies there, and its class's bank
 * is that of `shape`; RA_NOWHERE otherwise. */
static unsigned
dying_reg(const ra_ctx *c, ir_ref r, ra_shape shape)
{
    if (!ir_is_value(r) || !ra_is_dying(c, r.id) ||
        amd_rc_is_vgpr(r.rc) != (shape.lo >= AMD_REG_VGPR0))
        return RA_NOWHERE;
    return c->v[r.id].reg;
}

/* Byte offset of reference `k` in the vector that `i` makes. */
static unsigned
offset_in(const ir_instr *i, unsigned k)
{
    unsigned offset = 0;
    for (unsigned r = 0; r < k; r++)
        offset += amd_rc_bytes(i->refs[r].rc);
    return offset;
}

/* Beside the other operands of the vector that will be made of `id`. */
static unsigned
hint_in_vector(ra_ctx *c, uint32_t id, ra_shape shape)
{
    const ir_instr *i = c->v[id].vector;
    ra_shape whole = ra_shape_of(c, i->defs[0].rc);
    unsigned own = 0;
    while (i->refs[own].id != id || !ir_is_value(i->refs[own]))
        own++;
    unsigned own_offset = offset_in(i, own), offset = 0;
    if (own_offset % 4)
        return RA_NOWHERE;
    unsigned base = ra_web(c, i->defs[0].id);
    if (base != RA_NOWHERE && is_open(c, shape, base + own_offset / 4))
        return base + own_offset / 4;
    for (unsigned r = 0; r < i->n_refs; offset += amd_rc_bytes(i->refs[r].rc), r++) {
        if (!ir_is_value(i->refs[r]) || i->refs[r].id == id || offset % 4)
            continue;
        const ra_value *other = ra_val(c, i->refs[r].id);
        if (other->reg == RA_NOWHERE || other->vector != i || other->reg < whole.lo + offset / 4 ||
            other->reg - offset / 4 + whole.size > whole.hi)
            continue;
        base = other->reg - offset / 4;
        if (is_open(c, shape, base + own_offset / 4))
            return base + own_offset / 4;
    }
    base = ra_search(c->file.after, NULL, whole);
    return base == RA_NOWHERE ? base : base + own_offset / 4;
}

/* The window in which most operands of p_create_vector lie already. */
static unsigned
hint_create_vector(const ra_ctx *c, const ir_instr *i, ra_shape shape)
{
    unsigned best = RA_NOWHERE, most = 0, offset = 0;
    for (unsigned r = 0; r < i->n_refs; offset += amd_rc_bytes(i->refs[r].rc), r++) {
        unsigned reg = dying_reg(c, i->refs[r], shape);
        if (reg == RA_NOWHERE || offset % 4 || reg < shape.lo + offset / 4)
            continue;
        unsigned base = reg - offset / 4, matching = 0, at = 0;
        if (!is_open(c, shape, base))
            continue;
        for (unsigned k = 0; k < i->n_refs; at += amd_rc_bytes(i->refs[k].rc), k++) {
            if (dying_reg(c, i->refs[k], shape) == base + at / 4)
                matching += amd_rc_regs(i->refs[k].rc);
        }
        if (matching > most) {
            best = base;
            most = matching;
        }
    }
    return best;
}

static unsigned
hint_pseudo(const ra_ctx *c, const ir_instr *i, unsigned d, ra_shape shape)
{
    unsigned offset = 0;
    switch (i->op) {
    case AMD_P_PARALLELCOPY: return dying_reg(c, i->refs[d], shape);
    case AMD_P_CREATE_VECTOR: return hint_create_vector(c, i, shape);
    case AMD_P_EXTRACT_VECTOR: offset = i->refs[1].id * amd_rc_bytes(i->defs[0].rc); break;
    case AMD_P_SPLIT_VECTOR:
        for (unsigned k = 0; k < d; k++)
            offset += amd_rc_bytes(i->defs[k].rc);
        break;
    default: return RA_NOWHERE;
    }
    unsigned reg = dying_reg(c, i->refs[0], shape);
    return reg == RA_NOWHERE || offset % 4 ? RA_NOWHERE : reg + offset / 4;
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
    unsigned reg = ra_web(c, id);
    if (is_open(c, shape, reg))
        return reg;
    reg = v->vector ? hint_in_vector(c, id, shape) : RA_NOWHERE;
    if (is_open(c, shape, reg))
        return reg;
    reg = i->op >= AMD_OP_HW_COUNT ? hint_pseudo(c, i, d, shape) : RA_NOWHERE;
    return is_open(c, shape, reg) ? reg : RA_NOWHERE;
}
