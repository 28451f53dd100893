/* Lane operations and scalar instructions of the emulator. */
#include "emu_env.h"

static uint32_t
v3(const emu_env *e, uint32_t lane)
{
    return e->w.vgpr[3][lane];
}

/* DPP: v0 is 100 + lane, v3 is 7 before. */
static void
test_dpp(void **state)
{
    static const struct {
        const char *ctrl;
        uint32_t lane, want;
    } rows[] = {
        {"quad_perm:[1,0,3,2]", 6, 107},
        {"quad_perm:[0,0,0,0] row_mask:0x2", 17, 116},
        {"quad_perm:[0,0,0,0] row_mask:0x2", 5, 7}, /* the row is not written */
        {"quad_perm:[0,1,2,3] bank_mask:0x4", 9, 109},
        {"quad_perm:[0,1,2,3] bank_mask:0x4", 3, 7},
        {"row_shl:1", 3, 104},
        {"row_shl:1", 15, 7}, /* beyond the row */
        {"row_shl:1 bound_ctrl:1", 15, 0},
        {"row_shr:2", 18, 116},
        {"row_ror:1", 16, 131},
        {"row_mirror", 1, 114},
        {"row_half_mirror", 1, 106},
        {"row_share:5", 30, 121},
        {"row_xmask:3", 4, 107},
        {"dpp8:[7,6,5,4,3,2,1,0]", 9, 114},
    };
    (void)state;
    emu_env *e = emu_env_new(32);
    emu_set_lanes(e, 0);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        bool dpp8 = !strncmp(rows[r].ctrl, "dpp8", 4);
        bool masks = strstr(rows[r].ctrl, "mask:0x") != NULL;
        emu_set_all(e, 3, 7);
        emu_run_text(e, arena_printf(&e->a, "v_mov_b32_dpp v3, v0 %s%s", rows[r].ctrl,
                                     dpp8 || masks ? "" : " row_mask:0xf bank_mask:0xf"));
        if (v3(e, rows[r].lane) != rows[r].want)
            fail_msg("%s: lane %u has %u, should have %u", rows[r].ctrl, rows[r].lane,
                     v3(e, rows[r].lane), rows[r].want);
    }
    emu_env_free(e);
}

/* A disabled source lane: its lane is not written, or gets 0 with bound_ctrl, or its value with fi.
 */
static void
test_dpp_inactive(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    emu_set_lanes(e, 0);
    e->w.sgpr[AMD_REG_EXEC_LO] = ~2u;
    emu_set_all(e, 3, 7);
    emu_run_text(e, "v_mov_b32_dpp v3, v0 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf");
    assert_int_equal(v3(e, 0), 7);
    assert_int_equal(v3(e, 4), 105);
    emu_run_text(
        e, "v_mov_b32_dpp v3, v0 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf bound_ctrl:1");
    assert_int_equal(v3(e, 0), 0);
    emu_run_text(e, "v_mov_b32_dpp v3, v0 quad_perm:[1,1,1,1] row_mask:0xf bank_mask:0xf fi:1");
    assert_int_equal(v3(e, 0), 101);
    assert_int_equal(v3(e, 1), 7);
    emu_env_free(e);
}

static void
test_readlane_writelane(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(64);
    emu_set_lanes(e, 0);
    e->w.sgpr[AMD_REG_EXEC_LO] = 0;
    e->w.sgpr[AMD_REG_EXEC_HI] = 0x100;
    e->w.sgpr[6] = 70; /* modulo the wave size: 6 */
    emu_run_text(
        e, "v_readfirstlane_b32 s4, v0\nv_readlane_b32 s5, v0, s6\nv_writelane_b32 v3, s4, 63");
    assert_int_equal(e->w.sgpr[4], 140);
    assert_int_equal(e->w.sgpr[5], 106);
    assert_int_equal(v3(e, 63), 140); /* exec is ignored */
    assert_int_equal(v3(e, 40), 0);
    e->w.sgpr[AMD_REG_EXEC_HI] = 0;
    emu_run_text(e, "v_readfirstlane_b32 s4, v0"); /* no lane: lane 0 */
    assert_int_equal(e->w.sgpr[4], 100);
    emu_env_free(e);
}

