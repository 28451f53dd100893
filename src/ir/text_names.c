/* The words of the text form that are not names of opcodes or attributes. */
#include "ir/text_names.h"

#include <stddef.h>

const char ir_text_comps_few[5] = "xyzw";
const char ir_text_comps_many[IR_MAX_COMPS + 1] = "abcdefghijklmnop";

const char *const ir_text_block_kinds[] = {
    "uniform", "top-level", "loop-preheader", "loop-header",   "loop-exit", "continue", "break",
    "branch",  "merge",     "invert",         "loop-continue", "logical",   NULL,
};

const char *const ir_text_widths[] = {"f16", "f32", "f64", NULL};
const char *const ir_text_stages[] = {"compute", "vertex", "fragment", NULL};

#define FIELD(kind, member) {#member, kind, offsetof(ir_shader, member)},
#define WIDTHS(member)      {#member, IR_TEXT_WIDTHS, offsetof(ir_shader, fp.member)},
const ir_text_field ir_text_shader_fields[] = {
    FIELD(IR_TEXT_U32, shared_size) FIELD(IR_TEXT_BOOL, shared_zero)
        FIELD(IR_TEXT_U32, scratch_size) FIELD(IR_TEXT_U32, push_constant_size)
            FIELD(IR_TEXT_U32, wave_size) FIELD(IR_TEXT_U32, required_wave_size)
                FIELD(IR_TEXT_BOOL, uses_subgroups) FIELD(IR_TEXT_BOOL, full_subgroups)
                    WIDTHS(denorm_preserve) WIDTHS(denorm_flush) WIDTHS(round_even)
                        WIDTHS(round_zero) WIDTHS(preserve_nan_inf){NULL, 0, 0},
};
