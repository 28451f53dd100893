/* The races checker. For each kind of conflict there is code that has it, which the checker must
 * report, and similar code that orders the accesses, which it must accept. */
#include "amd/emu/desc/descriptor.h"
#include "amd/emu/desc/texel.h"
#include "emu_env.h"

typedef struct race_case {
    const char *what;
    /* s[0:1] a buffer of 4096 bytes, s2 the group, v0 the work item; at byte 2048 the T# of the
     * first 1024 bytes as 256 texels of 32 bits */
    const char *text;
    uint32_t items, groups;
    const char *found; /* part of the message; NULL: nothing */
} race_case;

/* The lane's own dword in LDS and of the buffer, and its neighbour's in the other wave32. */
#define PLACES    "v_lshlrev_b32 v1, 2, v0\nv_xor_b32 v2, 0x80, v1\nv_mov_b32 v3, 0\nv_mov_b32 v6, 0\n"
/* v5 is the group; all lanes but the first do nothing */
#define ONE_LANE  "s_mov_b32 exec_lo, 1\nv_mov_b32 v3, 0\nv_mov_b32 v5, 5\n"
#define WAVE      "v_readfirstlane_b32 s4, v0\n" ONE_LANE "s_cmp_lg_u32 s4, 0\ns_cbranch_scc1 second\n"
#define WAIT      "s_waitcnt vmcnt(0) lgkmcnt(0)\ns_waitcnt_vscnt null, 0x0\n"
#define IMAGE     "s_load_dwordx8 s[8:15], s[0:1], 0x800\n" WAIT
#define DATA      "global_store_dword v3, v5, s[0:1]\n"
#define READ      "global_load_dword v6, v3, s[0:1]\n"
#define FLAG_ADD  "global_atomic_add v7, v3, v5, s[0:1] offset:64 glc\n"
#define FLAG_LOAD "global_load_dword v7, v3, s[0:1] offset:64 glc\n"
#define SPIN(flag)                                                                                 \
    "again:\n" flag WAIT "v_readfirstlane_b32 s5, v7\ns_cmp_eq_u32 s5, 0\ns_cbranch_scc1 again\n"
#define FLAG_STORE "global_store_dword v3, v5, s[0:1] offset:64\n"

