/* Global data share, global wave sync, DS instructions with two addresses; interpolation and
 * exports. */
#include "emu_env.h"

/* ---- one wave ---- */

static uint32_t
lds_word(const emu_env *e, uint32_t at)
{
    uint32_t v;
    memcpy(&v, e->g.lds + at, 4);
    return v;
}

static void
set_lds(emu_env *e, uint32_t at, uint32_t v)
{
    memcpy(e->g.lds + at, &v, 4);
}

static void
test_src2(void **state)
{
    static const struct {
        const char *op;
        uint32_t result;
    } cases[] = {{"ds_add_src2_u32", 107}, {"ds_sub_src2_u32", 93}, {"ds_rsub_src2_u32", -93u},
                 {"ds_inc_src2_u32", 0},   {"ds_dec_src2_u32", 7},  {"ds_min_src2_u32", 7},
                 {"ds_max_src2_i32", 100}, {"ds_and_src2_b32", 4},  {"ds_or_src2_b32", 103},
                 {"ds_xor_src2_b32", 99},  {"ds_write_src2_b32", 7}};
    (void)state;
    char text[64];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        emu_env *e = emu_env_new(32);
        e->d.gen = AMD_GFX10;
        e->w.sgpr[AMD_REG_EXEC_LO] = 1;
        set_lds(e, 64, 100);
        set_lds(e, 64 - 12, 7);
        e->w.vgpr[1][0] = 64;
        snprintf(text, sizeof text, "%s v1 offset:0x7ffd", cases[k].op); /* three dwords before */
        emu_run_text(e, text);
        assert_int_equal(lds_word(e, 64), cases[k].result);
        /* the distance in the address */
        set_lds(e, 64, 100);
        e->w.vgpr[1][0] = 64 | 0x7ffdu << 17;
        snprintf(text, sizeof text, "%s v1 offset:0x8000", cases[k].op);
        emu_run_text(e, text);
        assert_int_equal(lds_word(e, 64), cases[k].result);
        emu_env_free(e);
    }
}

static void
test_conditional_exchange(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    e->w.sgpr[AMD_REG_EXEC_LO] = 1;
    set_lds(e, 16, 1);
    set_lds(e, 20, 2);
    e->w.vgpr[1][0] = 16;
    e->w.vgpr[2][0] = 0x80000005;
    e->w.vgpr[3][0] = 9;
    emu_run_text(e, "ds_condxchg32_rtn_b64 v[4:5], v1, v[2:3]");
    assert_int_equal(lds_word(e, 16), 5);
    assert_int_equal(lds_word(e, 20), 2);
    assert_int_equal(e->w.vgpr[4][0], 1);
    assert_int_equal(e->w.vgpr[5][0], 2);
    emu_env_free(e);
}

/* Parameters of two attributes and, with a quad mask of 0b10, two primitives: attribute * 1000 +
 * primitive * 100 + dword. */
static void
test_interpolation(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    for (uint32_t a = 0; a < 2; a++)
        for (uint32_t p = 0; p < 2; p++)
            for (uint32_t d = 0; d < 12; d++)
                set_lds(e, 128 + 4 * ((a * 2 + p) * 12 + d),
                        base_f32_bits((float)(a * 1000 + p * 100 + d)));
    e->w.sgpr[AMD_REG_M0] = 128 | 2 << 16; /* quad 2 begins the second primitive */
    emu_set_all(e, 1, base_f32_bits(0.5f));
    emu_set_all(e, 2, base_f32_bits(0.25f));
    emu_run_text(e, "v_interp_p1_f32 v3, v1, attr1.y\nv_mov_b32 v4, v3\n"
                    "v_interp_p2_f32 v4, v2, attr1.y\n"
                    "v_interp_mov_f32 v5, p0, attr0.z\nv_interp_mov_f32 v6, p10, attr0.z\n"
                    "v_interp_mov_f32 v7, p20, attr0.z\n"
                    "v_interp_p1_f32_e64 v8, -v1, attr1.y mul:2");
    /* lane 4: primitive 0; lane 9: primitive 1 */
    assert_true(base_bits_f32(e->w.vgpr[3][4]) == 1001 + 0.5f * 1005);
    assert_true(base_bits_f32(e->w.vgpr[3][9]) == 1101 + 0.5f * 1105);
    assert_true(base_bits_f32(e->w.vgpr[4][9]) == 1101 + 0.5f * 1105 + 0.25f * 1109);
    assert_true(base_bits_f32(e->w.vgpr[5][4]) == 2);
    assert_true(base_bits_f32(e->w.vgpr[6][4]) == 6);
    assert_true(base_bits_f32(e->w.vgpr[7][9]) == 110);
    assert_true(base_bits_f32(e->w.vgpr[8][4]) == 2 * (1001 - 0.5f * 1005));
    /* halves: 1.5 in the low and 3 in the high one, everywhere */
    for (uint32_t d = 0; d < 48; d++)
        set_lds(e, 128 + 4 * d, 0x42003e00);
    emu_set_all(e, 10, 0x44003c00); /* 1 and 4 */
    emu_set_all(e, 12, 0x12340000);
    emu_run_text(e, "v_interp_p1ll_f16 v9, v1, attr0.x\nv_interp_p1ll_f16 v11, v1, attr0.x high\n"
                    "v_interp_p1lv_f16 v13, v1, attr0.x, v10\n"
                    "v_interp_p1lv_f16 v14, v1, attr0.x, v10 high\n"
                    "v_interp_p2_f16 v12, v2, attr0.x, v1");
    assert_true(base_bits_f32(e->w.vgpr[9][0]) == 2.25f);
    assert_true(base_bits_f32(e->w.vgpr[11][0]) == 4.5f);
    assert_true(base_bits_f32(e->w.vgpr[13][0]) == 1.75f);
    assert_true(base_bits_f32(e->w.vgpr[14][0]) == 5.5f);
    assert_int_equal(e->w.vgpr[12][0], 0x12343b00); /* 0.875 */
    emu_env_free(e);
}

