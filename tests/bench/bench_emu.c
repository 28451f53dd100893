/* Speed of the emulator: vector ALU instructions times active lanes, a second, on one core.
 *
 *     bench_emu [-t TARGET] [-c LOOP] [MINIMUM]
 *
 * Runs loops of ALU code with no checker, with *memory* and *hangs*, with each checker alone and
 * with all of them, in each wave size, and prints million lane instructions a second. Exits with 1
 * if a judged loop is below MINIMUM with *memory* and *hangs*. The loops' instructions exist on every
 * generation (packed binary16 from gfx9).
 */
#include "amd/emu/emu.h"
#include "amd/emu/gens.h"
#include "base/diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The body of a loop; ^ stands for vcc, ~ for another mask. Those that are `judged` must reach the
 * minimum. */
typedef struct loop {
    const char *name, *body;
    amd_gen since;
    bool judged;
} loop;

static const loop loops[] = {
    {"mixed",
     "v_add_f32 v1, v1, v2\nv_fma_f32 v3, v1, v2, v3\nv_mul_f32 v4, v3, v1\n"
     "v_mul_u32_u24 v5, v5, v0\nv_lshlrev_b32 v6, 3, v5\nv_xor_b32 v7, v6, v5\n"
     "v_mad_u32_u24 v8, v7, v5, v8\nv_cndmask_b32 v9, v8, v7, ~\nv_cmp_gt_u32 ^, v8, v5\n"
     "v_sub_f32 v10, v4, v1\nv_and_b32 v11, 0xff, v8\nv_mul_lo_u32 v12, v11, v5\n"
     "v_bfe_u32 v13, v12, 4, 8\nv_alignbit_b32 v14, v13, v12, v5\nv_sub_f32 v15, v10, v4\n"
     "v_bfi_b32 v16, v14, v2, v13\n",
     AMD_GFX6, true},
    {"f32",
     "v_add_f32 v1, v1, v2\nv_fma_f32 v3, v1, v2, v3\nv_mul_f32 v4, v3, v1\n"
     "v_fma_f32 v5, v4, -v3, |v1|\nv_sub_f32 v6, v5, v4\nv_add_f32 v7, 1.0, v6\n"
     "v_mul_f32 v8, v7, v6\nv_fma_f32 v9, v8, v7, v6\n",
     AMD_GFX6, true},
    {"int",
     "v_mul_lo_u32 v1, v1, v2\nv_xor_b32 v3, v1, v2\nv_lshlrev_b32 v4, 5, v3\n"
     "v_lshrrev_b32 v5, 3, v4\nv_or_b32 v6, v5, v3\nv_and_b32 v7, 0xffff, v6\n"
     "v_bfi_b32 v8, v7, v6, v5\nv_mad_u32_u24 v9, v8, v7, v6\nv_min_u32 v10, v9, v8\n"
     "v_sad_u32 v11, v10, v9, v8\n",
     AMD_GFX6, true},
    {"f64",
     "v_fma_f64 v[2:3], v[4:5], v[6:7], v[2:3]\nv_add_f64 v[8:9], v[2:3], v[4:5]\n"
     "v_mul_f64 v[10:11], v[8:9], v[6:7]\nv_fma_f64 v[12:13], v[10:11], -v[8:9], v[2:3]\n",
     AMD_GFX6, false},
    {"packed f16",
     "v_pk_add_f16 v1, v1, v2\nv_pk_mul_f16 v3, v1, v2\nv_pk_fma_f16 v4, v3, v1, v4\n"
     "v_pk_add_f16 v5, v4, v3\nv_pk_mul_f16 v6, v5, v4\n",
     AMD_GFX9, false},
    {"with scalar",
     "v_add_f32 v1, s6, v2\ns_lshl_b32 s7, s4, 3\nv_fma_f32 v3, v1, v2, v3\n"
     "s_and_b32 s8, s7, 0xff\nv_mul_f32 v4, s8, v1\ns_xor_b32 s9, s8, s7\n"
     "v_xor_b32 v5, s9, v4\ns_bfe_u32 s10, s9, 0x40004\n",
     AMD_GFX6, true},
};
enum { LOOPS = sizeof loops / sizeof *loops };

static const struct {
    const char *name;
    uint32_t checks;
} settings[] = {
    {"none", 0},
    {"memory,hangs", AMD_EMU_CHECK_MEMORY | AMD_EMU_CHECK_HANGS},
    {"waits", AMD_EMU_CHECK_WAITS},
    {"hazards", AMD_EMU_CHECK_HAZARDS},
    {"undefined", AMD_EMU_CHECK_UNDEFINED},
    {"races", AMD_EMU_CHECK_RACES},
    {"all", AMD_EMU_CHECK_ALL},
};
enum { SETTINGS = sizeof settings / sizeof *settings, JUDGED = 1 };

static void
out_of_memory(void *user)
{
    (void)user;
    exit(3);
}

/* The loop as a program. It runs s5 times; v0 to v7 are work item ids and moderate floats. */
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

/* Million lane instructions a second, the best of three runs: other programs only slow down. */
static double
measure(amd_gen gen, uint32_t wave_size, const loop *l, uint32_t checks)
{
    double best = 0;
    for (int run = 0; run < 3; run++) {
        arena a;
        mach_memory m;
        amd_emu_report r;
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
        if (r.status != AMD_EMU_DONE || r.n_findings) {
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
    fprintf(stderr, "usage: bench_emu [-t TARGET] [-c LOOP] [MINIMUM]\n");
    exit(2);
}

int
main(int argc, char **argv)
{
    amd_gen gen = AMD_GFX10_3;
    const char *only = NULL;
    double least = 0, worst = 1e9;
    for (int k = 1; k < argc; k++) {
        if (!strcmp(argv[k], "-t") && k + 1 < argc) {
            if (!amd_gen_find(argv[++k], &gen))
                usage();
        } else if (!strcmp(argv[k], "-c") && k + 1 < argc) {
            only = argv[++k];
        } else {
            least = atof(argv[k]);
        }
    }
    printf("%-18s", "");
    for (int s = 0; s < SETTINGS; s++)
        printf(" %12s", settings[s].name);
    printf("\n");
    for (uint32_t wave = emu_gen_of(gen)->wave32 ? 32 : 64; wave <= 64; wave *= 2) {
        for (int k = 0; k < LOOPS; k++) {
            if (gen < loops[k].since || (only && strcmp(only, loops[k].name)))
                continue;
            printf("wave%u %-11s", wave, loops[k].name);
            for (int s = 0; s < SETTINGS; s++) {
                double speed = measure(gen, wave, &loops[k], settings[s].checks);
                printf(" %12.0f", speed);
                fflush(stdout);
                if (s == JUDGED && loops[k].judged && speed < worst)
                    worst = speed;
            }
            printf("\n");
        }
    }
    if (worst < least) {
        printf("FAIL: below %.0f million\n", least);
        return 1;
    }
    return 0;
}
