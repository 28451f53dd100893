/* Spilling, if a shader needs more registers than there are.
 *
 * After Braun and Hack, "Register Spilling and Live-Range Splitting for SSA-Form Programs" (2009).
 * One walk over the blocks tracks which values are in registers. An instruction reloads its
 * operands that are not in registers; if there is no room, the values with the farthest next use
 * leave (Belady). Where blocks meet, the distances decide too which values should be in registers
 * (spill_edges.c), and missing ones are reloaded on the edges. A reload defines a new name, so
 * references are renamed, and phis merge the names.
 *
 * A value that is ever reloaded is stored once, after its definition; SSA values do not change. The
 * members of a class of cg_lower_to_cssa share a slot, so a memory phi needs no code: its operands
 * were stored at their definitions. Values made of constants are not stored but computed again.
 *
 * The family decides what a slot is, and in which order the banks are spilled.
 */
#include "cg/spill.h"
#include "ir/pass.h"

#include <assert.h>

/* ---- the register set ---- */

void
cg_spill_add(spill_ctx *c, uint32_t id, uint32_t name)
{
    spill_value *v = &c->v[id];
    v->name = name;
    if (v->at)
        return;
    c->regs[c->n_regs++] = id;
    v->at = c->n_regs;
    c->in_regs += v->size;
}

void
cg_spill_remove(spill_ctx *c, uint32_t id)
{
    spill_value *v = &c->v[id];
    uint32_t last = c->regs[--c->n_regs];
    c->regs[v->at - 1] = last;
    c->v[last].at = v->at;
    v->at = 0;
    c->in_regs -= v->size;
}

/* Values leave until at most `limit` registers are in use. Those of the current instruction
 * stay. */
static void
limit_to(spill_ctx *c, unsigned limit)
{
    while (c->in_regs > limit) {
        uint32_t farthest = 0;
        for (uint32_t k = 0; k < c->n_regs; k++) {
            uint32_t id = c->regs[k];
            if (c->v[id].mark == c->clock)
                continue;
            bool farther = !farthest || c->v[id].next > c->v[farthest].next ||
                           (c->v[id].next == c->v[farthest].next && id < farthest);
            farthest = farther ? id : farthest;
        }
        if (!farthest)
            return; /* the instruction alone needs more; register allocation reports this */
        cg_spill_remove(c, farthest);
    }
}

/* ---- reloads ---- */

/* True for instructions that compute a value from constants alone. */
static bool
is_made_of_constants(const spill_ctx *c, const ir_instr *def)
{
    if (!c->m->is_move(def) || def->n_defs != 1 || (def->defs[0].flags & IR_FIXED))
        return false;
    for (unsigned r = 0; r < def->n_refs; r++) {
        if (def->refs[r].kind != IR_REF_CONST && def->refs[r].kind != IR_REF_UNDEF)
            return false;
    }
    return true;
}

uint32_t
cg_spill_reload(spill_ctx *c, uint32_t id, ir_instr *at)
{
    unsigned rc = c->f->values[id].type;
    ir_instr *i;
    if (is_made_of_constants(c, c->f->values[id].def)) {
        i = ir_clone_instr(c->f, c->f->values[id].def);
    } else {
        i = ir_new_instr(c->f, c->m->ops.reload, 1, c->bank->more_refs);
        c->uses = arena_grow(c->a, c->uses, &c->cap_uses, c->n_uses + 1, sizeof *c->uses);
        c->uses[c->n_uses++] = (cg_spill_use){.instr = i, .id = id};
        c->v[id].needed = true;
    }
    i->loc = at->loc;
    ir_insert_before(c->bank->place ? c->bank->place(at) : at, i);
    return ir_define(c->f, i, 0, (ir_type)rc).id;
}

/* ---- a block ---- */

static bool
is_counted(const spill_ctx *c, ir_ref r)
{
    return ir_is_value(r) && r.id < c->n_v && c->v[r.id].size;
}

/* The next use after the block, which has `length` instructions. */
static void
find_use_behind(spill_ctx *c, const ir_block *b, ir_ref r, uint32_t length)
{
    if (!is_counted(c, r) || c->v[r.id].mark == c->clock)
        return;
    c->v[r.id].mark = c->clock;
    uint32_t d = cg_next_use_of(&c->next, c->next.out[b->index], r.id), most = CG_NEVER - 1;
    if (d >= most - length) /* a live-out value is used at some distance */
        d = d < CG_NEVER || cg_live_has(&c->live->out[b->index], r.id) ? most : CG_NEVER;
    else
        d += length;
    c->v[r.id].next = d;
}

/* Records the next use after each reference, and that of each definition in c->v[].next. Leaves in
 * `next` of each value that the block uses its first use. */
