/* The wave's own state and scalar memory: hardware registers, traps, halting, scalar stores and
 * atomics. */
#include "emu_env.h"

/* ---- hardware registers ---- */

static void
test_hwregs(void **state)
{
    (void)state;
    emu_env *e = emu_env_new(64);
    e->w.mode = 0x3f2;
    e->w.n_vgprs = 40;
    e->w.index = 6;
    e->w.scc = true;
    e->d.trap_handler = 0x123456789a00;
    emu_run_text(e, "s_getreg_b32 s0, hwreg(HW_REG_MODE)\n"
                    "s_getreg_b32 s1, hwreg(HW_REG_MODE, 4, 4)\n"
                    "s_getreg_b32 s2, hwreg(HW_REG_STATUS, 0, 12)\n"
                    "s_getreg_b32 s3, hwreg(HW_REG_GPR_ALLOC, 8, 8)\n"
                    "s_getreg_b32 s4, hwreg(HW_REG_LDS_ALLOC, 12, 9)\n"
                    "s_getreg_b32 s5, hwreg(HW_REG_HW_ID1, 0, 10)\n"
                    "s_getreg_b32 s6, hwreg(HW_REG_TBA_LO)\n"
                    "s_getreg_b32 s7, hwreg(HW_REG_TBA_HI)\n"
                    "s_getreg_b32 s8, hwreg(HW_REG_SHADER_CYCLES)\n"
                    "s_getreg_b32 s9, hwreg(HW_REG_SHADER_CYCLES)\n");
    assert_int_equal(e->w.sgpr[0], 0x3f2);
    assert_int_equal(e->w.sgpr[1], 0xf);
    assert_int_equal(e->w.sgpr[2], 0x441); /* VCCZ, TRAP_EN, SCC */
    assert_int_equal(e->w.sgpr[3], 40 / 4 - 1);
    assert_int_equal(e->w.sgpr[4], 4096 / 256);
    assert_int_equal(e->w.sgpr[5], 1 | 2 << 8);
    assert_int_equal(e->w.sgpr[6], 0x3456789a);
    assert_int_equal(e->w.sgpr[7], 0x12);
    assert_true(e->w.sgpr[9] > e->w.sgpr[8]);
    emu_run_text(e, "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0xa\n"
                    "s_setreg_imm32_b32 hwreg(HW_REG_TRAPSTS, 8, 4), 5\n"
                    "s_setreg_imm32_b32 hwreg(HW_REG_STATUS), -1\n"
                    "s_getreg_b32 s0, hwreg(HW_REG_TRAPSTS)\n"
                    "s_getreg_b32 s1, hwreg(HW_REG_STATUS, 5, 1)\n");
    assert_int_equal(e->w.mode, 0x3fa);
    assert_int_equal(e->w.sgpr[0], 5 << 8);
    assert_int_equal(e->w.sgpr[1], 0);
    emu_env_free(e);
}

/* ---- whole programs ---- */

/* Runs `text` as a dispatch of one wave32; s[0:1] is the address of 1024 bytes, which are copied to
 * `memory`. */
static mach_report
run(amd_gen gen, const char *text, const char *handler, uint32_t memory[256])
{
    arena a;
    mach_memory m;
    mach_report r;
    amd_emu_dispatch d = {.gen = gen,
                          .wave_size = 32,
                          .group_size = {32, 1, 1},
                          .grid_groups = {1, 1, 1},
                          .checks = MACH_CHECK_ALL & ~MACH_CHECK_HAZARDS,
                          .n_user_sgprs = 2,
                          .max_instructions = 10000};
    arena_init(&a, &base_malloc_allocator, one_wave_no_memory, NULL);
    mach_memory_init(&m, &a);
    mach_region *data = mach_memory_alloc(&m, MACH_HEAP_LOW, 1024, 0, "data");
    memcpy(data->host, memory, 1024);
    d.entry = emu_assemble_for(gen, &a, &m, 32, text)->base;
    if (handler)
        d.trap_handler = emu_assemble_for(gen, &a, &m, 32, handler)->base;
    d.user_sgprs[0] = (uint32_t)data->base;
    d.user_sgprs[1] = (uint32_t)(data->base >> 32);
    amd_emu_run(&d, &m, &a, &r);
    memcpy(memory, data->host, 1024);
    arena_free(&a);
    return r;
}

