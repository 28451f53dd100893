/* Failures and diagnostics. An error in the text of a macro's expansion is reported at its position
 * in the macro's body, together with the place of the call. */
#include "asm/ctx.h"

#include <string.h>

enum { SHOWN_CALLS = 3 };

/* The position in a file that corresponds to `at` in `*source`; sets `*source` to the file. */
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

/* "in macro m, called at 7:2" for each source from `i` outwards; NULL for the call's own text. */
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

/* The source that contains `at`. A statement of several lines may come from several sources. */
static uint32_t
source_of(const asm_ctx *a, const char *at)
{
    uint32_t i = a->source;
    while (i && !holds(&a->sources[i], at))
        i = a->sources[i].parent;
    if (!holds(&a->sources[i], at))
        for (i = (uint32_t)a->n_sources - 1; i && !holds(&a->sources[i], at);)
            i--;
    return i;
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

/* Ends the call with the first error, which was reported. */
_Noreturn static void
leave_with_first(asm_ctx *a)
{
    diag *d = a->d;
    d->loc = a->first.loc;
    d->error = a->first.error;
    d->class = a->first.class;
    memcpy(d->message, a->first.message, sizeof d->message);
    d->is_reported = true;
    diag_leave(d);
}

void
asm_finish(asm_ctx *a)
{
    if (a->n_errors)
        leave_with_first(a);
}

static void
keep_first(asm_ctx *a)
{
    const diag *d = a->d;
    a->first.loc = d->loc;
    a->first.error = d->error;
    a->first.class = d->class;
    memcpy(a->first.message, d->message, sizeof d->message);
}

/* Reports the error that the diag has; ends the statement, or the call. */
_Noreturn static void
raise_error(asm_ctx *a)
{
    diag *d = a->d;
    const asm_options *o = &a->unit->options;
    if (!o->report || !a->resume)
        diag_leave(d);
    if (a->n_errors == ASM_MAX_ERRORS) {
        if (o->note)
            o->note(o->note_user, &d->loc, false, "there are more errors, which are not reported");
        leave_with_first(a);
    }
    o->report(o->report_user, d);
    if (!a->n_errors++)
        keep_first(a);
    if (a->is_last || d->class == DIAG_LIMIT)
        leave_with_first(a);
    longjmp(*a->resume, 1);
}

static void
stop_here(asm_ctx *a)
{
    a->stop_source = a->source;
    a->stop_at = a->p;
}

_Noreturn void
asm_abandon(asm_ctx *a)
{
    if (!a->resume)
        diag_leave(a->d);
    stop_here(a);
    longjmp(*a->resume, 1);
}

/* Leaves out the remaining rounds of a repetition whose rounds are all the same text: they would
 * have the same error. */
static void
end_rounds(asm_ctx *a)
{
    asm_source *s = &a->sources[a->source];
    if (s->kind != ASM_REPEAT || s->text != s->macro->body.text)
        return;
    a->is_incomplete |= s->round + 1 < s->rounds;
    s->rounds = s->round + 1;
}

/* Goes to the end of the line where the error was. */
static void
recover(asm_ctx *a)
{
    a->failure = (asm_failure){0};
    a->may_defer = false;
    a->n_sums = 0;
    a->is_incomplete |= a->may_define;
    a->source = a->stop_source;
    a->end = a->sources[a->source].end;
    end_rounds(a);
    a->is_recovering = true;
    asm_seek(a, a->stop_at);
    asm_skip_line(a);
    a->is_recovering = false;
}

bool
asm_attempt(asm_ctx *a, void (*work)(asm_ctx *a, void *user), void *user)
{
    jmp_buf here, *outer = a->resume;
    const diag_loc loc = a->d->loc;
    a->resume = &here;
    if (setjmp(here) == 0) {
        work(a, user);
        a->resume = outer;
        return true;
    }
    a->resume = outer;
    a->d->loc = loc;
    recover(a);
    return false;
}

/* The token at the failure, for "expected ..., found". */
static const char *
found_token(asm_ctx *a, const char *at)
{
    asm_seek(a, at);
    if (a->token.kind == ASM_END)
        return "the end of the line";
    int shown = a->token.len > 40 ? 40 : (int)a->token.len;
    return arena_printf(a->arena, "'%.*s'", shown, a->token.text);
}

_Noreturn void
asm_report_in(asm_ctx *a, uint32_t source)
{
    asm_failure f = a->failure;
    asm_symbol *s = f.symbol ? &a->symbols[f.symbol - 1] : NULL;
    if (s && s->is_reported)
        asm_abandon(a);
    if (s)
        s->is_reported = true;
    stop_here(a);
    a->source = source;
    a->end = a->sources[source].end;
    asm_locate(a, f.at);
    if (f.error == ERR_ASM_EXPECTED)
        diag_record(a->d, f.error, f.what, found_token(a, f.at));
    else
        diag_record(a->d, f.error, f.what);
    raise_error(a);
}

_Noreturn void
asm_report(asm_ctx *a)
{
    asm_report_in(a, source_of(a, a->failure.at));
}

_Noreturn void
asm_report_last(asm_ctx *a)
{
    a->is_last = true;
    asm_report(a);
}

_Noreturn void
asm_report_texts(asm_ctx *a, const char *at, diag_error error, const char *what, const char *why)
{
    stop_here(a);
    a->source = source_of(a, at);
    asm_locate(a, at);
    diag_record(a->d, error, what, why);
    raise_error(a);
}
