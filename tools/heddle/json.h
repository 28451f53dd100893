/* JSON (RFC 8259): a reader, for which the whole text becomes a tree, and strings that are printed. */
#ifndef JSON_H
#define JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum json_kind {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER, /* without a sign, fraction or exponent: others are an error */
    JSON_TEXT,
    JSON_LIST,
    JSON_MAP,
} json_kind;

/* A value. Those of a list, and the members of a map, are linked by `next`. */
typedef struct json {
    json_kind kind;
    unsigned line;
    const char *name; /* of a map's member; else NULL */
    const char *text; /* without escapes beyond ASCII, which become '?' */
    uint64_t number;  /* BOOL: 0 or 1 */
    struct json *first, *next;
    size_t count;
} json;

/* Parses `text`, which is modified and must live as long as the tree. Returns the tree, which
 * json_free frees, or NULL; then `*line` and `*message` say what is wrong. */
json *
json_parse(char *text, unsigned *line, const char **message);

void
json_free(json *value);

/* Prints a text as a string, with its quotes. */
void
json_print_text(const char *text, FILE *to);

#endif
