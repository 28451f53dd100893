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

static const char *const depth_bounds[] = {"any", "greater", "less", "unchanged", NULL};
static const char *const interlocks[] = {
    "none", "pixel", "pixel_unordered", "sample", "sample_unordered", NULL};

#define FRAGMENT(kind_, member)                                                                    \
    {                                                                                              \
        .name = #member, .kind = IR_TEXT_##kind_, .size = 1,                                       \
        .offset = offsetof(ir_shader, fragment.member)                                             \
    }
#define SHADER(kind, member) IR_TEXT_FIELD(ir_shader, kind, member)
#define WIDTHS(member)                                                                             \
    {                                                                                              \
        .name = #member, .kind = IR_TEXT_FLAGS, .size = 1,                                         \
        .offset = offsetof(ir_shader, fp.member), .names = widths                                  \
    }
const ir_text_field ir_text_shader_fields[] = {
    SHADER(BOOL, captures),
    SHADER(NUMBER, shared_size),
    SHADER(BOOL, shared_zero),
    SHADER(NUMBER, scratch_size),
    SHADER(NUMBER, push_constant_size),
    SHADER(NUMBER, wave_size),
    SHADER(NUMBER, required_wave_size),
    SHADER(BOOL, uses_subgroups),
    SHADER(BOOL, full_subgroups),
    WIDTHS(denorm_preserve),
    WIDTHS(denorm_flush),
    WIDTHS(round_even),
    WIDTHS(round_zero),
    WIDTHS(preserve_nan_inf),
    FRAGMENT(BOOL, early_tests),
    FRAGMENT(BOOL, post_depth_coverage),
    FRAGMENT(BOOL, sample_shading),
    {.name = "depth_bound",
     .kind = IR_TEXT_ENUM,
     .size = 1,
     .names = depth_bounds,
     .offset = offsetof(ir_shader, fragment.depth_bound)},
    {.name = "interlock",
     .kind = IR_TEXT_ENUM,
     .size = 1,
     .names = interlocks,
     .offset = offsetof(ir_shader, fragment.interlock)},
    {.name = NULL},
};
