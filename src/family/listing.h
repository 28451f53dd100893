/* Machine code as lines of text, as `heddle disasm` and `heddle compile` print it.
 *
 * A listing is a range of bytes with a family's reader of instructions (family_isa).
 * family_listing_run prints it with its own labels at branch targets. A printer of whole objects,
 * which knows all symbols of a file, prints it line by line and names what an instruction refers
 * to. Every line assembles to the bytes it represents: an instruction whose text would not is
 * printed as data.
 */
#ifndef FAMILY_LISTING_H
#define FAMILY_LISTING_H

#include "family/family.h"

typedef struct family_listing {
    const family_isa *isa;
    void *reader; /* of isa->open */
    const uint8_t *bytes;
    size_t size;
    uint64_t *labels; /* bit set of dwords that are branch targets; NULL: no labels */
    bool with_bytes, with_fields;
    uint64_t address;              /* of the first byte */
    const obj_code *code;          /* source lines to show; may be NULL */
    const obj_line *shown;         /* the row shown last */
    family_source_text *source;    /* the text of these rows; NULL: none */
    struct family_live_view *live; /* registers to show beside the code; NULL: none */
    base_buf *out;
} family_listing;

/* Replaces an instruction's last operand in the text. */
typedef struct family_operand {
    const char *text; /* NULL: the operand as decoded */
    const char *note; /* appended after the bytes; may be NULL */
} family_operand;

/* Gives the code to the reader: before all else. */
void
family_listing_begin(const family_listing *l);

/* Decodes the instruction at byte `at`, if one ends inside the listing. It is then the reader's
 * current one. */
bool
family_listing_decode(const family_listing *l, size_t at, family_inst *in);

/* The target of a branch at byte `at`, or SIZE_MAX if it is not a branch inside the code. */
size_t
family_listing_target(const family_listing *l, const family_inst *in, size_t at);

/* Finds labels at starts of lines; a branch into the middle of an instruction gets none. */
void
family_listing_find_labels(family_listing *l, arena *a);

/* Puts live registers beside the lines of a listing that has labels, and appends the head of that
 * view. Fails if the family has no such analysis. */
void
family_listing_show_live(const ir_ctx *c, const family_target *t, family_listing *l);

/* Prints the line at byte `at`, using bytes before `end`. Returns the start of the next line. */
size_t
family_listing_line(family_listing *l, size_t at, size_t end, family_operand operand);

/* Prints the whole listing. */
void
family_listing_run(family_listing *l);

/* Appends where the bindings' descriptors are, as comments. */
void
family_print_bindings(const obj_code *code, base_buf *out);

/* Appends a shader as text: the notes of its code object as comments, the code with labels at
 * branch targets, and the constant data. */
void
family_print_shader(const ir_ctx *c, const family_target *t, const obj_code *code, family_text how,
                    base_buf *out);

#endif
