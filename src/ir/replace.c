#include "ir/replace.h"

void
ir_replace_add(ir_replacement *m, uint32_t id, ir_ref to)
{
    if (id >= m->cap)
        m->to = arena_grow_zeroed(m->f->ctx->scratch, m->to, &m->cap, m->f->n_values,
                                  sizeof *m->to);
    m->to[id] = to;
    m->any = true;
}

/* `r` with its value replaced by `to`. A register that the instruction requires stays required. */
static ir_ref
replaced_by(ir_ref r, ir_ref to)
{
    to.reg = r.flags & IR_FIXED ? r.reg : to.reg;
    to.comp = to.comp == IR_WHOLE ? r.comp : to.comp;
    to.flags |= r.flags;
    return to;
}

ir_ref
ir_replace_chase(const ir_replacement *m, ir_ref r)
{
    do {
        ir_ref *to = &m->to[r.id];
        if (ir_is_replaced(m, *to)) /* path halving */
            *to = replaced_by(*to, m->to[to->id]);
        r = replaced_by(r, *to);
    } while (ir_is_replaced(m, r));
    return r;
}

bool
ir_replace_all(const ir_replacement *m)
{
    bool changed = false;
    if (!m->any)
        return false;
    IR_FOREACH_BLOCK(b, m->f) {
        IR_FOREACH_INSTR(i, b)
            changed |= ir_replace_in(m, i);
    }
    return changed;
}

void
ir_remove(ir_instr *i)
{
    i->block->fn->values[i->defs[0].id].def = NULL;
    ir_unlink(i);
}
