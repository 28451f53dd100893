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
    static opt_lower_fn *const ways[] = {
        opt_expand_pair,
        lower_byte,
        lower_half,
        adreno_lower_float,
        adreno_lower_bits,
        opt_expand_saturation,
        opt_expand_dot,
        opt_expand_soft_double,
        lower_double,
        opt_expand_lanes,
        NULL,
    };
    return opt_lower_by(ways, b, i);
}

bool
adreno_lower_values(ir_fn *f)
{
    return opt_lower(f, lower);
}
