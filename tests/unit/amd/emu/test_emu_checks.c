/* The emulator's checkers: each finds and reports the errors that it is meant for, and has no
 * findings in correct programs.
 */
#include "amd/emu/run/share.h"
#include "emu_env.h"

typedef struct outcome {
    bool ok;
    size_t peak; /* bytes */
    mach_report r;
} outcome;

/* Runs `text` as a dispatch of one wave32 (or as `d` specifies); s[0:1] is the address of a buffer
 * of 1024 bytes, v0 the lane. */
static outcome
run(const char *text, amd_emu_dispatch d)
{
    arena a;
    mach_memory m;
    outcome o;
    arena_init(&a, &base_malloc_allocator, one_wave_no_memory, NULL);
    mach_memory_init(&m, &a);
    if (!d.wave_size)
        d.wave_size = 32;
    if (!d.group_size[0])
        d.group_size[0] = d.wave_size;
    d.group_size[1] = d.group_size[2] = 1;
    d.grid_groups[0] = d.grid_groups[1] = d.grid_groups[2] = 1;
    d.gen = d.gen ? d.gen : AMD_GFX10_3;
    d.checks = MACH_CHECK_ALL;
    d.lds_bytes = 1024;
    d.n_vgprs = d.n_vgprs ? d.n_vgprs : 32;
    mach_region *data = mach_memory_alloc(&m, MACH_HEAP_LOW, 1024, 0, "data");
    text = arena_printf(&a, "%s\ns_endpgm\n", text);
    d.entry = emu_assemble_for(d.gen, &a, &m, d.wave_size, text)->base;
    d.user_sgprs[0] = (uint32_t)data->base;
    d.user_sgprs[1] = (uint32_t)(data->base >> 32);
    d.n_user_sgprs = 2;
    o.ok = amd_emu_run(&d, &m, &a, &o.r);
    o.peak = arena_peak(&a);
    arena_free(&a);
    return o;
}

static void
expect_clean(const char *text)
{
    outcome o = run(text, (amd_emu_dispatch){0});
    if (!o.ok)
        fail_msg("%s\n%s", text, o.r.findings[0].message);
}

/* Exactly one kind of finding, whose message has `part`. */
static void
expect(const char *text, uint32_t check, const char *part)
{
    outcome o = run(text, (amd_emu_dispatch){0});
    if (o.ok)
        fail_msg("%s\nnothing was found", text);
    if (o.r.findings[0].check != check || !strstr(o.r.findings[0].message, part))
        fail_msg("%s\n%s: %s", text, mach_check_name(o.r.findings[0].check),
                 o.r.findings[0].message);
}

#define LOAD "v_lshlrev_b32 v1, 2, v0\nglobal_load_dword v2, v1, s[0:1]\n"

/* gfx942's moves of pairs: each half is undefined where the source's is. */
static void
test_moved_pairs(void **state)
{
    (void)state;
    const amd_emu_dispatch d = {.gen = AMD_GFX942, .wave_size = 64};
    const char *moves[] = {"v_mov_b64 v[4:5], v[2:3]",
                           "v_mov_b64_dpp v[4:5], v[2:3] row_newbcast:1 row_mask:0xf "
                           "bank_mask:0xf"};
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t high = 0; high < 2; high++) {
            char text[512];
            snprintf(text, sizeof text,
                     "v_mov_b32 v2, 1\nv_mov_b32 v1, 0\ns_nop 1\n%s\n"
                     "global_store_dword v1, v%u, s[0:1]",
                     moves[k], 4 + high);
            outcome o = run(text, d);
            if (o.ok == high)
                fail_msg("%s\n%s", text, o.ok ? "nothing was found" : o.r.findings[0].message);
            if (high && o.r.findings[0].check != MACH_CHECK_UNDEFINED)
                fail_msg("%s\n%s", text, o.r.findings[0].message);
        }
}

