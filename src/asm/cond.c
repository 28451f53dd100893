/* Conditions: .if and its variants, .elseif, .else, .endif. While a condition is false, lines are
 * skipped, and only conditional directives are read. */
#include "asm/ctx.h"
#include "asm/directives.h"

#include <string.h>

static void
update(asm_ctx *a)
{
    const asm_cond *c = a->n_conds ? &a->conds[a->n_conds - 1] : NULL;
    a->is_skipping = c && (c->outer_skips || !c->holds);
}

/* Opens a condition. Returns false while lines are being skipped, in which case the condition must
 * not be evaluated. Until it is decided no branch is active, which remains so after an error. */
static bool
open(asm_ctx *a)
{
    bool skips = a->is_skipping;
    a->conds = arena_grow(a->arena, a->conds, &a->conds_cap, a->n_conds + 1, sizeof *a->conds);
    a->conds[a->n_conds++] = (asm_cond){
        .was_met = true, .outer_skips = skips, .source = a->source, .at = a->line};
    update(a);
    if (skips)
        asm_skip_line(a);
    return !skips;
}

static void
decide(asm_ctx *a, bool holds)
{
    asm_cond *c = &a->conds[a->n_conds - 1];
    c->holds = c->was_met = holds;
    update(a);
}

enum { IS_NONZERO, IS_ZERO, IS_POSITIVE, IS_NOT_NEGATIVE, IS_NEGATIVE, IS_NOT_POSITIVE };

static bool
number_holds(asm_ctx *a, unsigned kind)
{
    int64_t v = asm_number(a, INT64_MIN, INT64_MAX);
    switch (kind) {
    case IS_NONZERO: return v != 0;
    case IS_ZERO: return v == 0;
    case IS_POSITIVE: return v > 0;
    case IS_NOT_NEGATIVE: return v >= 0;
    case IS_NEGATIVE: return v < 0;
    default: return v <= 0;
    }
}

static void
if_number(asm_ctx *a, unsigned kind)
{
    if (open(a))
        decide(a, number_holds(a, kind));
}

static void
if_blank(asm_ctx *a, unsigned wanted)
{
    if (!open(a))
        return;
    bool blank = a->token.kind == ASM_END;
    asm_skip_line(a);
    decide(a, blank == wanted);
}

/* Takes the text up to a comma or the end of the line, without surrounding blanks. */
static asm_span
text_up_to(asm_ctx *a, bool comma)
{
    const char *begin = a->token.text, *end = begin;
    for (; a->token.kind != ASM_END && !(comma && asm_is(a, ',')); asm_next(a))
        end = a->token.text + a->token.len;
    return (asm_span){begin, (size_t)(end - begin)};
}

static void
if_same(asm_ctx *a, unsigned wanted)
{
    if (!open(a))
        return;
    asm_span left = text_up_to(a, true);
    asm_take_comma(a);
    asm_span right = text_up_to(a, false);
    bool same = left.len == right.len && memcmp(left.text, right.text, left.len) == 0;
    decide(a, same == wanted);
}

static void
if_equal_strings(asm_ctx *a, unsigned wanted)
{
    if (!open(a))
        return;
    asm_token left = asm_take_string(a);
    asm_take_comma(a);
    asm_token right = asm_take_string(a);
    bool same = left.len == right.len && memcmp(left.text, right.text, left.len) == 0;
    decide(a, same == wanted);
}

static void
if_defined(asm_ctx *a, unsigned wanted)
{
    if (open(a))
        decide(a, asm_take_symbol(a)->defined == wanted);
}

/* The open condition that .elseif, .else or .endif belongs to. */
static asm_cond *
innermost(asm_ctx *a, bool may_be_else)
{
    asm_cond *c = a->n_conds ? &a->conds[a->n_conds - 1] : NULL;
    if (!c || (c->is_else && !may_be_else)) {
        asm_seek(a, a->line);
        asm_want(a, "an .if that this belongs to");
    }
    return c;
}

static void
else_if(asm_ctx *a, unsigned kind)
{
    asm_cond *c = innermost(a, false);
    if (c->was_met || c->outer_skips) {
        c->holds = false;
        asm_skip_line(a);
    } else {
        c->was_met = true;
        c->holds = false;
        c->was_met = c->holds = number_holds(a, kind);
    }
    update(a);
}

static void
else_directive(asm_ctx *a, unsigned unused)
{
    asm_cond *c = innermost(a, false);
    (void)unused;
    c->is_else = true;
    c->holds = !c->was_met;
    update(a);
}

static void
end_if(asm_ctx *a, unsigned unused)
{
    (void)unused;
    innermost(a, true);
    asm_drop_conditions(a, a->n_conds - 1);
}

void
asm_drop_conditions(asm_ctx *a, size_t left)
{
    if (a->n_conds > left)
        a->n_conds = left;
    update(a);
}

void
asm_check_conditions(asm_ctx *a)
{
    if (!a->n_conds)
        return;
    const asm_cond *c = &a->conds[a->n_conds - 1];
    asm_return_to(a, c->source, c->at);
    asm_fail(a, ERR_ASM_UNTERMINATED, ".endif");
    asm_report(a);
}

const asm_directive asm_cond_directives[] = {
    {".if", if_number, IS_NONZERO, true},
    {".ifne", if_number, IS_NONZERO, true},
    {".ifeq", if_number, IS_ZERO, true},
    {".ifgt", if_number, IS_POSITIVE, true},
    {".ifge", if_number, IS_NOT_NEGATIVE, true},
    {".iflt", if_number, IS_NEGATIVE, true},
    {".ifle", if_number, IS_NOT_POSITIVE, true},
    {".ifb", if_blank, true, true},
    {".ifnb", if_blank, false, true},
    {".ifc", if_same, true, true},
    {".ifnc", if_same, false, true},
    {".ifeqs", if_equal_strings, true, true},
    {".ifnes", if_equal_strings, false, true},
    {".ifdef", if_defined, true, true},
    {".ifndef", if_defined, false, true},
    {".ifnotdef", if_defined, false, true},
    {".elseif", else_if, IS_NONZERO, true},
    {".else", else_directive, 0, true},
    {".endif", end_if, 0, true},
    {NULL, NULL, 0, false},
};
