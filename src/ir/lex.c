/* The lexer for the tokens of ir/lex.h. */
#include "ir/lex.h"

/* Independent of the locale, unlike isalnum. */
static bool
is_alnum(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool
is_word_char(char c)
{
    return is_alnum(c) || c == '.' || c == '+' || c == '-';
}

static bool
starts_with(const ir_lexer *l, const char *text)
{
    size_t n = strlen(text);
    return (size_t)(l->end - l->next) >= n && memcmp(l->next, text, n) == 0;
}

static void
count_line(ir_lexer *l)
{
    l->line++;
    l->line_start = l->next + 1;
    l->tok.new_line = true;
}

static void
skip_comment(ir_lexer *l, bool block)
{
    while (l->next < l->end && !(block ? starts_with(l, "*/") : *l->next == '\n')) {
        if (*l->next == '\n')
            count_line(l);
        l->next++;
    }
    if (block && l->next < l->end)
        l->next += 2;
}

static void
skip_blanks(ir_lexer *l)
{
    while (l->next < l->end) {
        if (starts_with(l, "// preds:") || starts_with(l, "/* logical") ||
            starts_with(l, "// at \""))
            return;
        if (starts_with(l, "//")) {
            skip_comment(l, false);
        } else if (starts_with(l, "/*")) {
            skip_comment(l, true);
        } else if (*l->next == '\n') {
            count_line(l);
            l->next++;
        } else if (*l->next == ' ' || *l->next == '\t' || *l->next == '\r') {
            l->next++;
        } else {
            return;
        }
    }
}

static void
lex_string(ir_lexer *l)
{
    l->tok.kind = IR_TOK_STRING;
    l->tok.text = ++l->next;
    while (l->next < l->end && *l->next != '"' && *l->next != '\n')
        l->next++;
    l->tok.len = (size_t)(l->next - l->tok.text);
    if (l->next == l->end || *l->next != '"')
        ir_lex_fail(l, "a closing quote");
    l->next++;
}

void
ir_lex_next(ir_lexer *l)
{
    l->tok = (ir_tok){.kind = IR_TOK_END};
    skip_blanks(l);
    l->tok.text = l->next;
    l->tok.line = l->line;
    l->tok.column = (uint32_t)(l->next - l->line_start) + 1;
    if (l->next == l->end)
        return;
    if (*l->next == '"') {
        lex_string(l);
        return;
    }
    l->tok.kind = is_word_char(*l->next) ? IR_TOK_WORD : IR_TOK_PUNCT;
    do
        l->next++;
    while (l->tok.kind == IR_TOK_WORD && l->next < l->end && is_word_char(*l->next));
    l->tok.len = (size_t)(l->next - l->tok.text);
}

void
ir_lex_init(ir_lexer *l, diag *d, arena *a, const char *text, size_t size)
{
    *l = (ir_lexer){
        .diag = d, .arena = a, .next = text, .end = text + size, .line_start = text, .line = 1};
    ir_lex_next(l);
    l->tok.new_line = true;
}

bool
ir_lex_is(const ir_lexer *l, char c)
{
    return l->tok.kind == IR_TOK_PUNCT && *l->tok.text == c;
}

bool
ir_lex_is_word(const ir_lexer *l, const char *word)
{
    return ir_tok_is(l->tok, word);
}

bool
ir_lex_take(ir_lexer *l, char c)
{
    bool is = ir_lex_is(l, c);
    if (is)
        ir_lex_next(l);
    return is;
}

bool
ir_lex_take_word(ir_lexer *l, const char *word)
{
    bool is = ir_lex_is_word(l, word);
    if (is)
        ir_lex_next(l);
    return is;
}

void
ir_lex_expect(ir_lexer *l, char c)
{
    char what[] = {'\'', c, '\'', 0};
    if (!ir_lex_take(l, c))
        ir_lex_fail(l, what);
}

ir_tok
ir_lex_word(ir_lexer *l, const char *what)
{
    ir_tok t = l->tok;
    if (t.kind != IR_TOK_WORD)
        ir_lex_fail(l, what);
    ir_lex_next(l);
    return t;
}

static int
digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

bool
ir_tok_number(ir_tok t, unsigned bits, uint64_t *out)
{
    const char *p = t.text, *end = t.text + t.len;
    bool negative = t.kind == IR_TOK_WORD && p < end && *p == '-';
    p += negative;
    uint64_t base = end - p > 2 && p[0] == '0' && p[1] == 'x' ? 16 : 10, v = 0;
    p += base == 16 ? 2 : 0;
    if (t.kind != IR_TOK_WORD || p == end)
        return false;
    for (; p < end; p++) {
        uint64_t d = (uint64_t)digit_value(*p);
        if (d >= base || v > (UINT64_MAX - d) / base)
            return false;
        v = v * base + d;
    }
    if (negative ? v > base_mask64(bits) / 2 + 1 : v > base_mask64(bits))
        return false;
    *out = (negative ? 0 - v : v) & base_mask64(bits);
    return true;
}

uint64_t
ir_lex_number(ir_lexer *l, unsigned bits)
{
    uint64_t v;
    if (!ir_tok_number(l->tok, bits, &v))
        ir_lex_fail(l, arena_printf(l->arena, "a number of %u bits", bits));
    ir_lex_next(l);
    return v;
}

void
ir_lex_register(ir_lexer *l)
{
    l->tok.kind = IR_TOK_WORD;
    l->tok.text = l->next;
    l->tok.column = (uint32_t)(l->next - l->line_start) + 1;
    while (l->next < l->end && (is_word_char(*l->next) || *l->next == '[' || *l->next == ']'))
        l->next++;
    l->tok.len = (size_t)(l->next - l->tok.text);
}

void
ir_lex_at(ir_lexer *l, ir_tok t)
{
    l->diag->loc.line = t.line;
    l->diag->loc.column = t.column;
}

void
ir_lex_fail(ir_lexer *l, const char *what)
{
    ir_lex_at(l, l->tok);
    int shown = (int)(l->tok.len < 40 ? l->tok.len : 40);
    if (l->tok.kind == IR_TOK_END)
        diag_fail(l->diag, ERR_IR_SYNTAX, what, 3, "end");
    diag_fail(l->diag, ERR_IR_SYNTAX, what, shown, l->tok.text);
}
