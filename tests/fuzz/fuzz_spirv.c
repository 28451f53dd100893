/* SPIR-V: any words are compiled, or refused; an internal error is a finding.
 *
 * Each input is compiled as it is and, if it is a sequence of whole instructions, in copies with a
 * few of them changed (spirv_change.h), for both wave sizes.
 */
#include "fuzz.h"
#include "spirv_change.h"

#include <heddle/heddle.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef COPIES
#define COPIES 10
#endif

static void
judge(void *user, const heddle_diagnostic *d)
{
    (void)user;
    if (getenv("FUZZ_VERBOSE") || d->result == HEDDLE_ERROR_INTERNAL)
        fprintf(stderr, "%s [%s]\n", d->text, d->name);
    if (d->result == HEDDLE_ERROR_INTERNAL)
        abort();
}

/* Writes the changed words to $FUZZ_SAVE.spv, as the input does not contain them. */
static void
save(const uint32_t *words, size_t n)
{
    const char *name = getenv("FUZZ_SAVE");
    char path[4096];
    FILE *f = NULL;
    if (name && snprintf(path, sizeof path, "%s.spv", name) < (int)sizeof path)
        f = fopen(path, "wb");
    if (f) {
        fwrite(words, 4, n, f);
        fclose(f);
    }
}

static void
compile(const uint32_t *words, size_t n, uint32_t wave_size)
{
    heddle_context *context;
    heddle_output *out;
    const heddle_compile_options options = {
        .struct_size = sizeof options, .target = "gfx1030", .wave_size = wave_size};
    const heddle_context_options judged = {.struct_size = sizeof judged, .diagnostic = judge};
    save(words, n);
    if (heddle_create_context(&judged, &context) != HEDDLE_OK)
        return;
    if (heddle_compile(context, words, n, &options, &out) == HEDDLE_OK)
        heddle_destroy_output(out);
    heddle_destroy_context(context);
}

static void
try_words(const uint32_t *words, size_t n, unsigned copy)
{
    compile(words, n, copy & 1 ? 32 : 64);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    spirv_change_each(data, size, COPIES, 0, try_words);
    return 0;
}

uint8_t *
fuzz_seed(int index, size_t *size)
{
    (void)index;
    *size = 0;
    return NULL;
}
