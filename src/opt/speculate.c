#include "opt/speculate.h"

static bool
last_is_const(const ir_instr *i)
{
    return ir_is_const(i->block->fn, i->refs[i->n_refs - 1], NULL);
}

static bool
reads_known_place(const ir_instr *i);

/* Is it the address of memory that exists wherever the function runs: an argument, or what such
 * memory has at a constant offset? A pointer that is chosen at run time may be null. */
static bool
is_known_address(const ir_fn *f, ir_ref r)
{
    const ir_instr *def = ir_def_of(f, r);
    if (!def || def->op == IR_load_const)
        return def != NULL;
    if (def->op == IR_pack_64_2x32)
        return is_known_address(f, def->refs[0]) && is_known_address(f, def->refs[1]);
    if (ir_has_flag(def, IR_OP_INDEXED))
        return reads_known_place(def);
    return ir_has_flag(def, IR_OP_UNIFORM) && !def->n_refs;
}

/* Is what an instruction of IR_OP_INDEXED reads there wherever the function runs? Two references
 * are an address and an offset. */
static bool
reads_known_place(const ir_instr *i)
{
    return last_is_const(i) && (i->n_refs < 2 || is_known_address(i->block->fn, i->refs[0]));
}

/* Returns true if the handle is known to name an existing descriptor. An index into an array of
 * descriptors may be valid only where the program uses it. */
static bool
is_safe_handle(const ir_instr *i, unsigned ref)
{
    ir_ref r = i->refs[ref];
    if (!ir_is_value(r))
        return true;
    const ir_instr *def = i->block->fn->values[r.id].def;
    return ir_has_flag(def, IR_OP_HANDLE) && reads_known_place(def);
}

/* Does the load of a uniform buffer stay within it, whatever the program computes? A buffer has all
 * that its block declares. */
static bool
is_safe_offset(const ir_instr *i)
{
    const ir_fn *f = i->block->fn;
    uint64_t at;
    return !f->ctx->unchecked_uniforms || ir_is_const(f, i->refs[1], &at);
}

bool
opt_is_pure(const ir_instr *i)
{
    if (i->n_defs != 1 ||
        ir_has_flag(i, IR_OP_EFFECT | IR_OP_WRITES | IR_OP_CONVERGENT | IR_OP_BARRIER))
        return false;
    if (ir_has_flag(i, IR_OP_READS))
        return ir_attr_has(i, IR_A_ACCESS) && ir_attr_get(i, IR_A_ACCESS) & IR_ACCESS_CAN_REORDER;
    return true;
}

bool
opt_may_speculate(const ir_instr *i)
{
    if (!opt_is_pure(i) || ir_has_flag(i, IR_OP_PHI | IR_OP_TERMINATOR))
        return false;
    switch (i->op) {
    case IR_load_ubo: return is_safe_handle(i, 0) && is_safe_offset(i);
    case IR_load_ssbo:
    case IR_get_ssbo_size:
    case IR_image_load:
    case IR_image_size:
    case IR_image_samples:
    case IR_image_levels: return is_safe_handle(i, 0);
    case IR_tex: return is_safe_handle(i, IR_TEX_IMAGE) && is_safe_handle(i, IR_TEX_SAMPLER);
    case IR_load_global: return false;
    default: return !ir_has_flag(i, IR_OP_INDEXED) || reads_known_place(i);
    }
}