static void
test_waits(void **state)
{
    (void)state;
    uint32_t w = MACH_CHECK_WAITS;
    expect_clean(LOAD "s_waitcnt vmcnt(0)\nv_mov_b32 v3, v2");
    expect(LOAD "v_mov_b32 v3, v2", w, "v2 is read, but `global_load_dword v2, v1, s[0:1]`");
    expect(LOAD "v_mov_b32 v2, 0", w, "v2 is overwritten");
    expect(LOAD "s_waitcnt lgkmcnt(0)\nv_mov_b32 v3, v2", w, "vmcnt");
    /* in order: at vmcnt(1) the first of two has arrived, the second has not */
    expect_clean(LOAD "global_load_dword v3, v1, s[0:1]\ns_waitcnt vmcnt(1)\nv_mov_b32 v4, v2");
    expect(LOAD "global_load_dword v3, v1, s[0:1]\ns_waitcnt vmcnt(1)\nv_mov_b32 v4, v3", w, "v3");
    /* a second load may overwrite the first one's result, since they return in order */
    expect_clean(LOAD
                 "global_load_dword v2, v1, s[0:1] offset:4\ns_waitcnt vmcnt(0)\nv_mov_b32 v3, v2");
    /* scalar loads return in any order: only a wait for 0 suffices */
    expect("s_load_dword s4, s[0:1], 0\ns_load_dword s5, s[0:1], 4\ns_waitcnt "
           "lgkmcnt(1)\ns_mov_b32 s6, s4",
           w, "lgkmcnt");
    expect_clean("s_load_dword s4, s[0:1], 0\ns_load_dword s5, s[0:1], 4\ns_waitcnt "
                 "lgkmcnt(0)\ns_mov_b32 s6, s4");
    /* vcc is behind s105 */
    expect_clean(
        "s_load_dwordx4 s[104:107], s[0:1], 0\ns_waitcnt lgkmcnt(0)\ns_mov_b64 s[4:5], vcc");
    expect("s_load_dwordx4 s[104:107], s[0:1], 0\ns_mov_b64 s[4:5], vcc", w, "lgkmcnt");
    /* LDS in order, also with a scalar load outstanding */
    expect_clean(
        "v_mov_b32 v1, 0\nds_write_b32 v1, v1\nds_read_b32 v2, v1\ns_load_dword s4, s[0:1], 0\n"
        "ds_read_b32 v3, v1\ns_waitcnt lgkmcnt(1)\nv_mov_b32 v4, v2\ns_waitcnt lgkmcnt(0)");
    expect("v_mov_b32 v1, 0\nds_write_b32 v1, v1\nds_read_b32 v2, v1\ns_waitcnt "
           "lgkmcnt(1)\nv_mov_b32 v4, v2",
           w, "ds_read_b32");
    /* flat: the counter depends on where the lanes' addresses lead */
    expect("v_mov_b32 v2, s0\nv_mov_b32 v3, s1\nflat_load_dword v4, v[2:3]\ns_waitcnt "
           "lgkmcnt(0)\nv_mov_b32 v5, v4",
           w, "needs vmcnt(0)");
    expect_clean("v_mov_b32 v2, s0\nv_mov_b32 v3, s1\nflat_load_dword v4, v[2:3]\ns_waitcnt "
                 "vmcnt(0)\n"
                 "v_mov_b32 v5, v4");
    expect("v_mov_b32 v2, 0\nds_write_b32 v2, v2\ns_waitcnt lgkmcnt(0)\n"
           "s_mov_b64 s[4:5], src_shared_base\nv_mov_b32 v3, s5\nflat_load_dword v4, "
           "v[2:3]\ns_waitcnt vmcnt(0)\n"
           "v_mov_b32 v5, v4",
           w, "needs lgkmcnt(0)");
    /* a store's data may be overwritten at once */
    expect_clean("v_lshlrev_b32 v1, 2, v0\nglobal_store_dword v1, v0, s[0:1]\nv_mov_b32 v0, 0");
}

static void
test_memory(void **state)
{
    (void)state;
    uint32_t c = MACH_CHECK_MEMORY;
    expect("v_lshlrev_b32 v1, 2, v0\nglobal_store_dword v1, v0, s[0:1] offset:1000", c,
           "offset 1024 of data");
    expect("v_mov_b32 v1, 0x100\nv_mov_b32 v2, 0\nglobal_load_dword v3, v[1:2], off", c,
           "nothing is mapped");
    expect("v_mov_b32 v1, 1022\nds_write_b32 v1, v0", c, "1024 are allocated");
    expect("v_mov_b32 v1, 2\nglobal_atomic_add v1, v0, s[0:1]", c, "not aligned");
    expect("v_mov_b32 v40, 0", c, "v40 is used");
}

