/* Features of gfx12: split and named barriers, its wait instructions, loads of blocks and of
 * transposed matrices, lane permutations. */
#include "emu_env.h"

enum { WORDS = 64 };

/* Runs `text` as a group of `waves` waves of 32. s[0:1] is the address of `out`, ttmp8 29:25 the
 * wave's number. */
static mach_report
run(const char *text, uint32_t waves, uint64_t seed, uint32_t out[WORDS])
{
    const amd_emu_dispatch d = {.gen = AMD_GFX12,
                                .wave_size = 32,
                                .group_size = {32 * waves, 1, 1},
                                .grid_groups = {1, 1, 1},
                                .checks = MACH_CHECK_ALL & ~MACH_CHECK_HAZARDS,
                                .lds_bytes = 256,
                                .seed = seed,
                                .max_instructions = 10000};
    memset(out, 0, WORDS * sizeof *out);
    return emu_dispatch_text(d, text, out, WORDS);
}

#define WAVE  "s_bfe_u32 s2, ttmp8, 0x50019\n"
#define LANE0 "s_mov_b32 exec_lo, 1\n"

/* Each wave writes its number to LDS and reads its neighbour's after the barrier. */
static void
test_workgroup_barrier(void **state)
{
    static const char *const body = WAVE LANE0
        "v_mov_b32 v1, s2\nv_lshlrev_b32 v2, 2, v1\nds_store_b32 v2, v1\ns_wait_dscnt 0\n"
        "%s"
        "s_xor_b32 s3, s2, 3\ns_lshl_b32 s3, s3, 2\nv_mov_b32 v3, s3\nds_load_b32 v4, v3\n"
        "s_wait_dscnt 0\nglobal_store_b32 v2, v4, s[0:1]";
    uint32_t out[WORDS];
    char text[1024];
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        snprintf(text, sizeof text, body, "s_barrier_signal -1\ns_nop 0\ns_barrier_wait -1\n");
        mach_report r = run(text, 4, seed, out);
        emu_expect_clean(text, &r);
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(out[k], k ^ 3);
    }
    snprintf(text, sizeof text, body, "");
    mach_report r = run(text, 4, 0, out);
    assert_true(r.total > 0);
    /* waves that have ended are not waited for */
    static const char *const early = WAVE "s_cmp_eq_u32 s2, 1\ns_cbranch_scc1 end\n"
                                          "s_barrier_signal -1\ns_barrier_wait -1\nend:";
    for (uint64_t seed = 0; seed < 4; seed++) {
        r = run(early, 3, seed, out);
        emu_expect_clean(early, &r);
    }
    /* nobody signals */
    r = run("s_barrier_wait -1", 2, 0, out);
    assert_int_equal(r.status, MACH_RUN_HANG);
    /* a single wave does not wait */
    r = run("s_barrier_wait -1", 1, 0, out);
    assert_int_equal(r.status, MACH_RUN_DONE);
}

/* Exactly one of the waves is the first to signal. */
static void
test_is_first(void **state)
{
    static const char *const text = WAVE LANE0
        "s_barrier_signal_isfirst -1\ns_cselect_b32 s3, 1, 0\ns_barrier_wait -1\n"
        "v_mov_b32 v1, s3\ns_lshl_b32 s4, s2, 2\nv_mov_b32 v2, s4\n"
        "global_store_b32 v2, v1, s[0:1]";
    uint32_t out[WORDS];
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        mach_report r = run(text, 4, seed, out);
        emu_expect_clean(text, &r);
        assert_int_equal(out[0] + out[1] + out[2] + out[3], 1);
    }
}

/* Barrier 2 has waves 0 and 1 as members; the state says so. */
static void
test_named_barrier(void **state)
{
    static const char *const text = WAVE LANE0
        "s_mov_b32 m0, 0x20002\ns_cmp_lg_u32 s2, 0\ns_cbranch_scc1 made\ns_barrier_init m0\nmade:\n"
        "s_barrier_signal -1\ns_barrier_wait -1\n"
        "s_cmp_gt_u32 s2, 1\ns_cbranch_scc1 end\n"
        "s_barrier_join m0\nv_mov_b32 v1, s2\nv_lshlrev_b32 v2, 2, v1\nds_store_b32 v2, v1\n"
        "s_wait_dscnt 0\ns_barrier_signal m0\ns_barrier_wait 1\n"
        "v_xor_b32 v3, 4, v2\nds_load_b32 v4, v3\ns_wait_dscnt 0\n"
        "s_get_barrier_state s5, m0\ns_wait_kmcnt 0\n"
        "global_store_b32 v2, v4, s[0:1]\nv_mov_b32 v5, s5\n"
        "global_store_b32 v2, v5, s[0:1] offset:16\nend:";
    uint32_t out[WORDS];
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        mach_report r = run(text, 3, seed, out);
        emu_expect_clean(text, &r);
        assert_int_equal(out[0], 1);
        assert_int_equal(out[1], 0);
        assert_int_equal(out[4] & 0x7ff, 2 << 4 | 1);
    }
    /* the state arrives late */
    mach_report r = run("s_get_barrier_state s5, -1\ns_mov_b32 s6, s5", 2, 0, out);
    assert_int_equal(r.findings[0].check, MACH_CHECK_WAITS);
    assert_non_null(strstr(r.findings[0].message, "needs kmcnt(0)"));
}

