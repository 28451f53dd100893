/* Failures and diagnostics. An error in the text that a macro makes is reported at its place in the
 * macro's body, and says where the macro was called. */
#include "asm/ctx.h"

#include <string.h>

enum { SHOWN_CALLS = 3 };

/* Where a file has what is at `at` in `*source`, which becomes the file. */
static const char *
written_at(const asm_ctx *a, uint32_t *source, const char *at)
{
    const asm_source *s = &a->sources[*source];
    for (; s->kind != ASM_FILE; s = &a->sources[*source]) {
        base_buf unused = buf_make(a->arena);
        if (s->text != s->macro->body.text)
            at = asm_expand(s, (size_t)(at - s->text), &unused);
        *source = s->macro->source;
    }
    return at;
}

static void
count_lines(const asm_source *s, const char *at, uint32_t *line, uint32_t *column)
{
    const char *begin = s->text;
    *line = 1;
    for (const char *p = s->text; p < at; p++) {
        if (*p == '\n') {
            ++*line;
            begin = p + 1;
        }
    }
    *column = (uint32_t)(at - begin) + 1;
}

/* "in macro m, called at 7:2" of each source from `i` outwards; NULL for the call's own text. */
static const char *
calls_of(const asm_ctx *a, uint32_t i)
{
    base_buf b = buf_make(a->arena);
    const asm_source *s = &a->sources[i];
    for (unsigned n = 0; i != 0; i = s->parent, s = &a->sources[i], n++) {
        uint32_t line, column, file = s->parent;
        if (n == SHOWN_CALLS) {
            buf_puts(&b, " ...");
            break;
        }
        const char *at = written_at(a, &file, s->call);
        count_lines(&a->sources[file], at, &line, &column);
        buf_puts(&b, n ? ", " : "");
        if (s->kind == ASM_FILE)
            buf_puts(&b, "included");
        else if (s->kind == ASM_REPEAT)
            buf_printf(&b, "in round %llu of the repetition", (unsigned long long)s->round + 1);
        else
            buf_printf(&b, "in macro %s, called",
                       asm_short(a, s->macro->name.text, s->macro->name.len));
        const char *name = a->sources[file].name ? a->sources[file].name : a->file;
        const char *slash = name ? strrchr(name, '/') : NULL;
        name = slash ? slash + 1 : name ? name : "line";
        buf_printf(&b, " at %.60s:%u:%u", name, line, column);
    }
    return b.size ? buf_text(&b) : NULL;
}

static bool
holds(const asm_source *s, const char *at)
{
    return (uintptr_t)at >= (uintptr_t)s->text && (uintptr_t)at <= (uintptr_t)s->end;
}

void
asm_enter_source_of(asm_ctx *a, const char *at)
{
    uint32_t i = a->source;
    while (i && !holds(&a->sources[i], at))
        i = a->sources[i].parent;
    if (!holds(&a->sources[i], at))
        for (i = (uint32_t)a->n_sources - 1; i && !holds(&a->sources[i], at);)
            i--;
    a->source = i;
    a->end = a->sources[i].end;
}

void
asm_locate(asm_ctx *a, const char *at)
{
    diag_loc *loc = &a->d->loc;
    uint32_t file = a->source;
    at = written_at(a, &file, at);
    count_lines(&a->sources[file], at, &loc->line, &loc->column);
    loc->file = a->sources[file].name ? a->sources[file].name : a->file;
    loc->within = calls_of(a, a->source);
}

void
asm_return_to(asm_ctx *a, uint32_t source, const char *at)
{
    a->source = source;
    a->end = a->sources[source].end;
    a->failure = (asm_failure){0};
    asm_seek(a, at);
}

bool
asm_expect(asm_ctx *a, char punct, const char *what)
{
    return asm_take(a, punct) || asm_expected(a, what);
}

bool
asm_fail(asm_ctx *a, diag_error error, const char *what)
{
    if (!a->failure.at || a->token.text > a->failure.at)
        a->failure = (asm_failure){a->token.text, error, what};
    return false;
}

bool
asm_expected(asm_ctx *a, const char *what)
{
    return asm_fail(a, ERR_ASM_EXPECTED, what);
}

void
asm_want(asm_ctx *a, const char *what)
{
    asm_expected(a, what);
    asm_report(a);
}

void
asm_take_comma(asm_ctx *a)
{
    if (!asm_take(a, ','))
        asm_want(a, "','");
}

asm_token
asm_take_string(asm_ctx *a)
{
    asm_token text = a->token;
    if (text.kind != ASM_STRING)
        asm_want(a, "a text in quotes");
    asm_next(a);
    return text;
}

const char *
asm_short(const asm_ctx *a, const char *name, size_t len)
{
    return arena_printf(a->arena, "%.*s", (int)(len > 60 ? 60 : len), name);
}

void
asm_report(asm_ctx *a)
{
    asm_failure f = a->failure;
    asm_enter_source_of(a, f.at);
    asm_locate(a, f.at);
    if (f.error != ERR_ASM_EXPECTED)
        diag_fail(a->d, f.error, f.what);
    asm_seek(a, f.at);
    if (a->token.kind == ASM_END)
        diag_fail(a->d, f.error, f.what, "the end of the line");
    int shown = a->token.len > 40 ? 40 : (int)a->token.len;
    diag_fail(a->d, f.error, f.what, arena_printf(a->arena, "'%.*s'", shown, a->token.text));
}
