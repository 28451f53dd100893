/* Features of gfx6 and gfx7: scalar loads whose offsets count dwords, 64-bit addresses of buffers,
 * the limit of LDS in m0, comparisons that signal, lanes in VOP2, unusable flags of quotients. */
#include "emu_env.h"

enum { WORDS = 512, FIRST = 100 };

/* The words at s[0:1] are FIRST, FIRST + 1 ...; s[4:7] is their V#, v0 the lane. The first word
 * receives v8 of lane 0. */
#define BEGIN                                                                                      \
    "s_mov_b32 s4, s0\ns_mov_b32 s5, s1\ns_mov_b32 s6, -1\ns_mov_b32 s7, 0xf000\n"                 \
    "v_mov_b32 v8, 0\nv_mov_b32 v9, 0\ns_mov_b32 m0, -1\n"
#define END                                                                                        \
    "s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)\ns_mov_b64 exec, 1\nv_mov_b32 v9, v8\n"               \
    "buffer_store_dword v9, off, s[4:7], 0"

typedef struct test_case {
    const char *text;
    uint32_t want;
    amd_gen first;       /* of gfx6 and gfx7 */
    const char *finding; /* part of the finding's message; NULL: no finding */
} test_case;

static void
run(amd_gen gen, const test_case *c)
{
    char text[2048];
    uint32_t data[WORDS];
    const amd_emu_dispatch d = {.gen = gen,
                                .wave_size = 64,
                                .n_vgprs = 16,
                                .lds_bytes = 256,
                                .group_size = {64, 1, 1},
                                .grid_groups = {1, 1, 1},
                                .checks = MACH_CHECK_ALL,
                                .max_instructions = 1000};
    for (uint32_t k = 0; k < WORDS; k++)
        data[k] = FIRST + k;
    snprintf(text, sizeof text, BEGIN "%s\n" END, c->text);
    const mach_report r = emu_dispatch_text(d, text, data, WORDS);
    if (r.status != MACH_RUN_DONE)
        fail_msg("%s: status %d", c->text, (int)r.status);
    if (!c->finding && r.total)
        fail_msg("%s: `%s`: %s", c->text, r.findings[0].text, r.findings[0].message);
    if (c->finding && (!r.total || !strstr(r.findings[0].message, c->finding)))
        fail_msg("%s: no finding with '%s'", c->text, c->finding);
    if (data[0] != c->want)
        fail_msg("%s: %u, should be %u", c->text, data[0], c->want);
}

static void
run_all(const test_case *cases, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        if (cases[k].first == AMD_GFX6)
            run(AMD_GFX6, &cases[k]);
        run(AMD_GFX7, &cases[k]);
    }
}
#define RUN(cases) run_all(cases, sizeof cases / sizeof *cases)

#define LOADED "\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v8, s8"

static void
test_scalar_loads(void **state)
{
    static const test_case cases[] = {
        {"s_load_dword s8, s[0:1], 0x5" LOADED, FIRST + 5, AMD_GFX6, NULL},
        {"s_load_dword s8, s[0:1], 0xff" LOADED, FIRST + 255, AMD_GFX6, NULL},
        {"s_load_dword s8, s[0:1], 0x100" LOADED, FIRST + 256, AMD_GFX7, NULL}, /* a literal */
        {"s_load_dwordx4 s[8:11], s[0:1], 0x4" LOADED, FIRST + 4, AMD_GFX6, NULL},
        /* registers hold bytes */
        {"s_mov_b32 s9, 20\ns_load_dword s8, s[0:1], s9" LOADED, FIRST + 5, AMD_GFX6, NULL},
        {"s_mov_b32 s9, 22\ns_load_dword s8, s[0:1], s9" LOADED, FIRST + 5, AMD_GFX6, NULL},
        {"s_mov_b32 s6, 24\ns_nop 3\ns_buffer_load_dword s8, s[4:7], 0x5" LOADED, FIRST + 5,
         AMD_GFX6, NULL},
        {"s_mov_b32 s6, 24\ns_nop 3\ns_buffer_load_dword s8, s[4:7], 0x6" LOADED, 0, AMD_GFX6,
         NULL},
    };
    (void)state;
    RUN(cases);
}

