/* Measures the emulator's speed: vector ALU instructions times active lanes per second, on one
 * core.
 *
 *     bench_emu [-t TARGET] [-c LOOP] [-s CHECKERS] [MINIMUM]
 *
 * Runs loops of ALU code and prints million lane instructions per second: a table of all
 * generations and loops with the checkers *memory* and *hangs* (-s: others), or for one TARGET a
 * table of loops without checkers, with *memory* and *hangs*, with each checker alone, and with
 * all. docs/emulator.md quotes these tables. Exits with 1 if a loop is below MINIMUM with *memory*
 * and *hangs*.
 */
#include "amd/emu/core/gens.h"
#include "amd/emu/emu.h"
#include "base/diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The body of a loop, for generations that have its instructions; ^ is replaced by vcc, ~ by
 * another mask. */
typedef struct loop {
    const char *name, *body;
    amd_gen since, until;
} loop;

static const loop loops[] = {
    {"mixed",
     "v_add_f32 v1, v1, v2\nv_fma_f32 v3, v1, v2, v3\nv_mul_f32 v4, v3, v1\n"
     "v_mul_u32_u24 v5, v5, v0\nv_lshlrev_b32 v6, 3, v5\nv_xor_b32 v7, v6, v5\n"
     "v_mad_u32_u24 v8, v7, v5, v8\nv_cndmask_b32 v9, v8, v7, ~\nv_cmp_gt_u32 ^, v8, v5\n"
     "v_sub_f32 v10, v4, v1\nv_and_b32 v11, 0xff, v8\nv_mul_lo_u32 v12, v11, v5\n"
     "v_bfe_u32 v13, v12, 4, 8\nv_alignbit_b32 v14, v13, v12, v5\nv_sub_f32 v15, v10, v4\n"
     "v_bfi_b32 v16, v14, v2, v13\n",
     AMD_GFX6, AMD_GFX12},
    {"f32",
     "v_add_f32 v1, v1, v2\nv_fma_f32 v3, v1, v2, v3\nv_mul_f32 v4, v3, v1\n"
     "v_fma_f32 v5, v4, -v3, |v1|\nv_sub_f32 v6, v5, v4\nv_add_f32 v7, 1.0, v6\n"
     "v_mul_f32 v8, v7, v6\nv_fma_f32 v9, v8, v7, v6\n",
     AMD_GFX6, AMD_GFX12},
    {"int",
     "v_mul_lo_u32 v1, v1, v2\nv_xor_b32 v3, v1, v2\nv_lshlrev_b32 v4, 5, v3\n"
     "v_lshrrev_b32 v5, 3, v4\nv_or_b32 v6, v5, v3\nv_and_b32 v7, 0xffff, v6\n"
     "v_bfi_b32 v8, v7, v6, v5\nv_mad_u32_u24 v9, v8, v7, v6\nv_min_u32 v10, v9, v8\n"
     "v_sad_u32 v11, v10, v9, v8\n",
     AMD_GFX6, AMD_GFX12},
    {"f64",
     "v_fma_f64 v[2:3], v[4:5], v[6:7], v[2:3]\nv_add_f64 v[8:9], v[2:3], v[4:5]\n"
     "v_mul_f64 v[10:11], v[8:9], v[6:7]\nv_fma_f64 v[12:13], v[10:11], -v[8:9], v[2:3]\n",
     AMD_GFX6, AMD_GFX12},
    {"mad",
     "v_mac_f32 v1, v2, v3\nv_mad_f32 v4, v1, v2, v3\nv_mac_f32 v5, v4, v1\n"
     "v_mad_f32 v6, v5, -v4, v2\n",
     AMD_GFX6, AMD_GFX908},
    {"f16",
     "v_add_f16 v1, v7, v2\nv_mul_f16 v3, v1, v2\nv_fma_f16 v4, v3, v1, v2\n"
     "v_sub_f16 v5, v4, v3\nv_mul_f16 v6, v5, v2\n",
     AMD_GFX8, AMD_GFX10_3},
    {"packed f16",
     "v_pk_add_f16 v1, v7, v2\nv_pk_mul_f16 v3, v1, v2\nv_pk_fma_f16 v4, v3, v1, v2\n"
     "v_pk_add_f16 v5, v4, v3\nv_pk_mul_f16 v6, v5, v2\n",
     AMD_GFX9, AMD_GFX12},
    {"with scalar",
     "v_add_f32 v1, s6, v2\ns_lshl_b32 s7, s4, 3\nv_fma_f32 v3, v1, v2, v3\n"
     "s_and_b32 s8, s7, 0xff\nv_mul_f32 v4, s8, v1\ns_xor_b32 s9, s8, s7\n"
     "v_xor_b32 v5, s9, v4\ns_bfe_u32 s10, s9, 0x40004\n",
     AMD_GFX6, AMD_GFX12},
};
enum { LOOPS = sizeof loops / sizeof *loops };

