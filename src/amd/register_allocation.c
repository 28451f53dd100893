/* Register allocation on SSA, in one walk over the blocks, after ACO.
 *
 * SSA form guarantees enough registers as long as the demand does not exceed the budget; but they
 * may be fragmented when a vector needs adjacent ones. Then live values move: a parallel copy
 * before the instruction gives each a new name, later references are renamed, and phis merge the
 * names where paths meet (ra_phis.c). The time is linear in instructions and live sets.
 *
 * For each instruction:
 * - operands that must be in a fixed register, or are overwritten although they live on (tied), are
 *   copied first;
 * - operands that die free their registers;
 * - fixed definitions evict the values in their way;
 * - tied definitions take their operand's register;
 * - all others take the hinted register, a free one, or one that is freed (ra_get_reg.c);
 * - moves, names and registers are recorded.
 *
 * v1b, v2b ... occupy whole registers; the offset of a byte class within a register is not used
 * yet.
 */
#include "amd/ra.h"

#include <assert.h>

/* ---- operands that must be copied first ---- */

static bool
writes_fixed(const ir_instr *i, ir_ref r)
{
    for (unsigned d = 0; d < i->n_defs; d++) {
        unsigned lo = i->defs[d].reg, hi = lo + amd_rc_bytes(i->defs[d].rc);
        if ((i->defs[d].flags & IR_FIXED) && lo < r.reg + amd_rc_bytes(r.rc) && r.reg < hi)
            return true;
    }
    return false;
}

enum { NO_COPY = 0xfffe };

/* The register that reference `r` must be copied to; RA_NOWHERE: any. */
static unsigned
copy_to(const ra_ctx *c, const ir_instr *i, unsigned r, ra_tied tied)
{
    ir_ref ref = i->refs[r];
    int def = tied.ref == (int)r ? tied.def : -1;
    bool value = ir_is_value(ref);
    if (!value && ref.kind != IR_REF_CONST)
        return NO_COPY;
    if (def >= 0 && (i->defs[def].flags & IR_FIXED)) {
        bool there = value && c->v[ref.id].reg == i->defs[def].reg / 4 && (ref.flags & IR_KILL);
        return there ? NO_COPY : i->defs[def].reg / 4u;
    }
    if (def >= 0 && !(ref.flags & IR_FIXED))
        return value && (ref.flags & IR_KILL) ? NO_COPY : RA_NOWHERE;
    if (!(ref.flags & IR_FIXED))
        return NO_COPY;
    bool there = value && c->v[ref.id].reg == ref.reg / 4;
    return there && ((ref.flags & IR_KILL) || !writes_fixed(i, ref)) ? NO_COPY : ref.reg / 4u;
}

/* Updates the kill flags of value `id` in `i`, its last use, after some of its references were
 * replaced: the copy gets them if no reference is left. */
static void
fix_kills(ir_instr *i, ir_ref *in_copy)
{
    unsigned flags = IR_KILL | IR_FIRST_KILL;
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (!ir_is_value(i->refs[r]) || i->refs[r].id != in_copy->id)
            continue;
        i->refs[r].flags |= (uint8_t)flags;
        flags = IR_KILL;
    }
    in_copy->flags = flags == IR_KILL ? 0 : IR_KILL | IR_FIRST_KILL;
}

/* Replaces the references of `i` that must be copied by definitions of a new parallel copy; NULL if
 * there are none. */
