/* What the files for selecting ALU operations use: the table of operations that are one machine
 * instruction, sources, and short sequences. */
#include "amd/select/select_alu.h"

#define AMD__ AMD_OP_INVALID
static const sel_row rows[IR_HIR_OP_COUNT] = {
#define ROW(op, v16, v32, v64, s32, s64, flags)                                                    \
    [IR_##op] = {AMD_##v16, AMD_##v32, AMD_##v64, AMD_##s32, AMD_##s64, flags},
#include "amd/select/select_rows.def"
};

const sel_row *
amd_sel_row(unsigned op)
{
    return &rows[op];
}

ir_ref
amd_sel_source(sel *s, const ir_instr *i, unsigned n, unsigned how)
{
    ir_ref r = amd_sel_get(s, i->refs[n]);
    unsigned bits = sel_bits(s, i->refs[n]);
    if (bits >= 32 || !(how & (SEL_ZEXT | SEL_SEXT)))
        return r;
    bool sign = (how & SEL_SEXT) != 0;
    if (r.kind == IR_REF_CONST)
        return amd_const(sign ? (uint32_t)base_sext64(r.id, bits)
                              : r.id & (uint32_t)base_mask64(bits));
    if (sel_is_vgpr(r))
        return amd_sel_3(s, sign ? AMD_V_BFE_I32 : AMD_V_BFE_U32, AMD_V1, r, amd_const(0),
                         amd_const(bits));
    if (sign)
        return amd_sel_1(s, bits == 8 ? AMD_S_SEXT_I32_I8 : AMD_S_SEXT_I32_I16, AMD_S1, r);
    return amd_sel_2(s, AMD_S_AND_B32, AMD_S1, r, amd_const((uint32_t)base_mask64(bits)));
}

unsigned
amd_sel_def_bits(const sel *s, const ir_instr *i)
{
    return sel_bits(s, i->defs[0]);
}

ir_ref
amd_sel_pair(sel *s, bool vgpr, ir_ref lo, ir_ref hi)
{
    return amd_sel_join(s, !vgpr, 2, (ir_ref[]){lo, hi});
}

ir_ref
amd_sel_cndmask(sel *s, ir_ref yes, ir_ref no, ir_ref mask)
{
    if (mask.kind == IR_REF_CONST) /* the instruction's mask must not be a constant */
        return amd_sel_as_vgpr(s, mask.id ? yes : no);
    return amd_sel_3(s, AMD_V_CNDMASK_B32, AMD_V1, no, yes, mask);
}
