/* Conversion of YAML to values and back.
 *
 * The reader works by lines. Blank lines, comments and document marks are dropped first; each
 * remaining line has an indentation and a text. A block is a run of lines with one indentation; "-
 * " opens a block whose first line is the rest of that line.
 */
#include "object/yaml.h"

#include <string.h>

enum { DEPTH = 16 };

typedef struct yaml_line {
    const char *text, *end;
    uint32_t indent, number; /* number counts from 0 */
} yaml_line;

typedef struct yaml_reader {
    diag *d;
    arena *a;
    uint32_t first_line;
    yaml_line *lines;
    size_t n_lines, at;
    unsigned depth;
} yaml_reader;

_Noreturn static void
fail(yaml_reader *r, const yaml_line *l, const char *what)
{
    r->d->loc.line = r->first_line + (l ? l->number : 0);
    r->d->loc.column = l ? l->indent + 1 : 1;
    diag_fail(r->d, ERR_OBJECT_BAD_YAML, what);
}

/* The start of a comment that is not inside a quoted text, or the end. */
static const char *
find_comment(const char *p, const char *end)
{
    char quote = 0;
    for (const char *start = p; p < end; p++) {
        if (quote)
            quote = *p == quote ? 0 : quote;
        else if ((*p == '\'' || *p == '"') && (p == start || p[-1] == ' ' || p[-1] == '['))
            quote = *p;
        else if (*p == '#' && (p == start || p[-1] == ' '))
            return p;
    }
    return end;
}

static bool
is_mark(const char *p, const char *end)
{
    return end - p >= 3 && (memcmp(p, "---", 3) == 0 || memcmp(p, "...", 3) == 0);
}

static void
split_lines(yaml_reader *r, const char *p, const char *end)
{
    size_t cap = 0;
    for (uint32_t number = 0; p < end; number++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p)), *next = newline ? newline : end;
        const char *text = p, *stop;
        while (text < next && *text == ' ')
            text++;
        stop = find_comment(text, next);
        while (stop > text && (stop[-1] == ' ' || stop[-1] == '\t' || stop[-1] == '\r'))
            stop--;
        if (stop > text && !(text == p && is_mark(text, stop))) {
            r->lines = arena_grow(r->a, r->lines, &cap, r->n_lines + 1, sizeof *r->lines);
            r->lines[r->n_lines++] = (yaml_line){text, stop, (uint32_t)(text - p), number};
            for (const char *c = text; c < stop; c++)
                if ((unsigned char)*c < ' ')
                    fail(r, &r->lines[r->n_lines - 1], "control characters are not allowed");
        }
        p = next + 1;
    }
}

/* ---- scalars ---- */

static bool
parse_integer(const char *p, const char *end, uint64_t *out)
{
    unsigned base = 10;
    *out = 0;
    if (end - p > 2 && p[0] == '0' && p[1] == 'x') {
        base = 16;
        p += 2;
    }
    if (p == end)
        return false;
    for (; p < end; p++) {
        unsigned digit = *p >= '0' && *p <= '9'   ? (unsigned)(*p - '0')
                         : *p >= 'a' && *p <= 'f' ? (unsigned)(*p - 'a') + 10
                         : *p >= 'A' && *p <= 'F' ? (unsigned)(*p - 'A') + 10
                                                  : 99;
        if (digit >= base || *out > (UINT64_MAX - digit) / base)
            return false;
        *out = *out * base + digit;
    }
    return true;
}

static bool
is_word(const char *p, const char *end, const char *word)
{
    return (size_t)(end - p) == strlen(word) && memcmp(p, word, strlen(word)) == 0;
}

static pack_value
text_value(yaml_reader *r, const char *p, const char *end)
{
    pack_value v = {.kind = PACK_TEXT, .count = (uint32_t)(end - p)};
    v.text = arena_printf(r->a, "%.*s", (int)(end - p), p);
    return v;
}