static void
test_addresses(void **state)
{
    static const test_case cases[] = {
        /* the V#'s base, the address, the instruction's and the scalar offset */
        {"v_mov_b32 v2, 8\nv_mov_b32 v3, 0\n"
         "buffer_load_dword v8, v[2:3], s[4:7], 0 addr64 offset:4\ns_waitcnt vmcnt(0)",
         FIRST + 3, AMD_GFX6, NULL},
        {"v_mov_b32 v2, 8\nv_mov_b32 v3, 0\ns_mov_b32 s9, 16\n"
         "buffer_load_dword v8, v[2:3], s[4:7], s9 addr64\ns_waitcnt vmcnt(0)",
         FIRST + 6, AMD_GFX6, NULL},
        {"v_mov_b32 v2, s0\nv_mov_b32 v3, s1\nv_add_i32 v2, vcc, 12, v2\n"
         "flat_load_dword v8, v[2:3]\ns_waitcnt vmcnt(0) lgkmcnt(0)",
         FIRST + 3, AMD_GFX7, NULL},
        /* gfx6 reads the data of a store late, which expcnt counts */
        {"v_mov_b32 v1, 7\nbuffer_store_dword v1, off, s[4:7], 0 offset:16\ns_waitcnt expcnt(0)\n"
         "v_mov_b32 v1, 8",
         0, AMD_GFX6, NULL},
    };
    static const test_case late = {
        "v_mov_b32 v1, 7\nbuffer_store_dword v1, off, s[4:7], 0 offset:16\nv_mov_b32 v1, 8", 0,
        AMD_GFX6, "expcnt"};
    (void)state;
    RUN(cases);
    run(AMD_GFX6, &late);
}

static void
test_local_memory(void **state)
{
    static const test_case cases[] = {
        {"v_mov_b32 v1, 4\nv_mov_b32 v2, 55\ns_mov_b32 m0, 8\nds_write_b32 v1, v2\n"
         "ds_read_b32 v8, v1\ns_waitcnt lgkmcnt(0)",
         55, AMD_GFX6, NULL},
        /* beyond m0's limit: nothing is written, 0 is read */
        {"v_mov_b32 v1, 8\nv_mov_b32 v2, 55\ns_mov_b32 m0, 8\nds_write_b32 v1, v2\n"
         "ds_read_b32 v8, v1\ns_waitcnt lgkmcnt(0)",
         0, AMD_GFX6, NULL},
        /* no rotations and no FFT yet: a permutation of four */
        {"v_mov_b32 v1, v0\nds_swizzle_b32 v8, v1 offset:0xe01b\ns_waitcnt lgkmcnt(0)", 3, AMD_GFX6,
         NULL},
        {"v_mov_b32 v1, v0\nds_swizzle_b32 v8, v1 offset:0xc01b\ns_waitcnt lgkmcnt(0)", 3, AMD_GFX6,
         NULL},
    };
    (void)state;
    RUN(cases);
}

static void
test_lanes(void **state)
{
    static const test_case cases[] = {
        {"v_cvt_f32_u32 v1, v0\nv_cmpsx_gt_f32 vcc, 2.0, v1\ns_mov_b32 s8, exec_lo\nv_mov_b32 v8, "
         "s8",
         3, AMD_GFX6, NULL},
        {"v_cvt_f32_u32 v1, v0\nv_cmps_ngt_f32 vcc, 2.0, v1\ns_mov_b32 s8, vcc_lo\nv_mov_b32 v8, "
         "s8",
         0xfffffffc, AMD_GFX6, NULL},
        {"s_mov_b32 s9, 5\nv_readlane_b32 s8, v0, s9\nv_mov_b32 v8, s8", 5, AMD_GFX6, NULL},
        {"s_mov_b32 s8, 77\ns_mov_b32 s9, 0\nv_writelane_b32 v8, s8, s9", 77, AMD_GFX6, NULL},
        {"v_bfm_b32 v8, 4, 8", 0xf00, AMD_GFX6, NULL},
        {"v_mbcnt_lo_u32_b32 v8, -1, 3", 3, AMD_GFX6, NULL},
    };
    /* the flag of v_div_scale_f64 */
    static const char scale[] = "v_mov_b32 v2, 0\nv_mov_b32 v3, 0x3ff00000\nv_div_scale_f64 "
                                "v[4:5], vcc, v[2:3], v[2:3], v[2:3]\n"
                                "s_nop 3\nv_cndmask_b32 v8, 1, v0, vcc";
    test_case flag = {scale, 1, AMD_GFX6, "undefined"};
    (void)state;
    RUN(cases);
    run(AMD_GFX6, &flag);
    flag.finding = NULL;
    run(AMD_GFX7, &flag);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalar_loads),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_local_memory),
        cmocka_unit_test(test_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
