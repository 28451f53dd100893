/* The contents of registers when a wave starts, by generation, and the meaning of a kernel's
 * register words. */
#include "emu_env.h"

#include "amd/emu/core/gens.h"
#include "amd/emu/run/entry.h"
#include "amd/emu/run/load.h"

/* The second wave of a group of 3 waves of 8 by 4 by 6 work items, with all system SGPRs. */
static emu_env *
start(amd_gen gen)
{
    emu_env *e = emu_env_new(64);
    e->d.gen = gen;
    e->d.wave_size = 64;
    e->d.scratch_bytes = 16;
    memcpy(e->d.group_size, (uint32_t[]){8, 4, 6}, sizeof e->d.group_size);
    e->d.user_sgprs[0] = 77;
    e->d.n_user_sgprs = 1;
    for (int a = 0; a < 3; a++) {
        e->d.workgroup_id[a] = true;
        e->g.id[a] = 5 + (uint32_t)a;
    }
    e->d.workgroup_info = e->d.scratch_wave_offset = true;
    e->d.workitem_ids = 2;
    e->g.n_waves = 3;
    e->w.index = 1;
    amd_emu_start_wave(&e->w);
    assert_int_equal(amd_emu_exec(&e->w), UINT64_MAX);
    assert_int_equal(e->w.sgpr[0], 77);
    return e;
}

static void
test_system_sgprs(void **state)
{
    (void)state;
    for (int gen = 0; gen < AMD_GFX12; gen++) {
        emu_env *e = start((amd_gen)gen);
        for (uint32_t a = 0; a < 3; a++)
            assert_int_equal(e->w.sgpr[1 + a], 5 + a);
        assert_int_equal(e->w.sgpr[4] & 63, 3);
        assert_int_equal(e->w.sgpr[4] >> 6 & 63, 1); /* RADV reads it there */
        if (gen >= AMD_GFX10_3)
            assert_int_equal(e->w.sgpr[4] >> 20 & 31, 1);
        else
            assert_int_equal(e->w.sgpr[4] >> 31, 0); /* not the first wave */
        if (gen >= AMD_GFX11 || gen == AMD_GFX942 || gen == AMD_GFX950)
            assert_int_equal(e->w.flat_scratch, AMD_EMU_SCRATCH_BASE + 16 * 64);
        else
            assert_int_equal(e->w.sgpr[5], 16 * 64);
        emu_env_free(e);
    }
    emu_env *e = start(AMD_GFX12);
    assert_int_equal(e->w.sgpr[AMD_REG_TTMP0 + 9], 5);
    assert_int_equal(e->w.sgpr[AMD_REG_TTMP0 + 7], 6 | 7 << 16);
    assert_int_equal(e->w.sgpr[AMD_REG_TTMP0 + 8] >> 25 & 31, 1);
    assert_int_equal(e->w.flat_scratch, AMD_EMU_SCRATCH_BASE + 16 * 64);
    emu_env_free(e);
}

/* Work item 8 * 4 * 2 + 13 of wave 1 is (5, 1, 2). */
static void
test_work_items(void **state)
{
    (void)state;
    for (int g = 0; g < AMD_GEN_COUNT; g++) {
        emu_env *e = start((amd_gen)g);
        if (amd_emu_gen_of((amd_gen)g)->packed_ids) {
            assert_int_equal(e->w.vgpr[0][13], 5 | 1 << 10 | 2 << 20);
        } else {
            assert_int_equal(e->w.vgpr[0][13], 5);
            assert_int_equal(e->w.vgpr[1][13], 1);
            assert_int_equal(e->w.vgpr[2][13], 2);
        }
        emu_env_free(e);
    }
    assert_true(amd_emu_gen_of(AMD_GFX11)->packed_ids);
    assert_false(amd_emu_gen_of(AMD_GFX10_3)->packed_ids);
}

