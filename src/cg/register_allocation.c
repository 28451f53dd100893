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
 * Classes of bytes take whole units; values always begin at the start of a unit.
 */
#include "cg/ra.h"

#include <assert.h>

/* ---- operands that must be copied first ---- */

static unsigned
bytes_of(const ir_fn *f, ir_ref r)
{
    return ir_class_of(f, r.rc)->bytes;
}

static bool
writes_fixed(const ir_fn *f, const ir_instr *i, ir_ref r)
{
    for (unsigned d = 0; d < i->n_defs; d++) {
        unsigned lo = i->defs[d].reg, hi = lo + bytes_of(f, i->defs[d]);
        if ((i->defs[d].flags & IR_FIXED) && lo < r.reg + bytes_of(f, r) && r.reg < hi)
            return true;
    }
    return false;
}

enum { NO_COPY = 0xfffe };

/* The register that reference `r` must be copied to; RA_NOWHERE: any. */
static unsigned
copy_to(const ra_ctx *c, const ir_instr *i, unsigned r, ir_tied tied)
{
    ir_ref ref = i->refs[r];
    int def = tied.ref == (int)r ? tied.def : -1;
    bool value = ir_is_value(ref);
    if (!value && ref.kind != IR_REF_CONST)
        return NO_COPY;
    if (def >= 0 && (i->defs[def].flags & IR_FIXED)) {
        bool there = value && c->v[ref.id].reg == i->defs[def].reg >> c->shift &&
                     (ref.flags & IR_KILL);
        return there ? NO_COPY : (unsigned)i->defs[def].reg >> c->shift;
    }
    if (def >= 0 && !(ref.flags & IR_FIXED))
        return value && (ref.flags & IR_KILL) ? NO_COPY : RA_NOWHERE;
    if (!(ref.flags & IR_FIXED))
        return NO_COPY;
    bool there = value && c->v[ref.id].reg == ref.reg >> c->shift;
    return there && ((ref.flags & IR_KILL) || !writes_fixed(c->f, i, ref))
               ? NO_COPY
               : (unsigned)ref.reg >> c->shift;
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

/* Operands that are where `i` needs them must not move for the copy, the next that is allocated. */
static void
keep_operands(ra_ctx *c, const ir_instr *i, ir_tied tied)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        bool continues = tied.ref == (int)r && tied.def >= 0 &&
                         (i->defs[tied.def].flags & IR_FIXED);
        bool fixed = continues || (i->refs[r].flags & IR_FIXED);
        if (ir_is_value(i->refs[r]) && fixed && copy_to(c, i, r, tied) == NO_COPY)
            cg_ra_val(c, i->refs[r].id)->fixed_at = c->clock + 1;
    }
}

/* Replaces the references of `i` that must be copied by definitions of a new parallel copy; NULL if
 * there are none. */
static ir_instr *
copy_operands(ra_ctx *c, ir_instr *i, ir_tied tied)
{
    unsigned n = 0;
    for (unsigned r = 0; r < i->n_refs; r++)
        n += copy_to(c, i, r, tied) != NO_COPY;
    if (!n)
        return NULL;
    keep_operands(c, i, tied);
    ir_instr *copy = ir_new_instr(c->f, c->f->level->machine->ops.parallel_copy, n, n);
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
            copy->defs[n] = ir_fixed(copy->defs[n], to << c->shift);
        i->refs[r] = to != RA_NOWHERE ? ir_fixed(t, to << c->shift) : t;
        i->refs[r].flags |= IR_KILL | IR_FIRST_KILL | (old.flags & IR_LATE_KILL);
        if (ir_is_value(old) && (old.flags & IR_KILL))
            fix_kills(i, &copy->refs[n]);
        n++;
    }
    cg_ra_grow_values(c);
    if (tied_copied && ir_is_value(i->defs[tied.def]))
        cg_ra_share_web(c, i->defs[tied.def].id, i->refs[tied.ref].id);
    copy->loc = i->loc;
    ir_insert_before(i, copy);
    return copy;
}

