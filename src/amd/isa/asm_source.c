/* The stack of sources, and places in them for diagnostics: an error in what a macro makes is where
 * the macro's body has it, and says where the macro was called. */
#include "amd/isa/asm.h"

#include <string.h>

enum { SHOWN_CALLS = 3 };

void
asm_charge(amd_asm *a, uint64_t bytes)
{
    a->expanded += bytes;
    if (a->expanded <= ASM_MAX_EXPANSION)
        return;
    a->failure = (asm_failure){a->line, ERR_AMD_ASM_EXPANSION, NULL};
    asm_report(a);
}

void
asm_enter(amd_asm *a, asm_source s)
{
    s.depth = a->n_sources ? a->sources[s.parent].depth + 1 : 0;
    if (s.depth > ASM_MAX_NESTING) {
        asm_fail(a, ERR_AMD_ASM_NESTING, NULL);
        asm_report(a);
    }
    a->sources = arena_grow(a->arena, a->sources, &a->sources_cap, a->n_sources + 1,
                            sizeof *a->sources);
    a->source = (uint32_t)a->n_sources;
    a->sources[a->n_sources++] = s;
    a->p = s.text;
    a->end = s.end;
    a->line = s.text;
    a->failure = (asm_failure){0};
    a->token = (asm_token){.kind = ASM_END, .text = s.text};
}

/* Goes on behind what called the current source. */
static bool
leave(amd_asm *a)
{
    if (asm_next_round(a))
        return true;
    const asm_source *s = &a->sources[a->source];
    if (a->source == 0)
        return false;
    a->source = s->parent;
    a->p = s->back;
    a->end = a->sources[s->parent].end;
    a->line = s->call;
    return true;
}

void
asm_leave(amd_asm *a)
{
    asm_source *s = &a->sources[a->source];
    s->rounds = 0;
    a->p = s->end;
    a->token = (asm_token){.kind = ASM_END, .text = a->p};
}

bool
asm_next_line(amd_asm *a)
{
    if (a->p < a->end && *a->p == '\n')
        a->p++;
    while (a->p == a->end) {
        if (!leave(a)) {
            asm_next(a);
            return false;
        }
        if (a->p < a->end && *a->p == '\n')
            a->p++;
    }
    asm_next(a);
    return true;
}

/* Where a file has what is at `at` in `*source`, which becomes the file. */
static const char *
written_at(const amd_asm *a, uint32_t *source, const char *at)
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
calls_of(const amd_asm *a, uint32_t i)
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
asm_enter_source_of(amd_asm *a, const char *at)
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
asm_locate(amd_asm *a, const char *at)
{
    diag_loc *loc = &a->d->loc;
    uint32_t file = a->source;
    at = written_at(a, &file, at);
    count_lines(&a->sources[file], at, &loc->line, &loc->column);
    loc->file = a->sources[file].name ? a->sources[file].name : a->file;
    loc->within = calls_of(a, a->source);
}

void
asm_return_to(amd_asm *a, uint32_t source, const char *at)
{
    a->source = source;
    a->end = a->sources[source].end;
    a->failure = (asm_failure){0};
    asm_seek(a, at);
}
