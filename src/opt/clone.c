#include "opt/clone.h"

ir_ref
opt_copy_ref(const opt_copy *c, ir_ref r)
{
    if (!ir_is_value(r) || !ir_is_value(c->values[r.id]))
        return r;
    ir_ref to = c->values[r.id];
    return to.comp == IR_WHOLE ? ir_comp(to, r.comp) : to;
}

static void
clone_instr(ir_fn *f, const ir_instr *i, opt_copy *c, ir_block *to)
{
    ir_instr *copy = ir_clone_instr(f, i);
    for (unsigned d = 0; d < i->n_defs; d++) {
        ir_type type = f->values[i->defs[d].id].type;
        bool divergent = f->values[i->defs[d].id].divergent;
        c->values[i->defs[d].id] = ir_define(f, copy, d, type);
        f->values[copy->defs[d].id].divergent = divergent;
    }
    ir_append(to, copy);
}

/* Adds edges in the order of each block's predecessors, then puts the successors in order. */
static void
clone_edges(ir_fn *f, uint32_t first, uint32_t end, opt_copy *c)
{
    for (uint32_t n = first; n < end; n++) {
        const ir_block *b = f->blocks[n];
        for (uint32_t p = 0; p < b->preds[0].count; p++) {
            const ir_block *from = b->preds[0].at[p];
            if (from->index >= first && from->index < end)
                ir_add_edge(c->blocks[from->index], c->blocks[n], 0);
        }
    }
    for (uint32_t n = first; n < end; n++) {
        const ir_block *b = f->blocks[n];
        ir_block *copy = c->blocks[n];
        for (uint32_t s = 0; s < b->succs[0].count; s++) {
            ir_block *to = b->succs[0].at[s];
            bool inside = to->index >= first && to->index < end;
            if (!inside && c->blocks[to->index])
                ir_add_edge(copy, c->blocks[to->index], 0);
            else if (inside && s < copy->succs[0].count)
                copy->succs[0].at[s] = c->blocks[to->index];
        }
        copy->merge = b->merge ? c->blocks[b->merge->index] : NULL;
        copy->cont = b->cont ? c->blocks[b->cont->index] : NULL;
    }
}

void
opt_clone_region(ir_fn *f, uint32_t first, uint32_t end, opt_copy *c,
                 bool (*skip)(const ir_instr *i, const void *user), const void *user)
{
    for (uint32_t n = first; n < end; n++)
        c->blocks[n] = ir_block_new(f);
    for (uint32_t n = first; n < end; n++) {
        IR_FOREACH_INSTR(i, f->blocks[n]) {
            if (!skip || !skip(i, user))
                clone_instr(f, i, c, c->blocks[n]);
        }
    }
    for (uint32_t n = first; n < end; n++) {
        IR_FOREACH_INSTR(i, c->blocks[n]) {
            for (unsigned r = 0; r < i->n_refs; r++)
                i->refs[r] = opt_copy_ref(c, i->refs[r]);
        }
    }
    clone_edges(f, first, end, c);
}
