/* What RADV's compiler ACO emits and other compilers do not: forms that LLVM's assembler refuses,
 * tuples that end in vcc, and what it does to registers of other lanes. docs/emulator.md, "What
 * RADV's code uses", lists them. */
#include "amd/emu/desc/descriptor.h"
#include "amd/emu/desc/hwformat.h"
#include "emu_env.h"

/* Runs `text` as a group of one wave. */
static mach_report
run(amd_gen gen, const char *text, uint32_t *words, size_t n)
{
    uint32_t size = gen < AMD_GFX10 ? 64 : 32;
    return emu_dispatch_text((amd_emu_dispatch){.gen = gen,
                                                .wave_size = size,
                                                .n_vgprs = 64,
                                                .group_size = {size, 1, 1},
                                                .grid_groups = {1, 1, 1},
                                                .checks = MACH_CHECK_ALL},
                             text, words, n);
}

static void
compare(emu_env *e, const char *vcc, const char *lanes)
{
    char text[128];
    snprintf(text, sizeof text, "v_cmp_gt_u32_dpp %s, v1, v2 %s", vcc, lanes);
    emu_run_text(e, text);
}

/* Comparisons with DPP: a lane's mask bit is of the neighbour's number. */
static void
test_comparisons(void **state)
{
    static const amd_gen gens[] = {AMD_GFX8, AMD_GFX9, AMD_GFX10, AMD_GFX10_3};
    (void)state;
    for (size_t k = 0; k < sizeof gens / sizeof *gens; k++) {
        for (uint32_t size = gens[k] < AMD_GFX10 ? 64 : 32; size <= 64; size += 32) {
            emu_env *e = emu_env_new(size);
            e->d.gen = gens[k];
            const char *vcc = size == 64 ? "vcc" : "vcc_lo";
            emu_set_lanes(e, 1);
            emu_set_all(e, 2, 100 + 4);
            compare(e, vcc, "quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf");
            /* lanes 4 to 7 have 107, 106, 105, 104 */
            assert_int_equal(e->w.sgpr[AMD_REG_VCC_LO], 0xffffff70);
            compare(e, vcc, "row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1");
            /* the first lane of a row has no neighbour and reads 0; lane 5 reads 104 */
            assert_int_equal(e->w.sgpr[AMD_REG_VCC_LO], 0xfffeffc0);
            emu_env_free(e);
        }
    }
}

/* gfx10's 16-bit shifts, sums, minima and maxima in VOP3 read and write halves by op_sel. */
static void
test_halves(void **state)
{
    static const struct {
        const char *text;
        uint32_t want;
    } cases[] = {
        {"v_lshrrev_b16 v3, v1, v2 op_sel:[0,1,0]", 0xaaaa0876}, /* 0x8765 >> 4 */
        {"v_lshrrev_b16 v3, v1, v2 op_sel:[1,1,0]", 0xaaaa0087}, /* by 8 */
        {"v_lshrrev_b16 v3, v1, v2 op_sel:[0,0,1]", 0x0432aaaa},
        {"v_lshlrev_b16 v3, v1, v2 op_sel:[1,1,1]", 0x6500aaaa},
        {"v_ashrrev_i16 v3, v1, v2 op_sel:[0,1,1]", 0xf876aaaa},
        {"v_max_u16 v3, v1, v2 op_sel:[0,1,1]", 0x8765aaaa},
        {"v_min_i16 v3, v1, v2 op_sel:[1,1,0]", 0xaaaa8765},
        {"v_mul_lo_u16 v3, v1, v2 op_sel:[1,1,1]", 0x3b28aaaa},
    };
    static const amd_gen gens[] = {AMD_GFX10, AMD_GFX10_3};
    (void)state;
    for (size_t k = 0; k < 2 * (sizeof cases / sizeof *cases); k++) {
        emu_env *e = emu_env_new(64);
        e->d.gen = gens[k & 1];
        emu_set_all(e, 1, 0x00080004);
        emu_set_all(e, 2, 0x87654321);
        emu_set_all(e, 3, 0xaaaaaaaa);
        emu_run_text(e, cases[k / 2].text);
        if (e->w.vgpr[3][5] != cases[k / 2].want)
            fail_msg("%s: 0x%08x", cases[k / 2].text, (unsigned)e->w.vgpr[3][5]);
        emu_env_free(e);
    }
}

/* Makes a V# of the data in s[4:7], of `records` bytes, or strides if there is a stride. */
static const char *
descriptor(arena *a, amd_gen gen, uint32_t stride, uint32_t records)
{
    enum { FORMAT_32_32_UINT = 62 };
    uint32_t w[4];
    amd_buffer_desc d = {.stride = stride,
                         .num_records = records,
                         .format = FORMAT_32_32_UINT,
                         .oob = stride ? AMD_OOB_INDEX_AND_OFFSET : AMD_OOB_RAW,
                         .dst_sel = {AMD_SEL_X, AMD_SEL_Y, AMD_SEL_Z, AMD_SEL_W}};
    amd_buffer_encode(gen, &d, w);
    return arena_printf(a,
                        "s_mov_b32 s4, s0\ns_or_b32 s5, s1, 0x%x\ns_mov_b32 s6, 0x%x\n"
                        "s_mov_b32 s7, 0x%x\n",
                        (unsigned)w[1], (unsigned)w[2], (unsigned)w[3]);
}

