/* Errors in the text.
 *
 * A back end may try several ways to read a statement. A failed attempt records its reason; the
 * failure furthest along in the text becomes the diagnostic.
 *
 * An error ends its statement: it is reported, the rest of the line is skipped, and reading
 * continues (asm_attempt). Errors that follow from others are not reported: see
 * asm_symbol.is_reported and asm_ctx.is_incomplete. The call ends at an exceeded limit, where the
 * rest of the text has no meaning (a block without an end), and at the error after the 20th.
 */
#ifndef ASM_REPORT_H
#define ASM_REPORT_H

#include "asm/token.h"
#include "base/diag.h"

/* The reason for a failed attempt: at `at`, "expected `what`", or another row of errors.def with
 * `what`. */
typedef struct asm_failure {
    const char *at;
    diag_error error;
    const char *what;
    uint32_t symbol; /* 1 + the symbol that has no value; 0: another error */
} asm_failure;

enum { ASM_MAX_ERRORS = 20 };

/* Does `work`. Returns false if an error ended it; the position is then the end of the line with
 * the error. */
bool
asm_attempt(asm_ctx *a, void (*work)(asm_ctx *a, void *user), void *user);

/* Records a failure at the current token; always returns false. */
bool
asm_fail(asm_ctx *a, diag_error error, const char *what);
bool
asm_expected(asm_ctx *a, const char *what);

/* Consumes `punct`, or records that it was expected. */
bool
asm_expect(asm_ctx *a, char punct, const char *what);

/* Ends the statement with the recorded failure, whose position is in `source` or in the source that
 * contains it. */
_Noreturn void
asm_report_in(asm_ctx *a, uint32_t source);
_Noreturn void
asm_report(asm_ctx *a);

/* The same, and ends the call, because the rest of the text would have no meaning. */
_Noreturn void
asm_report_last(asm_ctx *a);

/* Ends the statement with an error of two texts at `at`. */
_Noreturn void
asm_report_texts(asm_ctx *a, const char *at, diag_error error, const char *what, const char *why);

/* Ends the statement without a message: its error has been reported elsewhere. */
_Noreturn void
asm_abandon(asm_ctx *a);

/* Ends the call with the first error if there was one. */
void
asm_finish(asm_ctx *a);

/* Fails: `what` was expected at the token. */
_Noreturn void
asm_want(asm_ctx *a, const char *what);

/* Consumes the expected token, or reports a diagnostic. */
void
asm_take_comma(asm_ctx *a);
asm_token
asm_take_string(asm_ctx *a);

/* Up to 60 characters of a name, for a diagnostic. */
const char *
asm_short(const asm_ctx *a, const char *name, size_t len);

/* Sets the diagnostic's location to `at`. */
void
asm_locate(asm_ctx *a, const char *at);

/* Returns to a recorded position, for a diagnostic. */
void
asm_return_to(asm_ctx *a, uint32_t source, const char *at);

#endif
