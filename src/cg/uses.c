#include "cg/uses.h"

#include <assert.h>

cg_uses
cg_count_uses(ir_fn *f, arena *a)
{
    return (cg_uses){.f = f, .count = ir_count_uses(f, a), .replaced = {.f = f}};
}

ir_instr *
cg_single_def(const cg_uses *u, ir_ref r)
{
    ir_instr *def = cg_def_of(u, r);
    if (!def || u->count[r.id] != 1)
        return NULL;
    for (unsigned d = 0; d < def->n_defs; d++) {
        if (def->defs[d].id != r.id && u->count[def->defs[d].id])
            return NULL;
    }
    return def;
}

bool
cg_can_move_refs(const ir_instr *def, const ir_instr *i)
{
    const ir_class *classes = ir_machine_of(i->block->fn)->classes;
    bool logical = def->n_defs && classes[def->defs[0].rc].edges == 0;
    for (unsigned r = 0; r < def->n_refs; r++) {
        if (def->refs[r].flags & IR_FIXED)
            return false;
        if (logical && def->block != i->block && ir_is_value(def->refs[r]) &&
            classes[def->refs[r].rc].edges == 1)
            return false;
    }
    return true;
}

void
cg_add_ref(const cg_uses *u, ir_instr *i)
{
    ir_ref *more = ARENA_ARRAY(u->f->arena, i->n_refs + 1u, ir_ref);
    for (unsigned r = 0; r < i->n_refs; r++)
        more[r] = i->refs[r];
    i->refs = more;
}

/* Definitions whose results became unused release what they read, so that counts say what is still
 * needed. Chains are followed only so far: a count may be too high, never too low. */
enum { RELEASE_DEPTH = 8 };

static void
release_refs(cg_uses *u, ir_instr *def, unsigned depth)
{
    if (!def || ir_has_flag(def, IR_OP_EFFECT | IR_OP_TERMINATOR | IR_OP_PHI))
        return;
    for (unsigned d = 0; d < def->n_defs; d++) {
        if (u->count[def->defs[d].id])
            return;
    }
    for (unsigned r = 0; r < def->n_refs; r++) {
        if (!ir_is_value(def->refs[r]))
            continue;
        uint32_t id = def->refs[r].id;
        if (--u->count[id] == 0 && depth)
            release_refs(u, u->f->values[id].def, depth - 1);
    }
    def->n_refs = 0;
}

static void
release(cg_uses *u, ir_ref r)
{
    if (ir_is_value(r) && --u->count[r.id] == 0)
        release_refs(u, u->f->values[r.id].def, RELEASE_DEPTH);
}

void
cg_set_refs(cg_uses *u, ir_instr *i, unsigned n, const ir_ref *refs)
{
    for (unsigned r = 0; r < n; r++) {
        if (ir_is_value(refs[r]))
            u->count[refs[r].id]++;
    }
    ir_ref old[CG_MAX_CHANGED];
    unsigned n_old = i->n_refs;
    assert(n_old <= CG_MAX_CHANGED);
    for (unsigned r = 0; r < n_old; r++)
        old[r] = i->refs[r];
    for (unsigned r = 0; r < n; r++)
        i->refs[r] = refs[r];
    i->n_refs = (uint16_t)n;
    for (unsigned r = 0; r < n_old; r++)
        release(u, old[r]);
}

void
cg_set_ref(cg_uses *u, ir_instr *i, unsigned n, ir_ref r)
{
    if (ir_is_value(r))
        u->count[r.id]++;
    ir_ref old = i->refs[n];
    i->refs[n] = r;
    release(u, old);
}

void
cg_replace_value(cg_uses *u, uint32_t id, uint32_t to)
{
    ir_replace_add(&u->replaced, id, ir_use(u->f, to));
    u->count[to] += u->count[id];
    u->count[id] = 0;
    release_refs(u, u->f->values[id].def, RELEASE_DEPTH);
}

void
cg_rename_phis(const cg_uses *u)
{
    if (!u->replaced.any)
        return;
    IR_FOREACH_BLOCK(b, u->f) {
        for (ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next)
            ir_replace_in(&u->replaced, i);
    }
}