/* s[104:107] is s104, s105 and vcc. A scalar load fills all of them. */
static void
loads_to_vcc(arena *a, amd_gen gen)
{
    uint32_t words[8] = {11, 22, 33, 44};
    const char *text = arena_printf(
        a,
        "%ss_buffer_load_dwordx4 s[104:107], s[4:7], 0x0\n%s\n"
        "v_mov_b32 v1, s104\nv_mov_b32 v2, s105\nv_mov_b32 v3, vcc_lo\nv_mov_b32 v4, vcc_hi\n"
        "v_mov_b32 v5, 16\nglobal_store_dwordx4 v5, v[1:4], s[0:1]",
        descriptor(a, gen, 0, 16), gen == AMD_GFX12 ? "s_wait_kmcnt 0x0" : "s_waitcnt lgkmcnt(0)");
    mach_report r = run(gen, text, words, 8);
    emu_expect_clean(text, &r);
    assert_memory_equal(words + 4, words, 16);
}

/* It holds a descriptor, too. */
static void
stores_by_vcc(arena *a, amd_gen gen)
{
    uint32_t words[64] = {0};
    const char *text = arena_printf(
        a,
        "%ss_mov_b64 s[104:105], s[4:5]\ns_mov_b64 vcc, s[6:7]\nv_add_nc_u32 v1, 0x64, v0\n"
        "v_add_nc_u32 v2, 7, v0\nbuffer_store_format_xy v[1:2], v0, s[104:107], %s idxen",
        descriptor(a, gen, 8, 32), gen == AMD_GFX12 ? "null" : "0");
    mach_report r = run(gen, text, words, 64);
    emu_expect_clean(text, &r);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(words[2 * l], 0x64 + l);
        assert_int_equal(words[2 * l + 1], 7 + l);
    }
}

static void
test_tuples_with_vcc(void **state)
{
    static const amd_gen gens[] = {AMD_GFX10, AMD_GFX10_3, AMD_GFX11, AMD_GFX11_5, AMD_GFX12};
    (void)state;
    for (size_t k = 0; k < sizeof gens / sizeof *gens; k++) {
        arena a;
        arena_init(&a, &base_malloc_allocator, one_wave_no_memory, NULL);
        loads_to_vcc(&a, gens[k]);
        stores_by_vcc(&a, gens[k]);
        arena_free(&a);
    }
}

/* An arm of a divergent if loads into a register, the other arm gives its lanes a constant while
 * the load is pending: `v_lshrrev_b64 v[4:5], 0, 0` is ACO's 0 of 64 bits. The lanes are different
 * ones. Up to gfx10.3 that is correct; from gfx11 on the vector ALU has to wait. */
static void
test_lanes_of_the_other_arm(void **state)
{
    static const char text[] =
        "v_lshlrev_b32 v1, 3, v0\nv_cmp_gt_u32 vcc, 16, v0\ns_mov_b64 s[2:3], exec\n"
        "s_and_b64 exec, s[2:3], vcc\nglobal_load_dwordx2 v[4:5], v1, s[0:1]\nv_nop\n"
        "s_andn2_b64 exec, s[2:3], exec\nv_lshrrev_b64 v[4:5], 0, 0\ns_mov_b64 exec, s[2:3]\n"
        "s_waitcnt vmcnt(0)\nglobal_store_dwordx2 v1, v[4:5], s[0:1]";
    static const struct {
        amd_gen gen;
        bool clean;
    } cases[] = {{AMD_GFX9, true}, {AMD_GFX10, true}, {AMD_GFX10_3, true}, {AMD_GFX11, false}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint32_t words[128];
        for (uint32_t w = 0; w < 128; w++)
            words[w] = 1000 + w;
        mach_report r = emu_dispatch_text((amd_emu_dispatch){.gen = cases[k].gen,
                                                             .wave_size = 64,
                                                             .n_vgprs = 16,
                                                             .group_size = {64, 1, 1},
                                                             .grid_groups = {1, 1, 1},
                                                             .checks = MACH_CHECK_ALL},
                                          text, words, 128);
        for (uint32_t w = 0; w < 128; w++)
            assert_int_equal(words[w], w < 32 ? 1000 + w : 0);
        if (cases[k].clean)
            emu_expect_clean(text, &r);
        else
            assert_string_equal(r.findings[0].rule, "wait-write");
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_tuples_with_vcc),
        cmocka_unit_test(test_lanes_of_the_other_arm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
