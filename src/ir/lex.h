/* Tokens of the text form. Not for others than the parser.
 *
 * Words are runs of letters, digits and "_.+-" (types, names, numbers); strings stand in double
 * quotes with \xNN escapes; everything else is one character. Blanks and comments separate tokens;
 * a line end only sets `new_line` on the next one. Comments that state edges ("// preds:", "/+
 * logical" with a star) are no comments: they are lexed like the rest.
 */
#ifndef IR_LEX_H
#define IR_LEX_H

#include "ir/ir.h"

typedef enum ir_tok_kind { IR_TOK_END, IR_TOK_WORD, IR_TOK_STRING, IR_TOK_PUNCT } ir_tok_kind;

typedef struct ir_tok {
    ir_tok_kind kind;
    const char *text; /* strings: without the quotes, escapes as written */
    size_t len;
    uint32_t line, column;
    bool new_line; /* first of its line */
} ir_tok;

typedef struct ir_lexer {
    diag *diag;
    arena *arena;     /* for messages */
    const char *next; /* behind the current token */
    const char *end, *line_start;
    uint32_t line;
    ir_tok tok; /* the current token */
} ir_lexer;

/* Stands on the first token afterwards. */
void
ir_lex_init(ir_lexer *l, diag *d, arena *a, const char *text, size_t size);

/* Moves to the next token. */
void
ir_lex_next(ir_lexer *l);

/* Is the current token this character, or this word? */
bool
ir_lex_is(const ir_lexer *l, char c);
bool
ir_lex_is_word(const ir_lexer *l, const char *word);

/* If it is, moves behind it. */
bool
ir_lex_take(ir_lexer *l, char c);
bool
ir_lex_take_word(ir_lexer *l, const char *word);

/* Moves behind it, or fails. */
void
ir_lex_expect(ir_lexer *l, char c);

/* A word, whatever it is; fails with `what` as what was expected. */
ir_tok
ir_lex_word(ir_lexer *l, const char *what);

/* A number of at most `bits` bits, decimal (perhaps negative, two's complement then) or
 * hexadecimal.
 */
uint64_t
ir_lex_number(ir_lexer *l, unsigned bits);
bool
ir_tok_number(ir_tok t, unsigned bits, uint64_t *out);

/* Makes the text directly behind the current token, as long as its characters are
 * a word's or brackets, the current token (a register's name). */
void
ir_lex_register(ir_lexer *l);

/* Fails at the current token: expected `what`. */
_Noreturn void
ir_lex_fail(ir_lexer *l, const char *what);

/* Sets the place of an error to a token's. */
void
ir_lex_at(ir_lexer *l, ir_tok t);

static inline bool
ir_tok_is(ir_tok t, const char *word)
{
    return t.kind == IR_TOK_WORD && t.len == strlen(word) && memcmp(t.text, word, t.len) == 0;
}

#endif
