/* Rules for the scalar unit: comparisons, booleans. */
#include "amd/opt/combine.h"

/* A test of a bit that was made from a comparison becomes that comparison. */
bool
amd_opt_test(mopt_ctx *c, ir_instr *i)
{
    const ir_instr *bit = mopt_is_const(i->refs[1], 0) ? cg_def_of(&c->uses, i->refs[0]) : NULL;
    if (!bit || bit->op != AMD_S_CSELECT_B32 || bit->refs[0].kind != IR_REF_CONST ||
        bit->refs[0].id == 0 || !mopt_is_const(bit->refs[1], 0))
        return false;
    const ir_instr *compare = cg_def_of(&c->uses, bit->refs[2]);
    const amd_op_info *row = compare ? amd_op_row((amd_op)compare->op) : NULL;
    if (!row || row->fmt != AMD_SOPC || compare->n_refs != 2 || !cg_can_move_refs(compare, i))
        return false;
    return amd_opt_become(c, i, compare->op, 2, compare->refs);
}
