/* The lexer of AmberScript and VkScript. */
#include "amber/lex.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

lexer
amber_lex_make(arena *a, const char *text, size_t size, uint32_t first_line)
{
    return (lexer){
        .at = text, .end = text + size, .line_start = text, .line = first_line, .arena = a};
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool
is_hex_digit(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool
is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\0';
}

static bool
ends_word(char c)
{
    return is_space(c) || c == '\n' || c == ',' || c == '(' || c == ')';
}

static void
new_line(lexer *l)
{
    l->at++;
    l->line++;
    l->line_start = l->at;
}

/* Skips white space, comments, and line ends after a backslash. */
static void
skip_blank(lexer *l)
{
    while (l->at < l->end) {
        const char *p = l->at;
        if (is_space(*p)) {
            l->at++;
        } else if (*p == '#') {
            const char *eol = memchr(p, '\n', (size_t)(l->end - p));
            l->at = eol ? eol : l->end;
        } else if (*p == '\\') {
            p++;
            while (p < l->end && *p == '\r')
                p++;
            if (p >= l->end || *p != '\n')
                return;
            l->at = p;
            new_line(l);
        } else {
            return;
        }
    }
}

static char
unescape(char c)
{
    switch (c) {
    case 'a': return '\a';
    case 'b': return '\b';
    case 't': return '\t';
    case 'n': return '\n';
    case 'v': return '\v';
    case 'f': return '\f';
    case 'r': return '\r';
    default: return c;
    }
}

/* A string ends at its quote, or at the end of the line. */
static void
read_string(lexer *l, lex_token *t)
{
    const char *p = l->at + 1;
    const char *eol = memchr(p, '\n', (size_t)(l->end - p));
    const char *stop = eol ? eol : l->end;
    char *out = arena_alloc(l->arena, (size_t)(stop - p) + 1);
    uint32_t n = 0;
    for (; p < stop && *p != '"'; p++) {
        if (*p == '\\' && p + 1 < stop)
            out[n++] = unescape(*++p);
        else
            out[n++] = *p;
    }
    l->at = p < stop ? p + 1 : p;
    t->kind = LEX_STRING;
    t->text = out;
    t->size = n;
}

/* The length of "12", "-1.5", ".5", "1e-3", "0x1f"; 0 if there is no number at `p`. */
static size_t
number_length(const char *p, const char *end, lex_kind *kind)
{
    const char *q = p, *digits;
    *kind = LEX_INTEGER;
    if (q < end && *q == '-')
        q++;
    if (end - q > 2 && q[0] == '0' && q[1] == 'x' && is_hex_digit(q[2])) {
        *kind = LEX_HEX;
        for (q += 2; q < end && is_hex_digit(*q); q++)
            ;
        return (size_t)(q - p);
    }
    for (digits = q; q < end && is_digit(*q); q++)
        ;
    size_t count = (size_t)(q - digits);
    if (q < end && *q == '.' && (count || (q + 1 < end && is_digit(q[1])))) {
        *kind = LEX_FLOAT;
        for (q++; q < end && is_digit(*q); q++)
            count++;
    }
    if (!count)
        return 0;
    if (q < end && (*q == 'e' || *q == 'E')) {
        const char *e = q + 1;
        if (e < end && (*e == '-' || *e == '+'))
            e++;
        if (e < end && is_digit(*e)) {
            *kind = LEX_FLOAT;
            for (q = e; q < end && is_digit(*q); q++)
                ;
        }
    }
    return (size_t)(q - p);
}

static void
convert_number(lex_token *t)
{
    t->negative = t->text[0] == '-';
    unsigned skipped = t->negative + (t->kind == LEX_HEX ? 2 : 0);
    const char *digits = t->text + skipped;
    size_t n = t->size - skipped;
    uint64_t v = 0;
    if (t->kind != LEX_FLOAT)
        base_integer_read(digits, n, t->kind == LEX_HEX ? 16 : 10, &v);
    t->u = t->negative && v != UINT64_MAX ? 0 - v : v; /* UINT64_MAX: too large */
    t->f = t->kind == LEX_HEX ? (double)v : base_double_read(digits, n);
    if (t->negative)
        t->f = -t->f;
}

static bool
is_nan_word(const char *p, size_t n)
{
    return n == 3 && (p[0] | 32) == 'n' && (p[1] | 32) == 'a' && (p[2] | 32) == 'n';
}

static void
amber_read_word(lexer *l, lex_token *t)
{
    const char *p = l->at;
    size_t n = number_length(p, l->end, &t->kind);
    t->text = p;
    if (n) {
        t->size = (uint32_t)n;
        convert_number(t);
    } else {
        while (p + n < l->end && !ends_word(p[n]))
            n++;
        n += n == 0; /* a lone , ( ) */
        t->kind = LEX_WORD;
        t->size = (uint32_t)n;
        if (is_nan_word(p, n)) {
            t->kind = LEX_FLOAT;
            t->f = NAN;
        }
    }
    l->at += n;
}

lex_token
amber_lex_next(lexer *l)
{
    skip_blank(l);
    lex_token t = {.text = l->at, .line = l->line, .column = (uint32_t)(l->at - l->line_start) + 1};
    if (l->at >= l->end) {
        t.kind = LEX_END_OF_TEXT;
    } else if (*l->at == '\n') {
        t.kind = LEX_END_OF_LINE;
        new_line(l);
    } else if (*l->at == '"') {
        read_string(l, &t);
    } else {
        amber_read_word(l, &t);
    }
    return t;
}

lex_token
amber_lex_peek(const lexer *l)
{
    lexer copy = *l;
    return amber_lex_next(&copy);
}

bool
amber_lex_until(lexer *l, const char *mark, const char **text, size_t *size)
{
    size_t n = strlen(mark);
    *text = l->at;
    for (; (size_t)(l->end - l->at) >= n; l->at++) {
        if (*l->at == '\n') {
            l->line++;
            l->line_start = l->at + 1;
        }
        if (memcmp(l->at, mark, n) == 0) {
            *size = (size_t)(l->at - *text);
            return true;
        }
    }
    *size = (size_t)(l->end - *text);
    l->at = l->end;
    return false;
}