/* ---- one instruction ---- */

static void
begin_instr(ra_ctx *c, ir_instr *i, ir_tied tied)
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
        ra_value *v = cg_ra_val(c, ref.id);
        assert(v->reg != RA_NOWHERE);
        if (ref.flags & IR_FIXED)
            v->fixed_at = c->clock;
        if (!(ref.flags & IR_FIRST_KILL))
            continue;
        c->killed = arena_grow(c->a, c->killed, &c->cap_killed, c->n_killed + 1, sizeof *c->killed);
        c->killed[c->n_killed++] = ref.id;
        if (ref.flags & IR_LATE_KILL)
            continue;
        cg_ra_unmark(c->file.after, v->reg, cg_ra_units(c, v->rc));
        v->dies_at = c->clock;
    }
}

static void
repack_homeless(ra_ctx *c)
{
    bool bank[IR_MAX_BANKS] = {false};
    for (size_t m = 0; m < c->n_moves; m++) {
        const ra_value *v = cg_ra_val(c, c->moves[m]);
        bank[cg_ra_class(c, v->rc)->bank] |= v->reg == RA_NOWHERE;
    }
    for (unsigned k = 0; k < IR_MAX_BANKS; k++) {
        if (bank[k])
            cg_ra_repack(c, k);
    }
}

static void
place_fixed_defs(ra_ctx *c, const ir_instr *i)
{
    for (unsigned d = 0; d < i->n_defs; d++) {
        ir_ref def = i->defs[d];
        if (!(def.flags & IR_FIXED) || def.reg == c->f->level->machine->null_reg)
            continue;
        unsigned reg = (unsigned)def.reg >> c->shift, size = cg_ra_units(c, def.rc);
        cg_ra_clear(c, reg, size);
        cg_ra_mark(c->file.after, reg, size);
        c->def_reg[d] = (uint16_t)reg;
    }
    if (!cg_ra_settle(c))
        repack_homeless(c);
}

static void
place_tied_def(ra_ctx *c, const ir_instr *i)
{
    int ref = c->tied.ref, def = c->tied.def;
    if (ref < 0 || def < 0 || !ir_is_value(i->refs[ref]) || c->def_reg[def] != RA_NOWHERE)
        return;
    c->def_reg[def] = c->v[i->refs[ref].id].reg;
    cg_ra_mark(c->file.after, c->def_reg[def], cg_ra_units(c, i->defs[def].rc));
}

static void
place_open_defs(ra_ctx *c, const ir_instr *i)
{
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (c->def_reg[d] != RA_NOWHERE || !ir_is_value(i->defs[d]))
            continue;
        unsigned rc = i->defs[d].rc, reg = cg_ra_hint(c, i, d);
        if (reg == RA_NOWHERE)
            reg = cg_ra_get_reg(c, rc, 0);
        else if (!cg_ra_make_room(c, reg, cg_ra_units(c, rc), 0))
            reg = RA_NOWHERE;
        if (reg == RA_NOWHERE) {
            cg_ra_repack(c, cg_ra_class(c, rc)->bank);
            continue;
        }
        c->def_reg[d] = (uint16_t)reg;
        cg_ra_mark(c->file.after, reg, cg_ra_units(c, rc));
        cg_ra_web_placed(c, i->defs[d].id, reg, false);
    }
}

/* Does a value move to one of these registers? */
static bool
is_moved_to(const ra_ctx *c, unsigned reg, unsigned size)
{
    for (size_t m = 0; m < c->n_moves; m++) {
        const ra_value *v = cg_ra_val(c, c->moves[m]);
        if (v->reg != v->from && v->reg < reg + size && reg < v->reg + cg_ra_units(c, v->rc))
            return true;
    }
    return false;
}

/* Is operand `r` of a vector one that moved, from where the vector's part will be, `bytes` behind
 * its beginning, and is it still there when the vector is made? Operands that die may move there.
 */
