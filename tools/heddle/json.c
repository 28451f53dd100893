/* Values are read by a function each, which stand at the value's first character and leave `at`
 * behind its last one. */
#include "json.h"

#include "base/json_text.h"
#include "cli.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 32 };

typedef struct parser {
    char *at;
    unsigned line, depth;
    const char *message;
} parser;

static json *
read_value(parser *p);

static void
skip_spaces(parser *p)
{
    for (; *p->at == ' ' || *p->at == '\t' || *p->at == '\r' || *p->at == '\n'; p->at++)
        p->line += *p->at == '\n';
}

static bool
fail(parser *p, const char *message)
{
    if (!p->message)
        p->message = message;
    return false;
}

static json *
new_value(const parser *p, json_kind kind)
{
    json *v = calloc(1, sizeof *v);
    if (!v)
        cli_out_of_memory();
    v->kind = kind;
    v->line = p->line;
    return v;
}

/* A text in quotes, in place. */
static const char *
read_text(parser *p)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char *start = ++p->at, *to = start;
    for (; *p->at && *p->at != '"' && *p->at != '\n'; p->at++) {
        char c = *p->at;
        if (c == '\\') {
            const char *letter = *++p->at ? strchr(letters, *p->at) : NULL;
            c = letter ? meant[letter - letters] : '?';
            if (*p->at == 'u')
                p->at += strspn(p->at + 1, "0123456789abcdefABCDEF") < 4 ? 0 : 4;
            else if (!letter)
                fail(p, "an unknown escape in a text");
        }
        *to++ = c;
    }
    if (*p->at != '"') {
        fail(p, "a text without its end");
        return start;
    }
    p->at++;
    *to = '\0';
    return start;
}

static json *
read_number(parser *p)
{
    json *v = new_value(p, JSON_NUMBER);
    for (; *p->at >= '0' && *p->at <= '9'; p->at++) {
        if (v->number > UINT32_MAX)
            fail(p, "a number above 4294967295");
        v->number = v->number * 10 + (uint64_t)(*p->at - '0');
    }
    if (*p->at == '.' || *p->at == 'e' || *p->at == 'E' || v->number > UINT32_MAX)
        fail(p, "a number that is not an integer up to 4294967295");
    return v;
}

/* The members of a list or a map, up to `end`. */
static json *
read_members(parser *p, json_kind kind, char end)
{
    json *v = new_value(p, kind), **link = &v->first;
    p->at++;
    if (++p->depth > MAX_DEPTH)
        fail(p, "values are nested more than 32 deep");
    skip_spaces(p);
    while (*p->at != end && !p->message) {
        const char *name = NULL;
        if (kind == JSON_MAP) {
            name = *p->at == '"' ? read_text(p) : NULL;
            skip_spaces(p);
            if (!name || *p->at++ != ':')
                fail(p, "expected a name in quotes and a colon");
            skip_spaces(p);
        }
        *link = p->message ? NULL : read_value(p);
        if (!*link)
            break;
        (*link)->name = name;
        link = &(*link)->next;
        v->count++;
        skip_spaces(p);
        if (*p->at == ',')
            p->at++;
        else if (*p->at != end)
            fail(p, "expected a comma, or the end of a list or an object");
        skip_spaces(p);
    }
    p->depth--;
    p->at += !p->message;
    return v;
}

static json *
read_word(parser *p)
{
    static const struct {
        const char *word;
        json_kind kind;
        uint64_t number;
    } words[] = {{"true", JSON_BOOL, 1}, {"false", JSON_BOOL, 0}, {"null", JSON_NULL, 0}};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        size_t length = strlen(words[k].word);
        if (strncmp(p->at, words[k].word, length) != 0)
            continue;
        json *v = new_value(p, words[k].kind);
        v->number = words[k].number;
        p->at += length;
        return v;
    }
    fail(p, "expected a value");
    return NULL;
}

static json *
read_value(parser *p)
{
    if (*p->at == '{')
        return read_members(p, JSON_MAP, '}');
    if (*p->at == '[')
        return read_members(p, JSON_LIST, ']');
    if (*p->at >= '0' && *p->at <= '9')
        return read_number(p);
    if (*p->at != '"')
        return read_word(p);
    json *v = new_value(p, JSON_TEXT);
    v->text = read_text(p);
    return v;
}

json *
json_parse(char *text, unsigned *line, const char **message)
{
    parser p = {.at = text, .line = 1};
    skip_spaces(&p);
    json *v = read_value(&p);
    skip_spaces(&p);
    if (*p.at && !p.message)
        fail(&p, "text behind the value");
    *line = p.line;
    *message = p.message;
    if (!p.message)
        return v;
    json_free(v);
    return NULL;
}

void
json_free(json *value)
{
    for (json *next; value; value = next) {
        next = value->next;
        json_free(value->first);
        free(value);
    }
}

void
json_print_text(const char *text, FILE *to)
{
    char piece[BASE_JSON_PIECE];
    fputc('"', to);
    while (*text)
        fwrite(piece, 1, base_json_piece(&text, piece), to);
    fputc('"', to);
}