#define ADDRESS "v_lshlrev_b32 v1, 2, v0\nv_mov_b32 v2, v0\nv_mov_b32 v3, v0\n"
#define SWAP(a, b)                                                                                 \
    "v_xor_b32 " a ", " a ", " b "\nv_xor_b32 " b ", " a ", " b "\nv_xor_b32 " a ", " a ", " b "\n"

/* Registers that are exchanged by exclusive or; v8 and v9 are undefined. */
static void
test_exchanges(void **state)
{
    (void)state;
    const uint32_t u = MACH_CHECK_UNDEFINED;
    expect_clean(ADDRESS SWAP("v2", "v9") "global_store_dword v1, v9, s[0:1]");
    expect_clean(ADDRESS SWAP("v9", "v2") "global_store_dword v1, v9, s[0:1]");
    expect(ADDRESS SWAP("v2", "v9") "global_store_dword v1, v2, s[0:1]", u, "stored");
    expect_clean(ADDRESS SWAP("v2", "v9") SWAP("v2", "v9") "global_store_dword v1, v2, s[0:1]");
    expect_clean(ADDRESS "v_xor_b32 v2, v2, v9\nv_xor_b32 v3, v8, v3\nv_xor_b32 v8, v8, v3\n"
                         "v_xor_b32 v9, v9, v2\nv_xor_b32 v2, v2, v9\nv_xor_b32 v3, v3, v8\n"
                         "v_add_nc_u32 v8, v8, v9\nglobal_store_dword v1, v8, s[0:1]");
    /* what looks like an exchange, but another value lies between, or other lanes are active */
    expect(ADDRESS "v_xor_b32 v2, v2, v9\nv_add_nc_u32 v2, 1, v2\nv_xor_b32 v9, v9, v2\n"
                   "global_store_dword v1, v9, s[0:1]",
           u, "stored");
    expect(ADDRESS "v_xor_b32 v2, v2, v9\ns_mov_b32 exec_lo, 1\nv_xor_b32 v9, v9, v2\n"
                   "global_store_dword v1, v9, s[0:1]",
           u, "stored");
}

/* A lane that reads a lane of undefined number has an undefined result, where it matters; which lane
 * is written must be known. v9 is undefined. */
static void
test_lane_numbers(void **state)
{
    (void)state;
    const uint32_t u = MACH_CHECK_UNDEFINED;
#define HALF_DEFINED                                                                               \
    "v_lshlrev_b32 v1, 2, v0\ns_mov_b32 s4, exec_lo\ns_mov_b32 exec_lo, 0xffff\n"                  \
    "v_mov_b32 v9, 4\ns_mov_b32 exec_lo, s4\n"
    const char *read = "ds_bpermute_b32 v3, v9, v0\ns_waitcnt lgkmcnt(0)\n";
    char text[512];
    snprintf(text, sizeof text, "%s%s%s", HALF_DEFINED, read, "global_store_dword v1, v3, s[0:1]");
    expect(text, u, "stored");
    snprintf(text, sizeof text, "%s%s%s", HALF_DEFINED, read,
             "s_mov_b32 exec_lo, 0xffff\nglobal_store_dword v1, v3, s[0:1]");
    expect_clean(text);
    expect(HALF_DEFINED "ds_permute_b32 v3, v9, v0\ns_waitcnt lgkmcnt(0)", u, "lane number");
}

