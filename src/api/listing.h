/* Machine code as lines of text: what `heddle disasm` and `heddle compile` print.
 *
 * A listing is a run of bytes. listing_run prints it with labels of its own at branch targets;
 * object_listing.c, which knows a whole file's symbols, prints it line by line and names what an
 * instruction refers to. Every line assembles to the bytes it stands for: an instruction whose text
 * would not is printed as data.
 */
#ifndef API_LISTING_H
#define API_LISTING_H

#include "amd/isa/isa.h"
#include "amd/isa/unit.h"
#include "api/api.h"

typedef struct listing {
    const amd_target *target;
    bool wave64;
    const uint8_t *bytes;
    size_t size;
    uint64_t *labels; /* bit set of dwords that are branched to; NULL: no labels */
    bool with_bytes, with_fields;
    uint64_t address;      /* of the first byte */
    amd_line_check *check; /* of the text: what it does not assemble to is printed as data */
    const obj_code *code;  /* whose source lines are shown; may be NULL */
    const obj_line *shown; /* last */
    base_buf *out;
} listing;

/* What an instruction's last operand is printed as. */
typedef struct listing_operand {
    const char *text; /* NULL: as the instruction has it */
    const char *note; /* put behind the bytes; may be NULL */
} listing_operand;

/* Decodes the instruction at byte `at`, if there is one that ends inside; `*extra` as
 * amd_decode_loose has it. */
bool
listing_decode(const listing *l, size_t at, amd_inst *in, bool *extra);

/* The byte that a branch at byte `at` goes to, or SIZE_MAX for what is no branch inside the code.
 */
size_t
listing_branch_target(const listing *l, const amd_inst *in, size_t at);

/* Labels where lines begin: a branch into an instruction has none. */
void
listing_find_labels(listing *l, arena *a);

/* Prints the line at byte `at`, of bytes before `end`; gives where the next one begins. */
size_t
listing_line(listing *l, size_t at, size_t end, listing_operand operand);

/* Prints all of it. */
void
listing_run(listing *l);

/* A comment with the source line, where it changes at byte `at`. */
void
listing_source(listing *l, size_t at);

/* Bytes as data: a dword, or what is left of one. */
void
listing_data(const uint8_t *bytes, size_t left, base_buf *out);

/* Comments that say what a code object's notes say of a kernel. */
void
listing_head(const obj_code *c, base_buf *out);

/* All of a code object of any compiler, with symbols; as text that assembles to such an object
 * where `as_object` says so. */
void
api_print_object(api_state *s, const obj_file *f, bool with_fields, bool as_object, base_buf *out);

#endif
