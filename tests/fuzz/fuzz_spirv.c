/* SPIR-V: any words are compiled, or refused. */
#include "fuzz.h"

#include <heddle/heddle.h>
#include <stdlib.h>
#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    heddle_context *context;
    heddle_output *out;
    const heddle_compile_options options = {.struct_size = sizeof options, .target = "gfx1030"};
    size_t n_words = size / 4;
    uint32_t *words = malloc(n_words * 4 + 4);
    if (words && heddle_create_context(NULL, &context) == HEDDLE_OK) {
        memcpy(words, data, n_words * 4);
        if (heddle_compile(context, words, n_words, &options, &out) == HEDDLE_OK)
            heddle_destroy_output(out);
        heddle_destroy_context(context);
    }
    free(words);
    return 0;
}

uint8_t *
fuzz_seed(int index, size_t *size)
{
    (void)index;
    *size = 0;
    return NULL;
}
