/* Disassembles any bytes and assembles the text again, which must give the same bytes. The first
 * byte selects target and wave size. */
#include "fuzz.h"

#include "drawn.h"

#include <heddle/heddle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whole dwords must be the same after disassembly and assembly. */
static void
check_text(heddle_context *context, const heddle_asm_options *o, const heddle_output *text,
           const uint8_t *data, size_t size)
{
    heddle_output *again;
    bool same = heddle_assemble(context, heddle_output_data(text), heddle_output_size(text), o,
                                &again) == HEDDLE_OK;
    if (same) {
        same = heddle_output_size(again) == size &&
               memcmp(heddle_output_data(again), data, size) == 0;
        heddle_destroy_output(again);
    }
    if (!same) {
        fprintf(stderr, "%s wave%u: the text does not become the bytes\n%s", o->target,
                o->wave_size, (const char *)heddle_output_data(text));
        abort();
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    heddle_context *context;
    heddle_output *out;
    heddle_target_info target = {.struct_size = sizeof target};
    if (!size || heddle_get_target(data[0] >> 2, &target) != HEDDLE_OK)
        return 0;
    const heddle_asm_options options = {.struct_size = sizeof options,
                                        .target = target.name,
                                        .wave_size = target.wave_sizes & 32 && data[0] & 1 ? 32
                                                                                           : 64,
                                        .with_bytes = data[0] >> 1 & 1};
    if (heddle_create_context(NULL, &context) != HEDDLE_OK)
        return 0;
    if (heddle_disassemble(context, data + 1, size - 1, &options, &out) == HEDDLE_OK) {
        if ((size - 1) % 4 == 0)
            check_text(context, &options, out, data + 1, size - 1);
        heddle_destroy_output(out);
    }
    heddle_destroy_context(context);
    return 0;
}

/* Instructions of each target's table, mixed with random words. */
uint8_t *
fuzz_seed(int index, size_t *size)
{
    enum { INSTRUCTIONS = 48, MOST = 1 + INSTRUCTIONS * OPCODE_WORDS * 4 };
    heddle_target_info target = {.struct_size = sizeof target};
    opcode_draw draw = {.random = (uint64_t)index + 1};
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(index + 1);
    amd_inst in;
    if (heddle_get_target((uint32_t)index, &target) != HEDDLE_OK)
        return NULL;
    uint8_t *data = amd_gen_find(target.name, &draw.gen) ? malloc(MOST) : NULL;
    if (!data)
        return NULL;
    data[0] = (uint8_t)(index << 2 | (index & 3));
    *size = 1;
    for (uint32_t n = 0; n < INSTRUCTIONS; n++) {
        uint32_t words[OPCODE_WORDS];
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        words[0] = (uint32_t)(state >> 32);
        in.size = 4;
        if (n % 4)
            drawn_inst(&draw, (uint32_t)(state >> 40), words, &in);
        memcpy(data + *size, words, in.size);
        *size += in.size;
    }
    return data;
}
