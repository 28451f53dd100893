/* Conventional SSA: no phi interferes with its operands, so that all of them may share a spill
 * slot.
 *
 * At first each value is a class of its own. A phi merges the class of each operand, one after the
 * other, into its own class if no member of either class is live at the definition of a member of
 * the other (Boissinot, Darte, Rastello, Dupont de Dinechin, Guillon: "Revisiting Out-of-SSA
 * Translation for Correctness, Code Quality, and Efficiency", 2009). If they interfere, the operand
 * is copied at the end of its predecessor, and the phi takes the copy. If the copy interferes too,
 * because the phi itself is live to the end of the predecessor, the phi is isolated: all its
 * operands are copied, and its result becomes a copy at the beginning of the block. Constants of a
 * bank that spills none (ir_bank.spills_constants) are copied as well, because a slot cannot be
 * loaded with a constant; so are operands of another bank than the phi's, because each bank is
 * spilled on its own.
 *
 * Large classes are not compared pair by pair: beyond MAX_PAIRS pairs they count as interfering.
 */
#include "cg/cssa.h"
#include "cg/live.h"
#include "cg/place.h"

enum { MAX_PAIRS = 256 };

/* The last use of a value in a block out of which it is not live. */
typedef struct last_use {
    uint32_t block, index;
} last_use;

typedef struct class_list {
    uint32_t *ids;
    uint32_t count;
} class_list;

typedef struct cssa_ctx {
    ir_fn *f;
    arena *a;
    const cg_live *live;
    last_use *last;       /* sorted by value, then by block */
    uint32_t *last_start; /* by value, with one more element at the end */
    cg_cssa classes;
    class_list *members; /* by representative; ids NULL: only itself */
    bool *closed; /* by representative: the class has copies, which are not among its members */
    bool changed;
} cssa_ctx;

uint32_t
cg_cssa_class(const cg_cssa *c, uint32_t id)
{
    if (id >= c->n_values)
        return id;
    while (c->parent[id] != id)
        id = c->parent[id] = c->parent[c->parent[id]];
    return id;
}

/* ---- interference ---- */

static ir_block *
def_block(const cssa_ctx *c, uint32_t id)
{
    return c->f->values[id].def->block;
}

static void
walk_last_uses(cssa_ctx *c, bool fill)
{
    IR_FOREACH_BLOCK(b, c->f) {
        for (const ir_instr *i = ir_first_non_phi(b); i; i = i->next) {
            for (unsigned r = 0; r < i->n_refs; r++) {
                if (!ir_is_value(i->refs[r]) || !(i->refs[r].flags & IR_FIRST_KILL))
                    continue;
                uint32_t at = c->last_start[i->refs[r].id]++;
                if (fill)
                    c->last[at] = (last_use){b->index, i->index};
            }
        }
    }
}

static void
find_last_uses(cssa_ctx *c)
{
    size_t n = c->f->n_values;
    uint32_t total = 0;
    c->last_start = ARENA_ARRAY(c->a, n + 1, uint32_t);
    walk_last_uses(c, false);
    for (size_t v = 0; v <= n; v++) {
        uint32_t count = c->last_start[v];
        c->last_start[v] = total;
        total += count;
    }
    c->last = ARENA_ARRAY(c->a, total, last_use);
    walk_last_uses(c, true); /* leaves in last_start[v] the end of v's entries */
}

/* True if the value, which is not live out of the block of `i`, is used there after `i`. */
static bool
is_used_behind(const cssa_ctx *c, const ir_instr *i, uint32_t id)
{
    uint32_t lo = id ? c->last_start[id - 1] : 0, end = c->last_start[id], hi = end;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (c->last[mid].block < i->block->index)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < end && c->last[lo].block == i->block->index && c->last[lo].index > i->index;
}

/* True if `id` is live after the definition of `at`. */
static bool
lives_at(const cssa_ctx *c, uint32_t id, uint32_t at)
{
    const ir_block *b = def_block(c, at);
    const ir_instr *def = c->f->values[at].def;
    bool enters = cg_live_has(&c->live->in[b->index], id);
    bool phi = ir_has_flag(def, IR_OP_PHI);
    if (def_block(c, id) == b) {
        const ir_instr *own = c->f->values[id].def;
        bool own_phi = ir_has_flag(own, IR_OP_PHI);
        if (!own_phi && (phi || own->index > def->index))
            return false;
    } else if (!enters) {
        return false;
    }
    if (cg_live_has(&c->live->out[b->index], id))
        return true;
    return phi || is_used_behind(c, def, id);
}