static void
test_traps(void **state)
{
    uint32_t memory[256] = {0};
    (void)state;
    mach_report r = run(AMD_GFX10_3, "s_trap 2\ns_endpgm", NULL, memory);
    assert_int_equal(r.status, MACH_RUN_TRAPPED);
    assert_non_null(strstr(r.findings[0].message, "trap 2 (llvm.trap)"));
    /* a handler that continues after the trap and stores its number in s4 */
    static const char *const handler =
        "s_bfe_u32 s4, ttmp1, 0x80010\ns_and_b32 ttmp1, ttmp1, 0xffff\n"
        "s_add_u32 ttmp0, ttmp0, 4\ns_addc_u32 ttmp1, ttmp1, 0\n"
        "s_rfe_b64 ttmp[0:1]\n";
    r = run(AMD_GFX10_3,
            "s_trap 7\nv_mov_b32 v1, s4\nv_mov_b32 v2, 0\nglobal_store_dword v2, v1, s[0:1]\n"
            "s_endpgm",
            handler, memory);
    if (r.status != MACH_RUN_DONE || r.total)
        fail_msg("%s", r.findings[0].message);
    assert_int_equal(memory[0], 7);
    r = run(AMD_GFX10_3, "s_mov_b64 s[2:3], 0\ns_rfe_b64 s[2:3]\ns_endpgm", NULL, memory);
    assert_int_equal(r.status, MACH_RUN_TRAPPED);
    r = run(AMD_GFX10_3, "s_sethalt 1\ns_endpgm", NULL, memory);
    assert_int_equal(r.status, MACH_RUN_HANG);
    r = run(AMD_GFX10_3, "s_sethalt 0\ns_endpgm", NULL, memory);
    assert_int_equal(r.status, MACH_RUN_DONE);
    r = run(AMD_GFX10_3, "s_getreg_b32 s2, hwreg(31)\ns_endpgm", NULL, memory);
    assert_int_equal(r.status, MACH_RUN_UNSUPPORTED);
}

