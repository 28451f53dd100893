/* Diagnostics: one protected call turns any failure into a status.
 *
 * Each entry point (an API call, a tool's command) makes a `diag`, arms it with DIAG_TRY, and does
 * its work. Code that finds an error in the input calls `diag_fail` with a row of errors.def; it
 * records the error and returns to the entry point by longjmp. Running out of memory does the same.
 * No code in src/ ends the process.
 *
 *     diag d;
 *     diag_init(&d);
 *     if (DIAG_TRY(&d)) { ... work ... }
 *     else { d.error says what, d.message in which words, d.loc where }
 *
 * Locals changed between DIAG_TRY and a failure must be volatile or live outside the function
 * (C11 7.13.2.1).
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum diag_class {
    DIAG_OK,
    DIAG_INVALID,     /* the input breaks a rule */
    DIAG_UNSUPPORTED, /* valid, but not built yet: the message names the feature */
    DIAG_LIMIT,       /* a stated limit was exceeded */
    DIAG_NO_MEMORY,
    DIAG_CANCELLED, /* the caller wants no result any more */
    DIAG_INTERNAL,  /* a defect of Heddle */
} diag_class;

typedef enum diag_error {
    ERR_NONE,
#define ERR(name, class, text) ERR_##name,
#include "base/errors.def"
#undef ERR
    ERR_COUNT,
} diag_error;

/* A position in the input. Text inputs use line and column (from 1; column 0: unknown); binary
 * inputs use `offset`, counted in `unit`s. If debug info says which text that was made from, they
 * have a line, too. */
typedef struct diag_loc {
    const char *file;   /* the input; may be NULL */
    const char *source; /* the file that `line` is in, if it is not the input; may be NULL */
    uint32_t line, column;
    bool has_offset;
    uint64_t offset;
    const char *unit; /* "word", "byte" */
    const char *what; /* the instruction or item there, e.g. "OpLoad"; may be NULL */
    /* context printed after the message, such as the include that led here; may be NULL */
    const char *within;
} diag_loc;

enum { DIAG_MESSAGE_MAX = 512 };

typedef struct diag {
    jmp_buf exit;
    bool armed;
    diag_loc loc; /* readers keep this at the item they are reading; errors are reported here */
    diag_error error;
    diag_class class;
    bool is_reported;               /* the callback has already received the error */
    char message[DIAG_MESSAGE_MAX]; /* without the location */
} diag;

#define DIAG_TRY(d) ((d)->armed = true, setjmp((d)->exit) == 0)

void
diag_init(diag *d);

/* Records error `e` at `d->loc`, using the row's text as the printf format, and leaves through the
 * armed exit.
 */
_Noreturn void
diag_fail(diag *d, diag_error e, ...);

/* The two halves of diag_fail, for readers that report an error and go on. */
void
diag_record(diag *d, diag_error e, ...);
_Noreturn void
diag_leave(diag *d);

/* Failure handler for arena_init: fails with ERR_NO_MEMORY. `d` points to a diag. */
void
diag_out_of_memory(void *d);

/* The name of an error ("SPIRV_BAD_MAGIC"). */
const char *
diag_error_name(diag_error e);

/* Writes "file:line:col: error: message" (or "file: error: word 12 (OpLoad): message", or
 * "source:line:col: error: message (file: word 12, OpLoad)") into `out`,
 * always terminated. Returns the length of the full text, even if it was truncated. */
int
diag_format(const diag *d, char *out, unsigned size);

#endif
