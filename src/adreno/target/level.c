/* The level of Adreno's machine IR: rows, text. */
#include "adreno/adreno.h"

#include "adreno/target/alias.h"
#include "base/number.h"
#include "ir/text.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- attributes ---- */

static const char *const conditions[] = {"lt", "le", "gt", "ge", "eq", "ne", "", "", NULL};
static const char *const types[] = {"f16", "f32", "u16", "u32", "s16", "s32", "u8", "u8_32", NULL};
static const char *const barriers[] = {"global", "local", "read", "write", NULL};

#define FLD(name, word, shift, bits, kind, names)                                                  \
    {                                                                                              \
        name, word, shift, bits, IR_ATTR_##kind, true, names                                       \
    }

static const ir_attr_info fields[] = {
#define OTHER(id, name, word, shift, bits, kind, names) FLD(name, word, shift, bits, kind, names),
#define ATTRIBUTE(id, name, word, shift, bits, kind, names, field)                                 \
    FLD(name, word, shift, bits, kind, names),
#include "adreno/attributes.def"
#undef ATTRIBUTE
#undef OTHER
    {NULL, 0, 0, 0, 0, false, NULL},
};

/* Of textures with numbers of descriptors, and parts of rows (target/alias.h). */
static const ir_attr_info texture_fields[] = {
    FLD("type", 0, ADRENO_M_TYPE, 3, ENUM, types),
    FLD("imm", 1, 0, ADRENO_T_FIRST, INT, NULL),
    FLD("first", 1, ADRENO_T_FIRST, 4, UINT, NULL),
    FLD("second", 1, ADRENO_T_SECOND, 3, UINT, NULL),
    FLD("files", 1, ADRENO_T_FILES, 16, HEX, NULL),
    FLD("mode", 2, ADRENO_W_MODE, 3, UINT, NULL),
    FLD("base", 2, ADRENO_W_BASE, 3, UINT, NULL),
    FLD("mask", 2, ADRENO_W_MASK, 4, MASK, NULL),
    FLD("d3", 2, ADRENO_W_3D, 1, BOOL, NULL),
    FLD("array", 2, ADRENO_W_A, 1, BOOL, NULL),
    FLD("offset", 2, ADRENO_W_O, 1, BOOL, NULL),
    FLD("shadow", 2, ADRENO_W_S, 1, BOOL, NULL),
    FLD("one", 2, ADRENO_W_1D, 1, BOOL, NULL),
    FLD("lanes", 2, ADRENO_W_LANES, 3, UINT, NULL),
    FLD("p", 2, ADRENO_W_P, 1, BOOL, NULL),
    {NULL, 0, 0, 0, 0, false, NULL},
};

static const ir_attr_info form[] = {
    {"ss", 0, 0, 1, IR_ATTR_BOOL, true, NULL},
    {"sy", 0, 1, 1, IR_ATTR_BOOL, true, NULL},
    {"jp", 0, 2, 1, IR_ATTR_BOOL, true, NULL},
    {"nop", 0, ADRENO_FORM_NOP, 2, IR_ATTR_UINT, true, NULL},
    {NULL, 0, 0, 0, 0, false, NULL},
};

enum {
    N_FIELDS = sizeof fields / sizeof *fields - 1,
    N_TEXTURE = sizeof texture_fields / sizeof *texture_fields - 1,
    N_WORDS = 3
};

/* ---- rows ---- */

/* Formats stand in the order of categories: the first one is of control flow, the last one of
 * barriers and caches. */
#define IS_TEXTURE(f) ((f) >= ADRENO_FMT_CAT5 && (f) <= ADRENO_FMT_CAT5_SAD_ANY)
#define ROW_FLAGS(f, properties)                                                                   \
    (((f) < ADRENO_FMT_CAT1_MOVA ? IR_OP_EFFECT : 0) |                                             \
     ((f) == ADRENO_FMT_CAT0_KILL ? IR_OP_WRITES : 0) |                                            \
     ((f) >= ADRENO_FMT_CAT7_BAR ? IR_OP_EFFECT | IR_OP_BARRIER : 0) |                             \
     ((properties)&ADRENO_STORES ? IR_OP_EFFECT | IR_OP_WRITES : 0) |                              \
     ((properties)&ADRENO_LOADS ? IR_OP_READS : 0) |                                               \
     ((properties)&ADRENO_LANES ? IR_OP_CONVERGENT : 0) |                                          \
     ((properties)&ADRENO_ENDS ? IR_OP_TERMINATOR : 0))