static bool
is_in_place(const ra_ctx *c, ir_ref r, unsigned bytes)
{
    if (!ir_is_value(r) || bytes & (c->unit - 1))
        return false;
    const ra_value *v = cg_ra_val(c, r.id);
    return v->moved_at == c->clock && v->reg != v->from &&
           v->from == c->def_reg[0] + (bytes >> c->shift) &&
           !is_moved_to(c, v->from, cg_ra_units(c, v->rc));
}

/* An operand of a vector that lives on moves out of its way. The vector reads it where it was, and
 * has it in place. Returns true if there is one. */
static bool
read_in_place(const ra_ctx *c, ir_instr *i)
{
    bool any = false;
    if (!c->n_moves || i->op != c->f->level->machine->ops.create_vector)
        return false;
    for (unsigned r = 0, bytes = 0; r < i->n_refs; bytes += cg_ra_bytes(c, i->refs[r].rc), r++) {
        ir_ref *ref = &i->refs[r];
        if (!is_in_place(c, *ref, bytes))
            continue;
        ref->reg = (uint16_t)(cg_ra_val(c, ref->id)->from << c->shift);
        ref->id = cg_ra_val(c, ref->id)->name;
        ref->flags |= IR_ASSIGNED | IR_KILL | IR_FIRST_KILL;
        any = true;
    }
    return any;
}

/* Does the instruction still read the value by the name that it had before it moved? */
static bool
reads_old_name(const ir_instr *i, uint32_t name)
{
    for (unsigned r = 0; r < i->n_refs; r++)
        if (ir_is_value(i->refs[r]) && i->refs[r].id == name && i->refs[r].flags & IR_ASSIGNED)
            return true;
    return false;
}

/* Inserts the instruction's moves as a parallel copy before it. `in_place`: it reads some values
 * where they were before. */
static void
emit_moves(ra_ctx *c, ir_instr *i, bool in_place)
{
    unsigned n = 0;
    for (size_t m = 0; m < c->n_moves; m++) {
        const ra_value *v = cg_ra_val(c, c->moves[m]);
        n += v->reg != v->from;
    }
    if (!n)
        return;
    ir_instr *copy = ir_new_instr(c->f, c->f->level->machine->ops.parallel_copy, n, n);
    n = 0;
    for (size_t m = 0; m < c->n_moves; m++) {
        ra_value *v = cg_ra_val(c, c->moves[m]);
        if (v->reg == v->from)
            continue;
        copy->refs[n] = ir_use(c->f, v->name);
        copy->refs[n].reg = (uint16_t)(v->from << c->shift);
        copy->refs[n].flags = IR_ASSIGNED;
        if (!in_place || !reads_old_name(i, v->name))
            copy->refs[n].flags |= IR_KILL | IR_FIRST_KILL;
        v->name = ir_define(c->f, copy, n, v->rc).id;
        copy->defs[n].reg = (uint16_t)(v->reg << c->shift);
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
        if (!ir_is_value(*ref) || ref->flags & IR_ASSIGNED)
            continue;
        ra_value *v = cg_ra_val(c, ref->id);
        assert(!(ref->flags & IR_FIXED) || ref->reg == v->reg << c->shift);
        ref->id = v->name;
        ref->reg = (uint16_t)(v->reg << c->shift);
        ref->flags |= IR_ASSIGNED;
    }
}

void
cg_ra_note_used(ra_ctx *c, unsigned reg, unsigned size)
{
    cg_ra_mark(c->state->used, reg, size);
}