static const race_case cases[] = {
    {"LDS: write, read of another wave",
     PLACES "ds_write_b32 v1, v0\n" WAIT "ds_read_b32 v4, v2\n" WAIT, 64, 1, "LDS byte"},
    {"LDS: with a barrier",
     PLACES "ds_write_b32 v1, v0\n" WAIT "s_barrier\nds_read_b32 v4, v2\n" WAIT, 64, 1, NULL},
    {"LDS: write not waited for",
     PLACES "ds_write_b32 v1, v0\ns_barrier\nds_read_b32 v4, v2\n" WAIT, 64, 1, "not waited for"},
    {"LDS: waited for behind the barrier",
     PLACES "ds_write_b32 v1, v0\ns_barrier\n" WAIT "ds_read_b32 v4, v2\n" WAIT, 64, 1,
     "not waited for"},
    {"LDS: waited for by count",
     PLACES "ds_write_b32 v1, v0\nds_read_b32 v4, v1\ns_waitcnt lgkmcnt(1)\ns_barrier\n"
            "ds_read_b32 v5, v2\n" WAIT,
     64, 1, NULL},
    {"LDS: own bytes only", PLACES "ds_write_b32 v1, v0\n" WAIT "ds_read_b32 v4, v1\n" WAIT, 64, 1,
     NULL},
    {"LDS: read, write of another wave",
     PLACES "ds_write_b32 v1, v0\n" WAIT "s_barrier\nds_read_b32 v4, v1\n" WAIT
            "ds_write_b32 v2, v0\n" WAIT,
     64, 1, "LDS byte"},
    {"LDS: read, barrier, write",
     PLACES "ds_write_b32 v1, v0\n" WAIT "s_barrier\nds_read_b32 v4, v1\n" WAIT
            "s_barrier\nds_write_b32 v2, v0\n" WAIT,
     64, 1, NULL},
    {"LDS: read not waited for, barrier, write",
     PLACES "ds_write_b32 v1, v0\n" WAIT
            "s_barrier\nds_read_b32 v4, v1\ns_barrier\nds_write_b32 v2, v0\n" WAIT,
     64, 1, "not waited for"},
    {"LDS: two writes", "v_mov_b32 v1, 0\nds_write_b32 v1, v0\n" WAIT, 64, 1,
     "store conflicts with the store"},
    {"LDS: two writes of one value", "v_mov_b32 v1, 0\nds_write_b32 v1, v1\n" WAIT, 64, 1, NULL},
    {"LDS: neighbouring bytes of a dword", "ds_write_b8 v0, v0\n" WAIT, 64, 1, NULL},
    {"LDS: the same bytes of a dword",
     "v_lshrrev_b32 v1, 5, v0\nv_mov_b32 v2, 1\nds_write_b8 v2, v1\n" WAIT, 64, 1, "LDS byte 1"},
    {"LDS: atomics", "v_mov_b32 v1, 0\nds_add_u32 v1, v0\n" WAIT, 64, 1, NULL},
    {"LDS: atomic and store",
     "v_mov_b32 v1, 0\n" WAVE "ds_write_b32 v3, v5\n" WAIT
     "s_endpgm\nsecond:\nds_add_u32 v3, v5\n" WAIT,
     64, 1, "atomic conflicts with the store"},
    {"LDS: atomic, barrier, load",
     "v_mov_b32 v1, 0\nds_add_u32 v1, v0\n" WAIT "s_barrier\nds_read_b32 v4, v1\n" WAIT, 64, 1,
     NULL},
    {"LDS: each group has its own", PLACES "ds_write_b32 v1, v0\n" WAIT "ds_read_b32 v4, v1\n" WAIT,
     32, 2, NULL},

    {"image: two waves write a texel",
     IMAGE "v_mov_b32 v1, 7\nimage_store v0, v1, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D\n" WAIT, 64,
     1, "byte 28 of data"},
    {"image: each lane a texel",
     IMAGE "image_store v0, v0, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D\n" WAIT, 64, 1, NULL},
    {"image: store, load by another wave",
     IMAGE "v_xor_b32 v2, 32, v0\nimage_store v0, v0, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D\n" WAIT
           "image_load v3, v2, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D\n" WAIT,
     64, 1, "of data"},
    {"image: store, barrier, load",
     IMAGE "v_xor_b32 v2, 32, v0\nimage_store v0, v0, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D\n" WAIT
           "s_barrier\nimage_load v3, v2, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D\n" WAIT,
     64, 1, NULL},
    {"image: atomics",
     IMAGE "v_mov_b32 v1, 7\nimage_atomic_add v0, v1, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D\n" WAIT,
     64, 1, NULL},

    {"global: two waves write",
     ONE_LANE "v_mov_b32 v4, s2\nv_readfirstlane_b32 s4, v0\nv_mov_b32 v5, s4\n" DATA WAIT, 64, 1,
     "byte 0 of data"},
    {"global: store, load", WAVE DATA WAIT "s_endpgm\nsecond:\n" READ WAIT, 64, 1,
     "no barrier between"},
    {"global: store, barrier, load",
     WAVE DATA WAIT "s_barrier\ns_endpgm\nsecond:\ns_barrier\n" READ WAIT, 64, 1, NULL},
    {"global: store not waited for",
     WAVE DATA "s_waitcnt vmcnt(0)\ns_barrier\n" WAIT "s_endpgm\nsecond:\ns_barrier\n" READ WAIT,
     64, 1, "not waited for"},
    {"global: the end waits", WAVE DATA "s_endpgm\nsecond:\ns_barrier\n" READ WAIT, 64, 1, NULL},
    {"global: scalar load", WAVE DATA WAIT "s_endpgm\nsecond:\ns_load_dword s5, s[0:1], 0x0\n" WAIT,
     64, 1, "load conflicts with the store"},
    {"global: two groups write", ONE_LANE "v_mov_b32 v5, s2\nv_add_nc_u32 v5, 7, v5\n" DATA, 32, 2,
     "by group 0"},
    {"global: two groups write places of their own",
     "s_lshl_b32 s3, s2, 7\nv_lshlrev_b32 v1, 2, v0\nv_add_nc_u32 v1, s3, v1\n"
     "global_store_dword v1, v0, s[0:1]\n",
     32, 4, NULL},
    {"global: groups read and one writes",
     ONE_LANE READ WAIT "s_cmp_lg_u32 s2, 2\ns_cbranch_scc1 x\n" DATA "x:\n", 32, 4,
     "store conflicts with the load by group"},
    {"global: groups read", ONE_LANE READ WAIT, 32, 4, NULL},
    {"global: groups count", ONE_LANE FLAG_ADD WAIT, 32, 4, NULL},
    {"global: groups count, one sets",
     ONE_LANE FLAG_ADD WAIT "s_cmp_lg_u32 s2, 2\ns_cbranch_scc1 x\n"
                            "global_store_dword v3, v3, s[0:1] offset:64\nx:\n",
     32, 4, NULL}, /* as a lock is released */
    {"global: groups store, one counts",
     ONE_LANE "s_cmp_eq_u32 s2, 3\ns_cbranch_scc1 x\nv_mov_b32 v5, s2\nv_add_nc_u32 v5, 9, v5\n"
              "s_cmp_eq_u32 s2, 0\ns_cbranch_scc0 y\n" FLAG_STORE
              "y:\ns_endpgm\nx:\n" FLAG_ADD WAIT,
     32, 4, "atomic conflicts with the store"},

    {"flag: data handed over by an atomic and a coherent load",
     WAVE DATA WAIT FLAG_ADD WAIT "s_endpgm\nsecond:\n" SPIN(FLAG_LOAD) READ WAIT, 64, 1, NULL},
    {"flag: by a plain store and a coherent load",
     WAVE DATA WAIT FLAG_STORE WAIT "s_endpgm\nsecond:\n" SPIN(FLAG_LOAD) READ WAIT, 64, 1, NULL},
    {"flag: by two atomics",
     WAVE DATA WAIT FLAG_ADD WAIT "s_endpgm\nsecond:\nv_mov_b32 v5, 0\n" SPIN(FLAG_ADD) READ WAIT,
     64, 1, NULL},
    {"flag: the data is written behind it",
     WAVE FLAG_ADD WAIT DATA WAIT "s_endpgm\nsecond:\n" READ WAIT FLAG_ADD WAIT, 64, 1,
     "load conflicts with the store"},
    {"flag: the last group reads what all wrote",
     "s_lshl_b32 s3, s2, 2\n" ONE_LANE
     "v_mov_b32 v4, s3\nv_mov_b32 v5, 1\nglobal_store_dword v4, v5, s[0:1]\n" WAIT FLAG_ADD WAIT
     "s_cmp_lg_u32 s2, 3\ns_cbranch_scc1 x\nglobal_load_dwordx4 v[8:11], v3, s[0:1]\n" WAIT "x:\n",
     32, 4, NULL},
    {"flag: no flag",
     "s_lshl_b32 s3, s2, 2\n" ONE_LANE
     "v_mov_b32 v4, s3\nv_mov_b32 v5, 1\nglobal_store_dword v4, v5, s[0:1]\n" WAIT
     "s_cmp_lg_u32 s2, 3\ns_cbranch_scc1 x\nglobal_load_dwordx4 v[8:11], v3, s[0:1]\n" WAIT "x:\n",
     32, 4, "no atomic orders the groups"},
    {"lock: taken by compare and swap, given back by a store",
     ONE_LANE "v_mov_b32 v8, 1\nv_mov_b32 v9, 0\n"
              "global_atomic_cmpswap v7, v3, v[8:9], s[0:1] offset:64 glc\n" WAIT READ WAIT
              "v_add_nc_u32 v5, 3, v6\n" DATA WAIT
              "global_store_dword v3, v9, s[0:1] offset:64\n" WAIT,
     64, 2, NULL},
    {"lock: others try in vain while it is held",
     ONE_LANE "v_mov_b32 v8, 1\nv_mov_b32 v9, 0\n"
              "again:\nglobal_atomic_cmpswap v7, v3, v[8:9], s[0:1] offset:64 glc\n" WAIT
              "v_readfirstlane_b32 s5, v7\ns_cmp_lg_u32 s5, 0\ns_cbranch_scc1 again\n" READ WAIT
              "v_add_nc_u32 v5, 3, v6\n" DATA WAIT
              "global_store_dword v3, v9, s[0:1] offset:64\n" WAIT,
     128, 2, NULL},
    {"flag: another wave gives a lock back",
     WAVE "v_mov_b32 v8, 1\nv_mov_b32 v9, 0\n"
          "global_atomic_cmpswap v7, v3, v[8:9], s[0:1] offset:64 glc\n" WAIT
          "s_endpgm\nsecond:\nglobal_store_dword v3, v5, s[0:1] offset:64\n" WAIT,
     64, 1, "store conflicts with the atomic"},
    {"guess: a load, then the wave's own atomic",
     ONE_LANE "global_load_dword v6, v3, s[0:1] offset:64\n" WAIT FLAG_ADD WAIT, 128, 1, NULL},
    {"guess: a load beside atomics, and none of the wave's own",
     WAVE FLAG_ADD WAIT "s_endpgm\nsecond:\nglobal_load_dword v6, v3, s[0:1] offset:64\n" WAIT, 64,
     1, "conflicts with the atomic"},
};

