/* Names of at most 15 characters, padded with zeros: two are compared as two words, which makes a
 * walk over a table of them cheap. */
#ifndef BASE_SHORT_NAME_H
#define BASE_SHORT_NAME_H

#include <stdbool.h>
#include <string.h>

typedef struct short_name {
    char text[16];
} short_name;

/* Pads the first `len` characters of a text. Returns false if they are too many. */
static inline bool
short_name_cut(short_name *out, const char *text, size_t len)
{
    if (len >= sizeof out->text)
        return false;
    memset(out, 0, sizeof *out);
    memcpy(out->text, text, len);
    return true;
}

/* Pads a name. Returns false if it is too long. */
static inline bool
short_name_make(short_name *out, const char *text)
{
    return short_name_cut(out, text, strlen(text));
}

/* Is `text` the name? It has 16 bytes, those behind its end zeros. */
static inline bool
short_name_is(const short_name *name, const char text[16])
{
    return memcmp(name->text, text, sizeof name->text) == 0;
}

#endif
