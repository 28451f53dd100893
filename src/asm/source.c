/* The stack of sources. */
#include "asm/ctx.h"

void
asm_charge(asm_ctx *a, uint64_t bytes)
{
    a->expanded += bytes;
    if (a->expanded <= ASM_MAX_EXPANSION)
        return;
    a->failure = (asm_failure){a->line, ERR_ASM_EXPANSION, NULL};
    asm_report(a);
}

void
asm_enter(asm_ctx *a, asm_source s)
{
    s.depth = a->n_sources ? a->sources[s.parent].depth + 1 : 0;
    if (s.depth > ASM_MAX_NESTING) {
        asm_fail(a, ERR_ASM_NESTING, NULL);
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

/* Continues after the call of the current source. */
static bool
leave(asm_ctx *a)
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
asm_leave(asm_ctx *a)
{
    asm_source *s = &a->sources[a->source];
    s->rounds = 0;
    a->p = s->end;
    a->token = (asm_token){.kind = ASM_END, .text = a->p};
}

bool
asm_next_line(asm_ctx *a)
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