static ir_instr *
copy_operands(ra_ctx *c, ir_instr *i, ra_tied tied)
{
    unsigned n = 0;
    for (unsigned r = 0; r < i->n_refs; r++)
        n += copy_to(c, i, r, tied) != NO_COPY;
    if (!n)
        return NULL;
    ir_instr *copy = amd_new(c->f, AMD_P_PARALLELCOPY, n, n);
    n = 0;
    bool tied_copied = tied.def >= 0 && copy_to(c, i, (unsigned)tied.ref, tied) != NO_COPY;
    for (unsigned r = 0; r < i->n_refs; r++) {
        unsigned to = copy_to(c, i, r, tied);
        if (to == NO_COPY)
            continue;
        ir_ref old = i->refs[r];
        copy->refs[n] = old;
        copy->refs[n].flags &= IR_CONST64;
        if (!ir_is_value(old))
            copy->refs[n].reg = IR_REG_NONE;
        bool for_tied = tied.ref == (int)r && tied.def >= 0;
        ir_ref t = ir_define(c->f, copy, n, for_tied ? i->defs[tied.def].rc : old.rc);
        if (to != RA_NOWHERE)
            copy->defs[n] = amd_fixed(copy->defs[n], to * 4);
        i->refs[r] = to != RA_NOWHERE ? amd_fixed(t, to * 4) : t;
        i->refs[r].flags |= IR_KILL | IR_FIRST_KILL | (old.flags & IR_LATE_KILL);
        if (ir_is_value(old) && (old.flags & IR_KILL))
            fix_kills(i, &copy->refs[n]);
        n++;
    }
    ra_grow_values(c);
    if (tied_copied && ir_is_value(i->defs[tied.def]))
        ra_share_web(c, i->defs[tied.def].id, i->refs[tied.ref].id);
    copy->loc = i->loc;
    ir_insert_before(i, copy);
    return copy;
}

/* ---- one instruction ---- */

static void
begin_instr(ra_ctx *c, ir_instr *i, ra_tied tied)
{
    c->clock++;
    c->instr = i;
    c->tied = tied;
    c->n_moves = c->n_killed = 0;
    for (unsigned d = 0; d < i->n_defs; d++)
        c->def_reg[d] = RA_NOWHERE;
    for (unsigned r = 0; r < i->n_refs; r++) {
        ir_ref ref = i->refs[r];
        if (!ir_is_value(ref))
            continue;
        ra_value *v = ra_val(c, ref.id);
        assert(v->reg != RA_NOWHERE);
        if (ref.flags & IR_FIXED)
            v->fixed_at = c->clock;
        if (!(ref.flags & IR_FIRST_KILL))
            continue;
        c->killed = arena_grow(c->a, c->killed, &c->cap_killed, c->n_killed + 1, sizeof *c->killed);
        c->killed[c->n_killed++] = ref.id;
        if (ref.flags & IR_LATE_KILL)
            continue;
        ra_unmark(c->file.after, v->reg, amd_rc_regs(v->rc));
        v->dies_at = c->clock;
    }
}

static void
repack_homeless(ra_ctx *c)
{
    bool bank[2] = {false, false};
    for (size_t m = 0; m < c->n_moves; m++) {
        const ra_value *v = ra_val(c, c->moves[m]);
        bank[amd_rc_is_vgpr(v->rc)] |= v->reg == RA_NOWHERE;
    }
    for (unsigned k = 0; k < 2; k++) {
        if (bank[k])
            ra_repack(c, k == 1);
    }
}

static void
place_fixed_defs(ra_ctx *c, const ir_instr *i)
{
    for (unsigned d = 0; d < i->n_defs; d++) {
        ir_ref def = i->defs[d];
        if (!(def.flags & IR_FIXED) || def.reg == AMD_NULL)
            continue;
        unsigned reg = def.reg / 4, size = amd_rc_regs(def.rc);
        ra_clear(c, reg, size);
        ra_mark(c->file.after, reg, size);
        c->def_reg[d] = (uint16_t)reg;
    }
    if (!ra_settle(c))
        repack_homeless(c);
}

static void
place_tied_def(ra_ctx *c, const ir_instr *i)
{
    int ref = c->tied.ref, def = c->tied.def;
    if (ref < 0 || def < 0 || !ir_is_value(i->refs[ref]) || c->def_reg[def] != RA_NOWHERE)
        return;
    c->def_reg[def] = c->v[i->refs[ref].id].reg;
    ra_mark(c->file.after, c->def_reg[def], amd_rc_regs(i->defs[def].rc));
}

