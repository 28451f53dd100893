/* Speed of the emulator: vector ALU instructions times active lanes, a second, on one core.
 *
 *     bench_emu [MINIMUM]       exits 1 below MINIMUM million lane instructions a second
 *
 * The loop has 16 vector instructions (float, fused, integer, shifts, compare, select) and 3 scalar
 * ones. Measured with the checkers off and on, in both wave sizes.
 */
#include "amd/emu/emu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* llvm-mc -mcpu=gfx1030 of: s_mov_b32 s4, 0; loop: v_add_f32 v1, v1, v2; v_fma_f32 v3, v1, v2, v3;
 * v_mul_f32 v4, v3, v1; v_add_nc_u32 v5, v5, v0; v_lshlrev_b32 v6, 3, v5; v_xor_b32 v7, v6, v5;
 * v_mad_u32_u24 v8, v7, v5, v8; v_cndmask_b32 v9, v8, v7, vcc_lo; v_cmp_gt_u32 vcc_lo, v8, v5;
 * v_max_f32 v10, v4, v1; v_and_b32 v11, 0xff, v8; v_mul_lo_u32 v12, v11, v5; v_bfe_u32 v13, v12, 4,
 * 8; v_add3_u32 v14, v13, v12, v5; v_sub_f32 v15, v10, v4; v_lshl_add_u32 v16, v14, 2, v13;
 * s_add_i32 s4, s4, 1; s_cmp_lt_u32 s4, s5; s_cbranch_scc1 loop; s_endpgm */
static const uint32_t code[] = {
    0xbe840380, 0x06020501, 0xd54b0003, 0x040e0501, 0x10080303, 0x4a0a0105, 0x340c0a83,
    0x3a0e0b06, 0xd5430008, 0x04220b07, 0x02120f08, 0x7d880b08, 0x20140304, 0x361610ff,
    0x000000ff, 0xd569000c, 0x00020b0b, 0xd548000d, 0x0221090c, 0xd76d000e, 0x0416190d,
    0x081e090a, 0xd7460010, 0x0435050e, 0x81048104, 0xbf0a0504, 0xbf85ffe6, 0xbf810000};

static void
out_of_memory(void *user)
{
    (void)user;
    exit(3);
}

static double
measure(uint32_t wave_size, uint32_t mode, uint32_t checks)
{
    arena a;
    mach_memory m;
    amd_emu_report r;
    arena_init(&a, &base_malloc_allocator, out_of_memory, NULL);
    mach_memory_init(&m, &a);
    mach_region *c = mach_memory_alloc(&m, MACH_HEAP_LOW, sizeof code, 0, "code");
    memcpy(c->host, code, sizeof code);
    amd_emu_dispatch d = {.gen = AMD_GFX10_3,
                          .entry = c->base,
                          .wave_size = wave_size,
                          .n_vgprs = 32,
                          .user_sgprs = {0, 0, 0, 0, 0, 50000},
                          .n_user_sgprs = 6,
                          .group_size = {wave_size * 2, 1, 1},
                          .grid_groups = {2, 1, 1},
                          .mode = mode,
                          .checks = checks};
    clock_t start = clock();
    amd_emu_run(&d, &m, &a, &r);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    double speed = (double)r.lane_instructions / seconds / 1e6;
    printf("wave%u mode 0x%02x checks 0x%02x: %.0f million lane instructions a second, %.1f ns an "
           "instruction\n",
           wave_size, mode, checks, speed, seconds * 1e9 / (double)r.instructions);
    arena_free(&a);
    return speed;
}

int
main(int argc, char **argv)
{
    double least = argc > 1 ? atof(argv[1]) : 0, worst = measure(32, 0xf0, 0);
    double other = measure(64, 0xf0, 0);
    worst = other < worst ? other : worst;
    measure(32, 0xc0, 0);
    measure(64, 0xc0, 0);
    measure(32, 0xf0, AMD_EMU_CHECK_ALL);
    measure(64, 0xf0, AMD_EMU_CHECK_ALL);
    if (worst < least) {
        printf("FAIL: below %.0f million\n", least);
        return 1;
    }
    return 0;
}
