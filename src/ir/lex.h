/* Tokens of the text form. Private to the parser.
 *
 * Words are runs of letters, digits and "_.+-" (types, names, numbers). Strings are in double
 * quotes with \xNN escapes. Every other character is a token of its own. Blanks and comments
 * separate tokens; a line end only sets `new_line` on the next token. Comments that state edges
 * ("// preds:", "/+ logical" with a star) or a source line (// at "file") are lexed like the rest
 * of the text.
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
    bool new_line; /* first token of its line */
} ir_tok;

typedef struct ir_lexer {
    diag *diag;
    arena *arena;     /* for messages */
    const char *next; /* just after the current token */
    const char *end, *line_start;
    uint32_t line;
    ir_tok tok; /* the current token */
} ir_lexer;

/* The first token becomes current. */
void
ir_lex_init(ir_lexer *l, diag *d, arena *a, const char *text, size_t size);

/* Advances to the next token. */
void
ir_lex_next(ir_lexer *l);

/* Returns true if the current token is this character, or this word. */
bool
ir_lex_is(const ir_lexer *l, char c);
bool
ir_lex_is_word(const ir_lexer *l, const char *word);

/* If so, consumes it and returns true. */
bool
ir_lex_take(ir_lexer *l, char c);
bool
ir_lex_take_word(ir_lexer *l, const char *word);

/* Consumes it, or fails. */
void
ir_lex_expect(ir_lexer *l, char c);

/* Consumes any word, or fails with the message that `what` was expected. */
ir_tok
ir_lex_word(ir_lexer *l, const char *what);

/* Consumes a number of at most `bits` bits: decimal (a negative one in two's complement) or
 * hexadecimal.
 */
uint64_t
ir_lex_number(ir_lexer *l, unsigned bits);
bool
ir_tok_number(ir_tok t, unsigned bits, uint64_t *out);

/* Makes a register's name the current token: the characters directly after the current token that
 * are word characters or brackets. */
void
ir_lex_register(ir_lexer *l);

/* Fails at the current token: expected `what`. */
_Noreturn void
ir_lex_fail(ir_lexer *l, const char *what);

/* Sets the location for errors to that of a token. */
void
ir_lex_at(ir_lexer *l, ir_tok t);

static inline bool
ir_tok_is(ir_tok t, const char *word)
{
    return t.kind == IR_TOK_WORD && t.len == strlen(word) && memcmp(t.text, word, t.len) == 0;
}

#endif
