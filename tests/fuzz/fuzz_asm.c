/* The assembler: any text is assembled, to code and to an object, or refused; the disassembler
 * prints the result. The first line may name a target ("// gfx900"); the default is gfx1030.
 */
#include "fuzz.h"

#include "drawn.h"

#include <heddle/heddle.h>
#include <stdlib.h>
#include <string.h>

static void
set_target(const uint8_t *data, size_t size, heddle_target_info *target)
{
    for (unsigned k = 0; heddle_get_target(k, target) == HEDDLE_OK; k++) {
        size_t n = strlen(target->name);
        if (size > 3 + n && memcmp(data, "// ", 3) == 0 && memcmp(data + 3, target->name, n) == 0 &&
            data[3 + n] == '\n')
            return;
    }
    target->name = "gfx1030";
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    heddle_context *context;
    heddle_output *code, *text;
    heddle_target_info target = {.struct_size = sizeof target};
    set_target(data, size, &target);
    const heddle_asm_options options = {
        .struct_size = sizeof options, .target = target.name, .wave_size = size & 1 ? 32 : 64};
    if (heddle_create_context(NULL, &context) != HEDDLE_OK)
        return 0;
    if (heddle_assemble(context, (const char *)data, size, &options, &code) == HEDDLE_OK) {
        if (heddle_disassemble(context, heddle_output_data(code), heddle_output_size(code),
                               &options, &text) == HEDDLE_OK)
            heddle_destroy_output(text);
        heddle_destroy_output(code);
    }
    const heddle_asm_options object = {
        .struct_size = sizeof object, .target = target.name, .object = 1};
    if (heddle_assemble(context, (const char *)data, size, &object, &code) == HEDDLE_OK) {
        if (heddle_print_object(context, heddle_output_data(code), heddle_output_size(code),
                                &object, &text) == HEDDLE_OK)
            heddle_destroy_output(text);
        heddle_destroy_output(code);
    }
    heddle_destroy_context(context);
    return 0;
}

static void
out_of_memory(void *user)
{
    (void)user;
    abort();
}

/* Instructions of each generation's table, as text. */
uint8_t *
fuzz_seed(int index, size_t *size)
{
    enum { LINES = 60, SEEDS = 3 * AMD_GEN_COUNT };
    opcode_draw draw = {.gen = (amd_gen)(index % AMD_GEN_COUNT), .random = (uint64_t)index + 1};
    uint32_t words[OPCODE_WORDS];
    amd_inst in;
    arena a;
    if (index >= SEEDS)
        return NULL;
    arena_init(&a, &base_malloc_allocator, out_of_memory, NULL);
    base_buf text = buf_make(&a);
    buf_printf(&text, "// %s\n", drawn_processor(draw.gen));
    for (uint32_t k = 0, n = 0; n < LINES; k++) {
        if (!drawn_inst(&draw, k * 13 + (uint32_t)index, words, &in))
            continue;
        amd_print(draw.gen, &in, index & 1, &text);
        buf_puts(&text, "\n");
        n++;
    }
    uint8_t *copy = malloc(text.size);
    memcpy(copy, text.data, text.size);
    *size = text.size;
    arena_free(&a);
    return copy;
}