static void
run(const race_case *c, uint64_t seed, mach_report *r)
{
    arena a;
    mach_memory m;
    arena_init(&a, &base_malloc_allocator, one_wave_no_memory, NULL);
    mach_memory_init(&m, &a);
    mach_region *data = mach_memory_alloc(&m, MACH_HEAP_LOW, 4096, 0, "data");
    amd_emu_dispatch d = {.gen = AMD_GFX10_3,
                          .wave_size = 32,
                          .n_vgprs = 32,
                          .lds_bytes = 1024,
                          .user_sgprs = {(uint32_t)data->base, (uint32_t)(data->base >> 32)},
                          .n_user_sgprs = 2,
                          .workgroup_id = {true, false, false},
                          .group_size = {c->items, 1, 1},
                          .grid_groups = {c->groups, 1, 1},
                          .checks = MACH_CHECK_RACES,
                          .seed = seed};
    mach_image image = {
        .format = mach_format_from_name("r32_uint"), .dim = MACH_DIM_1D, .width = 256};
    amd_image_desc desc;
    uint32_t words[8];
    image.height = image.depth = image.layers = image.levels = image.samples = 1;
    assert_int_equal(mach_image_layout(&image), 1024);
    assert_true(amd_image_from_mach(AMD_GFX10_3, &image, data->base, &desc));
    amd_image_encode(AMD_GFX10_3, &desc, words);
    memcpy(data->host + 2048, words, sizeof words);
    d.entry = emu_assemble(&a, &m, 32, arena_printf(&a, "%s\ns_endpgm\n", c->text))->base;
    amd_emu_run(&d, &m, &a, r);
    arena_free(&a);
}