static void
test_undefined(void **state)
{
    (void)state;
    uint32_t u = MACH_CHECK_UNDEFINED;
    expect("s_cmp_eq_u32 s20, 0\ns_cbranch_scc1 x\nx:", u, "scc");
    expect("v_cmp_eq_u32 vcc_lo, 0, v9\ns_and_saveexec_b32 s4, vcc_lo", u, "exec");
    expect("v_lshlrev_b32 v1, 2, v0\nglobal_store_dword v1, v9, s[0:1]", u, "stored to data");
    expect("global_load_dword v3, v9, s[0:1]", u, "v9 is undefined and used as address");
    expect("v_mov_b32 v1, 0\nds_read_b32 v2, v1\ns_waitcnt lgkmcnt(0)\nglobal_store_dword v1, v2, "
           "s[0:1]",
           u, "stored");
    /* copies and unselected values are fine */
    expect_clean("v_mov_b32 v3, v9\nv_add_f32 v4, v3, v3\nv_cmp_lt_u32 vcc_lo, v0, v0\n"
                 "v_cndmask_b32 v5, v0, v9, vcc_lo\nv_lshlrev_b32 v1, 2, v0\nglobal_store_dword "
                 "v1, v5, s[0:1]");
    /* a byte inserted into undefined bytes and extracted again */
    expect_clean(
        "v_and_b32 v3, 0xff, v0\nv_mov_b32_sdwa v9, v3 dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE "
        "src0_sel:DWORD\n"
        "v_bfe_u32 v4, v9, 8, 8\nv_lshlrev_b32 v1, 2, v0\nglobal_store_dword v1, v4, s[0:1]");
    /* sums and products of values whose upper bytes are undefined; masks that clear those */
    const char *byte = "v_mov_b32_sdwa v9, v0 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE "
                       "src0_sel:BYTE_0\nv_lshlrev_b32 v1, 2, v0\n";
    static const char *const upwards[] = {"v_add_nc_u32 v3, v9, v9", "v_mul_lo_u16 v3, v9, v9",
                                          "v_mad_u16 v3, v9, v9, v9"};
    for (uint32_t k = 0; k < 3; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "%s%s\nv_and_or_b32 v3, v3, 0xff, 0\nglobal_store_dword v1, v3, s[0:1]", byte,
                 upwards[k]);
        expect_clean(text);
        snprintf(text, sizeof text,
                 "%s%s\nv_and_or_b32 v3, v3, 0x1ff, 0\nglobal_store_dword v1, v3, s[0:1]", byte,
                 upwards[k]);
        expect(text, u, "stored");
    }
    /* undefined bits above an addend, a shifted value, a field: the low word does not depend on
     * them */
    expect_clean("v_mad_u64_u32 v[8:9], null, 0, 0, v[0:1]\nv_lshlrev_b64 v[8:9], 2, v[8:9]\n"
                 "global_store_dword v8, v8, s[0:1]");
    expect("v_mad_u64_u32 v[8:9], null, 0, 0, v[0:1]\nglobal_store_dword v0, v9, s[0:1]", u,
           "stored");
    expect_clean("s_mov_b32 s4, 5\ns_bfe_i64 s[4:5], s[4:5], 0x80000\ns_cmp_eq_u32 s5, 0");
    expect("s_mov_b32 s4, 5\ns_bfe_i64 s[4:5], s[4:5], 0x280000\ns_cmp_eq_u32 s5, 0\n"
           "s_cbranch_scc1 x\nx:",
           u, "scc");
    /* bytes that lanes exchange, and halves of a pair that a shift by 0 copies */
    const char *exchanges[] = {"ds_bpermute_b32 v3, v1, v9", "ds_permute_b32 v3, v1, v9",
                               "ds_swizzle_b32 v3, v9 offset:0x8000"};
    for (uint32_t k = 0; k < 3; k++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s\ns_waitcnt lgkmcnt(0)\nglobal_store_byte v1, v3, s[0:1]",
                 byte, exchanges[k]);
        expect_clean(text);
        snprintf(text, sizeof text, "%s%s\ns_waitcnt lgkmcnt(0)\nglobal_store_short v1, v3, s[0:1]",
                 byte, exchanges[k]);
        expect(text, u, "stored");
    }
    expect_clean("s_mov_b32 s4, 5\nv_lshrrev_b64 v[2:3], 0, s[4:5]\n"
                 "global_store_dword v0, v2, s[0:1]");
    expect("s_mov_b32 s4, 5\nv_lshrrev_b64 v[2:3], 0, s[4:5]\nv_lshlrev_b32 v1, 2, v0\n"
           "global_store_dword v1, v3, s[0:1]",
           u, "stored");
    /* lane masks by bits: exec's value clears the undefined bits */
    expect_clean(
        "s_mov_b32 s4, -1\ns_and_b32 s5, s20, 0\ns_or_b32 s5, s5, s4\ns_mov_b32 exec_lo, s5");
}

