/* Characters of a statement: names, numbers, registers. */
#include "r600/isa/asm/asm.h"

#include "r600/isa/text/text.h"

#include <string.h>

void
r600_want(r600_reader *r, const char *what)
{
    asm_seek(r->a, r->at);
    asm_want(r->a, what);
}

void
r600_skip_blanks(r600_reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
        r->at++;
}

bool
r600_take(r600_reader *r, const char *text)
{
    size_t n = strlen(text);
    r600_skip_blanks(r);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, text, n) != 0)
        return false;
    r->at += n;
    return true;
}

static bool
is_word_char(char c)
{
    return asm_is_symbol_char(c) && c != '.' && c != '$';
}

bool
r600_take_word(r600_reader *r, const char *text)
{
    const char *before = r->at;
    if (!r600_take(r, text))
        return false;
    if (r->at == r->end || !is_word_char(*r->at))
        return true;
    r->at = before;
    return false;
}

void
r600_expect(r600_reader *r, const char *text)
{
    static const char *const quoted[] = {"','", "'['", "']'", "'('", "')'", "'.'", "':'", "'|'"};
    static const char characters[] = ",[]().:|";
    if (r600_take(r, text))
        return;
    const char *known = strchr(characters, *text);
    r600_want(r, known && !text[1] ? quoted[known - characters] : text);
}

asm_text
r600_take_name(r600_reader *r)
{
    r600_skip_blanks(r);
    asm_text t = {r->at, 0};
    while (r->at < r->end && is_word_char(*r->at))
        r->at++;
    t.size = (size_t)(r->at - t.text);
    return t;
}

int64_t
r600_take_number(r600_reader *r, int64_t low, int64_t high)
{
    int64_t number;
    r600_skip_blanks(r);
    asm_seek(r->a, r->at);
    if (!asm_expression(r->a, true, &number))
        asm_want(r->a, "a number");
    if (number < low || number > high)
        r600_want(r, "a number of the field's range");
    r->at = r->a->token.text < r->end ? r->a->token.text : r->end; /* behind a comment */
    return number;
}

void
r600_set_field(r600_reader *r, unsigned field, int64_t value)
{
    const unsigned width = r600_field_width(r->t, r->in.op, field);
    if (value < 0 || (uint64_t)value >> width)
        r600_want(r, "a number of the field's range before this");
    r->in.f[field] = (uint32_t)value;
}

/* Digits without a sign; at most three. */
static bool
take_digits(r600_reader *r, uint32_t *number)
{
    const char *from = r->at;
    *number = 0;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9' && r->at - from < 4; r->at++)
        *number = *number * 10 + (uint32_t)(*r->at - '0');
    return r->at > from;
}

uint32_t
r600_take_register(r600_reader *r)
{
    uint32_t number;
    r600_skip_blanks(r);
    const char *before = r->at;
    const bool is_temp = r600_take(r, "T");
    if ((is_temp || r600_take(r, "R")) && take_digits(r, &number)) {
        const uint32_t limit = is_temp ? 128 - R600_FIRST_TEMP : R600_FIRST_TEMP;
        if (number < limit)
            return number + (is_temp ? R600_FIRST_TEMP : 0);
    }
    r->at = before;
    r600_want(r, "a register, R0 to R123 or T0 to T3");
}

uint32_t
r600_take_choice(r600_reader *r, const char *names)
{
    if (r600_take(r, "#"))
        return (uint32_t)r600_take_number(r, 0, 255);
    const char *before = r->at;
    const asm_text name = r600_take_name(r);
    const int index = name.size ? r600_find_name(names, name.text, name.size) : -1;
    if (index < 0) {
        r->at = before;
        r600_skip_blanks(r);
        r600_want(r, "one of the field's names");
    }
    return (uint32_t)index;
}

bool
r600_take_index(r600_reader *r)
{
    const char *before = r->at;
    const char *name;
    size_t size;
    if (r->at == r->end || *r->at != '[')
        return false;
    r->at++;
    for (uint32_t i = 0; r600_get_name(R600_INDEX_NAMES, i, &name, &size); i++) {
        if ((size_t)(r->end - r->at) <= size || memcmp(r->at, name, size) != 0 ||
            r->at[size] != ']')
            continue;
        if (r->has_index_mode && r->in.f[R600_F_index_mode] != i)
            r600_want(r, "the index that the operand before has");
        r->at += size + 1;
        r->in.f[R600_F_index_mode] = i;
        return r->has_index_mode = true;
    }
    if (r600_take(r, "#7]") && (!r->has_index_mode || r->in.f[R600_F_index_mode] == 7)) {
        r->in.f[R600_F_index_mode] = 7;
        return r->has_index_mode = true;
    }
    r->at = before;
    return false;
}
