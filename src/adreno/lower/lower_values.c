#include "adreno/lower/lower.h"

#include "adreno/adreno.h"
#include "opt/expand.h"
#include "opt/lower.h"

static ir_ref
lower_byte(ir_builder *b, const ir_instr *i)
{
    return opt_expand_narrow(b, i, 8);
}

/* HEDDLE_DEBUG=nofp16: by binary32, but where its rounding would show. */
static ir_ref
lower_half(ir_builder *b, const ir_instr *i)
{
    const bool exact = i->op != IR_ffma && !b->f->shader.fp.round_zero;
    return exact && adreno_prog(b->f)->debug & ADRENO_DEBUG_NO_FP16 ? opt_expand_half(b, i)
                                                                    : ir_none();
}

/* Doubles are made of integers, other operations on them of those. */
static ir_ref
lower_double(ir_builder *b, const ir_instr *i)
{
    return b->f->level->ops[i->op].flags & IR_OP_ALU ? opt_expand_double(b, i) : ir_none();
}

static ir_ref
lower(ir_builder *b, const ir_instr *i)
{
    static ir_ref (*const ways[])(ir_builder *, const ir_instr *) = {
        opt_expand_pair,   lower_byte,
        lower_half,        adreno_lower_float,
        adreno_lower_bits, opt_expand_saturation,
        opt_expand_dot,    opt_expand_soft_double,
        lower_double,
    };
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        const bool is_dot = i->op >= IR_sdot_4x8_iadd && i->op <= IR_sudot_4x8_iadd_sat;
        const bool is_sat = i->op >= IR_iadd_sat && i->op <= IR_usub_sat;
        if ((ways[k] == opt_expand_dot && !is_dot) || (ways[k] == opt_expand_saturation && !is_sat))
            continue;
        const ir_ref r = ways[k](b, i);
        if (r.kind != IR_REF_NONE)
            return r;
    }
    if (i->op == IR_inverse_ballot)
        return opt_expand_inverse_ballot(b, i);
    if (i->op == IR_reduce || i->op == IR_inclusive_scan || i->op == IR_exclusive_scan)
        return opt_expand_boolean_reduction(b, i);
    return ir_none();
}

bool
adreno_lower_values(ir_fn *f)
{
    return opt_lower(f, lower);
}
