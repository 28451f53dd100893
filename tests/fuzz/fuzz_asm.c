/* The assembler: any text is assembled, to code and to an object, or refused; what comes out, the
 * disassembler prints. */
#include "fuzz.h"

#include <heddle/heddle.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    heddle_context *context;
    heddle_output *code, *text;
    const heddle_asm_options options = {
        .struct_size = sizeof options, .target = "gfx1030", .wave_size = size & 1 ? 32 : 64};
    if (heddle_create_context(NULL, &context) != HEDDLE_OK)
        return 0;
    if (heddle_assemble(context, (const char *)data, size, &options, &code) == HEDDLE_OK) {
        if (heddle_disassemble(context, heddle_output_data(code), heddle_output_size(code),
                               &options, &text) == HEDDLE_OK)
            heddle_destroy_output(text);
        heddle_destroy_output(code);
    }
    const heddle_asm_options object = {
        .struct_size = sizeof object, .target = "gfx1030", .object = 1};
    if (heddle_assemble(context, (const char *)data, size, &object, &code) == HEDDLE_OK) {
        if (heddle_print_object(context, heddle_output_data(code), heddle_output_size(code),
                                &object, &text) == HEDDLE_OK)
            heddle_destroy_output(text);
        heddle_destroy_output(code);
    }
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
