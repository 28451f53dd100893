#include "ir/numbering.h"

#include "ir/hir.h"
#include "ir/value_table.h"

/* ---- constants ---- */

static bool
is_constant(const ir_instr *i)
{
    return i->op == IR_load_const || i->op == IR_undef;
}

static void
remember(const ir_fn *f, ir_constants *c, const ir_instr *i)
{
    ir_type t = f->values[i->defs[0].id].type;
    unsigned bits = ir_type_bits(t);
    if (i->op == IR_undef)
        ir_constants_add(c, 0, ir_undef_key(t), i->defs[0].id);
    else if (ir_type_comps(t) == 1)
        ir_constants_add(c, bits == 64, ir_constant_key(bits, ir_const_comp(f, i, 0)),
                         i->defs[0].id);
}

/* The place of a 32-bit constant among the few, or one that is too large. */
static uint64_t
few_at(unsigned m, uint64_t key)
{
    return m == 0 ? key - ir_constant_key(32, 0) : UINT64_MAX;
}

void
ir_constants_add(ir_constants *c, unsigned m, uint64_t key, uint32_t id)
{
    uint64_t few = few_at(m, key);
    if (few < IR_FEW_CONSTANTS)
        c->few[few] = id;
    else
        map_put(&c->at[m], key, id);
}

uint32_t
ir_constants_find(const ir_fn *f, const ir_constants *c, unsigned m, uint64_t key)
{
    uint64_t few = few_at(m, key), id;
    if (few < IR_FEW_CONSTANTS)
        id = c->few[few];
    else if (!map_get(&c->at[m], key, &id))
        return 0;
    const ir_instr *def = f->values[id].def; /* that of value 0 is NULL */
    return def && is_constant(def) && def->block == f->blocks[0] ? (uint32_t)id : 0;
}

static ir_constants *
constants_of(ir_fn *f)
{
    if (!f->constants) {
        f->constants = ARENA_NEW(f->arena, ir_constants);
        f->constants->at[0] = f->constants->at[1] = map_make(f->arena);
        ir_instr *i = f->n_blocks ? f->blocks[0]->first : NULL;
        for (; i && is_constant(i); i = i->next)
            remember(f, f->constants, i);
    }
    f->constants->last = NULL;
    return f->constants;
}

ir_instr *
ir_constants_last(const ir_fn *f, const ir_constants *c)
{
    ir_instr *last = c->last;
    for (ir_instr *i = f->blocks[0]->first; !c->last && i && is_constant(i); i = i->next)
        last = i;
    return last;
}

/* ---- the table ---- */

ir_numbering *
ir_numbering_new(ir_fn *f)
{
    ir_numbering *n = ARENA_NEW(f->arena, ir_numbering);
    n->f = f;
    n->constants = constants_of(f);
    return n;
}

static bool
is_equal(const ir_numbering *n, uint32_t id, const ir_instr *i, ir_type type)
{
    return n->f->values[id].type == type && ir_same_operation(n->f->values[id].def, i);
}

uint32_t
ir_numbering_find(const ir_numbering *n, const ir_instr *i, ir_type type, uint32_t hash)
{
    if (!n->cap)
        return 0;
    for (size_t s = hash & (n->cap - 1); n->slots[s].id; s = (s + 1) & (n->cap - 1)) {
        if (n->slots[s].hash == hash && is_equal(n, n->slots[s].id, i, type))
            return n->slots[s].id;
    }
    return 0;
}

static uint32_t
fill_slot(ir_numbering *n, ir_numbering_slot entry)
{
    size_t s = entry.hash & (n->cap - 1);
    while (n->slots[s].id)
        s = (s + 1) & (n->cap - 1);
    n->slots[s] = entry;
    return (uint32_t)s;
}

/* Doubles the capacity. Entries are reinserted in the order in which they were added, so that
 * undoing remains correct. */
static void
grow(ir_numbering *n)
{
    ir_numbering_slot *old = n->slots;
    n->cap = n->cap ? 2 * n->cap : 64;
    n->slots = ARENA_ARRAY(n->f->arena, n->cap, ir_numbering_slot);
    for (size_t i = 0; i < n->n_log; i++)
        n->log[i] = fill_slot(n, old[n->log[i]]);
}

void
ir_numbering_add(ir_numbering *n, uint32_t id, uint32_t hash)
{
    if (2 * (n->n_log + 1) > n->cap)
        grow(n);
    n->log = arena_grow(n->f->arena, n->log, &n->cap_log, n->n_log + 1, sizeof *n->log);
    n->log[n->n_log++] = fill_slot(n, (ir_numbering_slot){hash, id});
}

static void
undo_to(ir_numbering *n, size_t mark)
{
    while (n->n_log > mark)
        n->slots[n->log[--n->n_log]].id = 0;
}

void
ir_numbering_open(ir_numbering *n)
{
    n->scopes = arena_grow(n->f->arena, n->scopes, &n->cap_scopes, n->n_scopes + 1,
                           sizeof *n->scopes);
    n->scopes[n->n_scopes++] = n->n_log;
}

void
ir_numbering_close(ir_numbering *n)
{
    undo_to(n, n->scopes[--n->n_scopes]);
}

void
ir_numbering_clear_entries(ir_numbering *n)
{
    undo_to(n, 0);
    for (size_t i = 0; i < n->n_scopes; i++)
        n->scopes[i] = 0;
}
