/* Errors in the text.
 *
 * A back end may try several ways to read a statement. A trial that fails notes why; the failure
 * that is furthest on in the text becomes the diagnostic.
 */
#ifndef ASM_REPORT_H
#define ASM_REPORT_H

#include "asm/token.h"
#include "base/diag.h"

/* Why a trial failed: at `at`, "expected `what`", or another row of errors.def with `what`. */
typedef struct asm_failure {
    const char *at;
    diag_error error;
    const char *what;
} asm_failure;

/* Notes a failure at the current token; always false. */
bool
asm_fail(asm_ctx *a, diag_error error, const char *what);
bool
asm_expected(asm_ctx *a, const char *what);

/* Takes `punct` or notes that it was expected. */
bool
asm_expect(asm_ctx *a, char punct, const char *what);

/* Ends the call with the noted failure. */
_Noreturn void
asm_report(asm_ctx *a);

/* The diagnostic that `what` was expected at the token. */
_Noreturn void
asm_want(asm_ctx *a, const char *what);

/* Takes what must be there, or the diagnostic. */
void
asm_take_comma(asm_ctx *a);
asm_token
asm_take_string(asm_ctx *a);

/* Up to 60 characters of a name, for a diagnostic. */
const char *
asm_short(const asm_ctx *a, const char *name, size_t len);

/* Sets the diagnostic's place to `at`. */
void
asm_locate(asm_ctx *a, const char *at);

/* Makes the source that has `at` in it the current one: the text of a statement of several lines
 * may come from several. */
void
asm_enter_source_of(asm_ctx *a, const char *at);

/* Goes to a place that was noted, for a diagnostic. */
void
asm_return_to(asm_ctx *a, uint32_t source, const char *at);

#endif