static pack_value
plain_scalar(yaml_reader *r, const char *p, const char *end)
{
    pack_value v = {.kind = PACK_BOOL};
    if (is_word(p, end, "true") || is_word(p, end, "false")) {
        v.number = *p == 't';
        return v;
    }
    if (p == end || is_word(p, end, "null") || is_word(p, end, "~"))
        return (pack_value){.kind = PACK_NIL};
    v.kind = PACK_UINT;
    if (parse_integer(p, end, &v.number))
        return v;
    v.kind = PACK_INT;
    if (*p == '-' && parse_integer(p + 1, end, &v.number)) {
        v.number = 0 - v.number;
        return v;
    }
    return text_value(r, p, end);
}

/* Reads a quoted text and advances `*p` past it. In single quotes '' means one quote; in double
 * quotes \ escapes the next character. */
static pack_value
quoted_scalar(yaml_reader *r, const yaml_line *l, const char **p, const char *end)
{
    char quote = *(*p)++;
    base_buf b = buf_make(r->a);
    for (;; (*p)++) {
        if (*p >= end)
            fail(r, l, "the closing quotation mark is missing");
        if (**p == quote && quote == '\'' && *p + 1 < end && (*p)[1] == '\'')
            (*p)++;
        else if (**p == quote)
            break;
        else if (**p == '\\' && quote == '"' && *p + 1 < end)
            (*p)++;
        buf_put_u8(&b, (uint8_t) * *p);
    }
    (*p)++;
    if (memchr(b.data ? b.data : (const void *)"", 0, b.size))
        fail(r, l, "a text contains a zero byte");
    return (pack_value){.kind = PACK_TEXT, .count = (uint32_t)b.size, .text = buf_text(&b)};
}

static const char *
skip_spaces(const char *p, const char *end)
{
    while (p < end && *p == ' ')
        p++;
    return p;
}

static pack_value
flow_value(yaml_reader *r, const yaml_line *l, const char **p, const char *end);

/* Reads [a, b] and {k: v, k: v}. */
static pack_value
flow_list(yaml_reader *r, const yaml_line *l, const char **p, const char *end)
{
    bool is_map = *(*p)++ == '{';
    char close = is_map ? '}' : ']';
    pack_value *items = NULL;
    size_t n = 0, cap = 0;
    if (++r->depth > DEPTH)
        fail(r, l, "values are nested too deeply");
    for (*p = skip_spaces(*p, end); *p < end && **p != close; *p = skip_spaces(*p, end)) {
        pack_value v = flow_value(r, l, p, end);
        items = arena_grow(r->a, items, &cap, n + 1, sizeof *items);
        items[n++] = v;
        *p = skip_spaces(*p, end);
        char between = is_map && n % 2 ? ':' : ',';
        if (*p < end && **p == between)
            (*p)++;
        else if (*p >= end || **p != close || (is_map && n % 2))
            fail(r, l, "',' or a closing bracket is missing here");
    }
    if (*p >= end)
        fail(r, l, "a closing bracket is missing at the end of the line");
    (*p)++;
    r->depth--;
    return (pack_value){.kind = is_map ? PACK_MAP : PACK_ARRAY,
                        .count = (uint32_t)(is_map ? n / 2 : n),
                        .items = items};
}

static pack_value
flow_value(yaml_reader *r, const yaml_line *l, const char **p, const char *end)
{
    if (**p == '[' || **p == '{')
        return flow_list(r, l, p, end);
    if (**p == '\'' || **p == '"')
        return quoted_scalar(r, l, p, end);
    const char *start = *p;
    while (*p < end && !strchr(",]}", **p) && !(**p == ':' && (*p + 1 == end || (*p)[1] == ' ')))
        (*p)++;
    const char *stop = *p;
    while (stop > start && stop[-1] == ' ')
        stop--;
    if (stop == start)
        fail(r, l, "a value is missing");
    return plain_scalar(r, start, stop);
}

/* The value of the text up to the end of the line. */
static pack_value
inline_value(yaml_reader *r, const yaml_line *l, const char *p)
{
    if (*p != '[' && *p != '{' && *p != '\'' && *p != '"') {
        /* LLVM's tag for texts that look like another type */
        if (l->end - p > 5 && memcmp(p, "!str ", 5) == 0)
            return text_value(r, skip_spaces(p + 5, l->end), l->end);
        if (*p == '&' || *p == '*' || *p == '!' || *p == '|' || *p == '>' || *p == '%' || *p == '@')
            fail(r, l, "anchors, tags and multi-line texts are not supported");
        return plain_scalar(r, p, l->end);
    }
    pack_value v = flow_value(r, l, &p, l->end);
    if (p != l->end)
        fail(r, l, "unexpected text after the value");
    return v;
}

