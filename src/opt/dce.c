/* Dead code elimination for all levels: marks everything that effects need, and removes the rest.
 *
 * Instructions with an effect are needed, and so are the definitions of a needed instruction's
 * operands. Phis that only feed each other around a loop are not needed and are removed. Stores to
 * scratch and to shared memory are removed if nothing that is needed reads that memory; barriers
 * are reduced to the kinds of memory that are used, and of a workgroup of one invocation to what
 * others see. A store to an undefined address is not needed. Linear.
 *
 * On HIR an if or a loop is needed if an instruction in it, or a phi at its merge block, is needed.
 * Then its condition is needed too, or for a loop the constructs around its breaks and continues.
 * Ifs and loops that are not needed are removed as a whole; a loop without effect may be assumed to
 * terminate.
 *
 *     if %1 then b1 else b2 merge b3          (the contents of b3)
 *     ... block b3: (no needed phi)     ->
 */
#include "opt/cfg.h"
#include "opt/memory.h"
#include "opt/opt.h"

enum {
    NEEDED = 1, /* an instruction that is needed reads it */
    PASSED = 2, /* the walk has passed its definition and did not need it */
};

typedef struct dce {
    ir_fn *f;
    const ir_op_info *ops;
    uint8_t *state;        /* by value: NEEDED or PASSED, or neither so far */
    const ir_instr **work; /* passed earlier and needed now; terminators of needed constructs */
    size_t n_work, cap_work;
    ir_instr **stores; /* HIR: to scratch and shared memory */
    size_t n_stores, cap_stores;
    ir_instr **idle; /* visited and not needed at that time */
    size_t n_idle, cap_idle;
    size_t n_dead;      /* instructions that were visited and are not needed */
    bool has_stores;    /* HIR: there may be stores to scratch or shared memory */
    bool has_addresses; /* HIR: there may be stores to addresses */
    bool scratch_is_read, shared_is_read;
    /* HIR with control flow, by block index; else NULL: */
    ir_block **around;    /* opener of the innermost construct that contains the block */
    ir_block **opener_of; /* by merge block: the opener of its construct */
    bool *live;           /* by opener: its construct is needed */
    uint32_t n_not_live;  /* constructs that are not needed */
} dce;

static void
push(dce *d, const ir_instr *i)
{
    d->work = arena_grow(d->f->ctx->scratch, d->work, &d->cap_work, d->n_work + 1, sizeof *d->work);
    d->work[d->n_work++] = i;
}

static void
need_value(dce *d, uint32_t id)
{
    uint8_t before = d->state[id];
    if (before & NEEDED)
        return;
    d->state[id] = NEEDED;
    if (!(before & PASSED))
        return;
    const ir_instr *def = d->f->values[id].def;
    for (unsigned k = 0; k < def->n_defs; k++)
        d->state[def->defs[k].id] &= NEEDED;
    push(d, def);
    d->n_dead--;
}

static void
need_refs(dce *d, const ir_instr *i)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (ir_is_value(i->refs[r]))
            need_value(d, i->refs[r].id);
    }
}

/* ---- constructs ---- */

static void
find_constructs(dce *d)
{
    arena *a = d->f->ctx->scratch;
    ir_block **open = ARENA_ARRAY(a, d->f->n_blocks + 1, ir_block *);
    uint32_t depth = 0;
    d->around = ARENA_ARRAY(a, d->f->n_blocks, ir_block *);
    d->opener_of = ARENA_ARRAY(a, d->f->n_blocks, ir_block *);
    d->live = ARENA_ARRAY(a, d->f->n_blocks, bool);
    IR_FOREACH_BLOCK(b, d->f) {
        if (depth && open[depth - 1]->merge == b)
            d->opener_of[b->index] = open[--depth];
        d->around[b->index] = depth ? open[depth - 1] : NULL;
        if (b->merge) {
            open[depth++] = b;
            d->n_not_live++;
        }
    }
}

/* Marks a needed construct: its opener's terminator and, for a loop, the terminators that break out
 * of it or continue it.
 */
static void
need_construct(dce *d, const ir_block *opener)
{
    if (!opener || d->live[opener->index])
        return;
    d->live[opener->index] = true;
    d->n_not_live--;
    push(d, ir_terminator(opener));
    if (!opener->cont)
        return;
    const ir_edges *breaks = &opener->merge->preds[0], *continues = &opener->cont->preds[0];
    for (uint32_t p = 0; p < breaks->count; p++)
        push(d, ir_terminator(breaks->at[p]));
    for (uint32_t p = 0; p < continues->count; p++)
        push(d, ir_terminator(continues->at[p]));
}