static const struct {
    const char *name;
    uint32_t checks;
} settings[] = {
    {"none", 0},
    {"memory,hangs", MACH_CHECK_MEMORY | MACH_CHECK_HANGS},
    {"waits", MACH_CHECK_WAITS},
    {"hazards", MACH_CHECK_HAZARDS},
    {"undefined", MACH_CHECK_UNDEFINED},
    {"races", MACH_CHECK_RACES},
    {"all", MACH_CHECK_ALL},
};
enum { SETTINGS = sizeof settings / sizeof *settings, JUDGED = 1 };

static void
out_of_memory(void *user)
{
    (void)user;
    exit(3);
}

/* Assembles the loop as a program. It runs s5 times; v0 to v7 are work item ids and moderate
 * floats. */
static void
assemble(arena *a, amd_gen gen, bool wave64, const loop *l, base_buf *code)
{
    const char *add = gen >= AMD_GFX12 ? "s_add_co_u32" : "s_add_u32";
    base_buf text = buf_make(a);
    diag d;
    buf_printf(&text, "s_mov_b32 s4, 0\ns_mov_b32 s6, 0x3f800100\n");
    for (unsigned r = 1; r < 17; r++)
        buf_printf(&text, "v_mov_b32 v%u, 0x%x\n", r, 0x3f7f0000 + r * 0x1357);
    buf_printf(&text, "s_mov_b64 s[12:13], 5\nloop:\n");
    for (const char *c = l->body; *c; c++)
        if (*c == '^')
            buf_printf(&text, wave64 ? "vcc" : "vcc_lo");
        else if (*c == '~')
            buf_printf(&text, wave64 ? "s[12:13]" : "s12");
        else
            buf_printf(&text, "%c", *c);
    buf_printf(&text, "%s s4, s4, 1\ns_cmp_lt_u32 s4, s5\ns_cbranch_scc1 loop\ns_endpgm\n", add);
    diag_init(&d);
    if (!DIAG_TRY(&d)) {
        fprintf(stderr, "%s: %s\n", l->name, d.message);
        exit(1);
    }
    const char *all = buf_text(&text);
    amd_assemble(&d, a, gen, wave64, all, strlen(all), code);
}

/* Million lane instructions per second, the best of three runs: other programs can only slow it
 * down. */
static double
measure(amd_gen gen, uint32_t wave_size, const loop *l, uint32_t checks)
{
    double best = 0;
    for (int run = 0; run < 3; run++) {
        arena a;
        mach_memory m;
        mach_report r;
        arena_init(&a, &base_malloc_allocator, out_of_memory, NULL);
        mach_memory_init(&m, &a);
        base_buf code = buf_make(&a);
        assemble(&a, gen, wave_size == 64, l, &code);
        mach_region *c = mach_memory_alloc(&m, MACH_HEAP_LOW, code.size, 0, "code");
        memcpy(c->host, code.data, code.size);
        amd_emu_dispatch d = {.gen = gen,
                              .entry = c->base,
                              .wave_size = wave_size,
                              .n_vgprs = 32,
                              .user_sgprs = {0, 0, 0, 0, 0, 20000},
                              .n_user_sgprs = 6,
                              .group_size = {wave_size * 2, 1, 1},
                              .grid_groups = {1, 1, 1},
                              .mode = 0xf0,
                              .checks = checks};
        clock_t start = clock();
        amd_emu_run(&d, &m, &a, &r);
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (r.status != MACH_RUN_DONE || r.n_findings) {
            printf("%s: %s\n", l->name, r.n_findings ? r.findings[0].message : "stopped");
            exit(1);
        }
        double speed = (double)r.lane_instructions / seconds / 1e6;
        best = speed > best ? speed : best;
        arena_free(&a);
    }
    return best;
}

