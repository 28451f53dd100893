#include "api/switches.h"

#include <string.h>

static const char bad_bisect[] =
    "the debug switch '%.40s' needs a number of passes, or that number "
    "and one of changes, from 1 on, behind a point";

_Noreturn void
api_wrong_switch(const api_switches *w, const char *format, const char *word)
{
    diag_fail(&w->s->diag, ERR_API_BAD_ARGUMENT, arena_printf(&w->s->arena, format, word));
}

bool
api_has_phase(const family_target *t, const char *name)
{
    const family_phase *p = t->family->compiler->phases;
    while (p && p->name && strcmp(p->name, name) != 0)
        p++;
    return p && p->name;
}

const char *
api_next_switch(api_state *s, const char **list)
{
    const char *text = *list;
    if (!text || !*text)
        return NULL;
    const size_t len = strcspn(text, ",");
    *list = text + len + (text[len] == ',');
    return arena_printf(&s->arena, "%.*s", (int)len, text);
}

/* Adds the steps that a switch names to a list of the pass runner. */
static void
add_phase(api_switches *w, const char **list, const char *name)
{
    const bool known = ir_find_step(w->steps, 0, name) < w->steps->count ||
                       api_has_phase(w->target, name);
    if (!known && strcmp(name, "all") != 0)
        api_wrong_switch(w, "HEDDLE_DEBUG: there is no phase '%.60s'", name);
    *list = *list ? arena_printf(&w->s->arena, "%s,%s", *list, name) : name;
}

bool
api_read_switch(api_switches *w, const char *word)
{
    const struct {
        const char *start;
        const char **list;
    } lists[] = {
        {"print=", &w->run->print},
        {"print-before=", &w->run->print_before},
        {"skip=", &w->run->skip},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        const size_t len = strlen(lists[i].start);
        if (strncmp(word, lists[i].start, len) == 0) {
            add_phase(w, lists[i].list, word + len);
            return true;
        }
    }
    if (strncmp(word, "bisect=", 7) == 0) {
        if (!ir_read_bisect(word + 7, w->run))
            api_wrong_switch(w, bad_bisect, word);
        return true;
    }
    const struct {
        const char *name;
        bool *flag, value;
    } flags[] = {
        {"print-plain", &w->run->plain, true},
        {"novalidateir", &w->run->verify, false},
        {"validateir", &w->verifies, true},
        {"disasm", &w->prints_code, true},
    };
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (strcmp(word, flags[i].name) == 0) {
            *flags[i].flag = flags[i].value;
            return true;
        }
    }
    return false;
}