typedef struct words {
    uint32_t v[20];
} words;
#define WORDS(...)                                                                                 \
    (words)                                                                                        \
    {                                                                                              \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* The memory's first dwords before and after a gfx10 program; others are 0. */
static void
expect_words(const char *text, words before, words after)
{
    uint32_t memory[256] = {0};
    memcpy(memory, before.v, sizeof before.v);
    mach_report r = run(AMD_GFX10, text, NULL, memory);
    if (r.status != MACH_RUN_DONE || r.total)
        fail_msg("%s\n%s", text, r.findings[0].message);
    for (size_t k = 0; k < 20; k++)
        if (memory[k] != after.v[k])
            fail_msg("%s\ndword %zu is 0x%x, not 0x%x", text, k, memory[k], after.v[k]);
}

static void
test_scalar_stores(void **state)
{
    (void)state;
    expect_words(
        "s_mov_b32 s4, 11\ns_mov_b32 s5, 22\ns_store_dwordx2 s[4:5], s[0:1], 0x4\ns_endpgm",
        WORDS(1, 2, 3, 4), WORDS(1, 11, 22, 4));
    expect_words("s_mov_b32 s4, 11\ns_mov_b32 m0, 8\ns_store_dword s4, s[0:1], m0\ns_endpgm",
                 WORDS(1, 2, 3, 4), WORDS(1, 2, 11, 4));
    /* a scratch store's offset in a register counts 64 bytes */
    expect_words(
        "s_mov_b32 s4, 11\ns_mov_b32 s5, 1\ns_scratch_store_dword s4, s[0:1], s5\ns_endpgm",
        WORDS(0), WORDS(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11));
    /* buffers: 8 bytes; the dword beyond is not stored */
    expect_words("s_mov_b32 s4, s0\ns_mov_b32 s5, s1\ns_mov_b32 s6, 8\ns_mov_b32 s7, 0x31014fac\n"
                 "s_mov_b32 s8, 5\ns_mov_b32 s9, 6\ns_buffer_store_dwordx2 s[8:9], s[4:7], 0x4\n"
                 "s_endpgm",
                 WORDS(1, 2, 3), WORDS(1, 5, 3));
}

static void
test_scalar_atomics(void **state)
{
    (void)state;
    static const char *const tail =
        "s_waitcnt lgkmcnt(0)\ns_store_dword s4, s[0:1], 0x10\ns_endpgm";
    char text[512];
    static const struct {
        const char *op;
        uint32_t result;
    } cases[] = {{"add", 107}, {"sub", 93}, {"umin", 7}, {"umax", 100}, {"and", 4},
                 {"or", 103},  {"xor", 99}, {"inc", 0},  {"dec", 7},    {"swap", 7}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        snprintf(text, sizeof text, "s_mov_b32 s4, 7\ns_atomic_%s s4, s[0:1], 0 glc\n%s",
                 cases[k].op, tail);
        expect_words(text, WORDS(100), WORDS(cases[k].result, 0, 0, 0, 100));
        snprintf(text, sizeof text, "s_mov_b32 s4, 7\ns_atomic_%s s4, s[0:1], 0\n%s", cases[k].op,
                 tail);
        expect_words(text, WORDS(100), WORDS(cases[k].result, 0, 0, 0, 7));
    }
    snprintf(text, sizeof text, "s_mov_b64 s[4:5], 1\ns_atomic_add_x2 s[4:5], s[0:1], 0 glc\n%s",
             tail);
    expect_words(text, WORDS(UINT32_MAX, 1), WORDS(0, 2, 0, 0, UINT32_MAX));
    snprintf(text, sizeof text,
             "s_mov_b32 s4, 9\ns_mov_b32 s5, 100\ns_atomic_cmpswap s[4:5], s[0:1], 0 glc\n%s",
             tail);
    expect_words(text, WORDS(100), WORDS(9, 0, 0, 0, 100));
    expect_words(text, WORDS(99), WORDS(99, 0, 0, 0, 99));
}

/* Both halves of a wave64 run the body, one after the other; the branches count words from the next
 * instruction, as s_cbranch does. v3 counts the passes of each lane. */
static void
test_subvectors(void **state)
{
    static const struct {
        uint64_t exec;
        uint32_t low, high; /* v3 of lanes 1 and 33 */
    } rows[] = {{~UINT64_C(0), 1, 1}, {0xff, 1, 0}, {UINT64_C(0xff) << 32, 0, 1}, {0, 0, 0}};
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        emu_env *e = emu_env_new(64);
        e->w.sgpr[AMD_REG_EXEC_LO] = (uint32_t)rows[r].exec;
        e->w.sgpr[AMD_REG_EXEC_HI] = (uint32_t)(rows[r].exec >> 32);
        emu_run_text(e, "s_subvector_loop_begin s0, end\n"
                        "body: v_add_nc_u32 v3, 1, v3\n"
                        "s_subvector_loop_end s0, body\n"
                        "end:");
        assert_int_equal(e->w.vgpr[3][1], rows[r].low);
        assert_int_equal(e->w.vgpr[3][33], rows[r].high);
        assert_int_equal(e->w.sgpr[AMD_REG_EXEC_LO], (uint32_t)rows[r].exec);
        assert_int_equal(e->w.sgpr[AMD_REG_EXEC_HI], (uint32_t)(rows[r].exec >> 32));
        emu_env_free(e);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hwregs),         cmocka_unit_test(test_subvectors),
        cmocka_unit_test(test_traps),          cmocka_unit_test(test_scalar_stores),
        cmocka_unit_test(test_scalar_atomics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
