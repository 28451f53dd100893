/* Lines between a directive and its end that are not statements. */
#ifndef ASM_BLOCK_H
#define ASM_BLOCK_H

#include "asm/token.h"
#include "base/diag.h"

/* The text, and the place of its first line. */
typedef struct asm_block {
    const char *text; /* NULL: there is none */
    size_t size;
    diag_loc loc;
} asm_block;

/* Skips lines until one begins with `name`; `at` is the directive that wants it. Ends the call if
 * there is none. */
void
asm_find_end(asm_ctx *a, const char *at, const char *name);
_Noreturn void
asm_report_end(asm_ctx *a, const char *at, const char *name);

/* Reads the lines from behind the directive up to the one that begins with `end`. */
void
asm_take_block(asm_ctx *a, const char *end, asm_block *out);

#endif
