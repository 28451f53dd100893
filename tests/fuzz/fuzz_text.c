/* Text of HIR and machine IR from behind a phase: read with its header, verified, made ready to go
 * on, and printed again. What prints must be read again and print as the same. */
#include "fuzz.h"

#include <heddle/heddle.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The phase that the text names, or "hir". */
static void
find_phase(const char *text, char out[64])
{
    const char *at = strstr(text, "\nafter: ");
    size_t len = at ? strcspn(at + 8, "\n /,") : 0;
    snprintf(out, 64, "%.*s", len && len < 64 ? (int)len : 3, len && len < 64 ? at + 8 : "hir");
}

static heddle_output *
print(heddle_context *context, const char *text, size_t size, const char *emit)
{
    heddle_output *out;
    const heddle_compile_options options = {
        .struct_size = sizeof options, .target = "gfx1030", .emit = emit};
    return heddle_compile_hir(context, text, size, &options, &out) == HEDDLE_OK ? out : NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    heddle_context *context;
    char emit[64], *text = malloc(size + 1);
    if (!text || heddle_create_context(NULL, &context) != HEDDLE_OK)
        abort();
    memcpy(text, data, size);
    text[size] = 0;
    find_phase(text, emit);
    heddle_output *first = print(context, text, size, emit);
    if (first) {
        heddle_output *second = print(context, heddle_output_data(first), heddle_output_size(first),
                                      emit);
        if (!second || strcmp(heddle_output_data(first), heddle_output_data(second)) != 0)
            abort();
        heddle_destroy_output(second);
    }
    heddle_destroy_output(first);
    heddle_destroy_context(context);
    free(text);
    return 0;
}

uint8_t *
fuzz_seed(int index, size_t *size)
{
    (void)index;
    *size = 0;
    return NULL;
}
