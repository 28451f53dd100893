/* Diagnostics: one protected call turns any failure into a status.
 *
 * Each entry point (an API call, a tool's command) makes a `diag`, arms it with DIAG_TRY, and
 * works. Whatever finds the input wrong calls `diag_fail` with a row of errors.def; it records the
 * error and returns to the entry point by longjmp. Running out of memory does the same. Nothing
 * inside ends the process.
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
    DIAG_INTERNAL, /* a defect of Heddle */
} diag_class;

typedef enum diag_error {
    ERR_NONE,
#define ERR(name, class, text) ERR_##name,
#include "base/errors.def"
#undef ERR
    ERR_COUNT,
} diag_error;

/* Where in the input. Text inputs use line and column (from 1); binary inputs use `offset`, in
 * `unit`s. */
typedef struct diag_loc {
    const char *file; /* may be NULL */
    uint32_t line, column;
    bool has_offset;
    uint64_t offset;
    const char *unit;   /* "word", "byte" */
    const char *what;   /* the instruction or item there, e.g. "OpLoad"; may be NULL */
    const char *within; /* how that place was come to, put behind the message; may be NULL */
} diag_loc;

enum { DIAG_MESSAGE_MAX = 512 };

typedef struct diag {
    jmp_buf exit;
    bool armed;
    diag_loc loc; /* readers keep this at the item they look at; an error is reported here */
    diag_error error;
    diag_class class;
    char message[DIAG_MESSAGE_MAX]; /* without the place */
} diag;

#define DIAG_TRY(d) ((d)->armed = true, setjmp((d)->exit) == 0)

void
diag_init(diag *d);

/* Records error `e` at `d->loc` with the row's text as printf format, and leaves by the armed exit.
 */
_Noreturn void
diag_fail(diag *d, diag_error e, ...);

/* For arena_init: fails with ERR_NO_MEMORY. `d` is a diag. */
void
diag_out_of_memory(void *d);

/* The class and the name ("SPIRV_BAD_MAGIC") of an error, from its row. */
diag_class
diag_error_class(diag_error e);
const char *
diag_error_name(diag_error e);

/* Writes "file:line:col: error: message" (or "file: error: word 12 (OpLoad): message") into `out`,
 * always terminated; returns the length that the whole text has. */
int
diag_format(const diag *d, char *out, unsigned size);

#endif
