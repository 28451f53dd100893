/* Shows the program while passes run. The library prints it behind and before the phases that its
 * debug switches name; here these switches are made of options, and texts compared. */
#include "pass_watch.h"

#include "line_diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the library says ---- */

/* The program before a phase is kept, and compared with that behind it. */
static void
show_change(pass_watch *w, const char *phase, const char *text, size_t size)
{
    char before[100], after[100];
    if (strncmp(phase, "before ", 7) == 0) {
        free(w->last);
        w->last = malloc(size + 1);
        if (!w->last)
            cli_out_of_memory();
        memcpy(w->last, text, size + 1);
        return;
    }
    snprintf(before, sizeof before, "before %s", phase);
    snprintf(after, sizeof after, "after %s", phase);
    if (w->last)
        line_diff_print(stderr, (const char *const[]){before, after}, w->last, text);
}

static bool
is_program(const char *phase)
{
    static const char *const others[] = {"perfwarn", "liveinfo", "disasm",
                                         "optmsgs",  "ramsgs",   "schedmsgs"};
    bool found = false;
    for (size_t i = 0; i < sizeof others / sizeof *others && !found; i++)
        found = strcmp(phase, others[i]) == 0;
    return !found;
}

void
pass_watch_print(void *user, const char *phase, const char *text, size_t size)
{
    (void)user;
    fprintf(stderr, "// %s%s\n%.*s\n", strncmp(phase, "before ", 7) == 0 ? "" : "after ", phase,
            (int)size, text);
}

static void
show(void *user, const char *phase, const char *text, size_t size)
{
    pass_watch *w = user;
    if (w->changed && is_program(phase))
        show_change(w, phase, text, size);
    else
        pass_watch_print(NULL, phase, text, size);
}

static const char *
find_code(void *user, const char *id, size_t *size)
{
    pass_watch *w = user;
    return shader_override_find(&w->other, id, size);
}

/* ---- the switches ---- */

static bool
is_name(const char *name)
{
    return strcmp(name, "all") == 0 || cli_is_phase(name);
}

/* Appends "switch=NAME" for each name of the lists. Returns false after a message. */
static bool
add_names(pass_watch *w, const cli_list *lists, const char *option, const char *word)
{
    for (size_t i = 0; i < lists->count; i++) {
        for (const char *at = lists->items[i]; *at; at += *at == ',') {
            char name[80];
            size_t len = strcspn(at, ","), used = strlen(w->debug);
            snprintf(name, sizeof name, "%.*s", (int)len, at);
            if (!is_name(name)) {
                cli_usage_error("--%s %s: there is no such phase; --emit list lists them", option,
                                name);
                return false;
            }
            w->debug = realloc(w->debug, used + strlen(word) + len + 4);
            if (!w->debug)
                cli_out_of_memory();
            sprintf(w->debug + used, ",%s=%s", word, name);
            at += len;
        }
    }
    return true;
}

int
pass_watch_begin(pass_watch *w, const char *debug, heddle_compile_options *o)
{
    const char *every[] = {"all"};
    const cli_list all = {every, 1};
    pass_watch_end(w);
    w->debug = malloc((debug ? strlen(debug) : 0) + 16);
    if (!w->debug)
        cli_out_of_memory();
    sprintf(w->debug, "%s%s", debug ? debug : "", w->changed ? ",print-plain" : "");
    if (w->changed && (w->after.count || w->before.count))
        return cli_usage_error("--print-changed prints each phase that changes the program: it "
                               "goes without --print-after and --print-before");
    if (!add_names(w, w->changed ? &all : &w->after, "print-after", "print") ||
        !add_names(w, w->changed ? &all : &w->before, "print-before", "print-before"))
        return CLI_USAGE;
    o->debug = w->debug;
    o->trace = show;
    o->find_code = find_code;
    o->user = w;
    return CLI_OK;
}

void
pass_watch_end(pass_watch *w)
{
    free(w->debug);
    free(w->last);
    w->debug = w->last = NULL;
    shader_override_free(&w->other);
}