/* Returns what is wrong with the outcome, or NULL. The order of two accesses depends on the
 * schedule, so the text of the message is checked for one schedule only. */
static const char *
judge(const race_case *c, uint64_t seed, const mach_report *r)
{
    if (r->status != MACH_RUN_DONE)
        return "does not end";
    if (!c->found)
        return r->n_findings ? "something is found" : NULL;
    if (!r->n_findings) /* in another order the atomics of "flag" may order what they do not here */
        return seed && !strncmp(c->what, "flag", 4) ? NULL : "nothing is found";
    return seed == 0 && !strstr(r->findings[0].message, c->found) ? "something else is found"
                                                                  : NULL;
}

static void
test_cases(void **state)
{
    unsigned failed = 0;
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (uint64_t seed = 0; seed < 8; seed++) {
            mach_report r;
            run(&cases[k], seed, &r);
            const char *wrong = judge(&cases[k], seed, &r);
            failed += wrong != NULL;
            if (wrong)
                print_error("%s (seed %u): %s: %s\n", cases[k].what, (unsigned)seed, wrong,
                            r.n_findings ? r.findings[0].message : "");
        }
    assert_int_equal(failed, 0);
}

/* ---- what a dispatch has accessed ---- */

typedef struct touches {
    uint64_t base;
    char text[512];
} touches;

