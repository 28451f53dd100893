/* The durations of instructions: classes that follow from rows, rates by processor, wave sizes. */
#include "amd/isa/table/timing.h"

#include "amd/isa/table/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static amd_timing
timing(amd_gen gen, const char *processor, bool wave64, amd_op op)
{
    amd_pace pace = amd_pace_of(gen, processor, wave64);
    return amd_timing_of(&pace, op);
}

/* The classes that schedulers depend on. */
static void
test_classes(void **state)
{
    static const struct {
        amd_op op;
        amd_timing_class class;
    } rows[] = {
        {AMD_V_ADD_NC_U32, AMD_TIMING_VALU},
        {AMD_V_ADD_F32, AMD_TIMING_VALU_WIDE},
        {AMD_V_ADD_F16, AMD_TIMING_VALU_WIDE},
        {AMD_V_FMA_F32, AMD_TIMING_FMA32},
        {AMD_V_CMP_LT_F32, AMD_TIMING_VALU},
        {AMD_V_CVT_F32_I32, AMD_TIMING_CONVERT},
        {AMD_V_CVT_F16_F32, AMD_TIMING_CONVERT},
        {AMD_V_CVT_PKRTZ_F16_F32, AMD_TIMING_VALU},
        {AMD_V_RCP_F32, AMD_TIMING_TRANS},
        {AMD_V_SIN_F16, AMD_TIMING_TRANS},
        {AMD_V_S_RCP_F32, AMD_TIMING_TRANS},
        {AMD_V_MUL_LO_U32, AMD_TIMING_MUL32},
        {AMD_V_MAD_U64_U32, AMD_TIMING_MUL32},
        {AMD_V_MUL_U32_U24, AMD_TIMING_VALU},
        {AMD_V_LSHLREV_B64, AMD_TIMING_VALU64},
        {AMD_V_CMP_EQ_U64, AMD_TIMING_VALU64},
        {AMD_V_ADD_F64, AMD_TIMING_F64_ADD},
        {AMD_V_MIN_F64, AMD_TIMING_F64_ADD},
        {AMD_V_CMP_LT_F64, AMD_TIMING_F64_ADD},
        {AMD_V_FMA_F64, AMD_TIMING_F64},
        {AMD_V_MUL_F64, AMD_TIMING_F64},
        {AMD_V_CVT_F64_I32, AMD_TIMING_F64_CVT},
        {AMD_V_CVT_F32_F64, AMD_TIMING_F64_CVT},
        {AMD_V_RSQ_F64, AMD_TIMING_F64_TRANS},
        {AMD_S_ADD_U32, AMD_TIMING_SALU},
        {AMD_S_ADD_F32, AMD_TIMING_SALU_FLOAT},
        {AMD_S_MOVK_I32, AMD_TIMING_SALU},
        {AMD_S_WAITCNT_VSCNT, AMD_TIMING_IDLE},
        {AMD_S_WAITCNT, AMD_TIMING_IDLE},
        {AMD_S_BARRIER, AMD_TIMING_IDLE},
        {AMD_S_BRANCH, AMD_TIMING_BRANCH},
        {AMD_S_SETPC_B64, AMD_TIMING_BRANCH},
        {AMD_S_SENDMSG, AMD_TIMING_MESSAGE},
        {AMD_S_LOAD_DWORD, AMD_TIMING_SMEM},
        {AMD_DS_READ_B32, AMD_TIMING_LDS},
        {AMD_BUFFER_LOAD_DWORD, AMD_TIMING_VMEM},
        {AMD_GLOBAL_STORE_DWORD, AMD_TIMING_VMEM},
        {AMD_EXPORT, AMD_TIMING_EXPORT},
        {AMD_V_WMMA_F32_16X16X16_F16, AMD_TIMING_MATRIX},
        {AMD_V_MFMA_F64_16X16X4F64, AMD_TIMING_MATRIX},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (amd_timing_class_of(rows[i].op) != rows[i].class)
            fail_msg("%s: class %d", amd_op_row(rows[i].op)->name,
                     (int)amd_timing_class_of(rows[i].op));
    }
}

/* Every opcode of every generation issues, and has a unit that is busy, but for waits. */
static void
test_all(void **state)
{
    (void)state;
    for (int op = 1; op < AMD_OP_HW_COUNT; op++) {
        for (int gen = 0; gen < AMD_GEN_COUNT; gen++) {
            amd_timing t = timing((amd_gen)gen, NULL, true, (amd_op)op);
            bool idle = t.class == AMD_TIMING_IDLE;
            assert_true(t.issue > 0 && idle == (t.unit == AMD_UNIT_NONE));
            assert_true(idle || (t.busy > 0 && t.latency > 0));
            assert_true(t.busy <= 1024 && t.latency <= 320);
        }
    }
}

