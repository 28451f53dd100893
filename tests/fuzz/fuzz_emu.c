/* Any instruction on the emulator: it never reads or writes beside its own memory, and always comes
 * back.
 *
 * The first byte chooses wave size, MODE and checkers; each instruction that can be decoded from
 * the rest is run by itself, behind descriptors in SGPRs and small numbers in some VGPRs.
 */
#include "fuzz.h"

#include "amd/emu/emu.h"
#include "amd/emu/texel.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_INSTRUCTIONS = 64, DATA = 4096 };

static void
out_of_memory(void *user)
{
    (void)user;
    abort();
}

/* s[0:1] an address, s[4:7] a V#, s[8:15] a T#, s[16:19] an S#. */
static void
set_user_sgprs(amd_emu_dispatch *d, const mach_region *data)
{
    amd_image_desc t;
    amd_sampler_desc s;
    mach_image m = {.format = mach_format_from_name("r8g8b8a8_unorm"),
                    .dim = MACH_DIM_2D,
                    .width = 4,
                    .height = 4,
                    .depth = 1,
                    .samples = 1,
                    .levels = 1,
                    .layers = 1};
    amd_buffer_desc v = {.base = data->base,
                         .num_records = DATA,
                         .index_stride = 8,
                         .oob = AMD_OOB_RAW,
                         .format = 56,
                         .dst_sel = {4, 5, 6, 7}};
    d->user_sgprs[0] = (uint32_t)data->base;
    d->user_sgprs[1] = (uint32_t)(data->base >> 32);
    amd_buffer_encode(AMD_GFX10_3, &v, d->user_sgprs + 4);
    mach_image_layout(&m);
    if (amd_image_from_mach(AMD_GFX10_3, &m, data->base, &t))
        amd_image_encode(AMD_GFX10_3, &t, d->user_sgprs + 8);
    amd_sampler_from_mach(&(mach_sampler){.mag_linear = true, .max_lod = 4}, &s);
    amd_sampler_encode(AMD_GFX10_3, &s, d->user_sgprs + 16);
    d->n_user_sgprs = 20;
}

/* v_mov_b32 v1, 0; v_lshlrev_b32 v2, 2, v0; v_mov_b32 v3, s0; v_mov_b32 v4, s1 before, s_endpgm
 * behind. */
static void
run_one(arena *a, const uint8_t *bytes, size_t size, uint8_t choice)
{
    static const uint32_t before[] = {0x7e020280, 0x34040082, 0x7e060200, 0x7e080201};
    static const uint32_t end = 0xbf810000;
    arena_mark mark = arena_save(a);
    mach_memory m;
    amd_emu_report report;
    mach_memory_init(&m, a);
    mach_region *data = mach_memory_alloc(&m, MACH_HEAP_LOW, DATA, 0, "data");
    mach_region *code = mach_memory_alloc(&m, MACH_HEAP_LOW, sizeof before + size + sizeof end, 256,
                                          "code");
    memcpy(code->host, before, sizeof before);
    memcpy(code->host + sizeof before, bytes, size);
    memcpy(code->host + sizeof before + size, &end, sizeof end);
    amd_emu_dispatch d = {.gen = AMD_GFX10_3,
                          .entry = code->base,
                          .wave_size = choice & 1 ? 64 : 32,
                          .lds_bytes = 256,
                          .scratch_bytes = 32,
                          .n_vgprs = choice & 2 ? 16 : 256,
                          .group_size = {32, 1, 1},
                          .grid_groups = {1, 1, 1},
                          .mode = choice & 4 ? 0x3f0 : 0x1c5,
                          .checks = choice & 8 ? AMD_EMU_CHECK_ALL : 0,
                          .max_instructions = 200};
    set_user_sgprs(&d, data);
    amd_emu_run(&d, &m, a, &report);
    arena_release(a, mark);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    arena a;
    size_t at = 1;
    if (!size)
        return 0;
    arena_init(&a, &base_malloc_allocator, out_of_memory, NULL);
    for (int n = 0; n < MAX_INSTRUCTIONS && at < size;) {
        amd_inst in;
        if (!amd_decode(AMD_GFX10_3, data + at, size - at, &in)) {
            at += 4;
            continue;
        }
        run_one(&a, data + at, in.size, data[0]);
        at += in.size;
        n++;
    }
    arena_free(&a);
    return 0;
}

/* Dwords with random-looking bits. */
uint8_t *
fuzz_seed(int index, size_t *size)
{
    enum { WORDS = 96 };
    uint8_t *data = index < 16 ? malloc(1 + WORDS * 4) : NULL;
    uint64_t state = UINT64_C(0x2545f4914f6cdd1d) * (uint64_t)(index + 3);
    for (size_t i = 0; data && i < WORDS; i++) {
        /* encodings of 32 bits and of 64: every second word has a prefix of the latter */
        static const uint32_t prefixes[] = {0xd4000000, 0xdc000000, 0xd8000000, 0xe0000000,
                                            0xf0000000, 0xf4000000, 0xcc000000, 0xe8000000,
                                            0x7e000000, 0x00000000};
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint32_t word = (uint32_t)(state >> 32);
        if (i % 2 == 0)
            word = prefixes[(i / 2 + (size_t)index) % 10] | (word & 0x03ffffff);
        memcpy(data + 1 + i * 4, &word, 4);
    }
    if (data) {
        data[0] = (uint8_t)index;
        *size = 1 + WORDS * 4;
    }
    return data;
}
