/* The tokens of both languages (internal to the reader).
 *
 * A token ends at white space, at `,`, `(` and `)`, which are tokens themselves, or where a number
 * ends: `50%` is two tokens, and so is `0:1`. Line ends are tokens, unless preceded by `\`. `#`
 * starts a comment.
 */
#ifndef AMBER_LEX_H
#define AMBER_LEX_H

#include "base/arena.h"
#include "base/diag.h"

typedef enum lex_kind {
    LEX_END_OF_TEXT,
    LEX_END_OF_LINE,
    LEX_WORD,
    LEX_STRING, /* between double quotes; `text` is unescaped */
    LEX_INTEGER,
    LEX_HEX, /* 0x...: also an integer */
    LEX_FLOAT,
} lex_kind;

typedef struct lex_token {
    lex_kind kind;
    const char *text; /* not terminated */
    uint32_t size;
    bool negative; /* a number with a minus sign */
    uint64_t u;    /* of integers; two's complement if negative */
    double f;      /* of numbers */
    uint32_t line, column;
} lex_token;

typedef struct lexer {
    const char *at, *end;
    const char *line_start;
    uint32_t line;
    arena *arena;
} lexer;

lexer
amber_lex_make(arena *a, const char *text, size_t size, uint32_t first_line);

lex_token
amber_lex_next(lexer *l);

/* Returns the next token without consuming it. */
lex_token
amber_lex_peek(const lexer *l);

/* Consumes the text up to (not including) the next `mark`. If there is none, consumes everything
 * and returns false.
 */
bool
amber_lex_until(lexer *l, const char *mark, const char **text, size_t *size);

#endif
