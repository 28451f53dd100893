#include "opt/replace.h"

void
opt_replace_add(opt_replace *m, uint32_t id, ir_ref to)
{
    size_t had = m->cap;
    if (id >= m->cap) {
        m->to = arena_grow(m->f->ctx->scratch, m->to, &m->cap, m->f->n_values, sizeof *m->to);
        memset(m->to + had, 0, (m->cap - had) * sizeof *m->to);
    }
    m->to[id] = to;
    m->any = true;
}

bool
opt_replace_all(const opt_replace *m)
{
    bool changed = false;
    if (!m->any)
        return false;
    IR_FOREACH_BLOCK(b, m->f)
    {
        IR_FOREACH_INSTR(i, b)
        changed |= opt_replace_in(m, i);
    }
    return changed;
}

void
opt_remove(ir_instr *i)
{
    i->block->fn->values[i->defs[0].id].def = NULL;
    ir_unlink(i);
}
