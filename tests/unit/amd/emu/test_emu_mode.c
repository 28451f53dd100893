/* Effects of MODE on gfx6 to gfx950 beyond floats: indexed registers, skipped vector instructions,
 * the stack of forks; and the registers in GDS that gfx11 adds to. */
#include "emu_env.h"

enum { WORDS = 256 };

/* Runs `text` as a dispatch of one wave of 64. s[0:1] is the address of `out`, v0 the lane. */
static mach_report
run(amd_gen gen, const char *text, uint32_t n_vgprs, uint32_t out[WORDS])
{
    const amd_emu_dispatch d = {.gen = gen,
                                .wave_size = 64,
                                .n_vgprs = n_vgprs,
                                .group_size = {64, 1, 1},
                                .grid_groups = {1, 1, 1},
                                .checks = MACH_CHECK_ALL,
                                .max_instructions = 1000};
    memset(out, 0, WORDS * sizeof *out);
    return emu_dispatch_text(d, text, out, WORDS);
}

/* v8 = `v`, stored by lane 0 of gfx9. */
#define STORE_V8 "v_mov_b32 v1, 0\ns_mov_b64 exec, 1\nglobal_store_dword v1, v8, s[0:1]\n"

static void
test_indices(void **state)
{
    /* v2 to v5 hold 20 to 50; s4 is the index, s5 another */
    static const char *const begin =
        "v_mov_b32 v2, 20\nv_mov_b32 v3, 30\nv_mov_b32 v4, 40\nv_mov_b32 v5, 50\n"
        "v_mov_b32 v8, 0\nv_mov_b32 v9, 0\nv_mov_b32 v10, 0\ns_mov_b32 s4, 0x102\ns_mov_b32 s5, "
        "1\n";
    static const struct {
        const char *text;
        uint32_t want;
    } cases[] = {
        {"s_set_gpr_idx_on s4, gpr_idx(SRC0)\nv_mov_b32 v8, v2\n", 40},
        /* scalars and constants are not indexed */
        {"s_set_gpr_idx_on s4, gpr_idx(SRC0,SRC1)\nv_add_u32 v8, s5, v2\n", 41},
        {"s_set_gpr_idx_on s4, gpr_idx(SRC1)\nv_sub_u32 v8, v5, v2\n", 10},
        {"s_set_gpr_idx_on s4, gpr_idx(SRC0,SRC2)\nv_mad_u32_u24 v8, v2, v2, v3\n", 850},
        {"s_set_gpr_idx_on s5, gpr_idx(DST)\nv_mov_b32 v8, v2\ns_set_gpr_idx_off\n"
         "v_mov_b32 v8, v9\n",
         20},
        {"s_set_gpr_idx_on s4, gpr_idx(SRC0)\ns_set_gpr_idx_idx s5\nv_mov_b32 v8, v2\n", 30},
        {"s_set_gpr_idx_on s4, gpr_idx(SRC0)\ns_set_gpr_idx_mode gpr_idx(SRC1)\n"
         "v_sub_u32 v8, v5, v3\n",
         0},
        {"s_set_gpr_idx_on s4, gpr_idx(SRC0)\ns_set_gpr_idx_off\nv_mov_b32 v8, v2\n", 20},
    };
    uint32_t out[WORDS];
    char text[1024];
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        snprintf(text, sizeof text, "%s%ss_set_gpr_idx_off\n" STORE_V8, begin, cases[k].text);
        mach_report r = run(AMD_GFX9, text, 16, out);
        emu_expect_clean(text, &r);
        if (out[0] != cases[k].want)
            fail_msg("%s: %u, should be %u", cases[k].text, out[0], cases[k].want);
    }
    /* beyond the allocated registers: v0 is read; a result is lost */
    snprintf(text, sizeof text,
             "%ss_mov_b32 s4, 40\ns_set_gpr_idx_on s4, gpr_idx(SRC0)\nv_mov_b32 v8, v2\n"
             "s_set_gpr_idx_off\n" STORE_V8,
             begin);
    mach_report r = run(AMD_GFX9, text, 16, out);
    assert_int_equal(r.total, 1);
    assert_int_equal(out[0], 0);
    snprintf(text, sizeof text,
             "%ss_mov_b32 s4, 40\ns_set_gpr_idx_on s4, gpr_idx(DST)\nv_mov_b32 v8, v2\n"
             "s_set_gpr_idx_off\n" STORE_V8,
             begin);
    r = run(AMD_GFX9, text, 16, out);
    assert_int_equal(r.total, 1);
    assert_int_equal(out[0], 0);
    /* an index that was never set */
    snprintf(text, sizeof text, "%ss_set_gpr_idx_on s20, gpr_idx(SRC0)\nv_mov_b32 v8, v2", begin);
    r = run(AMD_GFX9, text, 16, out);
    assert_true(r.total > 0 && r.findings[0].check == MACH_CHECK_UNDEFINED);
}

