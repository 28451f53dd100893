/* Floats of the scalar ALU (RDNA 3.5 and later), and the vector instructions with scalar operands
 * V_S_*: the rows of the vector ALU, done on scalars. From the descriptions of SOP1, SOP2 and SOPC in the
 * RDNA 3.5 and RDNA 4 ISA guides. */
#include "amd/emu/valu.h"

static const struct {
    uint16_t op, row;
} rows[] = {
    {AMD_S_MIN_NUM_F32, AMD_V_MIN_F32},     {AMD_S_MIN_NUM_F16, AMD_V_MIN_F16},
    {AMD_S_MAX_NUM_F32, AMD_V_MAX_F32},     {AMD_S_MAX_NUM_F16, AMD_V_MAX_F16},
    {AMD_S_MINIMUM_F32, AMD_V_MINIMUM_F32}, {AMD_S_MINIMUM_F16, AMD_V_MINIMUM_F16},
    {AMD_S_MAXIMUM_F32, AMD_V_MAXIMUM_F32}, {AMD_S_MAXIMUM_F16, AMD_V_MAXIMUM_F16},
    {AMD_V_S_EXP_F32, AMD_V_EXP_F32},       {AMD_V_S_EXP_F16, AMD_V_EXP_F16},
    {AMD_V_S_LOG_F32, AMD_V_LOG_F32},       {AMD_V_S_LOG_F16, AMD_V_LOG_F16},
    {AMD_V_S_RCP_F32, AMD_V_RCP_F32},       {AMD_V_S_RCP_F16, AMD_V_RCP_F16},
    {AMD_V_S_RSQ_F32, AMD_V_RSQ_F32},       {AMD_V_S_RSQ_F16, AMD_V_RSQ_F16},
    {AMD_V_S_SQRT_F32, AMD_V_SQRT_F32},     {AMD_V_S_SQRT_F16, AMD_V_SQRT_F16},
};

bool
emu_bind_scalar_row(emu_inst *i)
{
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        if (rows[r].op == i->in.op) {
            i->op = emu_valu_find(rows[r].row);
            i->run = emu_run_scalar_row;
            return i->op != NULL;
        }
    }
    return false;
}