static void
place_open_defs(ra_ctx *c, const ir_instr *i)
{
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (c->def_reg[d] != RA_NOWHERE || !ir_is_value(i->defs[d]))
            continue;
        unsigned rc = i->defs[d].rc, reg = ra_hint(c, i, d);
        if (reg == RA_NOWHERE)
            reg = ra_get_reg(c, rc, 0);
        else if (!ra_make_room(c, reg, amd_rc_regs(rc), 0))
            reg = RA_NOWHERE;
        if (reg == RA_NOWHERE) {
            ra_repack(c, amd_rc_is_vgpr(rc));
            continue;
        }
        c->def_reg[d] = (uint16_t)reg;
        ra_mark(c->file.after, reg, amd_rc_regs(rc));
        ra_web_placed(c, i->defs[d].id, reg, false);
    }
}

/* Inserts the instruction's moves as a parallel copy before it. */
static void
emit_moves(ra_ctx *c, ir_instr *i)
{
    unsigned n = 0;
    for (size_t m = 0; m < c->n_moves; m++) {
        const ra_value *v = ra_val(c, c->moves[m]);
        n += v->reg != v->from;
    }
    if (!n)
        return;
    ir_instr *copy = amd_new(c->f, AMD_P_PARALLELCOPY, n, n);
    n = 0;
    for (size_t m = 0; m < c->n_moves; m++) {
        ra_value *v = ra_val(c, c->moves[m]);
        if (v->reg == v->from)
            continue;
        copy->refs[n] = ir_use(c->f, v->name);
        copy->refs[n].reg = (uint16_t)(v->from * 4);
        copy->refs[n].flags = IR_ASSIGNED | IR_KILL | IR_FIRST_KILL;
        v->name = ir_define(c->f, copy, n, v->rc).id;
        copy->defs[n].reg = (uint16_t)(v->reg * 4);
        copy->defs[n].flags = IR_ASSIGNED;
        n++;
    }
    copy->loc = i->loc;
    ir_insert_before(i, copy);
}

static void
finish_refs(ra_ctx *c, ir_instr *i)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        ir_ref *ref = &i->refs[r];
        if (!ir_is_value(*ref))
            continue;
        ra_value *v = ra_val(c, ref->id);
        assert(!(ref->flags & IR_FIXED) || ref->reg == v->reg * 4);
        ref->id = v->name;
        ref->reg = (uint16_t)(v->reg * 4);
        ref->flags |= IR_ASSIGNED;
    }
}

void
ra_note_used(ra_ctx *c, unsigned reg, unsigned size)
{
    amd_program *p = c->p;
    unsigned end = reg + size;
    if (reg >= AMD_REG_VGPR0 && p->vgprs_used < end - AMD_REG_VGPR0)
        p->vgprs_used = end - AMD_REG_VGPR0;
    if (end <= AMD_REG_VCC_LO && p->sgprs_used < end)
        p->sgprs_used = end;
    p->needs_vcc |= reg < AMD_REG_VCC_HI + 1 && end > AMD_REG_VCC_LO;
}

