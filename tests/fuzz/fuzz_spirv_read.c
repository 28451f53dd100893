/* The SPIR-V reader alone: any words are read to HIR that the verifier takes, or refused.
 *
 * Each input is read as it is and, if it is a row of whole instructions, in copies with a few of
 * them changed: ids exchanged, literals and opcodes replaced, instructions left out.
 */
#include "fuzz.h"

#include "ir/verify.h"
#include "spirv/spirv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef COPIES
#define COPIES 40
#endif
enum { MAX_CHANGES = 3 };

/* What is refused must be the input's fault; a defect of the reader ends the program. */
static void
judge(const diag *d)
{
    if (d->class != DIAG_INTERNAL)
        return;
    fprintf(stderr, "%s\n", d->message);
    abort();
}

static void
read_words(const uint32_t *words, size_t n)
{
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

static uint32_t
next_random(uint64_t *state, uint32_t n)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return n ? (uint32_t)((*state * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % n : 0;
}

/* The offset of an instruction drawn at random, names and the like left out; 0 if there is none. */
static uint32_t
draw_instruction(const uint32_t *words, uint32_t n, uint64_t *state)
{
    enum { OP_MEMBER_NAME = 6 };
    uint32_t seen = 0, chosen = 0;
    for (uint32_t at = 5; at < n; at += words[at] >> 16) {
        if (!(words[at] >> 16) || words[at] >> 16 > n - at)
            return 0;
        if ((words[at] & 0xffff) > OP_MEMBER_NAME && !next_random(state, ++seen))
            chosen = at;
    }
    return chosen;
}

/* Changes an operand, the opcode, or makes an instruction go. */
static void
change_instruction(uint32_t *words, uint32_t n, uint64_t *state)
{
    uint32_t at = draw_instruction(words, n, state), from = draw_instruction(words, n, state);
    if (!at || !from || words[at] >> 16 < 2 || words[from] >> 16 < 2)
        return;
    uint32_t *to = &words[at + 1 + next_random(state, (words[at] >> 16) - 1)];
    switch (next_random(state, 12)) {
    case 0: *to = next_random(state, 16); break;
    case 1: *to = UINT32_MAX - next_random(state, 4); break;
    case 2: words[at] = (words[at] & 0xffff0000) | (words[from] & 0xffff); break;
    case 3: *to = next_random(state, words[3] < 100000 ? words[3] : 1); break;
    case 4:
        for (uint32_t k = words[at] >> 16; k > 0; k--)
            words[at + k - 1] = 1 << 16; /* OpNop */
        break;
    default: *to = words[from + 1 + next_random(state, (words[from] >> 16) - 1)]; break;
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t n = size / 4;
    uint32_t *words = malloc(n * 4 + 4);
    uint64_t state = 88172645463325252u + n + COPIES;
    if (!words)
        return 0;
    memcpy(words, data, n * 4);
    for (size_t k = 0; k < n; k++)
        state = (state ^ words[k]) * UINT64_C(0x100000001b3);
    read_words(words, n);
    bool whole = n > 6 && n < 1 << 20 && draw_instruction(words, (uint32_t)n, &state);
    for (unsigned c = 0; c < COPIES && whole; c++) {
        memcpy(words, data, n * 4);
        for (uint32_t k = 1 + next_random(&state, MAX_CHANGES); k > 0; k--)
            change_instruction(words, (uint32_t)n, &state);
        read_words(words, n);
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