/* ---- blocks ---- */

static bool
is_item(const yaml_line *l)
{
    return l->text[0] == '-' && (l->text + 1 == l->end || l->text[1] == ' ');
}

static pack_value
read_block(yaml_reader *r, uint32_t indent);

/* Reads the value after "-" or "key:" at `p`: on the same line, or in the block below, which must
 * be indented more (a sequence below a key: at least as much). */
static pack_value
read_value(yaml_reader *r, const char *p, uint32_t indent, bool of_key)
{
    const yaml_line *l = &r->lines[r->at];
    p = skip_spaces(p, l->end);
    if (p < l->end) {
        r->at++;
        return inline_value(r, l, p);
    }
    r->at++;
    const yaml_line *next = r->at < r->n_lines ? &r->lines[r->at] : NULL;
    if (next && (next->indent > indent || (of_key && next->indent == indent && is_item(next))))
        return read_block(r, next->indent);
    return (pack_value){.kind = PACK_NIL};
}

static pack_value
read_sequence(yaml_reader *r, uint32_t indent)
{
    pack_value *items = NULL;
    size_t n = 0, cap = 0;
    while (r->at < r->n_lines && r->lines[r->at].indent == indent && is_item(&r->lines[r->at])) {
        yaml_line *l = &r->lines[r->at];
        const char *p = skip_spaces(l->text + 1, l->end);
        pack_value v;
        bool quoted = p < l->end && (*p == '\'' || *p == '"' || *p == '[' || *p == '{');
        const char *colon = p < l->end && !quoted ? memchr(p, ':', (size_t)(l->end - p)) : NULL;
        bool is_map = colon && (colon + 1 == l->end || colon[1] == ' ');
        if (is_map || (p < l->end && *p == '-' && (p + 1 == l->end || p[1] == ' '))) {
            l->indent += (uint32_t)(p - l->text);
            l->text = p;
            v = read_block(r, l->indent);
        } else {
            v = read_value(r, l->text + 1, indent, false);
        }
        items = arena_grow(r->a, items, &cap, n + 1, sizeof *items);
        items[n++] = v;
    }
    return (pack_value){.kind = PACK_ARRAY, .count = (uint32_t)n, .items = items};
}

/* Reads the key at the start of a line and advances `*p` past its colon. */
static pack_value
read_key(yaml_reader *r, const yaml_line *l, const char **p)
{
    const char *start = l->text;
    pack_value key;
    *p = start;
    if (*start == '\'' || *start == '"') {
        key = quoted_scalar(r, l, p, l->end);
        if (*p >= l->end || **p != ':')
            fail(r, l, "':' is missing after a key");
    } else {
        while (*p < l->end && !(**p == ':' && (*p + 1 == l->end || (*p)[1] == ' ')))
            (*p)++;
        if (*p >= l->end || *p == start)
            fail(r, l, "':' is missing after a key");
        bool is_text = *p - start > 5 && memcmp(start, "!str ", 5) == 0;
        key = is_text ? text_value(r, skip_spaces(start + 5, *p), *p) : plain_scalar(r, start, *p);
    }
    (*p)++;
    return key;
}

static pack_value
read_map(yaml_reader *r, uint32_t indent)
{
    pack_value *items = NULL;
    size_t n = 0, cap = 0;
    while (r->at < r->n_lines && r->lines[r->at].indent == indent && !is_item(&r->lines[r->at])) {
        const char *p;
        items = arena_grow(r->a, items, &cap, n + 2, sizeof *items);
        items[n] = read_key(r, &r->lines[r->at], &p);
        pack_value v = read_value(r, p, indent, true);
        items[n + 1] = v;
        n += 2;
    }
    return (pack_value){.kind = PACK_MAP, .count = (uint32_t)(n / 2), .items = items};
}

