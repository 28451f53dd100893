/* Repetitions: .rept N, .irp NAME, VALUES, .irpc NAME, CHARACTERS ... .endr.
 *
 * A body without parameters is read in place, N times; otherwise each round becomes a source.
 */
#include "asm/ctx.h"
#include "asm/directives.h"

#include <string.h>

static const char *const opening[] = {".rept", ".rep", ".irp", ".irpc", NULL};
static const char *const closing[] = {".endr", NULL};

/* Starts the first round of `s`, whose body has been read. */
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

/* The text after the directive. */
typedef struct repetition {
    asm_token name; /* of .irp and .irpc */
    uint64_t rounds;
    asm_span *values;
} repetition;

static void
end_header(asm_ctx *a)
{
    if (a->token.kind != ASM_END)
        asm_want(a, "the end of the line");
}

static void
read_count(asm_ctx *a, void *user)
{
    repetition *r = user;
    r->rounds = (uint64_t)asm_number(a, 0, INT64_MAX);
    end_header(a);
}

/* Consumes the name after .irp, and the comma. */
static void
take_name(asm_ctx *a, repetition *r)
{
    r->name = a->token;
    asm_take_symbol(a);
    asm_take_comma(a);
}

static void
read_values(asm_ctx *a, void *user)
{
    repetition *r = user;
    size_t cap = 0;
    take_name(a, r);
    while (a->token.kind != ASM_END) {
        asm_span v = asm_argument(a);
        r->values = arena_grow(a->arena, r->values, &cap, r->rounds + 1, sizeof *r->values);
        r->values[r->rounds++] = v;
        asm_take(a, ',');
    }
}

static void
read_characters(asm_ctx *a, void *user)
{
    repetition *r = user;
    take_name(a, r);
    asm_span text = asm_argument(a);
    end_header(a);
    r->values = ARENA_ARRAY(a->arena, text.len + 1, asm_span);
    r->rounds = text.len;
    for (size_t i = 0; i < text.len; i++)
        r->values[i] = (asm_span){text.text + i, 1};
}

/* A repetition, whose body goes up to .endr. */
static void
repeat(asm_ctx *a, unsigned kind)
{
    static void (*const readers[])(asm_ctx * a, void *user) = {read_count, read_values,
                                                               read_characters};
    repetition r = {.rounds = 0};
    asm_macro *m = ARENA_NEW(a->arena, asm_macro);
    bool ok = asm_attempt(a, readers[kind], &r);
    *m = (asm_macro){.source = a->source};
    if (ok && r.name.len) {
        m->n_params = 1;
        m->params = ARENA_NEW(a->arena, asm_param);
        m->params->name = (asm_span){r.name.text, r.name.len};
    }
    m->body = asm_body(a, opening, closing, a->line);
    if (ok)
        begin(a, (asm_source){.macro = m, .rounds = r.rounds, .values = r.values});
    a->is_incomplete |= !ok;
}

enum { COUNT, VALUES, CHARACTERS };

const asm_directive asm_repeat_directives[] = {
    {".rept", repeat, COUNT, false}, {".rep", repeat, COUNT, false},
    {".irp", repeat, VALUES, false}, {".irpc", repeat, CHARACTERS, false},
    {NULL, NULL, 0, false},
};