static void
find_next_uses(spill_ctx *c, const ir_block *b)
{
    uint32_t length = 0;
    size_t n = 0;
    for (const ir_instr *i = b->first; i; i = i->next) {
        length++;
        n += ir_has_flag(i, IR_OP_PHI) ? 0 : i->n_refs + i->n_defs;
    }
    c->after = arena_grow(c->a, c->after, &c->cap_after, n, sizeof *c->after);
    c->n_after = n;
    c->clock++;
    IR_FOREACH_INSTR(i, b) {
        for (unsigned r = 0; r < i->n_refs; r++)
            find_use_behind(c, b, i->refs[r], length);
        for (unsigned d = 0; d < i->n_defs; d++)
            find_use_behind(c, b, i->defs[d], length);
    }
    for (const ir_instr *i = b->last; i && !ir_has_flag(i, IR_OP_PHI); i = i->prev) {
        length--;
        for (unsigned d = i->n_defs; d-- > 0;)
            c->after[--n] = is_counted(c, i->defs[d]) ? c->v[i->defs[d].id].next : 0;
        for (unsigned r = i->n_refs; r-- > 0;)
            c->after[--n] = is_counted(c, i->refs[r]) ? c->v[i->refs[r].id].next : 0;
        for (unsigned r = 0; r < i->n_refs; r++) {
            if (is_counted(c, i->refs[r]))
                c->v[i->refs[r].id].next = length;
        }
    }
}

static unsigned
tied_copy(const spill_ctx *c, const ir_instr *i, const uint32_t *after)
{
    ir_tied t = c->m->tied(i);
    if (t.ref < 0 || t.def < 0)
        return 0;
    const ir_class *k = &c->m->classes[i->defs[t.def].rc];
    bool dies = is_counted(c, i->refs[t.ref]) && after[t.ref] == CG_NEVER;
    return k->bank != c->bank->bank || dies ? 0 : k->units;
}

static unsigned
fixed_copies(const spill_ctx *c, const ir_instr *i)
{
    unsigned units = 0;
    for (unsigned r = 0; r < i->n_refs; r++) {
        bool fixed = (i->refs[r].flags & IR_FIXED) != 0;
        if (fixed && c->m->classes[i->refs[r].rc].bank == c->bank->bank)
            units += cg_fixed_copy(c->m, i, r);
    }
    return units;
}

/* Puts the operands into registers, and renames the references to their current names. */
static void
take_operands(spill_ctx *c, ir_instr *i, const uint32_t *after)
{
    c->clock++;
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (!is_counted(c, i->refs[r]))
            continue;
        uint32_t id = i->refs[r].id;
        c->v[id].mark = c->clock;
        if (!c->v[id].at)
            cg_spill_add(c, id, cg_spill_reload(c, id, i));
    }
    unsigned copy = tied_copy(c, i, after) + fixed_copies(c, i);
    limit_to(c, c->budget > copy ? c->budget - copy : 0);
}

static void
rename_operands(spill_ctx *c, ir_instr *i, const uint32_t *after, bool late)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (is_counted(c, i->refs[r]))
            c->v[i->refs[r].id].next = after[r];
    }
    for (unsigned r = 0; r < i->n_refs && !late; r++) {
        uint32_t id = i->refs[r].id;
        if (is_counted(c, i->refs[r]) && c->v[id].at && c->v[id].next == CG_NEVER)
            cg_spill_remove(c, id);
    }
}

static unsigned
definition_size(const spill_ctx *c, const ir_instr *i)
{
    unsigned size = 0;
    for (unsigned d = 0; d < i->n_defs; d++)
        size += is_counted(c, i->defs[d]) ? c->v[i->defs[d].id].size : 0;
    return size;
}

static bool
has_late_kill(const spill_ctx *c, const ir_instr *i)
{
    bool late = c->m->kills_late(i->op);
    for (unsigned r = 0; r < i->n_refs; r++)
        late |= (i->refs[r].flags & IR_LATE_KILL) != 0;
    return late;
}

static void
visit_instr(spill_ctx *c, ir_instr *i, const uint32_t *after)
{
    bool late = has_late_kill(c, i);
    take_operands(c, i, after);
    rename_operands(c, i, after, late);
    if (!late)
        c->clock++; /* operands that stay live may leave: their registers have been read */
    unsigned size = definition_size(c, i);
    limit_to(c, c->budget > size ? c->budget - size : 0);
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (!is_counted(c, i->refs[r]))
            continue;
        uint32_t id = i->refs[r].id;
        if (late && c->v[id].at && c->v[id].next == CG_NEVER)
            cg_spill_remove(c, id);
        i->refs[r].id = c->v[id].name;
    }
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (!is_counted(c, i->defs[d]))
            continue;
        uint32_t id = i->defs[d].id, next = after[i->n_refs + d];
        c->v[id].next = next;
        c->v[id].name = id;
        if (!(i->defs[d].flags & IR_KILL))
            cg_spill_add(c, id, id);
    }
}