/* Each wait instruction with the operation that it waits for, and with a count that is too high. */
static void
test_waits(void **state)
{
    static const struct {
        const char *before, *wait, *too_high, *after, *needs;
    } cases[] = {
        {"v_mov_b32 v1, 0\nglobal_load_b32 v2, v1, s[0:1]\nglobal_load_b32 v3, v1, s[0:1]",
         "s_wait_loadcnt 1", "s_wait_loadcnt 2", "v_mov_b32 v4, v2", "loadcnt(1)"},
        {"v_mov_b32 v1, 0\nds_store_b32 v1, v1\nds_load_b32 v2, v1", "s_wait_dscnt 0",
         "s_wait_dscnt 1", "v_mov_b32 v4, v2", "dscnt(0)"},
        {"s_load_b32 s4, s[0:1], 0x0", "s_wait_kmcnt 0", "s_wait_kmcnt 1", "s_mov_b32 s5, s4",
         "kmcnt(0)"},
        {"v_mov_b32 v1, 0\nds_store_b32 v1, v1\nglobal_load_b32 v2, v1, s[0:1]",
         "s_wait_loadcnt_dscnt 0x1", "s_wait_loadcnt_dscnt 0x100", "v_mov_b32 v4, v2",
         "loadcnt(0)"},
        {"v_mov_b32 v1, 0\nds_store_b32 v1, v1\nds_load_b32 v2, v1", "s_wait_storecnt_dscnt 0x3f00",
         "s_wait_storecnt_dscnt 0x1", "v_mov_b32 v4, v2", "dscnt(0)"},
        {"v_mov_b32 v1, 0\nexport mrt0 v1, v1, v1, v1 done", "s_wait_expcnt 0", "s_wait_expcnt 1",
         "v_mov_b32 v1, 1", "expcnt(0)"},
        {"v_mov_b32 v1, 0\nglobal_load_b32 v2, v1, s[0:1]", "s_wait_idle", "s_wait_storecnt 0",
         "v_mov_b32 v4, v2", "loadcnt(0)"},
    };
    uint32_t out[WORDS];
    char text[512];
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        snprintf(text, sizeof text, "%s\n%s\n%s", cases[k].before, cases[k].wait, cases[k].after);
        mach_report r = run(text, 1, 0, out);
        emu_expect_clean(text, &r);
        snprintf(text, sizeof text, "%s\n%s\n%s", cases[k].before, cases[k].too_high,
                 cases[k].after);
        r = run(text, 1, 0, out);
        if (!r.total || !strstr(r.findings[0].message, cases[k].needs))
            fail_msg("%s\n%s", text, r.total ? r.findings[0].message : "nothing was found");
    }
}

/* A block of registers: m0 selects; memory has a dword for each, selected or not. The last register
 * holds the addresses, which are read before it is loaded. */
static void
test_blocks(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    mach_region *r = mach_memory_alloc(&e->memory, MACH_HEAP_LOW, 32 * 32 * 4, 0, "data");
    e->d.gen = AMD_GFX12;
    e->w.sgpr[0] = (uint32_t)r->base;
    e->w.sgpr[1] = (uint32_t)(r->base >> 32);
    e->w.sgpr[AMD_REG_M0] = 0x80000005;
    for (uint32_t k = 0; k < 1024; k++)
        memcpy(r->host + 4 * k, &k, 4);
    for (uint32_t l = 0; l < 32; l++) {
        e->w.vgpr[41][l] = 128 * l; /* a dword for each of 32 registers */
        e->w.vgpr[10][l] = e->w.vgpr[11][l] = 99;
    }
    emu_run_text(e, "global_load_block v[10:41], v41, s[0:1]");
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(e->w.vgpr[10][l], 32 * l);
        assert_int_equal(e->w.vgpr[11][l], 99);
        assert_int_equal(e->w.vgpr[12][l], 32 * l + 2);
        assert_int_equal(e->w.vgpr[41][l], 32 * l + 31);
    }
    for (uint32_t l = 0; l < 32; l++)
        e->w.vgpr[0][l] = 128 * l;
    e->w.sgpr[AMD_REG_M0] = 2;
    emu_run_text(e, "global_store_block v0, v[10:41], s[0:1]");
    for (uint32_t l = 0; l < 32; l++) {
        uint32_t stored[3];
        memcpy(stored, r->host + 128 * l, sizeof stored);
        assert_int_equal(stored[0], 32 * l);
        assert_int_equal(stored[1], 99);
        assert_int_equal(stored[2], 32 * l + 2);
    }
    assert_int_equal(e->report.total, 0);
    emu_env_free(e);
}

