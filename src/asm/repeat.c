/* Repetitions: .rept N, .irp NAME, VALUES, .irpc NAME, CHARACTERS ... .endr.
 *
 * A body with nothing to put into it is read where it stands, N times; else each round is a source.
 */
#include "asm/ctx.h"
#include "asm/directives.h"

#include <string.h>

static const char *const opening[] = {".rept", ".rep", ".irp", ".irpc", NULL};
static const char *const closing[] = {".endr", NULL};

/* Begins with the first round of `s`, whose body is read already. */
static void
begin(asm_ctx *a, asm_source s)
{
    s.kind = ASM_REPEAT;
    s.parent = a->source;
    s.call = a->line;
    s.back = a->p;
    s.n_conds = a->n_conds;
    s.is_alternate = a->is_alternate;
    s.number = a->n_instantiations;
    if (!s.rounds || !s.macro->body.len)
        return;
    if (s.values) {
        s.args = s.values;
        asm_enter_expansion(a, s);
    } else if (memchr(s.macro->body.text, '\\', s.macro->body.len)) {
        asm_enter_expansion(a, s);
    } else {
        s.text = s.macro->body.text;
        s.end = s.text + s.macro->body.len;
        asm_charge(a, s.macro->body.len + ASM_SOURCE_COST);
        asm_enter(a, s);
    }
}

bool
asm_next_round(asm_ctx *a)
{
    asm_source *s = &a->sources[a->source];
    if (s->kind != ASM_REPEAT || s->round + 1 >= s->rounds)
        return false;
    s->round++;
    if (s->text == s->macro->body.text) {
        asm_charge(a, s->macro->body.len + 1);
        a->p = s->text;
        return true;
    }
    asm_source next = *s;
    s->round--;
    next.count = next.round;
    if (next.values)
        next.args = next.values + next.round;
    a->source = next.parent;
    a->end = a->sources[next.parent].end;
    a->line = next.call;
    asm_enter_expansion(a, next);
    return true;
}

/* A body for `param` (or none), up to .endr. */
static asm_macro *
read_body(asm_ctx *a, asm_token *param)
{
    asm_macro *m = ARENA_NEW(a->arena, asm_macro);
    *m = (asm_macro){.source = a->source};
    if (param) {
        m->n_params = 1;
        m->params = ARENA_NEW(a->arena, asm_param);
        m->params->name = (asm_span){param->text, param->len};
    }
    m->body = asm_body(a, opening, closing, a->line);
    return m;
}

static void
repeat(asm_ctx *a, unsigned unused)
{
    int64_t n = asm_number(a, 0, INT64_MAX);
    (void)unused;
    begin(a, (asm_source){.macro = read_body(a, NULL), .rounds = (uint64_t)n});
}

/* The name behind .irp, and the comma. */
static asm_token
take_name(asm_ctx *a)
{
    asm_token name = a->token;
    asm_take_symbol(a);
    asm_take_comma(a);
    return name;
}

static void
repeat_values(asm_ctx *a, unsigned unused)
{
    asm_token name = take_name(a);
    asm_span *values = NULL;
    size_t n = 0, cap = 0;
    (void)unused;
    while (a->token.kind != ASM_END) {
        asm_span v = asm_argument(a);
        values = arena_grow(a->arena, values, &cap, n + 1, sizeof *values);
        values[n++] = v;
        asm_take(a, ',');
    }
    begin(a, (asm_source){.macro = read_body(a, &name), .rounds = n, .values = values});
}

static void
repeat_characters(asm_ctx *a, unsigned unused)
{
    asm_token name = take_name(a);
    asm_span text = asm_argument(a);
    asm_span *values = ARENA_ARRAY(a->arena, text.len + 1, asm_span);
    (void)unused;
    for (size_t i = 0; i < text.len; i++)
        values[i] = (asm_span){text.text + i, 1};
    begin(a, (asm_source){.macro = read_body(a, &name), .rounds = text.len, .values = values});
}

const asm_directive asm_repeat_directives[] = {
    {".rept", repeat, 0, false},
    {".rep", repeat, 0, false},
    {".irp", repeat_values, 0, false},
    {".irpc", repeat_characters, 0, false},
    {NULL, NULL, 0, false},
};