/* The checkers use the indexed registers: a load of v4 is pending. */
static void
test_checked_indices(void **state)
{
    static const struct {
        amd_gen gen;
        const char *text, *part;
    } cases[] = {
        {AMD_GFX9, "s_set_gpr_idx_on s4, gpr_idx(SRC0)\nv_mov_b32 v8, v2\n", "v4 is read"},
        {AMD_GFX9, "s_set_gpr_idx_on s4, gpr_idx(SRC0)\nv_mov_b32 v8, v4\n", NULL},
        {AMD_GFX9, "s_set_gpr_idx_on s4, gpr_idx(SRC1)\nv_add_u32 v8, v4, v3\n", "v4 is read"},
        {AMD_GFX9, "s_set_gpr_idx_on s4, gpr_idx(SRC1)\nv_add_u32 v8, s5, v2\n", "v4 is read"},
        {AMD_GFX9, "s_set_gpr_idx_on s4, gpr_idx(SRC0)\nv_add_u32 v8, v3, v4\n", "v4 is read"},
        {AMD_GFX9, "s_set_gpr_idx_on s4, gpr_idx(SRC1,SRC2)\nv_mad_u32_u24 v8, v3, v3, v2\n",
         "v4 is read"},
        {AMD_GFX9, "s_set_gpr_idx_on s4, gpr_idx(SRC1,SRC2)\nv_mad_u32_u24 v8, v3, v4, v4\n", NULL},
        {AMD_GFX9, "s_set_gpr_idx_on s4, gpr_idx(DST)\nv_mov_b32 v2, v3\n", "v4 is overwritten"},
        {AMD_GFX9, "s_set_gpr_idx_on s4, gpr_idx(DST)\nv_mov_b32 v4, v3\n", NULL},
        {AMD_GFX10_3, "s_mov_b32 m0, 2\nv_movrels_b32 v8, v2\n", "v4 is read"},
        {AMD_GFX10_3, "s_mov_b32 m0, 2\nv_movrels_b32 v8, v4\n", NULL},
        {AMD_GFX10_3, "s_mov_b32 m0, 2\nv_movreld_b32 v2, v1\n", "v4 is overwritten"},
        {AMD_GFX10_3, "s_mov_b32 m0, 0x10002\nv_swaprel_b32 v5, v2\n", "v4 is read"},
        {AMD_GFX10_3, "s_mov_b32 m0, 0x20001\nv_swaprel_b32 v2, v5\n", "v4 is read"},
        {AMD_GFX10_3, "s_mov_b32 m0, 0x10001\nv_swaprel_b32 v4, v5\n", NULL},
        {AMD_GFX10_3, "s_mov_b32 m0, 2\ns_load_dword s9, s[0:1], 0\ns_movrels_b32 s8, s7\n",
         "s9 is read"},
        {AMD_GFX10_3, "s_mov_b32 m0, 2\ns_load_dword s9, s[0:1], 0\ns_movreld_b32 s7, 0\n",
         "s9 is overwritten"},
        /* v_mov writes v5, which DPP moves two wait states too early */
        {AMD_GFX9,
         "s_set_gpr_idx_on s4, gpr_idx(DST)\nv_mov_b32 v3, v1\ns_set_gpr_idx_off\n"
         "v_mov_b32_dpp v8, v5 row_shr:1 row_mask:0xf bank_mask:0xf\n",
         "`v_mov_b32_e32 v3, v1` at"},
        {AMD_GFX9,
         "s_set_gpr_idx_on s4, gpr_idx(DST)\nv_mov_b32 v3, v1\ns_set_gpr_idx_off\n"
         "v_mov_b32_dpp v8, v3 row_shr:1 row_mask:0xf bank_mask:0xf\n",
         NULL},
    };
    uint32_t out[WORDS];
    char text[1024];
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        snprintf(text, sizeof text,
                 "v_mov_b32 v1, 0\nv_mov_b32 v2, 0\nv_mov_b32 v3, 0\nv_mov_b32 v4, 0\n"
                 "v_mov_b32 v5, 0\nv_mov_b32 v6, 0\ns_mov_b32 s4, 2\ns_mov_b32 s5, 0\n"
                 "global_load_dword v4, v1, s[0:1]\n%s",
                 cases[k].text);
        mach_report r = run(cases[k].gen, text, 16, out);
        const char *found = r.total ? r.findings[0].message : NULL;
        if (cases[k].part ? !found || !strstr(found, cases[k].part) : found != NULL)
            fail_msg("%s: %s", text, found ? found : "nothing is found");
    }
}

static void
test_skip(void **state)
{
    static const char *const text =
        "v_mov_b32 v8, 7\ns_mov_b32 s4, 2\nv_mov_b32 v1, 0\n"
        "s_setvskip s4, 1\ns_nop 1\n"
        "v_mov_b32 v8, 9\nglobal_load_dword v8, v1, s[0:1]\ns_add_u32 s4, s4, 3\n"
        "s_setvskip s4, 4\ns_nop 1\n"
        "v_add_u32 v8, s4, v8\n" STORE_V8;
    uint32_t out[WORDS];
    (void)state;
    mach_report r = run(AMD_GFX9, text, 16, out);
    emu_expect_clean(text, &r);
    assert_int_equal(out[0], 12);
}

