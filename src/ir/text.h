/* The text form of every level: it is printed, and parsed back to an equal function.
 *
 * HIR follows NIR's text form, machine levels follow ACO's; docs/hir.md has the grammar. Before the
 * function stands a header of fields. Besides the container's own, these are fields of structs that
 * tables describe: the level's program (ir_level.program) and what the caller adds (ir_text_part),
 * so that a text can hold the whole state of a compile.
 */
#ifndef IR_TEXT_H
#define IR_TEXT_H

#include "base/buf.h"
#include "ir/ir.h"

#include <stddef.h>

enum {
    IR_PRINT_DIVERGENCE = 1, /* con and div before definitions; needs the analysis */
    IR_PRINT_LOCS = 2,       /* source lines after instructions; the parser reads them */
    IR_PRINT_KILLS = 4,      /* machine levels: kill flags */
    /* What later passes need of the passes before: all of the above, as far as it is valid, the
     * field `valid` and the level's program. */
    IR_PRINT_STATE = 8,
};

/* ---- fields of the header ---- */

typedef enum ir_text_kind {
    IR_TEXT_NUMBER, /* `count` integers without sign of `size` bytes */
    IR_TEXT_BOOL,
    IR_TEXT_ENUM,  /* an integer of `size` bytes; `names` maps it to a word */
    IR_TEXT_FLAGS, /* an integer of `size` bytes; `names` maps bit i to a word */
    IR_TEXT_WORDS, /* const char *: words separated by commas or colons, NULL: none */
    IR_TEXT_ROWS,  /* an array of structs: a line "name: field=value ..." for each */
} ir_text_kind;

/* A field of a struct that is printed as "name: value" when it is not zero. */
typedef struct ir_text_field {
    const char *name;
    uint8_t kind;  /* ir_text_kind */
    uint8_t size;  /* bytes of an integer: 1, 2, 4, 8 */
    uint8_t count; /* of numbers; 0 means 1 */
    bool always;   /* of a row: printed even if it is zero */
    uint32_t offset;
    const char *const *names; /* terminated by NULL; "" is a gap */
    const struct ir_text_rows *rows;
} ir_text_field;

/* The rows of a field of kind ROWS. */
typedef struct ir_text_rows {
    const ir_text_field *fields; /* of a row; terminated by a NULL name */
    uint32_t row_size;
    uint32_t count_offset; /* in the struct: their number ... */
    uint8_t count_size;    /* ... an integer of so many bytes */
    /* The field is an array of this many rows. 0: it is a pointer to any number of rows, which the
     * parser allocates. */
    uint16_t most;
} ir_text_rows;

#define IR_TEXT_FIELD(type, how, member)                                                           \
    {                                                                                              \
        .name = #member, .kind = IR_TEXT_##how, .size = sizeof(((type *)0)->member),               \
        .offset = offsetof(type, member)                                                           \
    }

/* One of `list`, always printed. */
#define IR_TEXT_CHOICE(type, member, list)                                                         \
    {                                                                                              \
        .name = #member, .kind = IR_TEXT_ENUM, .size = sizeof(((type *)0)->member),                \
        .always = true, .offset = offsetof(type, member), .names = list                            \
    }

/* The rows of an array, which the member `number` counts, and the field that they are. */
#define IR_TEXT_ROW_LIST(type, array, number, list)                                                \
    {                                                                                              \
        .fields = list, .row_size = sizeof(*((type *)0)->array),                                   \
        .count_offset = offsetof(type, number), .count_size = sizeof(((type *)0)->number),         \
        .most = sizeof(((type *)0)->array) / sizeof(*((type *)0)->array)                           \
    }
#define IR_TEXT_ROW_FIELD(type, title, array, row_list)                                            \
    {                                                                                              \
        .name = title, .kind = IR_TEXT_ROWS, .offset = offsetof(type, array), .rows = &row_list    \
    }

/* A struct with such fields. A list of parts ends with NULL fields. */
typedef struct ir_text_part {
    const ir_text_field *fields;
    void *at;
} ir_text_part;

/* ---- printing and parsing ---- */

/* Appends the function as text. `parts`, which may be NULL, go to the header. */
void
ir_print_parts(const ir_fn *f, unsigned flags, const ir_text_part *parts, base_buf *out);

static inline void
ir_print(const ir_fn *f, unsigned flags, base_buf *out)
{
    ir_print_parts(f, flags, NULL, out);
}

/* Appends one instruction without a line end. */
void
ir_print_instr(const ir_fn *f, const ir_instr *i, unsigned flags, base_buf *out);

/* Reads a function of `level`; fails with line and column. The result is structurally sound but not
 * yet verified. If the text has the field `valid`, its analyses IR_HAS_* are in f->valid, although
 * only what the text itself shows is there: divergence, kill flags; the caller computes the others
 * again. A level with a program gets a new one as f->backend. `parts` may be NULL. */
ir_fn *
ir_parse_parts(ir_ctx *ctx, const ir_level *level, const char *text, size_t size,
               const ir_text_part *parts);

static inline ir_fn *
ir_parse(ir_ctx *ctx, const ir_level *level, const char *text, size_t size)
{
    return ir_parse_parts(ctx, level, text, size, NULL);
}

/* What must be known of a text to parse it. Words are in the context's arena; NULL: not stated. */
typedef struct ir_text_origin {
    const char *target; /* the field `target` */
    const char *after;  /* the field `after`: the step of a pipeline that made the text */
    bool machine;       /* the blocks are those of a machine level */
} ir_text_origin;

/* Looks for these in a text of any level. Fails only if it cannot be taken apart into words. */
ir_text_origin
ir_find_origin(ir_ctx *ctx, const char *text, size_t size);

#endif
