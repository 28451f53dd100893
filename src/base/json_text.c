/* Strings of JSON are UTF-8 (RFC 8259, 8.1), but names of files and texts of drivers are any bytes.
 * The forms of UTF-8 are those of Unicode, table 3-7: no longer than needed, no surrogates. */
#include "base/json_text.h"

#include <stdio.h>
#include <string.h>

/* The bytes of the character of UTF-8 at `s`, which ends with a zero byte; 0: it is none. */
static size_t
utf8_size(const unsigned char *s)
{
    static const struct {
        unsigned char first, last;            /* of the first byte */
        unsigned char second_from, second_to; /* the range of the second one */
        size_t size;
    } forms[] = {
        {0x01, 0x7f, 0x00, 0xff, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (s[0] < forms[i].first || s[0] > forms[i].last)
            continue;
        size_t size = forms[i].size;
        if (size > 1 && (s[1] < forms[i].second_from || s[1] > forms[i].second_to))
            return 0;
        for (size_t k = 2; k < size; k++) {
            if (s[k] < 0x80 || s[k] > 0xbf)
                return 0;
        }
        return size;
    }
    return 0;
}

size_t
base_json_piece(const char **text, char piece[BASE_JSON_PIECE])
{
    const unsigned char *s = (const unsigned char *)*text;
    size_t size = utf8_size(s);
    char escaped[BASE_JSON_PIECE + 1];
    *text += size ? size : 1;
    if (size && *s >= ' ' && *s != '"' && *s != '\\') {
        memcpy(piece, s, size);
        return size;
    }
    if (*s == '"' || *s == '\\')
        snprintf(escaped, sizeof escaped, "\\%c", *s);
    else
        snprintf(escaped, sizeof escaped, "\\u%04x", size ? *s : 0xfffdu);
    memcpy(piece, escaped, strlen(escaped));
    return strlen(escaped);
}