/* Eight lanes exchange eight 16-bit elements each: lane L gets element L % 8 of each. */
static void
test_transpose(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    mach_region *r = mach_memory_alloc(&e->memory, MACH_HEAP_LOW, 512, 0, "data");
    e->d.gen = AMD_GFX12;
    e->w.sgpr[0] = (uint32_t)r->base;
    e->w.sgpr[1] = (uint32_t)(r->base >> 32);
    for (uint16_t k = 0; k < 256; k++)
        memcpy(r->host + 2 * k, &k, 2);
    for (uint32_t l = 0; l < 32; l++)
        e->w.vgpr[0][l] = 16 * l;
    emu_run_text(e, "global_load_tr_b128 v[4:7], v0, s[0:1]");
    for (uint32_t l = 0; l < 32; l++)
        for (uint32_t j = 0; j < 8; j++)
            assert_int_equal(e->w.vgpr[4 + j / 2][l] >> j % 2 * 16 & 0xffff,
                             (l / 8 * 8 + j) * 8 + l % 8);
    assert_int_equal(e->report.total, 0);
    emu_env_free(e);
}

/* v_permlane16_var_b32: each lane selects its source; fetch inactive, bound_ctrl. */
static void
test_permlane_var(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    e->d.gen = AMD_GFX12;
    emu_set_lanes(e, 1);
    for (uint32_t l = 0; l < 32; l++)
        e->w.vgpr[2][l] = (l * 7 + 3) & 31; /* the upper bits are ignored */
    emu_run_text(e, "v_permlane16_var_b32 v3, v1, v2\nv_permlanex16_var_b32 v4, v1, v2");
    for (uint32_t l = 0; l < 32; l++) {
        uint32_t from = (l & 16) | ((l * 7 + 3) & 15);
        assert_int_equal(e->w.vgpr[3][l], 100 + from);
        assert_int_equal(e->w.vgpr[4][l], 100 + (from ^ 16));
    }
    e->w.sgpr[AMD_REG_EXEC_LO] = 0x0000ffff;
    emu_set_all(e, 3, 9);
    emu_set_all(e, 4, 9);
    emu_set_all(e, 5, 9);
    emu_run_text(e, "v_permlanex16_var_b32 v3, v1, v2\n"
                    "v_permlanex16_var_b32 v4, v1, v2 op_sel:[0,1]\n"
                    "v_permlanex16_var_b32 v5, v1, v2 op_sel:[1,0]");
    assert_int_equal(e->w.vgpr[3][0], 9);
    assert_int_equal(e->w.vgpr[4][0], 0);
    assert_int_equal(e->w.vgpr[5][0], 100 + 16 + 3);
    emu_env_free(e);
}

/* Inline constants of bfloat16 are in the lower half. */
static void
test_bfloat_constants(void **state)
{
    static const char *const text =
        "v_mov_b32 v0, 0x40404000\nv_mov_b32 v2, 0\n" /* v0: 3, 2 */
        "v_dot2_f32_bf16 v1, v0, 0.5, 1.0\nv_dot2_bf16_bf16 v2, v0, -4.0, 0.5\nv_mov_b32 v3, 0\n"
        "global_store_b64 v3, v[1:2], s[0:1]";
    uint32_t out[WORDS];
    (void)state;
    mach_report r = run(text, 1, 0, out);
    emu_expect_clean(text, &r);
    assert_int_equal(out[0], 0x40000000);      /* 2 * 0.5 + 1 */
    assert_int_equal(out[1] & 0xffff, 0xc0f0); /* 2 * -4 + 0.5 */
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workgroup_barrier),
        cmocka_unit_test(test_is_first),
        cmocka_unit_test(test_named_barrier),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_transpose),
        cmocka_unit_test(test_permlane_var),
        cmocka_unit_test(test_bfloat_constants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
