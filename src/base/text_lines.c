/* Lines of source texts; see text_lines.h. */
#include "base/text_lines.h"

#include "base/number.h"

#include <string.h>

base_text_lines
base_text_lines_of(const char *text, size_t size, const char *file)
{
    return (base_text_lines){text, size, file, 0, 1};
}

static size_t
skip_blanks(const base_text_line *l, size_t at)
{
    while (at < l->size && (l->start[at] == ' ' || l->start[at] == '\t'))
        at++;
    return at;
}

/* Returns true if the file that a #line names at `at` is the text's, or if it names none. */
static bool
is_same_file(const base_text_lines *t, const base_text_line *l, size_t at)
{
    size_t end = at + 1;
    if (at >= l->size || l->start[at] != '"')
        return true;
    while (end < l->size && l->start[end] != '"')
        end++;
    size_t n = end - at - 1;
    return t->file && strlen(t->file) == n && memcmp(t->file, l->start + at + 1, n) == 0;
}

/* The number of the line behind this one: a #line states it. */
static uint32_t
number_after(const base_text_lines *t, const base_text_line *l)
{
    uint64_t number;
    size_t at = skip_blanks(l, 0);
    if (at < l->size && l->start[at] == '#') {
        at = skip_blanks(l, at + 1);
        if (l->size - at > 5 && memcmp(l->start + at, "line", 4) == 0) {
            at = skip_blanks(l, at + 4);
            size_t n = base_integer_read(l->start + at, l->size - at, 10, &number);
            if (n && number <= UINT32_MAX)
                return is_same_file(t, l, skip_blanks(l, at + n)) ? (uint32_t)number : 0;
        }
    }
    return l->number ? l->number + 1 : 0;
}

bool
base_text_next(base_text_lines *t, base_text_line *out)
{
    if (t->at >= t->size)
        return false;
    const char *start = t->text + t->at, *end = memchr(start, '\n', t->size - t->at);
    size_t size = end ? (size_t)(end - start) : t->size - t->at;
    t->at += size + 1;
    if (size && start[size - 1] == '\r')
        size--;
    *out = (base_text_line){start, size, t->next};
    t->next = number_after(t, out);
    return true;
}

bool
base_text_find(base_text_lines t, uint32_t number, base_text_line *out)
{
    while (number && base_text_next(&t, out))
        if (out->number == number)
            return true;
    return false;
}
