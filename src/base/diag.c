#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct error_row {
    const char *name;
    diag_class class;
    const char *text;
} error_row;

static const error_row rows[ERR_COUNT] = {
    {"NONE", DIAG_OK, ""},
#define ERR(name, class, text) {#name, DIAG_##class, text},
#include "base/errors.def"
#undef ERR
};

void
diag_init(diag *d)
{
    memset(d, 0, sizeof *d);
}

static void
record(diag *d, diag_error e, va_list args)
{
    d->error = e;
    d->class = rows[e].class;
    d->is_reported = false;
    vsnprintf(d->message, sizeof d->message, rows[e].text, args);
    if (d->loc.within) {
        size_t n = strlen(d->message);
        snprintf(d->message + n, sizeof d->message - n, " (%s)", d->loc.within);
    }
}

void
diag_record(diag *d, diag_error e, ...)
{
    va_list args;
    va_start(args, e);
    record(d, e, args);
    va_end(args);
}

_Noreturn void
diag_leave(diag *d)
{
    longjmp(d->exit, 1);
}

_Noreturn void
diag_fail(diag *d, diag_error e, ...)
{
    va_list args;
    va_start(args, e);
    record(d, e, args);
    va_end(args);
    diag_leave(d);
}

void
diag_out_of_memory(void *d)
{
    diag_fail(d, ERR_NO_MEMORY);
}

const char *
diag_error_name(diag_error e)
{
    return rows[e].name;
}

/* "word 12 (OpLoad): ", or behind a message that begins with a line: " (a.spv: word 12, OpLoad)".
 */
static void
format_item(const diag_loc *l, char *out, unsigned size)
{
    bool behind = l->line, other = l->source && l->file && strcmp(l->source, l->file) != 0;
    *out = 0;
    if (!l->has_offset)
        return;
    int n = snprintf(out, size, "%s%.160s%s%s %llu", behind ? " (" : "",
                     behind && other ? l->file : "", behind && other ? ": " : "", l->unit,
                     (unsigned long long)l->offset);
    if (l->what)
        n += snprintf(out + n, size - (unsigned)n, behind ? ", %.64s" : " (%.64s)", l->what);
    snprintf(out + n, size - (unsigned)n, "%s", behind ? ")" : ": ");
}

int
diag_format(const diag *d, char *out, unsigned size)
{
    const diag_loc *l = &d->loc;
    const char *file = l->line && l->source ? l->source : l->file;
    char place[64] = "", item[320];
    if (l->line && l->column)
        snprintf(place, sizeof place, ":%u:%u", (unsigned)l->line, (unsigned)l->column);
    else if (l->line)
        snprintf(place, sizeof place, ":%u", (unsigned)l->line);
    format_item(l, item, sizeof item);
    return snprintf(out, size, "%s%s: error: %s%s%s%s", file ? file : "heddle", place,
                    d->class == DIAG_UNSUPPORTED ? "unsupported: " : "", l->line ? "" : item,
                    d->message, l->line ? item : "");
}