/* lds_direct as a source, with all types; gfx11's loads, which depend on the lane's quad. */
static void
test_lds_direct(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    set_lds(e, 64, 0x80f0);
    set_lds(e, 68, 5);
    emu_set_lanes(e, 1);
    e->w.sgpr[AMD_REG_M0] = 64 | 0 << 16;
    emu_run_text(e, "v_mov_b32 v2, lds_direct\ns_mov_b32 m0, 0x10040\nv_mov_b32 v3, lds_direct\n"
                    "s_mov_b32 m0, 0x40040\nv_mov_b32 v4, lds_direct\n"
                    "s_mov_b32 m0, 0x50040\nv_mov_b32 v5, lds_direct\n"
                    "s_mov_b32 m0, 0x20044\nv_add_nc_u32 v6, lds_direct, v1\n"
                    "v_readfirstlane_b32 s4, lds_direct");
    assert_int_equal(e->w.vgpr[2][0], 0xf0);
    assert_int_equal(e->w.vgpr[3][0], 0x80f0);
    assert_int_equal(e->w.vgpr[4][0], 0xfffffff0);
    assert_int_equal(e->w.vgpr[5][0], 0xffff80f0);
    assert_int_equal(e->w.vgpr[6][7], 112);
    assert_int_equal(e->w.sgpr[4], 5);
    e->d.gen = AMD_GFX11;
    for (uint32_t d = 0; d < 24; d++)
        set_lds(e, 128 + 4 * d, 100 + d);
    e->w.sgpr[AMD_REG_M0] = 128 | 2 << 16; /* quad 2 begins the second primitive */
    e->w.sgpr[AMD_REG_EXEC_LO] = 0x120;
    emu_set_all(e, 7, 1);
    emu_set_all(e, 8, 1);
    emu_run_text(e, "lds_param_load v7, attr0.y\ns_mov_b32 m0, 0x20044\n"
                    "lds_direct_load v8");
    assert_int_equal(e->w.vgpr[7][3], 1); /* the quad is off */
    assert_int_equal(e->w.vgpr[7][4], 101);
    assert_int_equal(e->w.vgpr[7][5], 105);
    assert_int_equal(e->w.vgpr[7][6], 109);
    assert_int_equal(e->w.vgpr[7][9], 117);
    assert_int_equal(e->w.vgpr[8][7], 5);
    assert_int_equal(e->w.vgpr[8][0], 1);
    emu_env_free(e);
}

