/* Dead code elimination, for any level: marks what effects need, removes the rest.
 *
 * Instructions with an effect are needed; so is what defines a needed instruction's operands. Phis
 * that only feed each other around a loop are needed by nothing and go. Stores to scratch and to
 * shared memory go where nothing reads it. Linear.
 */
#include "opt/opt.h"

typedef struct dce {
    ir_fn *f;
    ir_instr **work;
    size_t n_work;
    bool scratch_is_read, shared_is_read;
} dce;

static void
need(dce *d, ir_instr *i)
{
    if (i->mark)
        return;
    i->mark = 1;
    d->work[d->n_work++] = i;
}

static bool
is_root(const dce *d, const ir_instr *i)
{
    if (!d->f->level->machine && i->op == IR_store_scratch)
        return d->scratch_is_read;
    if (!d->f->level->machine && i->op == IR_store_shared)
        return d->shared_is_read;
    return ir_has_flag(i, IR_OP_EFFECT | IR_OP_TERMINATOR);
}

static void
find_reads(dce *d, const ir_instr *i)
{
    d->scratch_is_read |= i->op == IR_load_scratch;
    d->shared_is_read |= i->op == IR_load_shared || i->op == IR_shared_atomic ||
                         i->op == IR_shared_atomic_swap;
}

/* Clears marks, finds what memory is read; counts instructions. */
static size_t
prepare(dce *d)
{
    size_t n = 0;
    IR_FOREACH_BLOCK(b, d->f)
    {
        IR_FOREACH_INSTR(i, b)
        {
            i->mark = 0;
            n++;
            if (!d->f->level->machine)
                find_reads(d, i);
        }
    }
    return n;
}

static bool
sweep(ir_fn *f)
{
    bool changed = false;
    IR_FOREACH_BLOCK(b, f)
    {
        IR_FOREACH_INSTR(i, b)
        {
            if (i->mark)
                continue;
            for (unsigned d = 0; d < i->n_defs; d++)
                f->values[i->defs[d].id].def = NULL;
            ir_unlink(i);
            changed = true;
        }
    }
    return changed;
}

bool
opt_dce(ir_fn *f)
{
    dce d = {.f = f};
    d.work = ARENA_ARRAY(f->ctx->scratch, prepare(&d), ir_instr *);
    IR_FOREACH_BLOCK(b, f)
    {
        IR_FOREACH_INSTR(i, b)
        {
            if (is_root(&d, i))
                need(&d, i);
        }
    }
    while (d.n_work) {
        ir_instr *i = d.work[--d.n_work];
        for (unsigned r = 0; r < i->n_refs; r++) {
            ir_instr *def = ir_is_value(i->refs[r]) ? f->values[i->refs[r].id].def : NULL;
            if (def)
                need(&d, def);
        }
    }
    return sweep(f);
}