/* Lanes below 24 branch to `few`, the others, which are more, continue; both reach the join. Each
 * lane executes one path once, and s10 shows the order: the smaller group runs first. */
static void
test_forks(void **state)
{
    static const char *const fork[] = {
        "s_cbranch_i_fork s[4:5], few\n",
        "s_getpc_b64 s[6:7]\nhere:\ns_add_u32 s6, s6, few-here\ns_addc_u32 s7, s7, 0\n"
        "s_cbranch_g_fork s[4:5], s[6:7]\n",
    };
    static const amd_gen gens[] = {AMD_GFX8, AMD_GFX9, AMD_GFX90A};
    uint32_t out[WORDS];
    char text[1024];
    (void)state;
    for (unsigned k = 0; k < 6; k++)
        for (uint32_t below = 0; below <= 64; below += 8) {
            /* s[20:27]: the stack is moved out of the way of s[0:1] by two entries */
            snprintf(
                text, sizeof text,
                "s_mov_b32 s30, s0\ns_mov_b32 s31, s1\ns_setreg_imm32_b32 hwreg(HW_REG_MODE, 29, "
                "3), 3\n"
                "s_nop 1\ns_mov_b64 s[34:35], exec\ns_mov_b32 s8, 3\ns_mov_b32 s9, 0\nv_mov_b32 "
                "v2, 0\nv_mov_b32 v3, 0\n"
                "v_cmp_gt_u32 vcc, %u, v0\ns_mov_b64 s[4:5], vcc\n"
                "%s"
                "s_add_u32 s9, s9, 1\nv_mov_b32 v2, s9\nv_add_u32 v3, %s1, v3\ns_branch join\n"
                "few:\ns_add_u32 s9, s9, 1\nv_mov_b32 v2, s9\nv_add_u32 v3, %s2, v3\n"
                "join:\ns_cbranch_join s8\ns_mov_b64 exec, s[34:35]\n"
                "v_lshlrev_b32 v1, 2, v0\nv_lshlrev_b32 v3, 8, v3\nv_or_b32 v2, v2, v3\n"
                "v_mov_b32 v5, s31\nv_add_u32 v4, vcc, s30, v1\nv_addc_u32 v5, vcc, 0, v5, vcc\n"
                "flat_store_dword v[4:5], v2",
                below, fork[k / 3], gens[k % 3] == AMD_GFX8 ? "vcc, " : "",
                gens[k % 3] == AMD_GFX8 ? "vcc, " : "");
            if (gens[k % 3] != AMD_GFX8) {
                char *at = strstr(text, "v_add_u32 v4, vcc");
                memcpy(at,
                       "v_add_co_u32 v4, vcc, s30, v1\nv_addc_co_u32 v5, vcc, 0, v5, vcc\n"
                       "flat_store_dword v[4:5], v2",
                       sizeof "v_add_co_u32 v4, vcc, s30, v1\nv_addc_co_u32 v5, vcc, 0, v5, vcc\n"
                              "flat_store_dword v[4:5], v2");
            }
            mach_report r = run(gens[k % 3], text, 16, out);
            emu_expect_clean(text, &r);
            bool parts = below > 0 && below < 64;
            for (uint32_t l = 0; l < 64; l++) {
                uint32_t path = l < below ? 2 : 1;
                bool first = !parts || (path == 2 ? below <= 32 : below > 32);
                assert_int_equal(out[l] >> 8, path);
                assert_int_equal(out[l] & 255, first ? 1 : 2);
            }
        }
}

static void
test_gs_registers(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    e->d.gen = AMD_GFX11;
    e->w.sgpr[AMD_REG_EXEC_LO] = 0xfffffff0; /* lane 4 is the first */
    for (uint32_t l = 0; l < 32; l++)
        e->w.vgpr[2][l] = 5 + l;
    emu_set_all(e, 6, 99);
    emu_run_text(e, "ds_add_gs_reg_rtn v[6:7], v2 offset:12 gds\n"
                    "ds_add_gs_reg_rtn v[8:9], v2 offset:12 gds\n"
                    "ds_sub_gs_reg_rtn v[10:11], v2 offset:60 gds\n"
                    "ds_add_gs_reg_rtn v[12:13], v2 offset:60 gds");
    assert_int_equal(e->w.vgpr[6][4], 0);
    assert_int_equal(e->w.vgpr[6][5], 99);
    assert_int_equal(e->w.vgpr[8][4], 9);
    assert_int_equal(e->w.vgpr[10][4], 0);
    assert_int_equal(e->w.vgpr[12][4], (uint32_t)-9);
    assert_int_equal(e->w.vgpr[13][4], UINT32_MAX);
    assert_int_equal(e->m.gs_registers[3], 18);
    assert_int_equal(e->m.gs_registers[22], 0);
    emu_env_free(e);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_indices),      cmocka_unit_test(test_checked_indices),
        cmocka_unit_test(test_skip),         cmocka_unit_test(test_forks),
        cmocka_unit_test(test_gs_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