static bool
interfere(const cssa_ctx *c, uint32_t x, uint32_t y)
{
    return lives_at(c, x, y) || lives_at(c, y, x);
}

static class_list
members_of(const cssa_ctx *c, const uint32_t *representative)
{
    class_list m = c->members[*representative];
    return m.ids ? m : (class_list){.ids = (uint32_t *)representative, .count = 1};
}

static bool
classes_interfere(const cssa_ctx *c, uint32_t x, uint32_t y)
{
    class_list a = members_of(c, &x), b = members_of(c, &y);
    if (c->closed[x] || c->closed[y] || a.count * b.count > MAX_PAIRS)
        return true;
    for (uint32_t i = 0; i < a.count; i++) {
        for (uint32_t k = 0; k < b.count; k++) {
            if (interfere(c, a.ids[i], b.ids[k]))
                return true;
        }
    }
    return false;
}

/* True if a member of the class is live at the end of `pred`, where an operand would be copied. */
static bool
lives_out(const cssa_ctx *c, uint32_t representative, const ir_block *pred)
{
    class_list m = members_of(c, &representative);
    for (uint32_t k = 0; k < m.count; k++) {
        if (cg_live_has(&c->live->out[pred->index], m.ids[k]))
            return true;
    }
    return m.count > MAX_PAIRS;
}

static void
unite(cssa_ctx *c, uint32_t x, uint32_t y)
{
    class_list a = members_of(c, &x), b = members_of(c, &y);
    class_list both = {.ids = ARENA_ARRAY(c->a, a.count + b.count, uint32_t)};
    for (uint32_t k = 0; k < a.count; k++)
        both.ids[both.count++] = a.ids[k];
    for (uint32_t k = 0; k < b.count; k++)
        both.ids[both.count++] = b.ids[k];
    c->classes.parent[y] = x;
    c->members[x] = both;
}

/* ---- copies ---- */

static ir_instr *
new_copy(const cssa_ctx *c, ir_ref from, unsigned rc)
{
    ir_instr *copy = ir_new_instr(c->f, c->f->level->machine->ops.parallel_copy, 1, 1);
    copy->refs[0] = from;
    ir_define(c->f, copy, 0, (ir_type)rc);
    return copy;
}

static void
copy_operand(cssa_ctx *c, ir_instr *phi, unsigned r)
{
    unsigned list = ir_has_flag(phi, IR_OP_LINEAR_PHI);
    ir_instr *copy = new_copy(c, phi->refs[r], phi->defs[0].rc);
    ir_insert_before(cg_place_at_end(phi->block->preds[list].at[r], list), copy);
    phi->refs[r] = ir_use(c->f, copy->defs[0].id);
    c->changed = true;
}

/* The phi gets a new definition, and its old result becomes a copy of that. */
static void
isolate(cssa_ctx *c, ir_instr *phi)
{
    unsigned list = ir_has_flag(phi, IR_OP_LINEAR_PHI);
    ir_ref result = phi->defs[0];
    ir_define(c->f, phi, 0, result.rc);
    ir_instr *copy = ir_new_instr(c->f, c->f->level->machine->ops.parallel_copy, 1, 1);
    copy->refs[0] = ir_use(c->f, phi->defs[0].id);
    copy->defs[0] = result;
    c->f->values[result.id].def = copy;
    ir_insert_before(cg_place_at_beginning(phi->block, list), copy);
    for (unsigned r = 0; r < phi->n_refs; r++) {
        if (phi->refs[r].kind != IR_REF_UNDEF)
            copy_operand(c, phi, r);
    }
}

/* Phis of fixed registers, and dead ones, have no slot. */
static bool
takes_part(const ir_instr *phi)
{
    return !(phi->defs[0].flags & IR_FIXED) && !(phi->defs[0].flags & IR_KILL);
}

static const ir_bank *
bank_of(const cssa_ctx *c, ir_type t)
{
    return &c->f->level->machine->banks[ir_class_of(c->f, t)->bank];
}

