/* Disassembling any bytes; the first byte chooses target and wave size. */
#include "fuzz.h"

#include <heddle/heddle.h>
#include <stdlib.h>
#include <string.h>

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
                                        .wave_size = data[0] & 1 ? 32 : 64,
                                        .with_bytes = data[0] >> 1 & 1};
    if (heddle_create_context(NULL, &context) != HEDDLE_OK)
        return 0;
    if (heddle_disassemble(context, data + 1, size - 1, &options, &out) == HEDDLE_OK)
        heddle_destroy_output(out);
    heddle_destroy_context(context);
    return 0;
}

/* Dwords whose high bits are those of each encoding, with random-looking rest. */
uint8_t *
fuzz_seed(int index, size_t *size)
{
    enum { WORDS = 64 };
    uint8_t *data = index < 8 ? malloc(1 + WORDS * 4) : NULL;
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(index + 1);
    for (size_t i = 0; data && i < WORDS; i++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint32_t word = (uint32_t)(state >> 32);
        memcpy(data + 1 + i * 4, &word, 4);
    }
    if (data) {
        data[0] = (uint8_t)(index & 3);
        *size = 1 + WORDS * 4;
    }
    return data;
}