/* Rates: AMD's peak figures in cycles. */
static void
test_rates(void **state)
{
    (void)state;
    assert_int_equal(timing(AMD_GFX9, "gfx900", true, AMD_V_ADD_F32).busy, 4);
    assert_int_equal(timing(AMD_GFX9, "gfx900", true, AMD_V_FMA_F32).busy, 4);
    assert_int_equal(timing(AMD_GFX8, "gfx803", true, AMD_V_FMA_F32).busy, 16);
    assert_int_equal(timing(AMD_GFX9, "gfx900", true, AMD_V_FMA_F64).busy, 64);
    assert_int_equal(timing(AMD_GFX908, "gfx906", true, AMD_V_FMA_F64).busy, 8);
    assert_int_equal(timing(AMD_GFX90A, "gfx90a", true, AMD_V_FMA_F64).busy, 4);
    assert_int_equal(timing(AMD_GFX6, "gfx600", true, AMD_V_FMA_F64).busy, 16);
    assert_int_equal(timing(AMD_GFX10_3, "gfx1030", false, AMD_V_FMA_F64).busy, 16);
    assert_int_equal(timing(AMD_GFX10_3, "gfx1030", true, AMD_V_ADD_F32).busy, 2);
    assert_int_equal(timing(AMD_GFX11, "gfx1100", true, AMD_V_ADD_F32).busy, 1);
    assert_int_equal(timing(AMD_GFX11, "gfx1100", true, AMD_V_FMA_F32).busy, 1);
    assert_int_equal(timing(AMD_GFX11, "gfx1100", true, AMD_V_ADD_NC_U32).busy, 2);
    assert_int_equal(timing(AMD_GFX11, "gfx1100", false, AMD_V_RCP_F32).busy, 4);
    assert_int_equal(timing(AMD_GFX11, "gfx1100", false, AMD_V_RCP_F32).issue, 1);
    assert_int_equal(timing(AMD_GFX9, "gfx900", true, AMD_V_RCP_F32).issue, 16);
}

/* Lanes and bytes decide the transfer: 64 bytes a cycle, LDS 128. */
static void
test_transfers(void **state)
{
    (void)state;
    assert_int_equal(timing(AMD_GFX10_3, NULL, false, AMD_GLOBAL_LOAD_DWORD).busy, 2);
    assert_int_equal(timing(AMD_GFX10_3, NULL, true, AMD_GLOBAL_LOAD_DWORDX4).busy, 16);
    assert_int_equal(timing(AMD_GFX10_3, NULL, false, AMD_DS_READ_B128).busy, 4);
    amd_pace pace = amd_pace_of(AMD_GFX10_3, NULL, false);
    amd_inst in = {.op = AMD_IMAGE_LOAD, .fmt = AMD_MIMG, .dmask = 1};
    assert_int_equal(amd_inst_timing(&pace, &in).busy, 2);
    in = (amd_inst){.op = AMD_IMAGE_SAMPLE, .fmt = AMD_MIMG, .dmask = 1};
    assert_int_equal(amd_inst_timing(&pace, &in).busy, 8);
    in = (amd_inst){.op = AMD_S_NOP, .fmt = AMD_SOPP, .imm = 4};
    assert_int_equal(amd_inst_timing(&pace, &in).issue, 5);
}

/* Matrices: CDNA in passes of four cycles, WMMA by the size of the factors. */
static void
test_matrices(void **state)
{
    (void)state;
    assert_int_equal(timing(AMD_GFX908, NULL, true, AMD_V_MFMA_F32_32X32X2F32).busy, 64);
    assert_int_equal(timing(AMD_GFX908, NULL, true, AMD_V_MFMA_F32_32X32X2F32).issue, 4);
    assert_int_equal(timing(AMD_GFX942, NULL, true, AMD_V_MFMA_F32_32X32X8F16).busy, 32);
    assert_int_equal(timing(AMD_GFX942, NULL, true, AMD_V_MFMA_F32_32X32X4F16).busy, 64);
    assert_int_equal(timing(AMD_GFX90A, NULL, true, AMD_V_MFMA_F64_4X4X4F64).busy, 16);
    assert_int_equal(timing(AMD_GFX950, NULL, true, AMD_V_MFMA_F32_16X16X32_F16).busy, 16);
    assert_int_equal(timing(AMD_GFX950, NULL, true, AMD_V_MFMA_I32_32X32X32_I8).busy, 32);
    assert_int_equal(timing(AMD_GFX11, NULL, false, AMD_V_WMMA_F32_16X16X16_F16).busy, 32);
    assert_int_equal(timing(AMD_GFX11, NULL, false, AMD_V_WMMA_I32_16X16X16_IU4).busy, 16);
    assert_int_equal(timing(AMD_GFX12, NULL, false, AMD_V_WMMA_F32_16X16X16_F16).busy, 16);
    assert_int_equal(timing(AMD_GFX12, NULL, false, AMD_V_WMMA_F32_16X16X16_FP8_FP8).busy, 8);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes),  cmocka_unit_test(test_all),
        cmocka_unit_test(test_rates),    cmocka_unit_test(test_transfers),
        cmocka_unit_test(test_matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