/* Marks the constructs that a needed instruction depends on by its position. */
static void
need_place(dce *d, const ir_instr *i)
{
    need_construct(d, d->around[i->block->index]);
    if (i->op == IR_phi)
        need_construct(d, d->opener_of[i->block->index]);
}

/* Removes the constructs that are not needed; what they define has no other uses. Returns true if
 * there were any. */
static bool
remove_constructs(dce *d)
{
    ir_fn *f = d->f;
    ir_replacement map = {.f = f};
    bool changed = false;
    for (size_t n = 0; n < f->n_blocks; n++) {
        ir_block *b = f->blocks[n];
        size_t at = n; /* index of the block that opened the construct that `b` now opens */
        while (!opt_cfg_is_removed(b) && b->merge && !d->live[at]) {
            ir_block *merge = b->merge;
            at = merge->index;
            opt_cfg_remove(f, b->succs[0].at[0]->index, merge->index);
            opt_cfg_join(&map, b, merge);
            changed = true;
        }
    }
    if (changed)
        ir_compact_blocks(f);
    return changed;
}

/* ---- instructions ---- */

static uint32_t
flags_of(const dce *d, const ir_instr *i)
{
    return d->ops[i->op].flags;
}

/* An address that is undefined, or counted from one that is: a store there may be anywhere, so
 * nowhere. */
static bool
has_no_address(const dce *d, const ir_instr *i)
{
    enum { MOST_SUMS = 64 };
    if (!d->has_addresses || i->op != IR_store_global)
        return false;
    const ir_instr *def = d->f->values[i->refs[1].id].def;
    for (unsigned sums = 0; sums < MOST_SUMS && def && def->op == IR_iadd; sums++)
        def = d->f->values[def->refs[0].id].def;
    return def && def->op == IR_undef;
}

/* Returns true if the references of `i` are needed wherever it is. */
static bool
is_root(const dce *d, const ir_instr *i)
{
    if (has_no_address(d, i))
        return false;
    if (d->around && flags_of(d, i) & IR_OP_TERMINATOR)
        return i->op == IR_return;
    return flags_of(d, i) & (IR_OP_EFFECT | IR_OP_TERMINATOR);
}

/* A store that is needed only if its memory is read. */
static bool
is_private_store(const dce *d, const ir_instr *i)
{
    return d->has_stores && (i->op == IR_store_scratch || i->op == IR_store_shared);
}

static bool
store_is_read(const dce *d, const ir_instr *i)
{
    return i->op == IR_store_scratch ? d->scratch_is_read : d->shared_is_read;
}

/* A needed instruction reads its memory. */
static void
note_read(dce *d, const ir_instr *i)
{
    d->scratch_is_read |= i->op == IR_load_scratch;
    d->shared_is_read |= i->op == IR_load_shared || i->op == IR_shared_atomic ||
                         i->op == IR_shared_atomic_swap;
}

static bool
defines_needed(const dce *d, const ir_instr *i)
{
    for (unsigned k = 0; k < i->n_defs; k++) {
        if (d->state[i->defs[k].id] & NEEDED)
            return true;
    }
    return false;
}

static void
need_instr(dce *d, const ir_instr *i)
{
    if (d->has_stores)
        note_read(d, i);
    if (d->around)
        need_place(d, i);
    need_refs(d, i);
}

static void
pass(dce *d, ir_instr *i)
{
    for (unsigned k = 0; k < i->n_defs; k++)
        d->state[i->defs[k].id] |= PASSED;
    if (flags_of(d, i) & IR_OP_TERMINATOR)
        return;
    d->idle = arena_grow(d->f->ctx->scratch, d->idle, &d->cap_idle, d->n_idle + 1, sizeof *d->idle);
    d->idle[d->n_idle++] = i;
    d->n_dead++;
}

static void
visit(dce *d, ir_instr *i)
{
    bool effect = flags_of(d, i) & (IR_OP_EFFECT | IR_OP_TERMINATOR);
    if (effect && is_private_store(d, i)) {
        d->stores = arena_grow(d->f->ctx->scratch, d->stores, &d->cap_stores, d->n_stores + 1,
                               sizeof *d->stores);
        d->stores[d->n_stores++] = i;
    } else if ((effect && is_root(d, i)) || defines_needed(d, i)) {
        need_instr(d, i);
    } else {
        pass(d, i);
    }
}

static void
finish_work(dce *d)
{
    while (d->n_work)
        need_instr(d, d->work[--d->n_work]);
}

/* Marks the private stores of one kind, if needed instructions read them. Returns true if it did,
 * so that others may have become needed. */