/* Interpolation from VGPRs: P0, P10 and P20 in the quad's first lanes. */
static void
test_vinterp(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(32);
    e->d.gen = AMD_GFX11;
    for (uint32_t l = 0; l < 32; l++) {
        e->w.vgpr[1][l] = base_f32_bits((float)l); /* of lane 6: P0 4, P10 5, P20 6 */
        e->w.vgpr[2][l] = base_f32_bits(0.5f);
        e->w.vgpr[3][l] = base_f32_bits(2);
        e->w.vgpr[7][l] = 0x3c00u << 16 | 0x4000; /* 2, and 1 above it */
    }
    e->w.sgpr[AMD_REG_EXEC_LO] =
        0xf8; /* lanes 0 to 2 are off: their parameters are read all the same */
    emu_run_text(e, "v_interp_p10_f32 v4, v1, v2, v1\nv_interp_p2_f32 v5, v1, v3, v4\n"
                    "v_interp_p10_f16_f32 v8, v7, v2, v7\n"
                    "v_interp_p10_f16_f32 v9, v7, v2, v7 op_sel:[1,0,0,0]\n"
                    "v_mov_b32 v10, 0x12345678\nv_interp_p2_f16_f32 v10, v7, v3, v8\n");
    assert_true(base_bits_f32(e->w.vgpr[4][6]) == 4 + 0.5f * 5);
    assert_true(base_bits_f32(e->w.vgpr[4][3]) == 0 + 0.5f * 1);
    assert_true(base_bits_f32(e->w.vgpr[5][6]) == 6.5f + 2 * 6);
    assert_int_equal(e->w.vgpr[4][0], 0);
    assert_true(base_bits_f32(e->w.vgpr[8][6]) == 3);
    assert_true(base_bits_f32(e->w.vgpr[9][6]) == 2.5f);
    assert_int_equal(e->w.vgpr[10][6], 0x12344700); /* 7 */
    emu_env_free(e);
}

/* ---- dispatches ---- */

enum { GDS_WORDS = 64 };

/* Runs `text` as a group of `waves` waves of 32; s0 is the group. GDS is `gds`, 256 bytes. */
static mach_report
run(const char *text, uint32_t waves, uint32_t groups, uint64_t seed, uint32_t *gds)
{
    arena a;
    mach_memory m;
    mach_report r;
    amd_emu_dispatch d = {.gen = AMD_GFX10_3,
                          .wave_size = 32,
                          .group_size = {32 * waves, 1, 1},
                          .grid_groups = {groups, 1, 1},
                          .checks = MACH_CHECK_ALL,
                          .lds_bytes = 256,
                          .gds_bytes = GDS_WORDS * 4,
                          .workgroup_id = {true, false, false},
                          .workgroup_info = true,
                          .seed = seed,
                          .max_instructions = 10000};
    arena_init(&a, &base_malloc_allocator, one_wave_no_memory, NULL);
    mach_memory_init(&m, &a);
    d.gds = (uint8_t *)gds;
    d.entry = emu_assemble(&a, &m, 32, arena_printf(&a, "%s\ns_endpgm", text))->base;
    amd_emu_run(&d, &m, &a, &r);
    arena_free(&a);
    return r;
}

static void
expect_clean(const char *text, const mach_report *r)
{
    if (r->status != MACH_RUN_DONE || r->total)
        fail_msg("%s\n%s", text, r->findings[0].message);
}

static void
test_gds(void **state)
{
    uint32_t gds[GDS_WORDS] = {0};
    (void)state;
    /* the part from byte 32 on, 64 bytes long: lanes from 16 on are cut off */
    static const char *const adds =
        "s_mov_b32 m0, 0x200040\nv_lshlrev_b32 v1, 2, v0\nv_mov_b32 v2, 3\n"
        "ds_add_u32 v1, v2 gds\ns_waitcnt lgkmcnt(0)";
    mach_report r = run(adds, 1, 2, 0, gds);
    expect_clean(adds, &r);
    assert_int_equal(gds[7], 0);
    assert_int_equal(gds[8], 6);
    assert_int_equal(gds[23], 6);
    assert_int_equal(gds[24], 0);
    static const char *const append = "s_mov_b32 m0, 0x40000\ns_mov_b32 exec_lo, 0xff\n"
                                      "ds_append v1 offset:4 gds\ns_waitcnt lgkmcnt(0)\n"
                                      "ds_consume v2 offset:8 gds\ns_waitcnt lgkmcnt(0)";
    memset(gds, 0, sizeof gds);
    r = run(append, 1, 3, 0, gds);
    expect_clean(append, &r);
    assert_int_equal(gds[2], 24);
    assert_int_equal(gds[3], -24u);
    r = run("s_mov_b32 m0, 0x1000ffff\nv_mov_b32 v1, 0\nds_read_b32 v2, v1 gds\n"
            "s_waitcnt lgkmcnt(0)",
            1, 1, 0, gds);
    assert_int_equal(r.findings[0].check, MACH_CHECK_MEMORY);
}

/* Ordered operations run in the order of the waves' numbers under any schedule: each wave exchanges
 * its number for that of the previous one. */
static void
test_ordered_count(void **state)
{
    static const char *const text =
        "s_bfe_u32 s2, s1, 0x50014\ns_mov_b32 m0, 0\nv_mov_b32 v1, s2\nv_mov_b32 v3, 10\n"
        "s_mov_b32 exec_lo, 1\n"
        "ds_ordered_count v2, v1 offset:0x1300 gds\ns_waitcnt lgkmcnt(0) expcnt(0)\n"
        "s_mov_b32 m0, 0xffff\nv_lshlrev_b32 v1, 2, v1\nds_write_b32 v1, v2 offset:16 gds\n"
        "s_waitcnt lgkmcnt(0) expcnt(0)";
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        uint32_t gds[GDS_WORDS] = {77};
        mach_report r = run(text, 4, 1, seed, gds);
        expect_clean(text, &r);
        assert_int_equal(gds[0], 3);
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(gds[4 + k], k ? k - 1 : 77);
    }
}