static const ir_op_info op_table[ADRENO_MIR_COUNT] = {
    [ADRENO_RAW] = {"raw", IR_ANY, IR_ANY, N_WORDS, N_FIELDS, 0, fields, NULL},
#define OP(id, name, format, number, first, last, type, properties)                                \
    [ADRENO_##id] = {#id,                                                                          \
                     IR_ANY,                                                                       \
                     IR_ANY,                                                                       \
                     N_WORDS,                                                                      \
                     IS_TEXTURE(ADRENO_FMT_##format) ? N_TEXTURE : N_FIELDS,                       \
                     ROW_FLAGS(ADRENO_FMT_##format, properties),                                   \
                     IS_TEXTURE(ADRENO_FMT_##format) ? texture_fields : fields,                    \
                     NULL},
#include "adreno/isa/ops.def"
#undef OP
#define PSEUDO(id, name, defs, refs, flags)                                                        \
    [ADRENO_##id] = {name, defs, refs, N_WORDS, N_FIELDS, flags, fields, NULL},
#include "adreno/pseudo.def"
#undef PSEUDO
};

/* ---- names ---- */

static char
letter_of(ir_type t, char full)
{
    return adreno_is_shared_class(t) ? 's' : adreno_is_half_class(t) ? 'h' : full;
}

/* The class of `n` registers that a letter stands for; 0: there is none. */
static ir_type
class_of(char letter, uint64_t n)
{
    if (n < 1 || n > (letter == 'p' ? 1 : letter == 's' ? ADRENO_MAX_SHARED_ROW : ADRENO_MAX_ROW))
        return 0;
    return (ir_type)(letter == 'p'   ? ADRENO_P1
                     : letter == 's' ? ADRENO_S1 + n - 1
                                     : adreno_class(letter == 'h', (unsigned)n));
}

static void
type_name(ir_type t, char out[16])
{
    if (t == ADRENO_P1)
        snprintf(out, 16, "p1");
    else if (t && t < ADRENO_CLASSES)
        snprintf(out, 16, "%c%u", letter_of(t, 'f'), adreno_row(t));
    else
        snprintf(out, 16, "none");
}

static bool
parse_type(const char *text, size_t len, ir_type *out)
{
    uint64_t n;
    if (len < 2 || !strchr("fhps", text[0]) ||
        base_integer_read(text + 1, len - 1, 10, &n) != len - 1)
        return false;
    *out = class_of(text[0], n);
    return *out != 0;
}

/* r[4], r[4-7], h[3], s[192], p[0]: numbers count components. */
static void
reg_name(unsigned reg, ir_type t, char out[16])
{
    const unsigned n = t && t < ADRENO_CLASSES ? adreno_row(t) : 1;
    const char letter = letter_of(t, 'r');
    const unsigned first = (letter == 'h' ? reg / 2 : reg / 4) % 1000;
    if (t == ADRENO_P1 || reg >= ADRENO_REG_PREDICATE)
        snprintf(out, 16, "p[%u]", (reg - ADRENO_REG_PREDICATE) / 2 % 1000);
    else if (n > 1)
        snprintf(out, 16, "%c[%u-%u]", letter, first, (first + n - 1) % 1000);
    else
        snprintf(out, 16, "%c[%u]", letter, first);
}

static bool
parse_reg(const char *text, size_t len, unsigned *out, ir_type *type)
{
    uint64_t first, last;
    if (len < 4 || !strchr("rhps", text[0]) || text[1] != '[' || text[len - 1] != ']')
        return false;
    size_t at = 2 + base_integer_read(text + 2, len - 2, 10, &first);
    last = first;
    if (at < len && text[at] == '-')
        at += 1 + base_integer_read(text + at + 1, len - at - 1, 10, &last);
    if (at != len - 1 || last < first || last >= 256)
        return false;
    *type = class_of(text[0], last - first + 1);
    *out = text[0] == 'p'   ? ADRENO_REG_PREDICATE + 2 * (unsigned)first
           : text[0] == 'h' ? 2 * (unsigned)first
                            : 4 * (unsigned)first;
    return *type != 0;
}

#define FIELD(how, member) IR_TEXT_FIELD(adreno_program, how, member)
/* A number for each bank. */
#define BANKS(title, member, bytes)                                                                \
    {                                                                                              \
        .name = title, .kind = IR_TEXT_NUMBER, .size = bytes, .count = ADRENO_BANKS,               \
        .offset = offsetof(adreno_program, member)                                                 \
    }

static const ir_text_field literal_fields[] = {
    {.name = "value", .kind = IR_TEXT_NUMBER, .size = 4, .always = true},
    {.name = NULL},
};
static const ir_text_rows literal_rows = IR_TEXT_ROW_LIST(adreno_program, literals, n_literals,
                                                          literal_fields);

#define ROW(how, member) IR_TEXT_FIELD(adreno_io, how, member)
static const ir_text_field io_fields[] = {
    IR_TEXT_CHOICE(adreno_io, kind, adreno_io_names),
    ROW(NUMBER, slot),
    ROW(NUMBER, location),
    ROW(NUMBER, mask),
    ROW(NUMBER, aliased),
    ROW(NUMBER, at),
    ROW(NUMBER, reg),
    {.name = NULL},
};
static const ir_text_rows io_rows = IR_TEXT_ROW_LIST(adreno_program, io, n_io, io_fields);

#define SLOT(how, member) IR_TEXT_FIELD(adreno_slot, how, member)
static const ir_text_field slot_fields[] = {
    SLOT(NUMBER, kind),    SLOT(NUMBER, set),   SLOT(NUMBER, binding),
    SLOT(NUMBER, element), SLOT(NUMBER, place), {.name = NULL},
};
static const ir_text_rows slot_rows = IR_TEXT_ROW_LIST(adreno_program, slots, n_slots, slot_fields);

const ir_text_field adreno_program_fields[] = {
    FIELD(NUMBER, local_bytes),
    FIELD(NUMBER, private_bytes),
    FIELD(NUMBER, array_words),
    FIELD(NUMBER, push_dwords),
    IR_TEXT_ROW_FIELD(adreno_program, "literal", literals, literal_rows),
    IR_TEXT_ROW_FIELD(adreno_program, "slot", slots, slot_rows),
    FIELD(NUMBER, constant_at),
    FIELD(NUMBER, constant_words),
    FIELD(BOOL, constant_in_memory),
    FIELD(NUMBER, branch_stack),
    FIELD(NUMBER, spill_base),
    BANKS("demand", cg.max_demand.units, 4),
    BANKS("cheap", cg.cheap, 2),
    FIELD(NUMBER, spilled),
    FIELD(NUMBER, gpr_budget),
    FIELD(BOOL, uses_local_id),
    FIELD(BOOL, uses_group_id),
    FIELD(BOOL, chooses_wave),
    {.name = "captured_stride",
     .kind = IR_TEXT_NUMBER,
     .size = sizeof(uint32_t),
     .count = FAMILY_CAPTURED_BUFFERS,
     .offset = offsetof(adreno_program, captured_stride)},
    IR_TEXT_ROW_FIELD(adreno_program, "io", io, io_rows),
    {.name = NULL},
};

const ir_level adreno_level = {
    .name = "adreno",
    .ops = op_table,
    .n_ops = ADRENO_MIR_COUNT,
    .machine = &adreno_machine_description,
    .type_name = type_name,
    .reg_name = reg_name,
    .parse_type = parse_type,
    .parse_reg = parse_reg,
    .const_type = ADRENO_F1,
    .form = form,
    .program = adreno_program_fields,
    .program_size = sizeof(adreno_program),
};
