/* Floating point on the scalar ALU (RDNA 3.5 and later), and the vector instructions with scalar
 * operands V_S_*. Both execute the rows of the vector ALU on scalars. From the descriptions of
 * SOP1, SOP2 and SOPC in the RDNA 3.5 and RDNA 4 ISA guides. */
#include "amd/emu/alu/alu.h"
#include "amd/emu/alu/valu.h"

static const struct {
    uint16_t op, row;
} rows[] = {
    {AMD_S_ADD_F32, AMD_V_ADD_F32},
    {AMD_S_SUB_F32, AMD_V_SUB_F32},
    {AMD_S_MUL_F32, AMD_V_MUL_F32},
    {AMD_S_MIN_F32, AMD_V_MIN_F32},
    {AMD_S_MAX_F32, AMD_V_MAX_F32},
    {AMD_S_CEIL_F32, AMD_V_CEIL_F32},
    {AMD_S_FLOOR_F32, AMD_V_FLOOR_F32},
    {AMD_S_TRUNC_F32, AMD_V_TRUNC_F32},
    {AMD_S_RNDNE_F32, AMD_V_RNDNE_F32},
    {AMD_S_FMAC_F32, AMD_V_FMAC_F32},
    {AMD_S_CMP_LT_F32, AMD_V_CMP_LT_F32},
    {AMD_S_CMP_EQ_F32, AMD_V_CMP_EQ_F32},
    {AMD_S_CMP_LE_F32, AMD_V_CMP_LE_F32},
    {AMD_S_CMP_GT_F32, AMD_V_CMP_GT_F32},
    {AMD_S_CMP_LG_F32, AMD_V_CMP_LG_F32},
    {AMD_S_CMP_GE_F32, AMD_V_CMP_GE_F32},
    {AMD_S_CMP_O_F32, AMD_V_CMP_O_F32},
    {AMD_S_CMP_U_F32, AMD_V_CMP_U_F32},
    {AMD_S_CMP_NGE_F32, AMD_V_CMP_NGE_F32},
    {AMD_S_CMP_NLG_F32, AMD_V_CMP_NLG_F32},
    {AMD_S_CMP_NGT_F32, AMD_V_CMP_NGT_F32},
    {AMD_S_CMP_NLE_F32, AMD_V_CMP_NLE_F32},
    {AMD_S_CMP_NEQ_F32, AMD_V_CMP_NEQ_F32},
    {AMD_S_CMP_NLT_F32, AMD_V_CMP_NLT_F32},
    {AMD_S_ADD_F16, AMD_V_ADD_F16},
    {AMD_S_SUB_F16, AMD_V_SUB_F16},
    {AMD_S_MUL_F16, AMD_V_MUL_F16},
    {AMD_S_MIN_F16, AMD_V_MIN_F16},
    {AMD_S_MAX_F16, AMD_V_MAX_F16},
    {AMD_S_CEIL_F16, AMD_V_CEIL_F16},
    {AMD_S_FLOOR_F16, AMD_V_FLOOR_F16},
    {AMD_S_TRUNC_F16, AMD_V_TRUNC_F16},
    {AMD_S_RNDNE_F16, AMD_V_RNDNE_F16},
    {AMD_S_FMAC_F16, AMD_V_FMAC_F16},
    {AMD_S_CMP_LT_F16, AMD_V_CMP_LT_F16},
    {AMD_S_CMP_EQ_F16, AMD_V_CMP_EQ_F16},
    {AMD_S_CMP_LE_F16, AMD_V_CMP_LE_F16},
    {AMD_S_CMP_GT_F16, AMD_V_CMP_GT_F16},
    {AMD_S_CMP_LG_F16, AMD_V_CMP_LG_F16},
    {AMD_S_CMP_GE_F16, AMD_V_CMP_GE_F16},
    {AMD_S_CMP_O_F16, AMD_V_CMP_O_F16},
    {AMD_S_CMP_U_F16, AMD_V_CMP_U_F16},
    {AMD_S_CMP_NGE_F16, AMD_V_CMP_NGE_F16},
    {AMD_S_CMP_NLG_F16, AMD_V_CMP_NLG_F16},
    {AMD_S_CMP_NGT_F16, AMD_V_CMP_NGT_F16},
    {AMD_S_CMP_NLE_F16, AMD_V_CMP_NLE_F16},
    {AMD_S_CMP_NEQ_F16, AMD_V_CMP_NEQ_F16},
    {AMD_S_CMP_NLT_F16, AMD_V_CMP_NLT_F16},
    {AMD_S_CVT_F32_I32, AMD_V_CVT_F32_I32},
    {AMD_S_CVT_F32_U32, AMD_V_CVT_F32_U32},
    {AMD_S_CVT_I32_F32, AMD_V_CVT_I32_F32},
    {AMD_S_CVT_U32_F32, AMD_V_CVT_U32_F32},
    {AMD_S_CVT_F16_F32, AMD_V_CVT_F16_F32},
    {AMD_S_CVT_F32_F16, AMD_V_CVT_F32_F16},
    {AMD_S_FMAAK_F32, AMD_V_FMAAK_F32},
    {AMD_S_FMAMK_F32, AMD_V_FMAMK_F32},
    {AMD_S_CVT_PK_RTZ_F16_F32, AMD_V_CVT_PKRTZ_F16_F32},
    {AMD_S_CVT_HI_F32_F16, AMD_S_CVT_HI_F32_F16},
    {AMD_S_MIN_NUM_F32, AMD_V_MIN_F32},
    {AMD_S_MIN_NUM_F16, AMD_V_MIN_F16},
    {AMD_S_MAX_NUM_F32, AMD_V_MAX_F32},
    {AMD_S_MAX_NUM_F16, AMD_V_MAX_F16},
    {AMD_S_MINIMUM_F32, AMD_V_MINIMUM_F32},
    {AMD_S_MINIMUM_F16, AMD_V_MINIMUM_F16},
    {AMD_S_MAXIMUM_F32, AMD_V_MAXIMUM_F32},
    {AMD_S_MAXIMUM_F16, AMD_V_MAXIMUM_F16},
    {AMD_V_S_EXP_F32, AMD_V_EXP_F32},
    {AMD_V_S_EXP_F16, AMD_V_EXP_F16},
    {AMD_V_S_LOG_F32, AMD_V_LOG_F32},
    {AMD_V_S_LOG_F16, AMD_V_LOG_F16},
    {AMD_V_S_RCP_F32, AMD_V_RCP_F32},
    {AMD_V_S_RCP_F16, AMD_V_RCP_F16},
    {AMD_V_S_RSQ_F32, AMD_V_RSQ_F32},
    {AMD_V_S_RSQ_F16, AMD_V_RSQ_F16},
    {AMD_V_S_SQRT_F32, AMD_V_SQRT_F32},
    {AMD_V_S_SQRT_F16, AMD_V_SQRT_F16},
};

bool
amd_emu_bind_scalar_row(emu_inst *i)
{
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        if (rows[r].op == i->in.op) {
            i->op = amd_emu_valu_find(rows[r].row);
            i->run = amd_emu_run_scalar_row;
            return i->op != NULL;
        }
    }
    return false;
}
