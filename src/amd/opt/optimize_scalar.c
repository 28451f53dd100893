/* Rules for the scalar unit: comparisons and booleans.
 *
 * A uniform boolean is 0 or 1 in an SGPR, made by s_cselect from scc; what tests it can ask the
 * comparison itself. A lane mask that is negated is the mask of the inverse comparison, which is 0
 * in inactive lanes; no reader depends on these.
 */
#include "amd/opt/combine.h"
#include "amd/target/compare.h"

#include "base/bits.h"

/* The comparison that a uniform boolean was made from by s_cselect with the constants 1 (or
 * another) and 0; NULL if it was not. */
static const ir_instr *
compared(const mopt_ctx *c, const ir_instr *i, ir_ref boolean)
{
    const ir_instr *bit = cg_def_of(&c->uses, boolean);
    if (!bit || bit->op != AMD_S_CSELECT_B32 || bit->refs[0].kind != IR_REF_CONST ||
        bit->refs[0].id == 0 || !mopt_is_const(bit->refs[1], 0))
        return NULL;
    const ir_instr *compare = cg_def_of(&c->uses, bit->refs[2]);
    const amd_op_info *row = compare ? amd_op_row((amd_op)compare->op) : NULL;
    bool is = row && row->fmt == AMD_SOPC && compare->n_refs == 2 && cg_can_move_refs(compare, i);
    return is ? compare : NULL;
}

/* A test of a boolean against 0 becomes its comparison, or the inverse one. */
bool
amd_opt_test(mopt_ctx *c, ir_instr *i)
{
    const ir_instr *compare = mopt_is_const(i->refs[1], 0) ? compared(c, i, i->refs[0]) : NULL;
    bool invert = i->op == AMD_S_CMP_EQ_U32;
    unsigned op = compare ? (invert ? amd_inverse_compare(compare->op) : compare->op)
                          : AMD_OP_INVALID;
    return op != AMD_OP_INVALID && amd_opt_become(c, i, op, 2, compare->refs);
}

/* s_cmp of one bit with 0, or with the bit itself: the bit is tested where it is. */
bool
amd_opt_test_bit(mopt_ctx *c, ir_instr *i)
{
    const ir_instr *inner = amd_opt_inner(c, i, i->refs[0]);
    bool equal = i->op == AMD_S_CMP_EQ_U32 || i->op == AMD_S_CMP_EQ_I32;
    if (!inner || i->refs[1].kind != IR_REF_CONST)
        return false;
    uint32_t bit = 0, value = i->refs[1].id, one = 1;
    unsigned at = 0;
    if (inner->op == AMD_S_AND_B32) {
        at = inner->refs[0].kind == IR_REF_CONST;
        one = inner->refs[!at].kind == IR_REF_CONST ? inner->refs[!at].id : 0;
        bit = one ? base_ctz32(one) : 0;
    } else if (inner->op == AMD_S_BFE_U32 && inner->refs[1].kind == IR_REF_CONST &&
               inner->refs[1].id >> 16 == 1) {
        bit = inner->refs[1].id & 31;
    } else {
        return false;
    }
    if (!one || one & (one - 1) || !ir_is_value(inner->refs[at]) || (value && value != one))
        return false;
    ir_ref refs[2] = {inner->refs[at], amd_const(bit)};
    bool set = equal == (value != 0);
    return amd_opt_become(c, i, set ? AMD_S_BITCMP1_B32 : AMD_S_BITCMP0_B32, 2, refs);
}

/* The lowest bit of a shifted number is tested where it is; of a number of 64 bits, by the test of
 * that size. */
bool
amd_opt_test_shifted(mopt_ctx *c, ir_instr *i)
{
    const ir_instr *shift = cg_def_of(&c->uses, i->refs[0]);
    bool split = shift && shift->op == AMD_P_SPLIT_VECTOR && shift->defs[0].id == i->refs[0].id;
    if (split)
        shift = cg_def_of(&c->uses, shift->refs[0]);
    if (!mopt_is_const(i->refs[1], 0) || !shift ||
        shift->op != (split ? AMD_S_LSHR_B64 : AMD_S_LSHR_B32) || !cg_can_move_refs(shift, i))
        return false;
    unsigned wide = i->op == AMD_S_BITCMP0_B32 ? AMD_S_BITCMP0_B64 : AMD_S_BITCMP1_B64;
    return amd_opt_become(c, i, split ? wide : i->op, 2, shift->refs);
}

/* ---- floats of the scalar unit ---- */

/* Is `r` used only here, and the other number with its sign changed? */
static bool
is_negation(const mopt_ctx *c, const ir_instr *i, ir_ref r, uint32_t top, ir_ref *of)
{
    const ir_instr *inner = amd_opt_inner(c, i, r);
    if (!inner || inner->op != AMD_S_XOR_B32)
        return false;
    unsigned at = mopt_is_const(inner->refs[0], top);
    *of = inner->refs[at];
    return at || mopt_is_const(inner->refs[1], top);
}

/* a + -b, a - -b: these instructions have no modifiers, but there are both. */
bool
amd_opt_add_negation(mopt_ctx *c, ir_instr *i)
{
    bool wide = i->op == AMD_S_ADD_F32 || i->op == AMD_S_SUB_F32,
         add = i->op == AMD_S_ADD_F32 || i->op == AMD_S_ADD_F16;
    unsigned other = add ? (wide ? AMD_S_SUB_F32 : AMD_S_SUB_F16)
                         : (wide ? AMD_S_ADD_F32 : AMD_S_ADD_F16);
    uint32_t top = wide ? 0x80000000u : 0x8000u;
    ir_ref refs[2];
    for (unsigned k = !add; k < 2; k++) {
        refs[0] = i->refs[!k];
        if (is_negation(c, i, i->refs[k], top, &refs[1]) && amd_opt_become(c, i, other, 2, refs))
            return true;
    }
    return false;
}

/* The conversion of the upper half of a register. */
bool
amd_opt_convert_high(mopt_ctx *c, ir_instr *i)
{
    const ir_instr *inner = cg_def_of(&c->uses, i->refs[0]);
    return inner && inner->op == AMD_S_LSHR_B32 && mopt_is_const(inner->refs[1], 16) &&
           cg_can_move_refs(inner, i) && amd_opt_become(c, i, AMD_S_CVT_HI_F32_F16, 1, inner->refs);
}

/* "not" of a mask that a comparison made. */
bool
amd_opt_inverse(mopt_ctx *c, ir_instr *i)
{
    ir_instr *compare = cg_single_def(&c->uses, i->refs[0]);
    const amd_op_info *row = compare ? amd_op_row((amd_op)compare->op) : NULL;
    if (!row || row->fmt != AMD_VOPC || compare->block != i->block || c->uses.count[i->defs[1].id])
        return false;
    unsigned op = amd_inverse_compare(compare->op);
    if (op == AMD_OP_INVALID || !mopt_exists(c, op))
        return false;
    compare->op = (uint16_t)op;
    cg_replace_value(&c->uses, i->defs[0].id, compare->defs[0].id);
    return true;
}