/* Granules of the register counts, MODE. Words as LLVM's AMDGPUUsage describes them: VGPR count 3,
 * SGPR count 4, rounding 1, denormals 0xc, DX10_CLAMP, IEEE off. */
static void
test_counts(void **state)
{
    static const struct {
        const char *target;
        amd_gen gen;
        uint32_t wave, vgprs, sgprs, mode;
    } cases[] = {
        {"gfx601", AMD_GFX6, 64, 16, 40, 0x1c1},      {"gfx701", AMD_GFX7, 64, 16, 40, 0x1c1},
        {"gfx803", AMD_GFX8, 64, 16, 40, 0x1c1},      {"gfx906", AMD_GFX908, 64, 16, 48, 0x1c1},
        {"gfx908", AMD_GFX908, 64, 16, 48, 0x1c1},    {"gfx90a", AMD_GFX90A, 64, 8, 48, 0x1c1},
        {"gfx942", AMD_GFX942, 64, 8, 48, 0x1c1},     {"gfx950", AMD_GFX950, 64, 8, 48, 0x1c1},
        {"gfx90c", AMD_GFX9, 64, 16, 48, 0x1c1},      {"gfx1010", AMD_GFX10, 32, 32, 106, 0x1c1},
        {"gfx1030", AMD_GFX10_3, 64, 16, 106, 0x1c1}, {"gfx1102", AMD_GFX11, 32, 32, 106, 0x1c1},
        {"gfx1151", AMD_GFX11_5, 64, 16, 106, 0x1c1}, {"gfx1201", AMD_GFX12, 32, 32, 106, 0x3c1},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const amd_obj_state launch = {
            .rsrc = {3 | 4 << 6 | 0xc1 << 12 | 1 << 21, 0, 1 /* ACCUM_OFFSET: 8 */}};
        obj_code code = {
            .target = cases[k].target, .wave_size = (uint8_t)cases[k].wave, .own = &launch};
        amd_emu_dispatch d = {0};
        assert_true(amd_emu_set_up(&d, &code, 0));
        assert_int_equal(d.gen, cases[k].gen);
        assert_int_equal(d.n_vgprs, cases[k].vgprs);
        assert_int_equal(d.n_sgprs, cases[k].sgprs);
        assert_int_equal(d.mode, cases[k].mode);
        assert_int_equal(d.n_agprs, d.gen == AMD_GFX908                          ? 16
                                    : d.gen >= AMD_GFX90A && d.gen <= AMD_GFX950 ? 24
                                                                                 : 0);
    }
    /* 512 VGPRs with ACCUM_OFFSET 4: accumulation registers have only 256 numbers */
    const amd_obj_state most = {.rsrc = {63}};
    obj_code large = {.target = "gfx90a", .wave_size = 64, .own = &most};
    amd_emu_dispatch d = {0};
    assert_true(amd_emu_set_up(&d, &large, 0));
    assert_int_equal(d.n_vgprs, 4);
    assert_int_equal(d.n_agprs, 256);
    obj_code unknown = {.target = "gfx1300", .wave_size = 32};
    assert_false(amd_emu_set_up(&d, &unknown, 0));
}

/* A user SGPR item that does not fit is not set; arguments of absurd size have no room. */
static void
test_absurd_kernels(void **state)
{
    const amd_obj_user_sgpr last = {AMD_OBJ_USER_KERNARG_POINTER, 0, 31, 1};
    const amd_obj_state launch = {.user_sgprs = &last, .n_user_sgprs = 1};
    obj_code code = {.target = "gfx1030", .wave_size = 32, .own = &launch};
    amd_emu_dispatch d = {.group_size = {32, 1, 1}, .grid_groups = {1, 1, 1}, .n_user_sgprs = 7};
    (void)state;
    emu_env *e = emu_env_new(32);
    assert_true(amd_emu_set_up_hsa(&d, &code, &e->memory, NULL, 0));
    assert_int_equal(d.user_sgprs[31], 0);
    assert_int_equal(d.n_user_sgprs, 7);
    code.args_size = UINT32_MAX;
    assert_false(amd_emu_set_up_hsa(&d, &code, &e->memory, NULL, 0));
    emu_env_free(e);
}