static void
visit_block(spill_ctx *c, ir_block *b)
{
    find_next_uses(c, b);
    c->budget = c->room[b->index];
    cg_spill_enter_block(c, b);
    const uint32_t *after = c->after;
    IR_FOREACH_INSTR(i, b) {
        bool of_block = !ir_has_flag(i, IR_OP_PHI);
        if (!of_block)
            continue;
        visit_instr(c, i, after);
        after += i->n_refs + i->n_defs;
    }
    cg_spill_leave_block(c, b);
}

/* ---- a bank ---- */

static void
find_sizes(spill_ctx *c)
{
    IR_FOREACH_INSTR_OF(i, c->f) {
        for (unsigned d = 0; d < i->n_defs; d++) {
            ir_ref def = i->defs[d];
            const ir_class *k = &c->m->classes[def.rc];
            bool special = (def.flags & IR_FIXED) && ir_is_special(c->m, def.reg);
            if (ir_is_value(def) && k->bank == c->bank->bank && !k->pinned && !special)
                c->v[def.id].size = k->units;
        }
    }
}

/* Visits the blocks from last to first. most[d] is the largest demand so far in the loop of depth d
 * around the block. When the walk leaves a loop at its header, its demand counts for the loop
 * around it too. */
static void
find_loop_demand(spill_ctx *c)
{
    unsigned *most = ARENA_ARRAY(c->a, c->f->n_blocks + 1, unsigned); /* by depth */
    c->loop_demand = ARENA_ARRAY(c->a, c->f->n_blocks, unsigned);
    for (size_t k = c->f->n_blocks; k-- > 0;) {
        uint32_t depth = c->f->blocks[k]->loop_depth;
        int demand = c->live->blocks[k].units[c->bank->bank];
        uint32_t behind = k + 1 < c->f->n_blocks ? c->f->blocks[k + 1]->loop_depth : 0;
        for (uint32_t d = behind + 1; d <= depth; d++)
            most[d] = 0;
        for (; behind > depth; behind--)
            most[behind - 1] = most[behind] > most[behind - 1] ? most[behind] : most[behind - 1];
        most[depth] = (unsigned)demand > most[depth] ? (unsigned)demand : most[depth];
        c->loop_demand[k] = most[depth];
    }
}

/* A constant operand of a phi may be stored at the end of its predecessor: from there on the slot
 * belongs to the phi. */
static void
cover_constants(const spill_ctx *c, const ir_block *b)
{
    for (const ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
        const ir_edges *preds = &b->preds[ir_has_flag(i, IR_OP_LINEAR_PHI)];
        cg_span *s = &c->spans[i->defs[0].id];
        for (unsigned r = 0; r < i->n_refs; r++) {
            uint32_t at = 2 * preds->at[r]->last->index;
            if (i->refs[r].kind != IR_REF_CONST)
                continue;
            s->start = at < s->start ? at : s->start;
            s->end = at + 2 > s->end ? at + 2 : s->end;
        }
    }
}

/* Computes the next uses of the bank's values. */
static void
find_distances(spill_ctx *c)
{
    uint32_t *number = ARENA_ARRAY(c->a, c->n_v, uint32_t);
    for (uint32_t id = 0; id < c->n_v; id++)
        number[id] = c->v[id].size;
    c->next = cg_compute_next_use(c->f, number, c->list, c->a);
}

cg_spilled
cg_spill(ir_fn *f, const cg_spill_bank *bank, const cg_cssa *classes, arena *a)
{
    ir_require(f, IR_HAS_LOOPS);
    spill_ctx c = {.f = f, .m = f->level->machine, .a = a, .classes = classes, .bank = bank};
    c.live = cg_of(f)->live;
    c.list = bank->edges;
    c.room = cg_spill_find_room(f, bank, c.a);
    c.spans = cg_find_spans(f, c.live, c.a);
    c.n_v = (uint32_t)f->n_values;
    c.v = ARENA_ARRAY(c.a, c.n_v, spill_value);
    c.regs = ARENA_ARRAY(c.a, c.n_v, uint32_t);
    c.entry = ARENA_ARRAY(c.a, f->n_blocks, spill_set);
    c.exit = ARENA_ARRAY(c.a, f->n_blocks, spill_set);
    c.entry_phis = ARENA_ARRAY(c.a, f->n_blocks, ir_instr **);
    find_sizes(&c);
    find_distances(&c);
    find_loop_demand(&c);
    IR_FOREACH_BLOCK(b, f) {
        cover_constants(&c, b);
    }
    IR_FOREACH_BLOCK(b, f) {
        visit_block(&c, b);
    }
    cg_spill_remove_trivial_phis(&c);
    uint32_t n_slots = cg_spill_assign_slots(&c);
    return (cg_spilled){.uses = c.uses, .n_uses = c.n_uses, .n_slots = n_slots, .stored = c.stored};
}

void
cg_remove_unused_constants(ir_fn *f)
{
    const spill_ctx c = {.f = f, .m = f->level->machine};
    IR_FOREACH_INSTR_OF(i, f) {
        if (is_made_of_constants(&c, i) && (i->defs[0].flags & IR_KILL))
            ir_unlink(i);
    }
}
