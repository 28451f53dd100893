/* The number of registers for values that may be spilled, and the minimum that spilling can reach.
 *
 * Pinned values are not spilled, so they reduce the room in the blocks in which they are live. An
 * instruction needs its operands at the same time, and with them the copies of tied and fixed
 * operands that stay live; then its definitions, together with operands that it kills late.
 * Spilling cannot get below that.
 */
#include "cg/spill.h"

/* ---- room ---- */

/* True if definition `d` takes the registers of a tied operand that dies. */
static bool
continues_operand(const ir_machine *m, const ir_instr *i, unsigned d)
{
    ir_tied t = m->tied(i);
    return t.def == (int)d && t.ref >= 0 && ir_is_value(i->refs[t.ref]) &&
           (i->refs[t.ref].flags & IR_KILL);
}

/* The units of a pinned value count in its block and in the blocks that it is live into. In its own
 * block they are already counted if it continues another pinned value. */
static void
count_pinned(const ir_fn *f, const ir_instr *i, unsigned d, uint16_t *taken)
{
    const cg_live *live = cg_of(f)->live;
    unsigned units = ir_class_of(f, i->defs[d].rc)->units, own = i->block->index;
    if (!continues_operand(f->level->machine, i, d))
        taken[own] = (uint16_t)(taken[own] + units);
    for (size_t k = own + 1; k < f->n_blocks; k++) {
        if (cg_live_has(&live->in[k], i->defs[d].id))
            taken[k] = (uint16_t)(taken[k] + units);
    }
}

/* By block: the units of the bank's pinned values that are live somewhere in it. */
static uint16_t *
pinned_in_blocks(const ir_fn *f, unsigned bank, arena *a)
{
    uint16_t *taken = ARENA_ARRAY(a, f->n_blocks, uint16_t);
    IR_FOREACH_INSTR_OF(i, f) {
        for (unsigned d = 0; d < i->n_defs; d++) {
            const ir_class *class = ir_class_of(f, i->defs[d].rc);
            if (ir_is_value(i->defs[d]) && class->pinned && class->bank == bank)
                count_pinned(f, i, d, taken);
        }
    }
    return taken;
}

uint16_t *
cg_spill_find_room(const ir_fn *f, const cg_spill_bank *bank, arena *a)
{
    unsigned all = cg_of(f)->budget[bank->bank] - bank->reserved;
    uint16_t *room = pinned_in_blocks(f, bank->bank, a);
    for (size_t k = 0; k < f->n_blocks; k++)
        room[k] = (uint16_t)(all > room[k] ? all - room[k] : 0);
    return room;
}

/* ---- the floor ---- */

static unsigned
size_in_bank(const ir_machine *m, ir_ref r, unsigned bank)
{
    const ir_class *class = &m->classes[r.rc];
    bool special = (r.flags & IR_FIXED) && ir_is_special(m, r.reg);
    bool counts = ir_is_value(r) && class->bank == bank && !special && !class->pinned;
    return counts ? class->units : 0;
}

static unsigned
operand_size(const ir_machine *m, const ir_instr *i, unsigned bank)
{
    unsigned size = 0;
    for (unsigned r = 0; r < i->n_refs; r++) {
        bool again = false;
        for (unsigned k = 0; k < r && !again; k++)
            again = ir_same_ref(i->refs[k], i->refs[r]);
        size += again ? 0 : size_in_bank(m, i->refs[r], bank);
    }
    return size;
}

static unsigned
instr_floor(const ir_machine *m, const ir_instr *i, unsigned bank)
{
    unsigned operands = operand_size(m, i, bank), definitions = 0;
    ir_tied t = m->tied(i);
    for (unsigned d = 0; d < i->n_defs; d++)
        definitions += size_in_bank(m, i->defs[d], bank);
    bool late = m->kills_late(i->op);
    for (unsigned r = 0; r < i->n_refs; r++)
        late |= (i->refs[r].flags & IR_LATE_KILL) != 0;
    definitions += late ? operands : 0;
    if (t.ref >= 0 && t.def >= 0 && !(i->refs[t.ref].flags & IR_KILL))
        operands += size_in_bank(m, i->defs[t.def], bank);
    for (unsigned r = 0; r < i->n_refs; r++) {
        if ((i->refs[r].flags & IR_FIXED) && m->classes[i->refs[r].rc].bank == bank)
            operands += cg_fixed_copy(m, i, r);
    }
    return operands > definitions ? operands : definitions;
}

unsigned
cg_spill_floor(const ir_fn *f, const cg_spill_bank *bank)
{
    arena_mark mark = arena_save(f->ctx->scratch);
    unsigned most = 0;
    const uint16_t *pinned = pinned_in_blocks(f, bank->bank, f->ctx->scratch);
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            unsigned size = pinned[b->index];
            if (!ir_has_flag(i, IR_OP_PHI))
                size += instr_floor(f->level->machine, i, bank->bank);
            most = size > most ? size : most;
        }
    }
    arena_release(f->ctx->scratch, mark);
    return most + bank->reserved;
}

/* ---- special registers ---- */

/* Goes through `i`, with the value that is in `reg` before it, or 0, in `*in`. Returns false if it
 * must move. */
static bool
pass_special(const ir_instr *i, unsigned reg, uint32_t *in)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (ir_is_value(i->refs[r]) && i->refs[r].id == *in && (i->refs[r].flags & IR_KILL))
            *in = 0;
    }
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (!(i->defs[d].flags & IR_FIXED) || i->defs[d].reg != reg)
            continue;
        if (*in)
            return false;
        if (ir_is_value(i->defs[d]) && !(i->defs[d].flags & IR_KILL))
            *in = i->defs[d].id;
    }
    return true;
}

bool
cg_special_moves(const ir_fn *f, unsigned reg)
{
    IR_FOREACH_BLOCK(b, f) {
        uint32_t in = 0;
        IR_FOREACH_INSTR(i, b) {
            if (!pass_special(i, reg, &in))
                return true;
        }
        if (in)
            return true; /* live in another block */
    }
    return false;
}