/* The address of private memory, from FLAT_SCRATCH on each generation: dword 1 of lane 3 of the
 * second wave. A flat address in the private aperture accesses it. */
static void
test_flat_scratch(void **state)
{
    enum { BYTES = 16 * 64 * 2, AT = 16 * 64 + (64 + 3) * 4 };
    (void)state;
    for (int gen = AMD_GFX7; gen < AMD_GEN_COUNT; gen++) {
        const emu_gen *g = amd_emu_gen_of((amd_gen)gen);
        if (amd_op_number(AMD_FLAT_LOAD_DWORD, AMD_FLAT, (amd_gen)gen) < 0)
            continue;
        emu_env *e = emu_env_new(64);
        uint8_t *bytes = arena_zalloc(&e->a, BYTES);
        uint64_t base = AMD_EMU_SCRATCH_BASE + 16 * 64;
        mach_memory_map(&e->memory, AMD_EMU_SCRATCH_BASE, BYTES, bytes, "scratch");
        memcpy(bytes + AT, &(uint32_t){77}, 4);
        e->d.gen = (amd_gen)gen;
        e->d.scratch_bytes = 16;
        e->w.sgpr[AMD_REG_EXEC_LO] = 8;
        e->w.sgpr[AMD_REG_EXEC_HI] = 0;
        emu_set_all(e, 4, 4);
        emu_set_all(e, 5, (uint32_t)(AMD_EMU_PRIVATE_BASE >> 32));
        uint32_t *s = &e->w.sgpr[g->flat_scratch_sgpr];
        if (g->flat_scratch == EMU_FS_OFFSET)
            s[0] = 16, s[1] = 16 * 64 >> 8;
        else if (g->flat_scratch == EMU_FS_SGPRS)
            s[0] = (uint32_t)base, s[1] = (uint32_t)(base >> 32);
        else
            e->w.flat_scratch = base;
        emu_run_text(e,
                     gen >= AMD_GFX11 ? "flat_load_b32 v3, v[4:5]" : "flat_load_dword v3, v[4:5]");
        assert_int_equal(e->w.vgpr[3][3], 77);
        assert_int_equal(e->w.vgpr[3][2], 0);
        emu_env_free(e);
    }
}

/* m0 limits LDS on gfx6 to gfx8: beyond it, loads give 0 and stores are dropped. */
static void
test_lds_limit(void **state)
{
    (void)state;
    for (int gen = AMD_GFX6; gen <= AMD_GFX9; gen++) {
        if (amd_op_number(AMD_DS_READ_B32, AMD_DS, (amd_gen)gen) < 0)
            continue;
        emu_env *e = emu_env_new(64);
        bool limited = gen < AMD_GFX9;
        uint32_t word = 55, got;
        e->d.gen = (amd_gen)gen;
        memcpy(e->g.lds + 8, &word, 4);
        memcpy(e->g.lds + 12, &word, 4);
        e->w.sgpr[AMD_REG_M0] = 12;
        emu_set_all(e, 1, 8);
        emu_set_all(e, 4, 9);
        emu_run_text(
            e, "ds_read_b32 v2, v1\nds_read_b32 v3, v1 offset:4\nds_write_b32 v1, v4 offset:4");
        assert_int_equal(e->w.vgpr[2][0], 55);
        assert_int_equal(e->w.vgpr[3][0], limited ? 0 : 55);
        memcpy(&got, e->g.lds + 12, 4);
        assert_int_equal(got, limited ? 55 : 9);
        emu_env_free(e);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_system_sgprs),   cmocka_unit_test(test_work_items),
        cmocka_unit_test(test_counts),         cmocka_unit_test(test_flat_scratch),
        cmocka_unit_test(test_absurd_kernels), cmocka_unit_test(test_lds_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
