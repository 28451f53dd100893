/* A small machine level for the container's own tests: text form, verifier, bundles.
 *
 * Classes: v1 lives on the logical edges, s1 on the linear ones; a255 is an array of 255 registers,
 * whose elements x1, an address, selects; p1 is a predicate. A clause holds up to eight
 * instructions; a group holds up to three, which read before they write and share two constants. */
#ifndef TEST_TINY_LEVEL_H
#define TEST_TINY_LEVEL_H

#include "ir/bundle.h"
#include "ir/machine.h"

#include <stdio.h>

typedef enum tiny_class {
    TINY_NO_CLASS,
    TINY_V1,
    TINY_S1,
    TINY_A255,
    TINY_X1,
    TINY_P1,
    TINY_CLASS_COUNT,
} tiny_class;

static const ir_class tiny_classes[TINY_CLASS_COUNT] = {
    [TINY_V1] = {.edges = 0, .units = 1, .align = 1, .bytes = 4},
    [TINY_S1] = {.bank = 1, .edges = 1, .units = 1, .align = 1, .bytes = 4},
    [TINY_A255] = {.edges = 0, .units = 255, .align = 1, .bytes = 1020},
    [TINY_X1] = {.bank = 2, .edges = 0, .units = 1, .align = 1, .bytes = 4},
    [TINY_P1] = {.bank = 3, .edges = 0, .units = 1, .align = 1, .bytes = 4},
};
static const char *const tiny_class_names[TINY_CLASS_COUNT] = {"none", "v1", "s1",
                                                               "a255", "x1", "p1"};
static const ir_bank tiny_banks[] = {
    {.name = "v", .first = 0, .units = 256},
    {.name = "s", .first = 256, .units = 64},
    {.name = "x", .first = 320, .units = 1},
    {.name = "p", .first = 384, .units = 4},
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

/* v[3], v[0-254], s[5], x[0], p[3]: a range is the array. */
static inline void
tiny_reg_name(unsigned reg, ir_type t, char out[16])
{
    unsigned unit = reg / 4, n = t < TINY_CLASS_COUNT ? tiny_classes[t].units : 1;
    char file = unit >= 384 ? 'p' : unit >= 320 ? 'x' : unit >= 256 ? 's' : 'v', text[48];
    unit -= unit >= 384 ? 384 : unit >= 320 ? 320 : unit >= 256 ? 256 : 0;
    if (n > 1)
        snprintf(text, sizeof text, "%c[%u-%u]", file, unit, unit + n - 1);
    else
        snprintf(text, sizeof text, "%c[%u]", file, unit);
    snprintf(out, 16, "%.15s", text);
}

static inline bool
tiny_parse_reg(const char *text, size_t len, unsigned *out, ir_type *type)
{
    char copy[16] = {0}, file;
    unsigned first, last;
    memcpy(copy, text, len < 15 ? len : 15);
    int n = sscanf(copy, "%c[%u-%u]", &file, &first, &last);
    const char *files = "vsxp", *at = n < 2 ? NULL : strchr(files, file);
    if (!at || first > 255)
        return false;
    static const uint16_t starts[] = {0, 256, 320, 384};
    static const uint8_t types[] = {TINY_V1, TINY_S1, TINY_X1, TINY_P1};
    *out = (first + starts[at - files]) * 4;
    *type = n == 3 ? TINY_A255 : types[at - files];
    return true;
}

enum {
    TINY_PHI,
    TINY_LINEAR_PHI,
    TINY_DEF,
    TINY_ADD,
    TINY_USE,
    TINY_GET,
    TINY_SET,
    TINY_SELECT,
    TINY_BRANCH,
    TINY_END,
    TINY_OP_COUNT,
};
static const char *const tiny_refs[] = {"0", "1", "2", NULL};
static const ir_attr_info tiny_modifiers[] = {
    {.name = "not", .bits = 3, .kind = IR_ATTR_FLAGS, .optional = true, .names = tiny_refs},
    {.name = NULL},
};
static const ir_op_info tiny_ops[TINY_OP_COUNT] = {
    [TINY_PHI] = {"phi", .n_defs = 1, .n_refs = IR_ANY, .flags = IR_OP_PHI},
    [TINY_LINEAR_PHI] = {"linear_phi", .n_defs = 1, .n_refs = IR_ANY,
                         .flags = IR_OP_PHI | IR_OP_LINEAR_PHI},
    [TINY_DEF] = {"def", .n_defs = 1},
    [TINY_ADD] = {"add", .n_defs = 1, .n_refs = 2},
    /* (array, address); (array, address, value): the array afterwards, tied to reference 0 */
    [TINY_GET] = {"get", .n_defs = 1, .n_refs = 2},
    [TINY_SET] = {"set", .n_defs = 1, .n_refs = 3},
    /* (predicate, a, b); `not` has a bit for each reference that is negated */
    [TINY_SELECT] = {"select", .n_defs = 1, .n_refs = 3, .n_words = 1, .n_attrs = 1,
                     .attrs = tiny_modifiers},
    [TINY_USE] = {"use", .n_refs = 1, .flags = IR_OP_EFFECT},
    [TINY_BRANCH] = {"branch", .n_refs = IR_ANY, .flags = IR_OP_TERMINATOR},
    [TINY_END] = {"end", .flags = IR_OP_TERMINATOR},
};
static inline ir_tied
tiny_tied(const ir_instr *i)
{
    return i->op == TINY_SET ? (ir_tied){0, 0} : (ir_tied){-1, -1};
}

static const ir_machine tiny_machine = {
    .classes = tiny_classes,
    .banks = tiny_banks,
    .n_banks = 4,
    .unit_shift = 2,
    .n_units = 388,
    .null_reg = IR_REG_NONE,
    .tied = tiny_tied,
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

static inline const char *
tiny_check_group(const ir_instr *first, const ir_instr *last)
{
    unsigned constants = 0;
    for (const ir_instr *i = first; i != last->next; i = i->next) {
        for (unsigned r = 0; r < i->n_refs; r++)
            constants += i->refs[r].kind == IR_REF_CONST;
    }
    return constants > 2 ? "more than two constants" : NULL;
}

enum { TINY_IN_CLAUSE = 0x40, TINY_IN_GROUP = 0x80 };
static const ir_bundle_kind tiny_bundles[] = {
    {.name = "clause", .joins = TINY_IN_CLAUSE, .slots = 8, .in_order = true},
    {.name = "", .joins = TINY_IN_GROUP, .slots = 3, .check = tiny_check_group},
    {.joins = 0},
};

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
    .bundles = tiny_bundles,
};

#endif