/* A dot product does not depend on bytes that it multiplies by 0. Of v9 the lowest byte alone is
 * defined. */
static void
test_dot_products(void **state)
{
    (void)state;
    static const char *const dots[] = {"v_dot4_u32_u8 v3, v9, %s, 0", "v_dot4_i32_i8 v3, %s, v9, 0",
                                       "v_dot8_u32_u4 v3, v9, %s, 0"};
    const char *start = "v_mov_b32_sdwa v9, v0 dst_sel:BYTE_0 dst_unused:UNUSED_PRESERVE "
                        "src0_sel:BYTE_0\nv_lshlrev_b32 v1, 2, v0\nv_mov_b32 v2, 1\n";
    for (uint32_t k = 0; k < 3; k++) {
        char dot[64], text[512];
        snprintf(dot, sizeof dot, dots[k], "v2");
        snprintf(text, sizeof text, "%s%s\nglobal_store_dword v1, v3, s[0:1]", start, dot);
        expect_clean(text);
        /* one lane, which then stores or does not, has a factor for an undefined byte */
        const char *one = "%ss_mov_b32 s4, exec_lo\ns_mov_b32 exec_lo, 2\nv_mov_b32 v2, 0x101\n"
                          "s_mov_b32 exec_lo, s4\n%s\ns_mov_b32 exec_lo, %d\n"
                          "global_store_dword v1, v3, s[0:1]";
        snprintf(text, sizeof text, one, start, dot, 2);
        expect(text, MACH_CHECK_UNDEFINED, "stored");
        snprintf(text, sizeof text, one, start, dot, ~2);
        expect_clean(text);
        /* the zeros themselves are undefined */
        snprintf(dot, sizeof dot, dots[k], "v9");
        snprintf(text, sizeof text, "%s%s\nglobal_store_dword v1, v3, s[0:1]", start, dot);
        expect(text, MACH_CHECK_UNDEFINED, "stored");
    }
}

static void
test_hangs(void **state)
{
    (void)state;
    outcome o = run("s_mov_b32 s4, 1\nloop:\ns_cmp_eq_u32 s4, 0\ns_cbranch_scc0 loop",
                    (amd_emu_dispatch){.max_instructions = 1000});
    assert_false(o.ok);
    assert_int_equal(o.r.status, MACH_RUN_HANG);
    assert_non_null(strstr(o.r.findings[0].message, "it loops from"));
    /* a barrier that not all waves reach: waves that have ended do not count, so the dispatch
     * ends */
    o = run("v_readfirstlane_b32 s4, v0\ns_cmp_lg_u32 s4, 0\ns_cbranch_scc1 x\ns_barrier\nx:",
            (amd_emu_dispatch){.group_size = {64, 1, 1}});
    assert_true(o.ok);
}

/* Words with operands that the hardware does not support and the assembler refuses. */
static void
test_operands(void **state)
{
    (void)state;
    uint32_t m = MACH_CHECK_MEMORY;
    expect_clean(".long 0xd6ff0000, 0x00000902 /* v_lshlrev_b64 v[0:1], v2, s[4:5] */");
    expect(".long 0xd6ff0000, 0x00000802 /* v_lshlrev_b64 v[0:1], s2, s[4:5] */", m,
           "more scalar operands than the constant bus carries");
    expect_clean(".long 0xd76d0000, 0x04100602 /* v_add3_u32 v0, s2, s3, v4 */");
    expect(".long 0xd76d0000, 0x00100602 /* v_add3_u32 v0, s2, s3, s4 */", m,
           "more scalar operands than the constant bus carries");
}