/* Frees the registers of operands that die, and occupies those of the definitions. */
static void
finish_instr(ra_ctx *c, ir_instr *i)
{
    for (size_t k = 0; k < c->n_killed; k++)
        ra_take(c, c->killed[k]);
    for (size_t m = 0; m < c->n_moves; m++) {
        const ra_value *v = ra_val(c, c->moves[m]);
        if (v->reg != RA_NOWHERE)
            ra_note_used(c, v->reg, amd_rc_regs(v->rc));
    }
    c->clock++; /* no value counts as dying any more */
    for (unsigned d = 0; d < i->n_defs; d++) {
        ir_ref *def = &i->defs[d];
        unsigned size = amd_rc_regs(def->rc);
        if (c->def_reg[d] == RA_NOWHERE)
            continue;
        ra_note_used(c, c->def_reg[d], size);
        ra_unmark(c->file.after, c->def_reg[d], size);
        def->reg = (uint16_t)(c->def_reg[d] * 4);
        if (!ir_is_value(*def))
            continue;
        def->flags |= IR_ASSIGNED;
        ra_put(c, def->id, c->def_reg[d]);
        if (!ra_is_open_def(c, d))
            ra_web_placed(c, def->id, c->def_reg[d], false);
    }
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (ir_is_value(i->defs[d]) && (i->defs[d].flags & IR_KILL))
            ra_take(c, i->defs[d].id);
    }
}

static void
allocate_instr(ra_ctx *c, ir_instr *i, ra_tied tied)
{
    begin_instr(c, i, tied);
    place_fixed_defs(c, i);
    place_tied_def(c, i);
    place_open_defs(c, i);
    emit_moves(c, i);
    finish_refs(c, i);
    finish_instr(c, i);
}

/* ---- the walk ---- */

static void
allocate_block(ra_ctx *c, ir_block *b)
{
    ra_enter_block(c, b);
    IR_FOREACH_INSTR(i, b)
    {
        if (ir_has_flag(i, IR_OP_PHI))
            continue;
        ra_tied tied = {.ref = amd_tied_ref(i), .def = -1};
        if (tied.ref >= 0)
            tied.def = amd_tied_def(i);
        ir_instr *copy = copy_operands(c, i, tied);
        if (copy)
            allocate_instr(c, copy, (ra_tied){-1, -1});
        allocate_instr(c, i, tied);
    }
    ra_leave_block(c, b);
}

/* SGPRs above the demand that may be used to save copies: they cost nothing on gfx10. */
enum { SPARE_SGPRS = 8 };

static void
set_bounds(ra_ctx *c)
{
    const amd_program *p = c->p;
    c->sgpr_end = p->sgpr_budget;
    c->vgpr_end = (uint16_t)(AMD_REG_VGPR0 + p->vgpr_budget);
    unsigned demand = (unsigned)p->max_demand.vgpr,
             granule = p->target->vgpr_granule[p->wave_size == 64];
    unsigned whole = (demand + granule - 1) / granule * granule, most = p->vgpr_budget;
    c->linear_end = (uint16_t)(AMD_REG_VGPR0 + (demand < most ? demand : most));
    c->soft_end[1] = (uint16_t)(AMD_REG_VGPR0 + (whole < most ? whole : most));
    unsigned scalars = (unsigned)p->max_demand.sgpr + SPARE_SGPRS;
    c->soft_end[0] = (uint16_t)(scalars < p->sgpr_budget ? scalars : p->sgpr_budget);
}

void
amd_register_allocation(ir_fn *f)
{
    arena_mark mark = arena_save(f->ctx->scratch);
    amd_program *p = amd_prog(f);
    ra_ctx *c = ARENA_NEW(f->ctx->scratch, ra_ctx);
    *c = (ra_ctx){.f = f, .p = p, .live = p->live, .a = f->ctx->scratch, .clock = 1};
    set_bounds(c);
    c->out = ARENA_ARRAY(c->a, f->n_blocks, ra_place *);
    assert(f->valid & IR_HAS_LIVENESS);
    ra_grow_values(c);
    ra_find_affinities(c);
    IR_FOREACH_BLOCK(b, f)
    {
        allocate_block(c, b);
    }
    ra_remove_trivial_phis(c);
    f->valid &= ~(uint32_t)IR_HAS_LIVENESS;
    p->live = NULL;
    f->allocated = true;
    if (p->debug & AMD_DEBUG_VALIDATE_RA)
        amd_validate_ra(f);
    arena_release(f->ctx->scratch, mark);
}