/* The manual's example of a rotation over a wave32. */
static void
test_permlane(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    emu_set_lanes(e, 0);
    e->w.sgpr[4] = 0x87654321;
    e->w.sgpr[5] = 0x0fedcba9;
    e->w.sgpr[AMD_REG_EXEC_LO] = 0x7fff7fff;
    emu_run_text(e, "v_permlane16_b32 v3, v0, s4, s5 op_sel:[1,0]\ns_mov_b32 exec_lo, 0x80008000\n"
                    "v_permlanex16_b32 v3, v0, s4, s5 op_sel:[1,0]");
    for (uint32_t l = 0; l < 32; l++)
        assert_int_equal(v3(e, l), 100 + (l + 1) % 32);
    emu_env_free(e);
}

static void
test_lds_permutes(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(64);
    emu_set_lanes(e, 0);
    for (uint32_t l = 0; l < 64; l++)
        e->w.vgpr[1][l] = (l ^ 3) * 4;
    e->w.sgpr[AMD_REG_EXEC_LO] = ~8u; /* lane 3 is off */
    emu_run_text(e, "ds_bpermute_b32 v3, v1, v0\nds_permute_b32 v4, v1, v0\nds_swizzle_b32 v5, v0 "
                    "offset:swizzle(SWAP,4)\n"
                    "ds_swizzle_b32 v6, v0 offset:swizzle(QUAD_PERM,3,2,1,0)\n"
                    "ds_swizzle_b32 v7, v0 offset:swizzle(BROADCAST,8,2)\ns_waitcnt lgkmcnt(0)");
    assert_int_equal(v3(e, 0), 0); /* reads lane 3 */
    assert_int_equal(v3(e, 5), 106);
    assert_int_equal(v3(e, 34), 133); /* the upper half permutes separately */
    assert_int_equal(e->w.vgpr[4][5], 106);
    assert_int_equal(e->w.vgpr[4][0], 0); /* nobody sends to lane 0 */
    assert_int_equal(e->w.vgpr[5][1], 105);
    assert_int_equal(e->w.vgpr[6][4], 107);
    assert_int_equal(e->w.vgpr[7][21], 118);
    emu_env_free(e);
}

static void
test_movrel_and_swap(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    for (uint32_t r = 0; r < 40; r++)
        emu_set_all(e, r, 1000 + r);
    e->w.sgpr[AMD_REG_M0] = 10;
    emu_run_text(
        e,
        "v_movreld_b32 v5, v7\nv_movrels_b32 v6, v8\nv_swap_b32 v20, v21\nv_movrelsd_b32 v1, v2\n"
        "s_mov_b32 m0, (20 << 16) | 10\nv_movrelsd_2_b32 v5, v7");
    assert_int_equal(e->w.vgpr[15][3], 1007);
    assert_int_equal(e->w.vgpr[6][3], 1018);
    assert_int_equal(e->w.vgpr[20][3], 1021);
    assert_int_equal(e->w.vgpr[21][3], 1020);
    assert_int_equal(e->w.vgpr[11][3], 1012);
    assert_int_equal(e->w.vgpr[25][3], 1017);
    emu_env_free(e);
}

static void
test_mbcnt(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(64);
    emu_run_text(e, "v_mbcnt_lo_u32_b32 v3, -1, 0\nv_mbcnt_hi_u32_b32 v3, -1, v3");
    for (uint32_t l = 0; l < 64; l++)
        assert_int_equal(v3(e, l), l);
    emu_env_free(e);
}

/* Scalar instructions: s4 (s[4:5]) and s6 (s[6:7]) are the sources, s8 (s[8:9]) the result; scc is
 * 0 before. */
