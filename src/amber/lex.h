/* The words of both languages (internal to the reader).
 *
 * A token ends at white space, at `,`, `(` and `)`, which are tokens themselves, or where a number
 * stops being one: `50%` is two tokens, and so is `0:1`. Ends of lines are tokens, unless a `\`
 * stands before. `#` begins a comment.
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
    LEX_HEX, /* 0x...: an integer too */
    LEX_FLOAT,
} lex_kind;

typedef struct lex_token {
    lex_kind kind;
    const char *text; /* not terminated */
    uint32_t size;
    bool negative; /* a number with a minus */
    uint64_t u;    /* integers; two's complement when negative */
    double f;      /* numbers */
    uint32_t line, column;
} lex_token;

typedef struct lexer {
    const char *at, *end;
    const char *line_start;
    uint32_t line;
    arena *arena;
} lexer;

lexer
lex_make(arena *a, const char *text, size_t size, uint32_t first_line);

lex_token
lex_next(lexer *l);

/* The next token, left in place. */
lex_token
lex_peek(const lexer *l);

/* Takes the text up to (not including) the next `mark`, or up to the end, false, if there is none.
 */
bool
lex_until(lexer *l, const char *mark, const char **text, size_t *size);

#endif
