#include "amd/lower/lower_missing.h"

#include "opt/cube_gradients.h"
#include "opt/expand.h"
#include "opt/lower.h"

/* A group of operations, which a target computes if it has the opcode that stands for them. */
typedef struct group {
    amd_op op;
    ir_ref (*expand)(ir_builder *b, const ir_instr *i);
} group;

static ir_ref
saturation(ir_builder *b, const ir_instr *i)
{
    switch (i->op) {
    case IR_iadd_sat:
    case IR_uadd_sat:
    case IR_isub_sat:
    case IR_usub_sat: return opt_expand_saturation(b, i);
    default: return ir_none();
    }
}

static const group groups[] = {
    {AMD_V_ADD_F16, opt_expand_half},
    {AMD_V_ADD_NC_I32, saturation},
    {AMD_V_FLOOR_F64, opt_expand_round},
};

enum { N_GROUPS = sizeof groups / sizeof *groups };

static ir_ref
lower(ir_builder *b, const ir_instr *i)
{
    amd_gen gen = amd_prog(b->f)->target->gen;
    for (unsigned g = 0; g < N_GROUPS; g++) {
        ir_ref r = amd_op_exists(groups[g].op, gen) ? ir_none() : groups[g].expand(b, i);
        if (r.kind != IR_REF_NONE)
            return r;
    }
    return ir_none();
}

bool
amd_lower_missing(ir_fn *f)
{
    amd_gen gen = amd_prog(f)->target->gen;
    unsigned lacks = 0;
    bool changed = opt_lower_cube_gradients(f);
    for (unsigned g = 0; g < N_GROUPS; g++)
        lacks += !amd_op_exists(groups[g].op, gen);
    if (lacks)
        changed |= opt_lower(f, lower);
    return changed;
}