/* Frees the registers of operands that die, and occupies those of the definitions. */
static void
finish_instr(ra_ctx *c, ir_instr *i)
{
    for (size_t k = 0; k < c->n_killed; k++)
        cg_ra_take(c, c->killed[k]);
    for (size_t m = 0; m < c->n_moves; m++) {
        const ra_value *v = cg_ra_val(c, c->moves[m]);
        if (v->reg != RA_NOWHERE)
            cg_ra_note_used(c, v->reg, cg_ra_units(c, v->rc));
    }
    c->clock++; /* from here on no value counts as dying */
    for (unsigned d = 0; d < i->n_defs; d++) {
        ir_ref *def = &i->defs[d];
        unsigned size = cg_ra_units(c, def->rc);
        if (c->def_reg[d] == RA_NOWHERE)
            continue;
        cg_ra_note_used(c, c->def_reg[d], size);
        cg_ra_unmark(c->file.after, c->def_reg[d], size);
        def->reg = (uint16_t)(c->def_reg[d] << c->shift);
        if (!ir_is_value(*def))
            continue;
        def->flags |= IR_ASSIGNED;
        cg_ra_put(c, def->id, c->def_reg[d]);
        if (!cg_ra_is_open_def(c, d))
            cg_ra_web_placed(c, def->id, c->def_reg[d], false);
    }
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (ir_is_value(i->defs[d]) && (i->defs[d].flags & IR_KILL))
            cg_ra_take(c, i->defs[d].id);
    }
}

static void
allocate_instr(ra_ctx *c, ir_instr *i, ir_tied tied)
{
    begin_instr(c, i, tied);
    place_fixed_defs(c, i);
    place_tied_def(c, i);
    place_open_defs(c, i);
    emit_moves(c, i, read_in_place(c, i));
    finish_refs(c, i);
    finish_instr(c, i);
}

/* ---- the walk ---- */

static void
allocate_block(ra_ctx *c, ir_block *b)
{
    cg_ra_enter_block(c, b);
    IR_FOREACH_INSTR(i, b) {
        if (ir_has_flag(i, IR_OP_PHI))
            continue;
        ir_tied tied = c->f->level->machine->tied(i);
        ir_instr *copy = copy_operands(c, i, tied);
        if (copy)
            allocate_instr(c, copy, (ir_tied){-1, -1});
        allocate_instr(c, i, tied);
    }
    cg_ra_leave_block(c, b);
}

static void
set_bounds(ra_ctx *c)
{
    const ir_machine *m = c->f->level->machine;
    for (unsigned k = 0; k < m->n_banks; k++) {
        unsigned first = m->banks[k].first;
        c->end[k] = (uint16_t)(first + c->state->budget[k]);
        c->pinned_end[k] = (uint16_t)(first + c->state->pinned_end[k]);
        c->soft_end[k] = (uint16_t)(first + c->state->cheap[k]);
    }
}

void
cg_allocate_registers(ir_fn *f)
{
    arena_mark mark = arena_save(f->ctx->scratch);
    const ir_machine *m = f->level->machine;
    cg_state *state = cg_of(f);
    ra_ctx *c = ARENA_NEW(f->ctx->scratch, ra_ctx);
    c->f = f;
    c->state = state;
    c->classes = m->classes;
    c->shift = m->unit_shift;
    c->unit = 1u << m->unit_shift;
    c->live = state->live;
    c->a = f->ctx->scratch;
    c->clock = 1;
    c->file.owner = ARENA_ARRAY(c->a, m->n_units, uint32_t);
    c->wanted_by = ARENA_ARRAY(c->a, m->n_units, uint16_t);
    c->def_reg = arena_alloc(c->a, RA_MAX_DEFS * sizeof *c->def_reg);
    set_bounds(c);
    c->out = ARENA_ARRAY(c->a, f->n_blocks, ra_place *);
    assert(f->valid & IR_HAS_LIVENESS);
    cg_ra_grow_values(c);
    cg_ra_find_affinities(c);
    IR_FOREACH_BLOCK(b, f) {
        allocate_block(c, b);
    }
    cg_ra_remove_trivial_phis(c);
    f->valid &= ~(uint32_t)IR_HAS_LIVENESS;
    state->live = NULL;
    f->allocated = true;
    if (state->validate)
        cg_validate_registers(f);
    arena_release(f->ctx->scratch, mark);
}
