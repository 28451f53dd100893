/* Reads declarations of resources from preprocessed HLSL.
 *
 * This is no parser: it looks for the attribute [[vk::binding(B, S)]], and takes the last name
 * before the next ; { : [ or = for what it belongs to; and for the types of byte address buffers,
 * whose names follow. That is enough, since only global variables are looked up, by name. */
#include "hlsl_names.h"

#include <stdlib.h>
#include <string.h>

/* The rest of the text. A token is a word (a name or a number) or one other character. */
typedef struct scan {
    const char *at, *end;
    const char *word; /* the current token */
    size_t size;      /* 0: at the end */
    hlsl_names *out;
    bool failed;
} scan;

static bool
is_word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void
skip_line(scan *s)
{
    while (s->at < s->end && *s->at != '\n')
        s->at++;
}

static void
next_token(scan *s)
{
    while (s->at < s->end &&
           (*s->at == ' ' || (*s->at >= '\t' && *s->at <= '\r') || *s->at == '#')) {
        if (*s->at == '#')
            skip_line(s);
        else
            s->at++;
    }
    s->word = s->at;
    while (s->at < s->end && is_word_char(*s->at))
        s->at++;
    if (s->at == s->word && s->at < s->end)
        s->at++;
    s->size = (size_t)(s->at - s->word);
}

static bool
is_token(const scan *s, const char *text)
{
    return s->size == strlen(text) && memcmp(s->word, text, s->size) == 0;
}

static bool
is_name(const scan *s)
{
    return s->size && is_word_char(*s->word) && !(*s->word >= '0' && *s->word <= '9');
}

static bool
accept(scan *s, const char *text)
{
    if (!is_token(s, text))
        return false;
    next_token(s);
    return true;
}

static void
add(scan *s, hlsl_resource r)
{
    hlsl_names *n = s->out;
    if (n->count == n->room) {
        size_t room = n->room ? n->room * 2 : 16;
        hlsl_resource *grown = realloc(n->items, room * sizeof *grown);
        s->failed |= !grown;
        if (!grown)
            return;
        n->items = grown;
        n->room = room;
    }
    n->items[n->count++] = r;
}

/* Reads a number if there is one. */
static bool
read_number(scan *s, uint32_t *out)
{
    char text[16] = "", *end;
    if (!s->size || *s->word < '0' || *s->word > '9' || s->size >= sizeof text)
        return false;
    memcpy(text, s->word, s->size);
    *out = (uint32_t)strtoul(text, &end, 0);
    next_token(s);
    return true;
}

/* Behind [[: reads vk::binding(B, S) or vk::push_constant, or nothing. */
static void
read_attribute(scan *s, hlsl_resource *r, bool *push)
{
    if (!accept(s, "vk") || !accept(s, ":") || !accept(s, ":"))
        return;
    *push |= is_token(s, "push_constant");
    if (!accept(s, "binding") || !accept(s, "("))
        return;
    r->is_bound = read_number(s, &r->binding);
    r->has_set = r->is_bound && accept(s, ",") && read_number(s, &r->set);
}

/* The name of the declaration that begins here: the last one before what follows names. */
static void
name_declaration(scan *s, hlsl_resource *r)
{
    while (s->size && !strchr(";{:[=", *s->word)) {
        if (is_name(s)) {
            r->name = s->word;
            r->size = s->size;
        }
        next_token(s);
    }
}

/* Behind the type of a byte address buffer: names, with commas between them. */
static void
name_bytes(scan *s)
{
    unsigned depth = 0;
    bool wants_name = true;
    for (; s->size && !strchr(";{}", *s->word) && !(*s->word == ')' && !depth); next_token(s)) {
        if (wants_name && is_name(s))
            add(s, (hlsl_resource){.name = s->word, .size = s->size, .is_bytes = true});
        depth += *s->word == '(';
        depth -= *s->word == ')' && depth;
        wants_name = *s->word == ',' && !depth;
    }
}

static void
read_attributes(scan *s)
{
    hlsl_resource r = {0};
    bool push = false;
    while (s->size == 1 && *s->word == '[' && s->at < s->end && *s->at == '[') {
        next_token(s);
        next_token(s);
        read_attribute(s, &r, &push);
        while (s->size && !is_token(s, "]"))
            next_token(s);
        accept(s, "]");
        accept(s, "]");
    }
    s->out->has_loose_push |= push && !is_token(s, "cbuffer") && !is_token(s, "ConstantBuffer");
    if (!r.is_bound)
        return;
    const scan declaration = *s;
    name_declaration(s, &r);
    if (r.name)
        add(s, r);
    /* The declaration is read again, for its type. */
    s->at = declaration.at;
    s->word = declaration.word;
    s->size = declaration.size;
}

bool
hlsl_find_names(const char *text, size_t size, hlsl_names *out)
{
    scan s = {.at = text, .end = text + size, .out = out};
    *out = (hlsl_names){0};
    next_token(&s);
    while (s.size) {
        if (*s.word == '[' && s.at < s.end && *s.at == '[') {
            read_attributes(&s);
        } else if (is_token(&s, "ByteAddressBuffer") || is_token(&s, "RWByteAddressBuffer")) {
            next_token(&s);
            name_bytes(&s);
        } else {
            next_token(&s);
        }
    }
    return !s.failed;
}

void
hlsl_free_names(hlsl_names *names)
{
    free(names->items);
    *names = (hlsl_names){0};
}