/* A GWS barrier of four waves: writes before it are visible after it. */
static void
test_gws_barrier(void **state)
{
    static const char *const text =
        "s_bfe_u32 s2, s1, 0x50014\ns_mov_b32 m0, 0\nv_mov_b32 v1, 3\n"
        "s_cmp_lg_u32 s2, 0\ns_cbranch_scc1 go\n"
        "ds_gws_init v1 gds\ns_waitcnt lgkmcnt(0) expcnt(0)\n"
        "go:\ns_barrier\n"
        "s_mov_b32 m0, 0xffff\nv_mov_b32 v2, 0\nv_mov_b32 v3, 1\ns_mov_b32 exec_lo, 1\n"
        "ds_add_u32 v2, v3 gds\ns_waitcnt lgkmcnt(0) expcnt(0)\ns_mov_b32 m0, 0\n"
        "ds_gws_barrier v1 gds\ns_waitcnt lgkmcnt(0) expcnt(0)\n"
        "s_mov_b32 m0, 0xffff\nds_read_b32 v4, v2 gds\ns_waitcnt lgkmcnt(0) expcnt(0)\n"
        "ds_add_u32 v2, v4 offset:4 gds\ns_waitcnt lgkmcnt(0) expcnt(0)";
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        uint32_t gds[GDS_WORDS] = {0};
        mach_report r = run(text, 4, 1, seed, gds);
        expect_clean(text, &r);
        assert_int_equal(gds[1], 16);
    }
}

static void
test_gws_semaphores(void **state)
{
    uint32_t gds[GDS_WORDS] = {0};
    /* wave 1 waits for wave 0's V */
    static const char *const text =
        "s_bfe_u32 s2, s1, 0x50014\ns_mov_b32 m0, 0\ns_cmp_lg_u32 s2, 0\ns_cbranch_scc1 second\n"
        "ds_gws_sema_v gds\ns_waitcnt lgkmcnt(0)\ns_branch end\n"
        "second:\nds_gws_sema_p gds\ns_waitcnt lgkmcnt(0)\nend:";
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        mach_report r = run(text, 2, 1, seed, gds);
        expect_clean(text, &r);
    }
    mach_report r = run("s_mov_b32 m0, 0\nds_gws_sema_p gds", 1, 1, 0, gds);
    assert_int_equal(r.status, MACH_RUN_HANG);
    assert_non_null(strstr(r.findings[0].message, "resource"));
}

typedef struct taken {
    uint32_t n;
    amd_emu_export last;
} taken;

static void
take(void *user, const amd_emu_export *e)
{
    taken *t = user;
    t->n++;
    t->last = *e;
}

static void
test_exports(void **state)
{
    (void)state;
    taken t = {0};
    emu_env *e = emu_env_new(32);
    e->d.on_export = take;
    e->d.export_user = &t;
    emu_set_lanes(e, 1);
    emu_set_all(e, 2, 7);
    e->w.sgpr[AMD_REG_EXEC_LO] = 0xff;
    emu_run_text(e, "exp mrt0 v1, off, v2, off\nexp pos0 v1, v1, v1, v1 done\n"
                    "exp param3 v2, v1, off, off");
    assert_int_equal(t.n, 3);
    assert_int_equal(t.last.target, 35);
    assert_int_equal(t.last.enabled, 3);
    assert_int_equal(t.last.lanes, 0xff);
    assert_int_equal(t.last.value[0][5], 7);
    assert_int_equal(t.last.value[1][5], 105);
    emu_run_text(e, "exp mrt1 v1, v1, v2, v2 done compr vm");
    assert_true(t.last.compressed && t.last.done && t.last.valid_mask);
    assert_int_equal(t.last.value[1][0], 7);
    assert_int_equal(e->w.exports, 4);
    emu_env_free(e);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_src2),           cmocka_unit_test(test_conditional_exchange),
        cmocka_unit_test(test_interpolation),  cmocka_unit_test(test_gds),
        cmocka_unit_test(test_ordered_count),  cmocka_unit_test(test_gws_barrier),
        cmocka_unit_test(test_gws_semaphores), cmocka_unit_test(test_exports),
        cmocka_unit_test(test_lds_direct),     cmocka_unit_test(test_vinterp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
