/* The words of the text form that are not names of opcodes or attributes. */
#include "ir/text_names.h"

#include <stddef.h>

const char ir_text_comps_few[5] = "xyzw";
const char ir_text_comps_many[IR_MAX_COMPS + 1] = "abcdefghijklmnop";

const char *const ir_text_block_kinds[] = {
    "uniform", "top-level", "loop-preheader", "loop-header",   "loop-exit", "continue", "break",
    "branch",  "merge",     "invert",         "loop-continue", "logical",   NULL,
};

static const char *const widths[] = {"f16", "f32", "f64", NULL};
const char *const ir_text_analyses[] = {"", "", "divergence", "liveness", "kills", NULL};
const char *const ir_text_stages[] = {"compute", "vertex", "fragment", NULL};

#define SHADER(kind, member) IR_TEXT_FIELD(ir_shader, kind, member)
#define WIDTHS(member)                                                                             \
    {                                                                                              \
        .name = #member, .kind = IR_TEXT_FLAGS, .size = 1,                                         \
        .offset = offsetof(ir_shader, fp.member), .names = widths                                  \
    }
const ir_text_field ir_text_shader_fields[] = {
    SHADER(NUMBER, shared_size),  SHADER(BOOL, shared_zero),
    SHADER(NUMBER, scratch_size), SHADER(NUMBER, push_constant_size),
    SHADER(NUMBER, wave_size),    SHADER(NUMBER, required_wave_size),
    SHADER(BOOL, uses_subgroups), SHADER(BOOL, full_subgroups),
    WIDTHS(denorm_preserve),      WIDTHS(denorm_flush),
    WIDTHS(round_even),           WIDTHS(round_zero),
    WIDTHS(preserve_nan_inf),     {.name = NULL},
};
