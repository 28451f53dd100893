/* Machine code as lines of text, as `heddle disasm` and `heddle compile` print it.
 *
 * A listing is a range of bytes. listing_run prints it with its own labels at branch targets.
 * object_listing.c, which knows all symbols of a file, prints it line by line and names what an
 * instruction refers to. Every line assembles to the bytes it represents: an instruction whose text
 * would not is printed as data.
 */
#ifndef API_LISTING_H
#define API_LISTING_H

#include "amd/amd.h"
#include "amd/isa/asm/unit.h"
#include "amd/isa/isa.h"
#include "api/api.h"

/* The target called `name`; fails as api_find_target does. */
static inline const amd_target *
listing_target(api_state *s, const char *name)
{
    return api_find_target(s, name).own;
}

typedef struct listing {
    const amd_target *target;
    bool wave64;
    const uint8_t *bytes;
    size_t size;
    uint64_t *labels; /* bit set of dwords that are branch targets; NULL: no labels */
    bool with_bytes, with_fields;
    uint64_t address; /* of the first byte */
    /* of the text: instructions that do not assemble to their bytes are printed as data */
    amd_line_check *check;
    const obj_code *code;  /* source lines to show; may be NULL */
    const obj_line *shown; /* the row shown last */
    base_buf *out;
} listing;

/* Replaces an instruction's last operand in the text. */
typedef struct listing_operand {
    const char *text; /* NULL: the operand as decoded */
    const char *note; /* appended after the bytes; may be NULL */
} listing_operand;

/* Decodes the instruction at byte `at`, if one ends inside the listing; `*extra` as in
 * amd_decode_loose. */
bool
listing_decode(const listing *l, size_t at, amd_inst *in, bool *extra);

/* The target of a branch at byte `at`, or SIZE_MAX if it is not a branch inside the code. */
size_t
listing_branch_target(const listing *l, const amd_inst *in, size_t at);

/* Finds labels at starts of lines; a branch into the middle of an instruction gets none. */
void
listing_find_labels(listing *l, arena *a);

/* Prints the line at byte `at`, using bytes before `end`. Returns the start of the next line. */
size_t
listing_line(listing *l, size_t at, size_t end, listing_operand operand);

/* Prints the whole listing. */
void
listing_run(listing *l);

/* Prints a comment with the source line if it changes at byte `at`. */
void
listing_source(listing *l, size_t at);

/* Prints bytes as data: a dword, or what is left of one. */
void
listing_data(const uint8_t *bytes, size_t left, base_buf *out);

/* Prints comments with the information that a code object's notes hold on a kernel. */
void
listing_head(const obj_code *c, base_buf *out);

/* Prints a code object of any compiler completely, with symbols. With `as_object`, the text
 * assembles to such an object. */
void
api_print_object(api_state *s, const obj_file *f, bool with_fields, bool as_object, base_buf *out);

#endif