static bool
need_stores(dce *d, ir_op op, bool is_read, bool *done)
{
    if (!is_read || *done)
        return false;
    for (size_t s = 0; s < d->n_stores; s++) {
        if (d->stores[s]->op == op)
            need_instr(d, d->stores[s]);
    }
    finish_work(d);
    return *done = true;
}

/* Except around loops, the users of a value are visited before its definition. So one backward walk
 * suffices, with a worklist for definitions that are found to be needed after the walk has passed
 * them. */
static void
mark(dce *d)
{
    for (size_t n = d->f->n_blocks; n--;) {
        IR_FOREACH_INSTR_REVERSE(i, d->f->blocks[n]) {
            visit(d, i);
            finish_work(d);
        }
    }
    bool scratch = false, shared = false;
    while (need_stores(d, IR_store_scratch, d->scratch_is_read, &scratch) ||
           need_stores(d, IR_store_shared, d->shared_is_read, &shared))
        continue;
    for (size_t s = 0; s < d->n_stores; s++)
        d->n_dead += !store_is_read(d, d->stores[s]);
}

static void
remove_instr(const dce *d, ir_instr *i)
{
    for (unsigned k = 0; k < i->n_defs; k++)
        d->f->values[i->defs[k].id].def = NULL;
    ir_unlink(i);
}

static void
sweep(const dce *d)
{
    for (size_t k = 0; k < d->n_idle; k++) {
        if (!defines_needed(d, d->idle[k]))
            remove_instr(d, d->idle[k]);
    }
    for (size_t s = 0; s < d->n_stores; s++) {
        if (!store_is_read(d, d->stores[s]))
            remove_instr(d, d->stores[s]);
    }
}

/* ---- barriers ---- */

/* IR_MODE_* of the memory that `i` accesses. What opcodes of back ends store is like a buffer. */
static uint32_t
mode_of(const ir_instr *i)
{
    if (i->op >= IR_HIR_OP_COUNT)
        return ir_has_flag(i, IR_OP_WRITES) ? IR_MODE_SSBO : 0;
    switch (i->op) {
    case IR_load_shared:
    case IR_store_shared:
    case IR_shared_atomic:
    case IR_shared_atomic_swap: return IR_MODE_SHARED;
    case IR_load_ssbo:
    case IR_store_ssbo:
    case IR_ssbo_atomic:
    case IR_ssbo_atomic_swap:
    case IR_load_global:
    case IR_store_global:
    case IR_global_atomic:
    case IR_global_atomic_swap: return IR_MODE_SSBO;
    case IR_image_load:
    case IR_image_store:
    case IR_image_atomic:
    case IR_image_atomic_swap:
    case IR_tex: return IR_MODE_IMAGE | IR_MODE_ATOMIC_COUNTER;
    default: return 0;
    }
}

static bool
trim_barrier(ir_instr *i, uint32_t used)
{
    uint32_t modes = ir_attr_get(i, IR_A_MODES);
    if (opt_is_alone(i->block->fn)) {
        used &= ~(uint32_t)IR_MODE_SHARED;
        ir_attr_set(i, IR_A_EXEC_SCOPE, IR_SCOPE_none);
    }
    ir_attr_set(i, IR_A_MODES, modes & used);
    if (!(modes & used) && ir_attr_get(i, IR_A_EXEC_SCOPE) == IR_SCOPE_none)
        ir_unlink(i);
    return (modes & ~used) != 0;
}

static bool
trim_barriers(ir_fn *f)
{
    uint32_t used = 0;
    bool changed = false;
    IR_FOREACH_INSTR_OF(i, f)
        used |= mode_of(i);
    IR_FOREACH_INSTR_OF(i, f) {
        if (i->op == IR_barrier)
            changed |= trim_barrier(i, used);
    }
    return changed;
}

bool
opt_dce(ir_fn *f)
{
    arena *a = f->ctx->scratch;
    dce d = {.f = f, .ops = f->level->ops};
    bool hir = !f->level->machine;
    d.state = ARENA_ARRAY(a, f->n_values, uint8_t);
    d.has_stores = hir && (ir_made_op(f, IR_store_scratch) || ir_made_op(f, IR_store_shared));
    d.has_addresses = hir && ir_made_op(f, IR_store_global);
    if (hir && f->n_blocks > 1)
        find_constructs(&d);
    mark(&d);
    bool changed = d.n_dead != 0;
    if (changed)
        sweep(&d);
    changed |= d.n_not_live && remove_constructs(&d);
    if (hir && ir_made_op(f, IR_barrier))
        changed |= trim_barriers(f);
    return changed;
}