static const struct {
    const char *text;
    uint64_t a, b, want;
    bool scc;
} scalar_rows[] = {
    {"s_add_u32 s8, s4, s6", 0xffffffff, 1, 0, true},
    {"s_add_i32 s8, s4, s6", 0x7fffffff, 1, 0x80000000, true},
    {"s_sub_u32 s8, s4, s6", 1, 2, 0xffffffff, true},
    {"s_sub_i32 s8, s4, s6", 0x80000000, 1, 0x7fffffff, true},
    {"s_min_i32 s8, s4, s6", 0xffffffff, 1, 0xffffffff, true},
    {"s_max_u32 s8, s4, s6", 0xffffffff, 1, 0xffffffff, true},
    {"s_andn2_b32 s8, s4, s6", 15, 3, 12, true},
    {"s_and_b64 s[8:9], s[4:5], s[6:7]", UINT64_C(1) << 40, UINT64_C(3) << 40, UINT64_C(1) << 40,
     true},
    {"s_xnor_b32 s8, s4, s6", 0, 0xffffffff, 0, false},
    {"s_lshl_b32 s8, s4, s6", 1, 33, 2, true},
    {"s_ashr_i64 s[8:9], s[4:5], s6", UINT64_C(1) << 63, 4, UINT64_C(0xf8) << 56, true},
    {"s_bfe_u32 s8, s4, s6", 0xabcd1234, 0x80008, 0x12, true},
    {"s_bfe_i32 s8, s4, s6", 0x0000f000, 0x4000c, 0xffffffff, true},
    {"s_bfe_u32 s8, s4, s6", 0xabcd1234, 0x8, 0, false}, /* writes scc: errata */
    {"s_bfe_u64 s[8:9], s[4:5], s6", UINT64_C(0x123456789abcdef0), 0x00100028, 0x3456, true},
    {"s_bfe_i64 s[8:9], s[4:5], s6", UINT64_C(0xf00000000000), 0x0004002c, UINT64_MAX, true},
    {"s_bfm_b32 s8, s4, s6", 4, 8, 0xf00, false},
    {"s_bfm_b64 s[8:9], s4, s6", 4, 40, UINT64_C(0xf) << 40, false},
    {"s_mul_i32 s8, s4, s6", 0xffffffff, 7, 0xfffffff9, false},
    {"s_mul_hi_u32 s8, s4, s6", 0xffffffff, 2, 1, false},
    {"s_mul_hi_i32 s8, s4, s6", 0xffffffff, 2, 0xffffffff, false},
    {"s_absdiff_i32 s8, s4, s6", 0x80000000, 0xffffffff, 0x7fffffff, true},
    {"s_absdiff_i32 s8, s4, s6", 2, 5, 3, true},
    {"s_lshl2_add_u32 s8, s4, s6", 0x40000000, 3, 3, true},
    {"s_pack_ll_b32_b16 s8, s4, s6", 0x11112222, 0x33334444, 0x44442222, false},
    {"s_pack_lh_b32_b16 s8, s4, s6", 0x11112222, 0x33334444, 0x33332222, false},
    {"s_pack_hh_b32_b16 s8, s4, s6", 0x11112222, 0x33334444, 0x33331111, false},
    {"s_cselect_b32 s8, s4, s6", 1, 2, 2, false},
    {"s_not_b32 s8, s4", 0xffffffff, 0, 0, false},
    {"s_wqm_b32 s8, s4", 0x00100002, 0, 0x00f0000f, true},
    {"s_quadmask_b32 s8, s4", 0x00100002, 0, 0x21, true},
    {"s_bitreplicate_b64_b32 s[8:9], s4", 0x80000001, 0, UINT64_C(0xc000000000000003), false},
    {"s_brev_b64 s[8:9], s[4:5]", 1, 0, UINT64_C(1) << 63, false},
    {"s_bcnt0_i32_b32 s8, s4", 0xcccccccc, 0, 16, true},
    {"s_bcnt1_i32_b64 s8, s[4:5]", UINT64_MAX, 0, 64, true},
    {"s_ff0_i32_b32 s8, s4", 0xfffeffff, 0, 16, false},
    {"s_ff1_i32_b64 s8, s[4:5]", 0, 0, 0xffffffff, false},
    {"s_flbit_i32_b32 s8, s4", 0x0000cccc, 0, 16, false},
    {"s_flbit_i32 s8, s4", 0xffff3333, 0, 16, false},
    {"s_flbit_i32 s8, s4", 0xffffffff, 0, 0xffffffff, false},
    {"s_flbit_i32_i64 s8, s[4:5]", UINT64_C(0x4000000000000000), 0, 1, false},
    {"s_sext_i32_i8 s8, s4", 0x80, 0, 0xffffff80, false},
    {"s_abs_i32 s8, s4", 0x80000000, 0, 0x80000000, true},
    {"s_movk_i32 s8, 0x8000", 0, 0, 0xffff8000, false},
    {"s_mov_b64 s[8:9], 0xffffffff", 0, 0, 0xffffffff,
     false}, /* literals are extended with zeros */
    {"s_mov_b64 s[8:9], -1", 0, 0, UINT64_MAX, false},
    {"s_mov_b64 s[8:9], 1.0", 0, 0, UINT64_C(0x3ff0000000000000), false},
    {"s_bitset1_b64 s[8:9], s4", 40, 0, UINT64_C(1) << 40, false},
    {"s_cmp_lt_i32 s4, s6", 0xffffffff, 0, 0, true},
    {"s_cmp_lt_u32 s4, s6", 0xffffffff, 0, 0, false},
    {"s_cmp_eq_u64 s[4:5], s[6:7]", UINT64_C(1) << 40, UINT64_C(1) << 40, 0, true},
    {"s_bitcmp1_b32 s4, s6", 8, 3, 0, true},
    {"s_cmpk_gt_i32 s4, 0xffff", 0, 0, 0, true},
    {"s_cmpk_gt_u32 s4, 0xffff", 0, 0, 0, false},
};