static void
note_touch(void *user, const amd_emu_touch *t)
{
    touches *n = user;
    size_t length = strlen(n->text);
    uint32_t w = t->writer.kind, r = t->reader.kind;
    snprintf(n->text + length, sizeof n->text - length, "%d+%d%s%s%s%s ",
             (int)(t->address - n->base), (int)t->size,
             w & AMD_EMU_ATOMIC ? "a"
             : w                ? "w"
                                : "",
             r ? "r" : "", r & AMD_EMU_SCALAR ? "s" : "", r & AMD_EMU_COHERENT ? "c" : "");
}

/* One wave: each way to access memory once, and what is not told of: LDS, a store of what is there
 * already, and scratch memory in a buffer (a V# with ADD_TID_ENABLE). */
static void
test_touches(void **state)
{
    (void)state;
    arena a;
    mach_memory m;
    mach_report r;
    touches n = {0};
    arena_init(&a, &base_malloc_allocator, NULL, NULL);
    mach_memory_init(&m, &a);
    const mach_region *data = mach_memory_alloc(&m, MACH_HEAP_LOW, 4096, 256, "data");
    n.base = data->base;
    amd_emu_dispatch d = {.gen = AMD_GFX10_3,
                          .wave_size = 32,
                          .n_vgprs = 32,
                          .lds_bytes = 256,
                          .user_sgprs = {(uint32_t)data->base, (uint32_t)(data->base >> 32)},
                          .n_user_sgprs = 2,
                          .group_size = {2, 1, 1},
                          .grid_groups = {1, 1, 1},
                          .checks = MACH_CHECK_RACES,
                          .touched = note_touch,
                          .touched_user = &n};
    d.entry = emu_assemble(&a, &m, 32,
                           "v_lshlrev_b32 v1, 2, v0\nv_mov_b32 v2, 5\nv_mov_b32 v3, 0\n"
                           "ds_write_b32 v1, v2\n"
                           "s_load_dword s4, s[0:1], 0x0\n"
                           "global_load_dword v4, v1, s[0:1] offset:256\n"
                           "global_load_dword v5, v1, s[0:1] offset:512 glc\n"
                           "global_store_dword v1, v2, s[0:1] offset:768\n"
                           "global_store_byte v0, v2, s[0:1] offset:1025\n"
                           "global_store_dword v1, v3, s[0:1] offset:1280\n"
                           "global_atomic_add v1, v2, s[0:1] offset:1536\n"
                           "s_mov_b32 s8, s0\ns_mov_b32 s9, s1\ns_mov_b32 s10, 0x800\n"
                           "s_mov_b32 s11, 0x00800000\n"
                           "buffer_store_dword v2, off, s[8:11], 0 offset:1792\n"
                           "s_endpgm\n")
                  ->base;
    assert_true(amd_emu_run(&d, &m, &a, &r));
    assert_string_equal(n.text, "0+4rs 256+8r 512+8rc 768+8w 1025+2w 1536+8a ");
    arena_free(&a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases),
                                       cmocka_unit_test(test_touches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