/* An instruction that cannot be run has a finding and ends the run. */
static void
test_errors(void **state)
{
    (void)state;
    outcome o = run(".long 0xffffffff", (amd_emu_dispatch){0});
    assert_int_equal(o.r.status, MACH_RUN_BAD_CODE);
    o = run("s_mov_b64 s[2:3], 0\ns_setpc_b64 s[2:3]", (amd_emu_dispatch){0});
    assert_int_equal(o.r.status, MACH_RUN_BAD_CODE);
    o = run("image_gather4h v[0:3], v[4:5], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D",
            (amd_emu_dispatch){0});
    assert_int_equal(o.r.status, MACH_RUN_UNSUPPORTED);
    o = run("s_code_end", (amd_emu_dispatch){0});
    assert_int_equal(o.r.status, MACH_RUN_BAD_CODE);
    o = run("", (amd_emu_dispatch){.wave_size = 16});
    assert_int_equal(o.r.status, MACH_RUN_BAD_DISPATCH);
    const amd_emu_dispatch bad[] = {{.group_size = {2048, 1, 1}},
                                    {.n_vgprs = 257},
                                    {.n_agprs = 257},
                                    {.scratch_bytes = UINT32_MAX},
                                    {.scratch_bytes = 1 << 20}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_int_equal(run("", bad[k]).r.status, MACH_RUN_BAD_DISPATCH);
}

/* With more findings than the report can hold, the one that ended the run is kept. */
static void
test_end_is_kept(void **state)
{
    char text[32 * MACH_MAX_FINDINGS] = "";
    (void)state;
    for (unsigned k = 0; k < MACH_MAX_FINDINGS + 4; k++)
        strcat(text, "v_mov_b32 v40, 0\n");
    strcat(text, ".long 0xffffffff");
    outcome o = run(text, (amd_emu_dispatch){.n_vgprs = 8});
    assert_int_equal(o.r.status, MACH_RUN_BAD_CODE);
    assert_int_equal(o.r.n_findings, MACH_MAX_FINDINGS);
    assert_string_equal(o.r.findings[MACH_MAX_FINDINGS - 1].message,
                        "these bytes are not an instruction");
    /* and of another thread's */
    amd_emu_dispatch d = {.grid_groups = {2, 1, 1}};
    mach_report parts[2] = {o.r, {.status = MACH_RUN_TRAPPED, .stopped_at = 1, .n_findings = 1}};
    parts[0].status = MACH_RUN_DONE;
    parts[1].findings[0] = (mach_finding){.pc = 8, .group = {1, 0, 0}, .message = "trap"};
    assert_false(amd_emu_merge(&d, parts, 2, &o.r));
    assert_int_equal(o.r.n_findings, MACH_MAX_FINDINGS);
    assert_string_equal(o.r.findings[MACH_MAX_FINDINGS - 1].message, "trap");
}

/* Alternating between two regions takes no more memory than accessing each once. */
static void
test_regions_of_code(void **state)
{
    (void)state;
    outcome o = run("v_mov_b32 v1, 0\nv_mov_b32 v2, 0xbe802004\n" /* s_setpc_b64 s[4:5] */
                    "global_store_dword v1, v2, s[0:1]\ns_waitcnt_vscnt null, 0\n"
                    "s_movk_i32 s6, 0x1000\nloop:\ns_swappc_b64 s[4:5], s[0:1]\n"
                    "s_sub_u32 s6, s6, 1\ns_cmp_lg_u32 s6, 0\ns_cbranch_scc1 loop",
                    (amd_emu_dispatch){0});
    assert_int_equal(o.r.status, MACH_RUN_DONE);
    assert_int_equal(o.r.instructions, 6 + 5 * 0x1000);
    assert_in_range(o.peak, 1, 4 << 20);
}

/* Waves meet at barriers under any schedule: each wave writes its lane counts, all read the
 * others'. */
static void
test_barrier(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        outcome o = run(
            "v_lshlrev_b32 v1, 2, v0\nds_write_b32 v1, v0\ns_waitcnt lgkmcnt(0)\ns_barrier\n"
            "v_sub_nc_u32 v2, 0x1fc, v1\nds_read_b32 v3, v2\ns_waitcnt lgkmcnt(0)\n"
            "global_store_dword v1, v3, s[0:1]",
            (amd_emu_dispatch){.group_size = {128, 1, 1}, .seed = seed});
        assert_true(o.ok); /* without the barrier an undefined value would be stored */
    }
    outcome o = run("v_lshlrev_b32 v1, 2, v0\nds_write_b32 v1, v0\ns_waitcnt lgkmcnt(0)\n"
                    "v_sub_nc_u32 v2, 0x1fc, v1\nds_read_b32 v3, v2\ns_waitcnt lgkmcnt(0)\n"
                    "global_store_dword v1, v3, s[0:1]",
                    (amd_emu_dispatch){.group_size = {128, 1, 1}});
    assert_false(o.ok);
}