static pack_value
read_block(yaml_reader *r, uint32_t indent)
{
    const yaml_line *l = &r->lines[r->at];
    if (++r->depth > DEPTH)
        fail(r, l, "values are nested too deeply");
    pack_value v = is_item(l) ? read_sequence(r, indent) : read_map(r, indent);
    r->depth--;
    if (r->at < r->n_lines && r->lines[r->at].indent > indent)
        fail(r, &r->lines[r->at], "the indentation matches no line above");
    return v;
}

const pack_value *
yaml_read(diag *d, arena *a, const char *text, size_t size)
{
    yaml_reader r = {.d = d, .a = a, .first_line = d->loc.line ? d->loc.line : 1};
    pack_value *v = ARENA_NEW(a, pack_value);
    split_lines(&r, text, text + size);
    if (!r.n_lines)
        fail(&r, NULL, "it is empty");
    *v = read_block(&r, r.lines[0].indent);
    if (r.at < r.n_lines)
        fail(&r, &r.lines[r.at], "the indentation matches no line above");
    return v;
}

/* ---- writing ---- */

/* Returns true if some reader could take the text for another type. YAML 1.1 has more words for
 * booleans. */
static bool
is_ambiguous(const pack_value *v)
{
    static const char *const words[] = {"true", "false", "null", "y", "n", "yes",
                                        "no",   "on",    "off",  "Y", "N", "~"};
    const char *p = v->text, *end = p + v->count;
    uint64_t number;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(p, end, words[i]))
            return true;
    return parse_integer(p, end, &number);
}

/* Returns true if the text needs no quotes. */
static bool
is_plain(const pack_value *v)
{
    const char *p = v->text, *end = p + v->count;
    if (!v->count || *p == '-' || *p == ' ' || end[-1] == ' ')
        return false;
    for (; p < end; p++)
        if (strchr("'\"#:[]{},&*!|>%@\\`?", *p) || (unsigned char)*p < ' ')
            return false;
    return true;
}

static void
write_scalar(const pack_value *v, base_buf *out)
{
    switch (v->kind) {
    case PACK_BOOL: buf_puts(out, v->number ? "true" : "false"); return;
    case PACK_UINT: buf_printf(out, "%llu", (unsigned long long)v->number); return;
    case PACK_INT: buf_printf(out, "%lld", (long long)v->number); return;
    case PACK_TEXT: break;
    default: buf_puts(out, "null"); return;
    }
    if (is_plain(v)) {
        buf_printf(out, "%s%s", is_ambiguous(v) ? "!str " : "", v->text);
        return;
    }
    buf_puts(out, "'");
    for (const char *p = v->text; *p; p++) {
        if (*p == '\'')
            buf_put_u8(out, '\'');
        buf_put_u8(out, (unsigned char)*p < ' ' ? '?' : (uint8_t)*p);
    }
    buf_puts(out, "'");
}

static bool
is_block(const pack_value *v)
{
    return (v->kind == PACK_ARRAY || v->kind == PACK_MAP) && v->count;
}

/* Writes a block's lines; the indentation of the first one is already written. */
static void
write_block(const pack_value *v, uint32_t indent, base_buf *out)
{
    for (uint32_t i = 0; i < v->count; i++) {
        const pack_value *item = &v->items[v->kind == PACK_MAP ? 2 * i + 1 : i];
        if (i)
            buf_printf(out, "%*s", (int)indent, "");
        if (v->kind == PACK_MAP) {
            write_scalar(&v->items[2 * i], out);
            buf_puts(out, ":");
        } else {
            buf_puts(out, "-");
        }
        if (!is_block(item)) {
            buf_puts(out, " ");
            if (item->kind == PACK_ARRAY || item->kind == PACK_MAP)
                buf_puts(out, item->kind == PACK_ARRAY ? "[]" : "{}");
            else
                write_scalar(item, out);
            buf_puts(out, "\n");
        } else if (v->kind == PACK_ARRAY) {
            buf_puts(out, " ");
            write_block(item, indent + 2, out);
        } else {
            buf_printf(out, "\n%*s", (int)indent + 2, "");
            write_block(item, indent + 2, out);
        }
    }
}

void
yaml_write(const pack_value *v, base_buf *out)
{
    buf_puts(out, "---\n");
    if (is_block(v))
        write_block(v, 0, out);
    buf_puts(out, "...\n");
}
