/* Drops the last components of loaded vectors that nothing uses.
 *
 *     32x4 %1 = @load_ssbo (%2, %3)         32x3 %1 = @load_ssbo (%2, %3)
 *     fadd %1.x, %1.z                  ->   fadd %1.x, %1.z
 *
 * They would take registers, and time of the memory unit. Loads of shared memory stay, whose sizes
 * are chosen by alignment. One walk notes the components that are used.
 */
#include "opt/opt.h"

#include "base/bits.h"

static bool
is_vector_load(const ir_fn *f, const ir_instr *i)
{
    if (i->op != IR_load_ssbo && i->op != IR_load_ubo && i->op != IR_load_global)
        return false;
    ir_type t = f->values[i->defs[0].id].type;
    return ir_type_comps(t) > 1 && ir_type_bits(t) == 32 && f->values[i->defs[0].id].divergent;
}

static void
note_uses(const ir_instr *i, uint32_t *used)
{
    for (unsigned r = 0; r < i->n_refs; r++) {
        ir_ref ref = i->refs[r];
        if (ir_is_value(ref))
            used[ref.id] |= ref.comp == IR_WHOLE ? UINT32_MAX : 1u << ref.comp % 32;
    }
}

/* Returns true if the load became smaller. */
static bool
shrink(ir_fn *f, const ir_instr *i, uint32_t used)
{
    ir_type *t = &f->values[i->defs[0].id].type;
    if (!used || used >> (ir_type_comps(*t) - 1) || !ir_may_change(f->ctx))
        return false;
    *t = IR_TYPE(32, base_bit_width(used));
    return true;
}

bool
opt_shrink_loads(ir_fn *f)
{
    bool changed = false;
    if (!ir_made_op(f, IR_load_ssbo) && !ir_made_op(f, IR_load_ubo) &&
        !ir_made_op(f, IR_load_global))
        return false;
    uint32_t *used = arena_zalloc(f->ctx->scratch, f->n_values * sizeof *used);
    IR_FOREACH_INSTR_OF(i, f)
        note_uses(i, used);
    IR_FOREACH_INSTR_OF(i, f) {
        if (is_vector_load(f, i))
            changed |= shrink(f, i, used[i->defs[0].id]);
    }
    return changed;
}