static bool
joins(cssa_ctx *c, const ir_instr *phi, unsigned r)
{
    ir_ref ref = phi->refs[r];
    if (!ir_is_value(ref))
        return ref.kind == IR_REF_UNDEF || bank_of(c, phi->defs[0].rc)->spills_constants;
    if (bank_of(c, c->f->values[ref.id].type) != bank_of(c, phi->defs[0].rc))
        return false;
    uint32_t x = cg_cssa_class(&c->classes, phi->defs[0].id);
    uint32_t y = cg_cssa_class(&c->classes, ref.id);
    if (x == y)
        return true;
    const ir_instr *def = c->f->values[ref.id].def;
    bool fixed = false;
    for (unsigned d = 0; d < def->n_defs; d++)
        fixed |= def->defs[d].id == ref.id && (def->defs[d].flags & IR_FIXED);
    if (fixed || classes_interfere(c, x, y))
        return false;
    unite(c, x, y);
    return true;
}

/* A phi without a slot must not have operands from other banks either: spilling such a bank renames
 * and reloads only the operands of that bank's phis. */
static void
separate_banks(cssa_ctx *c, ir_instr *phi)
{
    for (unsigned r = 0; r < phi->n_refs; r++) {
        ir_ref *ref = &phi->refs[r];
        if (!ir_is_value(*ref) || bank_of(c, ref->rc) == bank_of(c, phi->defs[0].rc))
            continue;
        if (phi->defs[0].flags & IR_KILL)
            *ref = ir_pack_ref(IR_REF_UNDEF, 0, IR_REG_NONE, phi->defs[0].rc, 0);
        else
            copy_operand(c, phi, r);
        c->changed = true;
    }
}

static void
lower_phi(cssa_ctx *c, ir_instr *phi)
{
    const ir_edges *preds = &phi->block->preds[ir_has_flag(phi, IR_OP_LINEAR_PHI)];
    arena *scratch = c->f->ctx->scratch;
    arena_mark mark = arena_save(scratch);
    bool *copied = ARENA_ARRAY(scratch, phi->n_refs, bool), any = false, alone = false;
    for (unsigned r = 0; r < phi->n_refs; r++) {
        copied[r] = !joins(c, phi, r);
        any |= copied[r];
    }
    uint32_t x = cg_cssa_class(&c->classes, phi->defs[0].id);
    for (unsigned r = 0; r < phi->n_refs && !alone; r++)
        alone = copied[r] && lives_out(c, x, preds->at[r]);
    if (any && !alone)
        c->closed[x] = true;
    if (alone)
        isolate(c, phi);
    for (unsigned r = 0; r < phi->n_refs && !alone; r++) {
        if (copied[r])
            copy_operand(c, phi, r);
    }
    arena_release(scratch, mark);
}

/* New values join the classes of their phis. */
static void
add_copies(cssa_ctx *c)
{
    size_t n = c->f->n_values;
    uint32_t *parent = ARENA_ARRAY(c->a, n, uint32_t);
    for (uint32_t v = 0; v < n; v++)
        parent[v] = v < c->classes.n_values ? c->classes.parent[v] : v;
    c->classes = (cg_cssa){.parent = parent, .n_values = n};
    IR_FOREACH_BLOCK(b, c->f) {
        for (ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
            for (unsigned r = 0; takes_part(i) && r < i->n_refs; r++) {
                if (!ir_is_value(i->refs[r]))
                    continue;
                uint32_t x = cg_cssa_class(&c->classes, i->defs[0].id);
                parent[cg_cssa_class(&c->classes, i->refs[r].id)] = x;
            }
        }
    }
}

cg_cssa
cg_lower_to_cssa(ir_fn *f, arena *a)
{
    cssa_ctx c = {.f = f, .a = a, .live = cg_of(f)->live};
    c.classes.n_values = f->n_values;
    c.classes.parent = ARENA_ARRAY(a, f->n_values, uint32_t);
    c.members = ARENA_ARRAY(a, f->n_values, class_list);
    c.closed = ARENA_ARRAY(a, f->n_values, bool);
    for (uint32_t v = 0; v < f->n_values; v++)
        c.classes.parent[v] = v;
    find_last_uses(&c);
    IR_FOREACH_BLOCK(b, f) {
        for (ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
            (takes_part(i) ? lower_phi : separate_banks)(&c, i);
        }
    }
    add_copies(&c);
    if (c.changed)
        cg_find_live(f);
    return c.classes;
}
