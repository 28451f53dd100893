/* Expands a body with arguments substituted for parameters: \NAME, \@ (number of macro calls so
 * far), \+ (the same for this macro), \() (nothing). With .altmacro, a plain NAME is substituted
 * too, and a following & is removed. A backslash followed by anything other than a parameter name
 * is kept, for macros that are defined inside. */
#include "asm/source.h"

#include <string.h>

/* The length of the name at the start of `p`. */
static size_t
name_length(const char *p, const char *end)
{
    size_t n = 0;
    while (p + n < end && asm_is_symbol_char(p[n]))
        n++;
    return n;
}

/* The argument for the parameter called `name`, or NULL. */
static const asm_span *
find_argument(const asm_source *s, const char *name, size_t len)
{
    const asm_macro *m = s->macro;
    for (uint32_t i = 0; len && i < m->n_params; i++) {
        const asm_span *n = &m->params[i].name;
        if (n->len == len && memcmp(n->text, name, len) == 0)
            return &s->args[i];
    }
    return NULL;
}

/* Handles the text after a backslash at `p`. Returns its end, or NULL if it is not an escape of the
 * language. */
static const char *
escape(const asm_source *s, const char *p, const char *end, base_buf *out)
{
    if (p < end && (*p == '@' || *p == '+')) {
        buf_printf(out, "%llu", (unsigned long long)(*p == '@' ? s->number : s->count));
        return p + 1;
    }
    if (end - p >= 2 && p[0] == '(' && p[1] == ')')
        return p + 2;
    size_t n = name_length(p, end);
    const asm_span *arg = find_argument(s, p, n);
    if (!arg)
        return NULL;
    buf_put(out, arg->text, arg->len);
    return p + n + (s->is_alternate && p + n < end && p[n] == '&');
}

/* Handles one piece at `p` and returns the start of the next. */
static const char *
piece(const asm_source *s, const char *p, const char *end, base_buf *out)
{
    if (*p == '\\') {
        const char *next = escape(s, p + 1, end, out);
        if (next)
            return next;
        size_t n = 1 + name_length(p + 1, end);
        buf_put(out, p, n);
        return p + n;
    }
    size_t n = name_length(p, end);
    const asm_span *arg = s->is_alternate && n ? find_argument(s, p, n) : NULL;
    if (arg) {
        buf_put(out, arg->text, arg->len);
        return p + n + (p + n < end && p[n] == '&');
    }
    for (n = n ? n : 1; p + n < end && p[n] != '\\' && !s->is_alternate;)
        n++;
    buf_put(out, p, n);
    return p + n;
}

const char *
asm_expand(const asm_source *s, size_t limit, base_buf *out)
{
    const char *p = s->macro->body.text, *end = p + s->macro->body.len;
    while (p < end) {
        size_t before = out->size;
        const char *next = piece(s, p, end, out);
        if (out->size > limit) /* unchanged text keeps its position; other pieces use their start */
            return (size_t)(next - p) == out->size - before ? p + (limit - before) : p;
        p = next;
    }
    return p;
}