static void
test_scalar(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    for (size_t r = 0; r < sizeof scalar_rows / sizeof *scalar_rows; r++) {
        e->w.sgpr[4] = (uint32_t)scalar_rows[r].a;
        e->w.sgpr[5] = (uint32_t)(scalar_rows[r].a >> 32);
        e->w.sgpr[6] = (uint32_t)scalar_rows[r].b;
        e->w.sgpr[7] = (uint32_t)(scalar_rows[r].b >> 32);
        e->w.sgpr[8] = e->w.sgpr[9] = 0;
        e->w.scc = false;
        emu_run_text(e, scalar_rows[r].text);
        uint64_t got = e->w.sgpr[8] | (uint64_t)e->w.sgpr[9] << 32;
        if (got != scalar_rows[r].want || e->w.scc != scalar_rows[r].scc)
            fail_msg("%s: 0x%llx, scc %d", scalar_rows[r].text, (unsigned long long)got, e->w.scc);
    }
    emu_env_free(e);
}

static void
test_exec_and_branches(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(64);
    e->w.sgpr[4] = 0xff;
    emu_run_text(
        e, "s_and_saveexec_b64 s[8:9], s[4:5]\ns_cbranch_execz skip\ns_mov_b32 s10, 1\nskip:\n"
           "s_andn2_wrexec_b64 s[12:13], s[4:5]\ns_cbranch_scc0 done\ns_mov_b32 s10, 2\ndone:\n"
           "s_mov_b64 exec, s[8:9]\ns_mov_b32 s11, 3\nloop:\ns_addk_i32 s14, 5\ns_sub_u32 s11, "
           "s11, 1\n"
           "s_cmp_lg_u32 s11, 0\ns_cbranch_scc1 loop\ns_call_b64 s[18:19], sub\n"
           "s_branch end\nsub:\ns_mov_b32 s20, 42\ns_setpc_b64 s[18:19]\nend:");
    assert_int_equal(e->w.sgpr[10], 1);
    assert_int_equal(e->w.sgpr[12], 0);
    assert_int_equal(e->w.sgpr[14], 15);
    assert_int_equal(e->w.sgpr[20], 42);
    assert_int_equal(e->w.sgpr[AMD_REG_EXEC_LO], UINT32_MAX);
    emu_env_free(e);
}

/* v_movrel* with SDWA and DPP: the index selects the register, then the part or lane is selected.
 */
static void
test_movrel_parts(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(64);
    for (uint32_t l = 0; l < 64; l++)
        e->w.vgpr[6][l] = 0xaabb0000 + l;
    emu_set_all(e, 8, 0x11111111);
    emu_set_all(e, 9, 7);
    e->w.sgpr[AMD_REG_M0] = 2;
    emu_run_text(e, "v_movrels_b32_sdwa v8, v4 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE "
                    "src0_sel:BYTE_3\n"
                    "v_movrels_b32_dpp v9, v4 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf\n"
                    "v_movreld_b32_sdwa v8, v6 dst_sel:DWORD dst_unused:UNUSED_PAD "
                    "src0_sel:WORD_1");
    assert_int_equal(e->w.vgpr[8][5], 0x1111aa11);
    assert_int_equal(e->w.vgpr[9][4], 0xaabb0007);
    assert_int_equal(e->w.vgpr[10][5], 0xaabb);
    emu_env_free(e);
}

