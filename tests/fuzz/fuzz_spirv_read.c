/* The SPIR-V reader alone: any words are read to valid HIR, or refused.
 *
 * Each input is read as it is and, if it is a sequence of whole instructions, in copies with a few
 * of them changed (spirv_change.h).
 */
#include "fuzz.h"
#include "spirv_change.h"

#include "ir/verify.h"
#include "spirv/spirv.h"

#include <stdio.h>
#include <stdlib.h>

#ifndef COPIES
#define COPIES 40
#endif

/* An error must be the input's fault; an internal error of the reader ends the program. */
static void
judge(const diag *d)
{
    if (d->class != DIAG_INTERNAL)
        return;
    fprintf(stderr, "%s\n", d->message);
    abort();
}

static void
read_words(const uint32_t *words, size_t n, unsigned copy)
{
    (void)copy;
    arena a, scratch;
    diag d;
    ir_ctx ctx = {.diag = &d, .arena = &a, .scratch = &scratch};
    const spirv_options options = {.stage = IR_STAGE_COMPUTE};
    diag_init(&d);
    arena_init(&a, &base_malloc_allocator, diag_out_of_memory, &d);
    arena_init(&scratch, &base_malloc_allocator, diag_out_of_memory, &d);
    if (DIAG_TRY(&d))
        ir_verify(spirv_read(&ctx, &options, words, n), "spirv");
    judge(&d);
    diag_init(&d);
    if (DIAG_TRY(&d))
        spirv_reflect(&ctx, &options, words, n);
    judge(&d);
    arena_free(&a);
    arena_free(&scratch);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    spirv_change_each(data, size, COPIES, COPIES, read_words);
    return 0;
}

uint8_t *
fuzz_seed(int index, size_t *size)
{
    (void)index;
    *size = 0;
    return NULL;
}
