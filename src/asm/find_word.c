/* A look at a text before it is assembled. */
#include "asm/unit.h"

#include <string.h>

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool
begins_line(const char *text, const char *p)
{
    while (p > text && is_blank(p[-1]))
        p--;
    return p == text || p[-1] == '\n';
}

const char *
asm_find_word(const char *text, size_t size, const char *directive)
{
    size_t n = strlen(directive);
    const char *p = text, *end = p + size;
    for (; p < end && (p = memchr(p, *directive, (size_t)(end - p))); p++) {
        if ((size_t)(end - p) <= n || memcmp(p, directive, n) != 0 || !is_blank(p[n]) ||
            !begins_line(text, p))
            continue;
        for (p += n; p < end && is_blank(*p); p++)
            ;
        return p < end ? p : NULL;
    }
    return NULL;
}

const char *
asm_read_target(arena *a, const char *text, size_t size, const char *directive)
{
    enum { MOST = 32 };
    const char *word = asm_find_word(text, size, directive), *end = text + size;
    size_t n = 0;
    while (word && word + n < end && n < MOST && (unsigned char)word[n] > ' ')
        n++;
    return n ? arena_printf(a, "%.*s", (int)n, word) : NULL;
}
