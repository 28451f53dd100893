/* The reference of each opcode, and the reasons why some have none. */
#include "alu_ref.h"

#include <string.h>

const ref_row *
ref_find(amd_op op)
{
    const ref_table *const tables[] = {&ref_float_table, &ref_int_table,    &ref_cvt_table,
                                       &ref_cmp_table,   &ref_packed_table, &ref_fp8_table};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (size_t k = 0; k < tables[t]->count; k++)
            if (tables[t]->rows[k].op == op)
                return &tables[t]->rows[k];
    return NULL;
}

static const char nothing[] = "computes nothing", lanes[] = "moves lanes: test_emu_lanes",
                  indexed[] = "indexes registers by m0: test_emu_lanes",
                  seed[] = "rounded by a seed: tests/unit/amd/emu/test_emu_gfx950.c",
                  nearest[] = "rounded to nearest: tests/unit/amd/emu/test_emu_gfx950.c",
                  graphics[] = "a table for the tiles of a screen, which compute has not",
                  interp[] = "interpolates attributes, which compute has not",
                  flow[] = "changes the program counter", machine[] = "hardware registers, waits";

static const struct {
    uint16_t op;
    const char *why;
} excuses[] = {
    {AMD_V_NOP, nothing},
    {AMD_V_PIPEFLUSH, nothing},
    {AMD_V_CLREXCP, nothing},
    {AMD_V_READFIRSTLANE_B32, lanes},
    {AMD_V_READLANE_B32, lanes},
    {AMD_V_WRITELANE_B32, lanes},
    {AMD_V_PERMLANE16_B32, lanes},
    {AMD_V_PERMLANEX16_B32, lanes},
    {AMD_V_SWAP_B32, lanes},
    {AMD_V_SWAP_B16, lanes},
    {AMD_V_MOVRELD_B32, indexed},
    {AMD_V_MOVRELS_B32, indexed},
    {AMD_V_MOVRELSD_B32, indexed},
    {AMD_V_MOVRELSD_2_B32, indexed},
    {AMD_V_SWAPREL_B32, indexed},
    {AMD_V_INTERP_P1LL_F16, interp},
    {AMD_V_INTERP_P1LV_F16, interp},
    {AMD_V_INTERP_P2_F16, interp},
    {AMD_S_GETPC_B64, flow},
    {AMD_S_SETPC_B64, flow},
    {AMD_S_SWAPPC_B64, flow},
    {AMD_S_RFE_B64, flow},
    {AMD_S_CALL_B64, flow},
    {AMD_S_SUBVECTOR_LOOP_BEGIN, flow},
    {AMD_S_SUBVECTOR_LOOP_END, flow},
    {AMD_V_INTERP_P2_LEGACY_F16, interp},
    {AMD_V_SCREEN_PARTITION_4SE_B32, graphics},
    {AMD_S_CBRANCH_G_FORK, flow},
    {AMD_S_CBRANCH_I_FORK, flow},
    {AMD_S_CBRANCH_JOIN, flow},
    {AMD_S_RFE_RESTORE_B64, flow},
    {AMD_S_SETVSKIP, flow},
    {AMD_S_SET_GPR_IDX_ON, indexed},
    {AMD_S_SET_GPR_IDX_IDX, indexed},
    {AMD_V_PERMLANE64_B32, lanes},
    {AMD_V_PERMLANE16_SWAP_B32, lanes},
    {AMD_V_PERMLANE32_SWAP_B32, lanes},
    {AMD_V_CVT_F32_BF16, nearest},
    {AMD_V_CVT_SR_F16_F32, seed},
    {AMD_V_CVT_SR_BF16_F32, seed},
    {AMD_V_CVT_PK_F16_F32, nearest},
    {AMD_V_CVT_PK_BF16_F32, nearest},
    {AMD_S_SENDMSG_RTN_B32, machine},
    {AMD_S_SENDMSG_RTN_B64, machine},
    {AMD_V_PERMLANE16_VAR_B32, lanes},
    {AMD_V_PERMLANEX16_VAR_B32, lanes},
    {AMD_S_BARRIER_INIT, machine},
    {AMD_S_BARRIER_JOIN, machine},
    {AMD_S_BARRIER_SIGNAL, machine},
    {AMD_S_BARRIER_SIGNAL_ISFIRST, machine},
    {AMD_S_GET_BARRIER_STATE, machine},
    {AMD_S_WAKEUP_BARRIER, machine},
    {AMD_S_SLEEP_VAR, machine},
    {AMD_S_ALLOC_VGPR, machine},
    {AMD_S_MOVRELS_B32, indexed},
    {AMD_S_MOVRELS_B64, indexed},
    {AMD_S_MOVRELD_B32, indexed},
    {AMD_S_MOVRELD_B64, indexed},
    {AMD_S_MOVRELSD_2_B32, indexed},
    {AMD_S_GETREG_B32, machine},
    {AMD_S_SETREG_B32, machine},
    {AMD_S_SETREG_IMM32_B32, machine},
    {AMD_S_VERSION, nothing},
    {AMD_S_WAITCNT_VSCNT, machine},
    {AMD_S_WAITCNT_VMCNT, machine},
    {AMD_S_WAITCNT_EXPCNT, machine},
    {AMD_S_WAITCNT_LGKMCNT, machine},
};

const char *
ref_excuse(amd_op op)
{
    static const char *const prefixes[] = {"v_mfma_", "v_smfmac_", "v_wmma_", "v_swmmac_",
                                           "v_accvgpr_"};
    const char *name = amd_op_row(op)->name;
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
        if (!strncmp(name, prefixes[k], strlen(prefixes[k])))
            return "multiplies matrices: of these only the encodings are built";
    if (!strncmp(name, "v_cvt_scalef32_", 15))
        return "has a scale: tests/unit/amd/emu/test_emu_gfx950.c";
    for (size_t k = 0; k < sizeof excuses / sizeof *excuses; k++)
        if (excuses[k].op == op)
            return excuses[k].why;
    return NULL;
}