/* TG_SIZE: the number of waves and the wave's are defined; the ordered append term is not. */
static void
test_workgroup_info(void **state)
{
    static const char *const store = "v_mov_b32 v2, s3\nv_lshlrev_b32 v1, 2, v0\n"
                                     "global_store_dword v1, v2, s[0:1]";
    const struct {
        const char *field;
        bool defined;
    } cases[] = {{"0x60000", true},
                 {"0x50014", true},
                 {"0x60006", true},
                 {"0x30010", false},
                 {"0x1001f", false}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[256];
        snprintf(text, sizeof text, "s_bfe_u32 s3, s2, %s\n%s", cases[k].field, store);
        outcome o = run(text, (amd_emu_dispatch){.group_size = {96, 1, 1}, .workgroup_info = true});
        if (o.ok != cases[k].defined)
            fail_msg("%s: %s", text, o.ok ? "nothing was found" : o.r.findings[0].message);
    }
}

/* Rules have names of their own: findings at one instruction are told apart by rule and resource,
 * and each rule can be switched off. */
static void
test_rules(void **state)
{
    static const char text[] = "v_mov_b32 v1, s0\nv_mov_b32 v2, s1\nv_mov_b32 v3, 0\n"
                               "v_add_co_u32 v1, vcc_lo, 0x1000, v1\n"
                               "global_store_dword v[1:2], v40, off\ns_waitcnt_vscnt null, 0";
    mach_rule rule;
    (void)state;
    outcome o = run(text, (amd_emu_dispatch){0});
    assert_int_equal(o.r.n_findings, 2);
    assert_string_equal(o.r.findings[0].rule, "register-bounds");
    assert_string_equal(o.r.findings[1].rule, "store-bounds");
    assert_string_equal(o.r.findings[1].resource, "data");
    o = run(text, (amd_emu_dispatch){.rules_off = "x,store-bounds"});
    assert_int_equal(o.r.n_findings, 1);
    assert_int_equal(o.r.total, 1);
    assert_string_equal(o.r.findings[0].rule, "register-bounds");
    assert_true(run(text, (amd_emu_dispatch){.rules_off = "store-bounds,register-bounds"}).ok);
    /* every rule has a name, a sentence and one checker; none is called like a checker */
    for (uint32_t k = 0; amd_emu_get_rule(k, &rule); k++) {
        assert_true(*rule.name && *rule.text && base_is_pow2(rule.check));
        assert_int_equal(mach_find_check(rule.name, strlen(rule.name)), -1);
    }
}

static void
test_names(void **state)
{
    (void)state;
    assert_int_equal(mach_find_check("all", 3), MACH_CHECK_ALL);
    assert_int_equal(mach_find_check("none", 4), 0);
    assert_int_equal(mach_find_check("waits,hangs", 5), MACH_CHECK_WAITS);
    assert_int_equal(mach_find_check("wait", 4), -1);
    assert_string_equal(mach_check_name(MACH_CHECK_UNDEFINED), "undefined");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_waits),        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_moved_pairs),  cmocka_unit_test(test_undefined),
        cmocka_unit_test(test_dot_products), cmocka_unit_test(test_exchanges),
        cmocka_unit_test(test_lane_numbers), cmocka_unit_test(test_hangs),
        cmocka_unit_test(test_operands),     cmocka_unit_test(test_errors),
        cmocka_unit_test(test_end_is_kept),  cmocka_unit_test(test_regions_of_code),
        cmocka_unit_test(test_barrier),      cmocka_unit_test(test_workgroup_info),
        cmocka_unit_test(test_names),        cmocka_unit_test(test_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
