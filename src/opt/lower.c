#include "opt/lower.h"

#include "ir/replace.h"

typedef struct lowering {
    ir_builder b;
    ir_replacement map;
    ir_ref (*lower)(ir_builder *b, const ir_instr *i);
} lowering;

/* Lowers `i` if `lower` wants to. Returns the instruction to visit next. */
static ir_instr *
visit(lowering *l, ir_instr *i)
{
    ir_instr *next = i->next, *before = i->prev;
    ir_block *block = i->block;
    if (l->map.any && i->op != IR_phi)
        ir_replace_in(&l->map, i);
    if (i->n_defs != 1)
        return next;
    ir_builder_before(&l->b, i);
    l->b.loc = i->loc;
    l->b.exact = i->form & IR_EXACT;
    ir_ref to = l->lower(&l->b, i);
    if (!ir_is_value(to) || !ir_may_change(l->map.f->ctx))
        return next;
    ir_replace_add(&l->map, i->defs[0].id, to);
    ir_remove(i);
    return before ? before->next : block->first;
}

ir_ref
opt_lower_by(opt_lower_fn *const *ways, ir_builder *b, const ir_instr *i)
{
    ir_ref r = ir_none();
    for (; *ways && r.kind == IR_REF_NONE; ways++)
        r = (*ways)(b, i);
    return r;
}

bool
opt_lower(ir_fn *f, opt_lower_fn *lower)
{
    lowering l = {.map = {.f = f}, .lower = lower};
    ir_builder_init(&l.b, f);
    IR_FOREACH_BLOCK(b, f) {
        for (ir_instr *i = b->first; i;)
            i = visit(&l, i);
    }
    if (l.map.any)
        ir_replace_all(&l.map);
    return l.map.any;
}

unsigned
opt_def_bits(const ir_builder *b, const ir_instr *i)
{
    return ir_type_bits(b->f->values[i->defs[0].id].type);
}

unsigned
opt_src_bits(const ir_builder *b, const ir_instr *i)
{
    return i->n_refs && ir_is_value(i->refs[0]) ? ir_type_bits(ir_ref_type(b->f, i->refs[0])) : 0;
}

ir_ref
opt_lo(ir_builder *b, ir_ref r)
{
    return irb_unpack_64_2x32_x(b, r);
}

ir_ref
opt_hi(ir_builder *b, ir_ref r)
{
    return irb_unpack_64_2x32_y(b, r);
}

ir_ref
opt_pack(ir_builder *b, ir_ref lo, ir_ref hi)
{
    return irb_pack_64_2x32(b, lo, hi);
}
