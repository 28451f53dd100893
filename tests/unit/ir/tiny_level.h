/* A small machine level for the container's own tests: text form, verifier, bundles.
 *
 * Classes: v1 lives on the logical edges, s1 on the linear ones. */
#ifndef TEST_TINY_LEVEL_H
#define TEST_TINY_LEVEL_H

#include "ir/machine.h"

#include <stdio.h>

typedef enum tiny_class {
    TINY_NO_CLASS,
    TINY_V1,
    TINY_S1,
    TINY_CLASS_COUNT,
} tiny_class;

static const ir_class tiny_classes[TINY_CLASS_COUNT] = {
    [TINY_V1] = {.edges = 0, .units = 1, .align = 1, .bytes = 4},
    [TINY_S1] = {.bank = 1, .edges = 1, .units = 1, .align = 1, .bytes = 4},
};
static const char *const tiny_class_names[TINY_CLASS_COUNT] = {"none", "v1", "s1"};
static const ir_bank tiny_banks[] = {
    {.name = "v", .first = 0, .units = 256},
    {.name = "s", .first = 256, .units = 64},
};

static inline void
tiny_type_name(ir_type t, char out[16])
{
    snprintf(out, 16, "%s", t < TINY_CLASS_COUNT ? tiny_class_names[t] : "?");
}

static inline bool
tiny_parse_type(const char *text, size_t len, ir_type *out)
{
    for (unsigned t = 1; t < TINY_CLASS_COUNT; t++) {
        if (strlen(tiny_class_names[t]) == len && memcmp(tiny_class_names[t], text, len) == 0)
            return *out = (ir_type)t, true;
    }
    return false;
}

/* v[3], v[3-4], s[5] */
static inline void
tiny_reg_name(unsigned reg, ir_type t, char out[16])
{
    unsigned unit = reg / 4, n = t < TINY_CLASS_COUNT ? tiny_classes[t].units : 1;
    char file = unit >= 256 ? 's' : 'v', text[48];
    if (n > 1)
        snprintf(text, sizeof text, "%c[%u-%u]", file, unit % 256, unit % 256 + n - 1);
    else
        snprintf(text, sizeof text, "%c[%u]", file, unit % 256);
    snprintf(out, 16, "%.15s", text);
}

static inline bool
tiny_parse_reg(const char *text, size_t len, unsigned *out, ir_type *type)
{
    char copy[16] = {0}, file;
    unsigned first, last;
    memcpy(copy, text, len < 15 ? len : 15);
    int n = sscanf(copy, "%c[%u-%u]", &file, &first, &last);
    if (n < 2 || (file != 'v' && file != 's') || first > 255)
        return false;
    *out = (first + (file == 's' ? 256 : 0)) * 4;
    *type = file == 's' ? TINY_S1 : TINY_V1;
    return true;
}

enum {
    TINY_PHI,
    TINY_LINEAR_PHI,
    TINY_DEF,
    TINY_ADD,
    TINY_USE,
    TINY_BRANCH,
    TINY_END,
    TINY_OP_COUNT,
};
static const ir_op_info tiny_ops[TINY_OP_COUNT] = {
    [TINY_PHI] = {"phi", .n_defs = 1, .n_refs = IR_ANY, .flags = IR_OP_PHI},
    [TINY_LINEAR_PHI] = {"linear_phi", .n_defs = 1, .n_refs = IR_ANY,
                         .flags = IR_OP_PHI | IR_OP_LINEAR_PHI},
    [TINY_DEF] = {"def", .n_defs = 1},
    [TINY_ADD] = {"add", .n_defs = 1, .n_refs = 2},
    [TINY_USE] = {"use", .n_refs = 1, .flags = IR_OP_EFFECT},
    [TINY_BRANCH] = {"branch", .n_refs = IR_ANY, .flags = IR_OP_TERMINATOR},
    [TINY_END] = {"end", .flags = IR_OP_TERMINATOR},
};
static const ir_machine tiny_machine = {
    .classes = tiny_classes,
    .banks = tiny_banks,
    .n_banks = 2,
    .unit_shift = 2,
    .n_units = 320,
};

/* Bit 0 of form: `!`, which only add may have; bits 2:1: the unit that executes the instruction. */
static const char *const tiny_units[] = {"any", "vector", "transcendental", NULL};
static const ir_attr_info tiny_form[] = {
    {.name = "!", .bits = 1, .kind = IR_ATTR_MARK},
    {.name = "unit", .shift = 1, .bits = 2, .kind = IR_ATTR_ENUM, .names = tiny_units},
    {.name = NULL},
};

static inline bool
tiny_has_form(unsigned op, unsigned form)
{
    return !(form & 1) || op == TINY_ADD;
}

static const ir_level tiny_level = {
    .name = "tiny",
    .ops = tiny_ops,
    .n_ops = TINY_OP_COUNT,
    .machine = &tiny_machine,
    .type_name = tiny_type_name,
    .reg_name = tiny_reg_name,
    .parse_type = tiny_parse_type,
    .parse_reg = tiny_parse_reg,
    .const_type = TINY_S1,
    .form = tiny_form,
    .has_form = tiny_has_form,
};

#endif
