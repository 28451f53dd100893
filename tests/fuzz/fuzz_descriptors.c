/* Buffer and image instructions of every generation with arbitrary descriptors: the emulator never
 * accesses memory that is not its own, and always returns.
 *
 * The first byte is the generation; the second selects wave size, checkers and which descriptors
 * are valid. Then come the bits to change in V#, T# and S#, and instructions. Those that can be
 * decoded use the descriptors' registers and are run one at a time, with unusual numbers in VGPRs.
 */
#include "fuzz.h"

#include "emu_descriptors.h"

#include "amd/isa/table/table.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_INSTRUCTIONS = 24, DATA = 4096 };
enum { DESCRIPTORS = EMU_DESCRIPTOR_WORDS, HEAD = 2 + 4 * DESCRIPTORS };

static void
out_of_memory(void *user)
{
    (void)user;
    abort();
}

/* Sets the operands that need a descriptor to the descriptors' registers. */
static void
set_registers(amd_inst *in)
{
    const amd_op_info *row = amd_op_row((amd_op)in->op);
    unsigned src = 0;
    for (unsigned k = 0; k < AMD_MAX_OPERANDS && row->operands[k].role; k++) {
        const amd_operand *o = &row->operands[k];
        if (o->role != AMD_ROLE_SRC)
            continue;
        if (o->kind == AMD_K_RSRC)
            in->src[src] = in->fmt == AMD_MIMG ? EMU_IMAGE : EMU_BUFFER;
        else if (o->kind == AMD_K_SAMP)
            in->src[src] = EMU_SAMPLER;
        src++;
    }
}

/* v0 is the lane (or packed ids); the others get numbers from SGPRs by v_mov_b32. */
static void
run_one(arena *a, amd_gen gen, amd_inst *in, const uint8_t *head)
{
    static const uint32_t before[] = {0x7e020280, 0x7e040300, 0x7e060214,
                                      0x7e080215, 0x7e0a0216, 0x7e0c0280};
    const uint32_t end = gen >= AMD_GFX11 ? 0xbfb00000 : 0xbf810000;
    arena_mark mark = arena_save(a);
    base_buf bytes = buf_make(a);
    mach_memory m;
    mach_report report;
    set_registers(in);
    mach_memory_init(&m, a);
    mach_region *data = mach_memory_alloc(&m, MACH_HEAP_LOW, DATA, 0, "data");
    if (amd_encode(gen, in, &bytes)) {
        mach_region *code = mach_memory_alloc(&m, MACH_HEAP_LOW,
                                              sizeof before + bytes.size + sizeof end, 256, "code");
        memcpy(code->host, before, sizeof before);
        memcpy(code->host + sizeof before, bytes.data, bytes.size);
        memcpy(code->host + sizeof before + bytes.size, &end, sizeof end);
        amd_emu_dispatch d = {.gen = gen,
                              .entry = code->base,
                              .wave_size = gen >= AMD_GFX10 && head[1] & 1 ? 32 : 64,
                              .lds_bytes = 256,
                              .n_user_sgprs = 24,
                              .group_size = {32, 1, 1},
                              .grid_groups = {1, 1, 1},
                              .mode = 0xf0,
                              .packed_d16 = head[1] & 2,
                              .border_colors = data->base,
                              .checks = head[1] & 4 ? MACH_CHECK_ALL : 0,
                              .max_instructions = 200};
        emu_descriptors_set(gen, head[1], data, d.user_sgprs);
        for (uint32_t k = 0; k < DESCRIPTORS; k++) {
            uint32_t change;
            memcpy(&change, head + 2 + 4 * k, 4);
            if (head[1] & 8)
                d.user_sgprs[EMU_BUFFER + k] ^= change;
        }
        memcpy(d.user_sgprs + 20, head + 2, 16);
        amd_emu_run(&d, &m, a, &report);
    }
    arena_release(a, mark);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    arena a;
    size_t at = HEAD;
    if (size < HEAD)
        return 0;
    amd_gen gen = (amd_gen)(data[0] % AMD_GEN_COUNT);
    arena_init(&a, &base_malloc_allocator, out_of_memory, NULL);
    for (int n = 0; n < MAX_INSTRUCTIONS && at < size;) {
        amd_inst in;
        bool known = amd_decode(gen, data + at, size - at, &in);
        at += 4;
        if (!known || (in.fmt != AMD_MIMG && in.fmt != AMD_MUBUF && in.fmt != AMD_MTBUF))
            continue;
        run_one(&a, gen, &in, data);
        at += in.size - 4u;
        n++;
    }
    arena_free(&a);
    return 0;
}

/* Instructions of each family with unusual bits; one bit is changed in eight words of the
 * descriptors, or none. */
uint8_t *
fuzz_seed(int index, size_t *size)
{
    enum { INSTRUCTIONS = 24, SEEDS = 4 * AMD_GEN_COUNT };
    static const uint32_t before12[] = {0xf0000000, 0xe0000000, 0xe8000000, 0xf0800000};
    static const uint32_t gfx12[] = {0xd0000000, 0xe4000000, 0xc4000000, 0xd0000000};
    uint8_t *data = index < SEEDS ? calloc(1, HEAD + INSTRUCTIONS * 12) : NULL;
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(index + 5);
    if (!data)
        return NULL;
    data[0] = (uint8_t)(index % AMD_GEN_COUNT);
    bool last = data[0] == AMD_GFX12;
    for (uint32_t k = 0; k < DESCRIPTORS + INSTRUCTIONS * 3; k++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint32_t word = (uint32_t)(state >> 32);
        if (k < DESCRIPTORS)
            word = k % 2 ? 0 : 1u << (word & 31);
        else if ((k - DESCRIPTORS) % 3 == 0)
            word = (last ? gfx12 : before12)[k / 3 % 4] | (word & 0x01ffffff);
        else if ((k - DESCRIPTORS) % 3 == 1 && !last)
            word &= 0xffe00707; /* only a few VGPRs */
        memcpy(data + 2 + 4 * k, &word, 4);
    }
    data[1] = (uint8_t)(state >> 40);
    *size = HEAD + INSTRUCTIONS * 12;
    return data;
}
