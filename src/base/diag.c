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

int
diag_format(const diag *d, char *out, unsigned size)
{
    const diag_loc *l = &d->loc;
    char place[64] = "", item[128] = "";
    if (l->line)
        snprintf(place, sizeof place, ":%u:%u", (unsigned)l->line, (unsigned)l->column);
    if (l->has_offset && l->what)
        snprintf(item, sizeof item, "%s %llu (%.64s): ", l->unit, (unsigned long long)l->offset,
                 l->what);
    else if (l->has_offset)
        snprintf(item, sizeof item, "%s %llu: ", l->unit, (unsigned long long)l->offset);
    return snprintf(out, size, "%s%s: error: %s%s%s", l->file ? l->file : "heddle", place,
                    d->class == DIAG_UNSUPPORTED ? "unsupported: " : "", item, d->message);
}
