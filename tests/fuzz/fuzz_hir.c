/* Text of HIR: read, verified, and compiled to code if it is valid. */
#include "fuzz.h"

#include <heddle/heddle.h>

static void
compile(heddle_context *context, const uint8_t *data, size_t size, const char *emit)
{
    heddle_output *out;
    const heddle_compile_options options = {
        .struct_size = sizeof options, .target = "gfx1030", .emit = emit};
    if (heddle_compile_hir(context, (const char *)data, size, &options, &out) == HEDDLE_OK)
        heddle_destroy_output(out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    heddle_context *context;
    if (heddle_create_context(NULL, &context) != HEDDLE_OK)
        return 0;
    compile(context, data, size, "hir");
    compile(context, data, size, "obj");
    heddle_destroy_context(context);
    return 0;
}

uint8_t *
fuzz_seed(int index, size_t *size)
{
    (void)index;
    *size = 0;
    return NULL;
}