static void
usage(void)
{
    fprintf(stderr, "usage: bench_emu [-t TARGET] [-c LOOP] [-s CHECKERS] [MINIMUM]\n");
    exit(2);
}

/* What to run: NULL means all. */
typedef struct selection {
    const char *loop, *setting;
    double least, worst;
} selection;

static bool
is_selected(const char *wanted, const char *name)
{
    return !wanted || !strcmp(wanted, name);
}

static double
judged(selection *sel, amd_gen gen, uint32_t wave, int k, int setting)
{
    double speed = measure(gen, wave, &loops[k], settings[setting].checks);
    if (setting == JUDGED && speed < sel->worst)
        sel->worst = speed;
    return speed;
}

static bool
has_loop(const selection *sel, amd_gen gen, int k)
{
    return gen >= loops[k].since && gen <= loops[k].until && is_selected(sel->loop, loops[k].name);
}

static uint32_t
least_wave(amd_gen gen)
{
    return amd_emu_gen_of(gen)->wave32 ? 32 : 64;
}

/* Loops down, checkers across. */
static void
one_target(selection *sel, amd_gen gen)
{
    printf("| loop |");
    for (int s = 0; s < SETTINGS; s++)
        if (is_selected(sel->setting, settings[s].name))
            printf(" %s |", settings[s].name);
    printf("\n");
    for (uint32_t wave = least_wave(gen); wave <= 64; wave *= 2)
        for (int k = 0; k < LOOPS; k++) {
            if (!has_loop(sel, gen, k))
                continue;
            printf("| wave%u, %s |", wave, loops[k].name);
            for (int s = 0; s < SETTINGS; s++)
                if (is_selected(sel->setting, settings[s].name))
                    printf(" %.0f |", judged(sel, gen, wave, k, s));
            printf("\n");
        }
}

/* Generations down, loops across. */
static void
all_targets(selection *sel, int setting)
{
    static const char *const targets[] = {"gfx600",  "gfx700",  "gfx803", "gfx900",  "gfx908",
                                          "gfx90a",  "gfx942",  "gfx950", "gfx1010", "gfx1030",
                                          "gfx1100", "gfx1150", "gfx1200"};
    printf("| target |");
    for (int k = 0; k < LOOPS; k++)
        if (is_selected(sel->loop, loops[k].name))
            printf(" %s |", loops[k].name);
    printf("\n");
    for (size_t t = 0; t < sizeof targets / sizeof *targets; t++) {
        amd_gen gen;
        if (!amd_gen_find(targets[t], &gen) || !amd_emu_gen_of(gen))
            continue;
        for (uint32_t wave = least_wave(gen); wave <= 64; wave *= 2) {
            printf("| %s, wave%u |", targets[t], wave);
            for (int k = 0; k < LOOPS; k++)
                if (has_loop(sel, gen, k))
                    printf(" %.0f |", judged(sel, gen, wave, k, setting));
                else if (is_selected(sel->loop, loops[k].name))
                    printf(" |");
            printf("\n");
            fflush(stdout);
        }
    }
}

int
main(int argc, char **argv)
{
    amd_gen gen = AMD_GFX10_3;
    bool one = false;
    selection sel = {.worst = 1e9};
    int setting = JUDGED;
    for (int k = 1; k < argc; k++) {
        bool more = k + 1 < argc;
        if (!strcmp(argv[k], "-t") && more)
            one = true, k++;
        else if (!strcmp(argv[k], "-c") && more)
            sel.loop = argv[++k];
        else if (!strcmp(argv[k], "-s") && more)
            sel.setting = argv[++k];
        else
            sel.least = atof(argv[k]);
        if (one && !strcmp(argv[k - 1], "-t") && !amd_gen_find(argv[k], &gen))
            usage();
    }
    for (int s = 0; sel.setting && s < SETTINGS; s++)
        if (!strcmp(sel.setting, settings[s].name))
            setting = s;
    if (one)
        one_target(&sel, gen);
    else
        all_targets(&sel, setting);
    if (sel.worst < sel.least) {
        printf("FAIL: below %.0f million\n", sel.least);
        return 1;
    }
    return 0;
}