/* v_permlane64_b32: exchanges the halves, with disabled source lanes; no effect in wave32. */
static void
test_permlane64(void **state)
{
    (void)state;
    for (uint32_t size = 32; size <= 64; size += 32) {
        emu_env *e = emu_env_new(size);
        e->d.gen = AMD_GFX11;
        emu_set_lanes(e, 1);
        emu_set_all(e, 2, 9);
        e->w.sgpr[AMD_REG_EXEC_LO] = 0xff;
        e->w.sgpr[AMD_REG_EXEC_HI] = 0;
        emu_run_text(e, "v_permlane64_b32 v2, v1");
        assert_int_equal(e->w.vgpr[2][3], size == 64 ? 100 + 35 : 9);
        assert_int_equal(e->w.vgpr[2][8], 9);
        emu_env_free(e);
    }
}

/* Both halves read what one of them wrote to a shared VGPR: lanes get values of the other half. */
static void
test_shared_vgprs(void **state)
{
    static const char text[] =
        "v_mul_u32_u24 v1, 3, v0\nv_sub_nc_u32 v2, 63, v0\nv_lshlrev_b32 v3, 2, v2\n"
        "v_mov_b32_dpp v8, v1 quad_perm:[0,1,2,3] row_mask:0x3 bank_mask:0xf\n"
        "v_mov_b32_dpp v9, v1 quad_perm:[0,1,2,3] row_mask:0xc bank_mask:0xf\n"
        "ds_bpermute_b32 v4, v3, v8\nds_bpermute_b32 v5, v3, v9\ns_waitcnt lgkmcnt(0)\n"
        "v_cmp_gt_u32 vcc, 32, v2\nv_cndmask_b32 v6, v5, v4, vcc\n"
        "v_lshlrev_b32 v7, 2, v0\nglobal_store_dword v7, v6, s[0:1]\n";
    (void)state;
    uint32_t words[64] = {0};
    amd_emu_dispatch d = {.gen = AMD_GFX10_3,
                          .wave_size = 64,
                          .n_vgprs = 8,
                          .n_shared_vgprs = 8,
                          .group_size = {64, 1, 1},
                          .grid_groups = {1, 1, 1},
                          .checks = MACH_CHECK_ALL};
    mach_report r = emu_dispatch_text(d, text, words, 64);
    emu_expect_clean(text, &r);
    for (uint32_t l = 0; l < 64; l++)
        assert_int_equal(words[l], 3 * (63 - l));
    d.n_shared_vgprs = 0;
    r = emu_dispatch_text(d, text, words, 64);
    assert_true(r.total > 0); /* v8 is not allocated */
}

/* Where both halves write a shared VGPR, the upper one is later. */
static void
test_shared_order(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(64);
    e->w.n_shared = 8;
    emu_set_lanes(e, 1);
    emu_run_text(e, "v_mov_b32 v250, v1\ns_mov_b64 exec, 6\nv_mov_b32 v251, v1");
    assert_int_equal(e->w.vgpr[250][3], 100 + 35);
    assert_int_equal(e->w.vgpr[250][35], 100 + 35);
    assert_int_equal(e->w.vgpr[251][34], 100 + 2);
    assert_int_equal(e->w.vgpr[251][3], 0);
    emu_env_free(e);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dpp),
        cmocka_unit_test(test_shared_vgprs),
        cmocka_unit_test(test_shared_order),
        cmocka_unit_test(test_dpp_inactive),
        cmocka_unit_test(test_readlane_writelane),
        cmocka_unit_test(test_permlane),
        cmocka_unit_test(test_lds_permutes),
        cmocka_unit_test(test_movrel_and_swap),
        cmocka_unit_test(test_mbcnt),
        cmocka_unit_test(test_scalar),
        cmocka_unit_test(test_exec_and_branches),
        cmocka_unit_test(test_permlane64),
        cmocka_unit_test(test_movrel_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
