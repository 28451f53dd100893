/* The lexer: splits characters into tokens, one line at a time.
 *
 * The current token is `asm_ctx.token`. Its text is part of the source, so the lexer can return to
 * a token by seeking to its text.
 */
#ifndef ASM_TOKEN_H
#define ASM_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of one assembly: asm/ctx.h. */
typedef struct asm_ctx asm_ctx;

typedef enum asm_token_kind {
    ASM_END, /* of the line */
    ASM_IDENT,
    ASM_INT,
    ASM_FLOAT,
    ASM_STRING, /* including its quotes */
    ASM_PUNCT,  /* value: the character, or ASM_PAIR of two */
    ASM_BAD,
} asm_token_kind;

/* Operators of two characters: << >> == != <> <= >= && || */
#define ASM_PAIR(first, second) ((unsigned)(first) | (unsigned)(second) << 8)

typedef struct asm_token {
    asm_token_kind kind;
    const char *text; /* `len` characters */
    uint32_t len;
    uint64_t value;
    double number; /* ASM_FLOAT, and the value of an ASM_INT */
} asm_token;

/* Reads the next token of the line. */
void
asm_next(asm_ctx *a);

/* Moves forward or back to `at`, the start of a token. */
void
asm_seek(asm_ctx *a, const char *at);

/* Moves to the end of the line. */
void
asm_skip_line(asm_ctx *a);

/* Returns true if `c` can be part of a symbol's or parameter's name. */
bool
asm_is_symbol_char(char c);

/* Returns true if `c` can be part of an identifier: of a name, or of a specifier joined by @. */
bool
asm_is_name_char(char c);

/* Returns true if the current token is this character, or the identifier `name`. */
bool
asm_is(const asm_ctx *a, char punct);
bool
asm_is_name(const asm_ctx *a, const char *name);

/* Consumes the token if it matches, and returns true. */
bool
asm_take(asm_ctx *a, char punct);
bool
asm_take_name(asm_ctx *a, const char *name);

#endif
