/* Splits characters into tokens, one line at a time. Comments are C's and those that start with two
 * slashes or the machine's character and extend to the end of the line. */
#include "asm/ctx.h"
#include "base/number.h"

#include <string.h>

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool
asm_is_symbol_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
           c == '.' || c == '$';
}

bool
asm_is_name_char(char c)
{
    return asm_is_symbol_char(c) || c == '@' || c == '?';
}

static char
peek(const asm_ctx *a, size_t i)
{
    return (size_t)(a->end - a->p) > i ? a->p[i] : '\0';
}

/* The end of the C comment that starts here. */
static const char *
comment_end(asm_ctx *a)
{
    for (const char *p = a->p + 2; a->end - p >= 2; p++)
        if (p[0] == '*' && p[1] == '/')
            return p + 2;
    if (a->is_recovering)
        return a->end;
    a->failure = (asm_failure){a->p, ERR_ASM_UNTERMINATED, "'*/'"};
    asm_report_last(a);
}

/* Skips blanks and comments; a comment of several lines counts as a blank. */
static void
skip_blanks(asm_ctx *a)
{
    for (;;) {
        char c = peek(a, 0);
        if (a->p < a->end && (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v')) {
            a->p++;
        } else if ((c && c == a->machine->comment) || (c == '/' && peek(a, 1) == '/')) {
            while (a->p < a->end && *a->p != '\n')
                a->p++;
        } else if (c == '/' && peek(a, 1) == '*') {
            a->p = comment_end(a);
        } else {
            return;
        }
    }
}

static void
read_integer(asm_ctx *a, unsigned base)
{
    uint64_t v = 0;
    unsigned digit, count = 0;
    while ((digit = base_digit_value(peek(a, 0))) < base) {
        if (v > (UINT64_MAX - digit) / base)
            a->token.kind = ASM_BAD;
        v = v * base + digit;
        a->p++;
        count++;
    }
    if (count == 0)
        a->token.kind = ASM_BAD;
    a->token.value = v;
    a->token.number = (double)v;
}

/* The length of the float that starts here; 0 if it is an integer. */
static size_t
float_length(const asm_ctx *a)
{
    size_t size = (size_t)(a->end - a->p), digits = 0;
    size_t length = base_float_length(a->p, size);
    while (is_digit(peek(a, digits)))
        digits++;
    return length > digits ? length : 0;
}

static void
read_number(asm_ctx *a)
{
    size_t length = float_length(a);
    a->token.kind = ASM_INT;
    if (length) {
        a->token.kind = ASM_FLOAT;
        a->token.number = base_double_read(a->p, length);
        a->p += length;
        return;
    }
    char kind = peek(a, 1);
    if (*a->p == '0' && (kind == 'x' || kind == 'X')) {
        a->p += 2;
        read_integer(a, 16);
    } else if (*a->p == '0' && (kind == 'b' || kind == 'B')) {
        a->p += 2;
        read_integer(a, 2);
    } else {
        read_integer(a, *a->p == '0' && is_digit(kind) ? 8 : 10);
    }
    a->p += peek(a, 0) == 'U'; /* C's suffixes have no effect */
    for (unsigned i = 0; i < 2 && peek(a, 0) == 'L'; i++)
        a->p++;
}

/* The value of 'c' is the character's code. */
static void
read_character(asm_ctx *a)
{
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    char c = peek(a, 1);
    bool escaped = c == '\\';
    c = escaped ? peek(a, 2) : c;
    const char *known = escaped && c ? strchr(from, c) : NULL;
    a->token.kind = ASM_INT;
    a->token.value = (unsigned char)(known ? to[known - from] : c);
    a->token.number = (double)a->token.value;
    if (!c || c == '\n' || peek(a, escaped ? 3 : 2) != '\'') {
        a->token.kind = ASM_BAD;
        a->p++;
    } else {
        a->p += escaped ? 4 : 3;
    }
}

/* Returns true for an operator of two characters. */
static bool
is_pair(char first, char second)
{
    switch (first) {
    case '<': return second == '<' || second == '=' || second == '>';
    case '>': return second == '>' || second == '=';
    case '=':
    case '&':
    case '|': return second == first;
    case '!': return second == '=';
    default: return false;
    }
}

static void
read_string(asm_ctx *a)
{
    a->token.kind = ASM_STRING;
    a->p++;
    while (a->p < a->end && *a->p != '"' && *a->p != '\n')
        a->p += *a->p == '\\' && a->end - a->p > 1 && a->p[1] != '\n' ? 2 : 1;
    if (a->p < a->end && *a->p == '"')
        a->p++;
    else
        a->token.kind = ASM_BAD;
}

void
asm_next(asm_ctx *a)
{
    skip_blanks(a);
    a->token = (asm_token){.text = a->p};
    if (a->p == a->end || *a->p == '\n') {
        a->token.kind = ASM_END;
        return;
    }
    char c = *a->p;
    if (is_digit(c)) {
        read_number(a);
    } else if (asm_is_name_char(c)) {
        a->token.kind = ASM_IDENT;
        while (asm_is_name_char(peek(a, 0)))
            a->p++;
    } else if (c == '"') {
        read_string(a);
    } else if (c == '\'') {
        read_character(a);
    } else {
        bool pair = is_pair(c, peek(a, 1));
        a->token.kind = (unsigned char)c < 33 || (unsigned char)c > 126 ? ASM_BAD : ASM_PUNCT;
        a->token.value = pair ? ASM_PAIR((unsigned char)c, (unsigned char)peek(a, 1))
                              : (unsigned char)c;
        a->p += pair ? 2 : 1;
    }
    a->token.len = (uint32_t)(a->p - a->token.text);
}

void
asm_seek(asm_ctx *a, const char *at)
{
    a->p = at;
    asm_next(a);
}

bool
asm_is(const asm_ctx *a, char punct)
{
    return a->token.kind == ASM_PUNCT && a->token.value == (unsigned char)punct;
}

bool
asm_is_name(const asm_ctx *a, const char *name)
{
    return a->token.kind == ASM_IDENT && strlen(name) == a->token.len &&
           memcmp(a->token.text, name, a->token.len) == 0;
}

bool
asm_take(asm_ctx *a, char punct)
{
    if (!asm_is(a, punct))
        return false;
    asm_next(a);
    return true;
}

bool
asm_take_name(asm_ctx *a, const char *name)
{
    if (!asm_is_name(a, name))
        return false;
    asm_next(a);
    return true;
}

void
asm_skip_line(asm_ctx *a)
{
    while (a->token.kind != ASM_END)
        asm_next(a);
}
