/* Symbols: labels, variables, and symbols that the assembler maintains.
 *
 * A variable (`=`, .set) that is a number when it is defined keeps that value in all uses until it
 * is defined again, as in LLVM. A variable that is not known yet, or that is a label, stands for
 * its expression and cannot be defined again after a use.
 */
#include "asm/ctx.h"
#include "asm/directives.h"

#include <string.h>

uint32_t
asm_symbol_of(asm_ctx *a, const char *name, size_t len)
{
    uint32_t i = strings_intern(&a->names, name, len);
    if (i >= a->n_symbols) {
        a->symbols = arena_grow(a->arena, a->symbols, &a->symbols_cap, (size_t)i + 1,
                                sizeof *a->symbols);
        for (; a->n_symbols <= i; a->n_symbols++)
            a->symbols[a->n_symbols] = (asm_symbol){0};
    }
    return i;
}

asm_symbol *
asm_symbol_named(asm_ctx *a, const char *name, size_t len)
{
    uint32_t i = asm_symbol_of(a, name, len);
    return &a->symbols[i];
}

const char *
asm_symbol_text(asm_ctx *a, uint32_t symbol)
{
    return asm_short(a, strings_get(&a->names, symbol), strlen(strings_get(&a->names, symbol)));
}

asm_symbol *
asm_take_symbol(asm_ctx *a)
{
    if (a->token.kind != ASM_IDENT)
        asm_want(a, "a name");
    asm_symbol *s = asm_symbol_named(a, a->token.text, a->token.len);
    asm_next(a);
    return s;
}

/* The symbol that counts the labels `number`; its name cannot occur in a text. */
static asm_symbol *
local_count(asm_ctx *a, uint64_t number)
{
    const char *name = arena_printf(a->arena, ".L%llu#", (unsigned long long)number);
    return asm_symbol_named(a, name, strlen(name));
}

uint32_t
asm_local_label(asm_ctx *a, uint64_t number, bool forward)
{
    int64_t count = local_count(a, number)->value + forward;
    const char *name = arena_printf(a->arena, ".L%llu#%lld", (unsigned long long)number,
                                    (long long)count);
    return asm_symbol_of(a, name, strlen(name));
}

void
asm_define_local(asm_ctx *a, const asm_token *number)
{
    uint32_t i = asm_local_label(a, number->value, true);
    local_count(a, number->value)->value++;
    a->symbols[i] = (asm_symbol){.defined = true,
                                 .label = true,
                                 .used = a->symbols[i].used,
                                 .section = a->section,
                                 .value = (int64_t)a->out->size};
}

/* Returns true if a defined symbol may be redefined as `value`. */
static bool
may_redefine(const asm_symbol *old, const asm_symbol *value)
{
    bool numbers = !old->label && !old->lazy && !value->label && !value->lazy;
    return old->variable && value->variable && (numbers || !old->used);
}

void
asm_define(asm_ctx *a, const char *name, uint32_t len, const char *at, asm_symbol value)
{
    asm_symbol *s = asm_symbol_named(a, name, len);
    if (s->defined && !may_redefine(s, &value)) {
        a->failure = (asm_failure){at, ERR_ASM_REDEFINED, asm_short(a, name, len)};
        asm_report(a);
    }
    asm_symbol old = *s;
    *s = value;
    s->used = old.used;
    s->binding = old.binding;
    s->visibility = old.visibility;
    s->kind = value.kind ? value.kind : old.kind;
    if (!value.has_size) {
        s->has_size = old.has_size;
        s->size = old.size;
    }
    s->got = old.got;
}

void
asm_set_symbol(asm_ctx *a, const asm_token *name)
{
    asm_expr e;
    asm_sum sum;
    if (!asm_parse(a, false, &e)) {
        asm_symbol_named(a, name->text, name->len)->is_reported = true;
        asm_report(a);
    }
    asm_symbol value = {.defined = true, .variable = true, .value = e.value};
    if (!e.is_known && asm_evaluate(a, &e, &sum) && asm_settle(&value, &sum)) {
        a->n_codes = e.first;
    } else if (!e.is_known) {
        value.lazy = true;
        value.expr = e;
    }
    asm_define(a, name->text, name->len, name->text, value);
}

void
asm_predefine(asm_ctx *a, const char *name, int64_t value)
{
    *asm_symbol_named(a, name, strlen(name)) = (asm_symbol){
        .defined = true, .variable = true, .value = value};
}

/* .set NAME, EXPRESSION. .equiv: NAME must be new. */
static void
set_directive(asm_ctx *a, unsigned is_new)
{
    asm_token name = a->token;
    const asm_symbol *s = asm_take_symbol(a);
    if (is_new && s->defined) {
        asm_seek(a, name.text);
        asm_fail(a, ERR_ASM_REDEFINED, asm_short(a, name.text, name.len));
        asm_report(a);
    }
    asm_take_comma(a);
    asm_set_symbol(a, &name);
}

const asm_directive asm_symbol_directives[] = {
    {".set", set_directive, false, false},
    {".equ", set_directive, false, false},
    {".equiv", set_directive, true, false},
    {NULL, NULL, 0, false},
};
