/* Reads a file: lines, labels, and the directives that they use. */
#include "asm/ctx.h"
#include "asm/directives.h"

#include <string.h>

/* The directive called `name`, in lower or upper case, or NULL. */
static const asm_directive *
find_directive(const asm_ctx *a, const asm_token *name)
{
    enum { LONGEST = 40 };
    char small[LONGEST];
    if (name->len > LONGEST)
        return NULL;
    for (uint32_t i = 0; i < name->len; i++) {
        char c = name->text[i];
        small[i] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
    }
    uint32_t i = strings_find(&a->directives, small, name->len);
    return i == UINT32_MAX ? NULL : a->rows[i];
}

static void
statement(asm_ctx *a)
{
    const asm_token name = a->token;
    const asm_directive *d = *name.text == '.' ? find_directive(a, &name) : NULL;
    if (a->is_skipping || (d && d->is_condition)) {
        a->may_define = true;
        asm_next(a);
        if (d && d->is_condition)
            d->read(a, d->arg);
        else
            asm_skip_line(a);
    } else if (a->n_macros && asm_call_macro(a)) {
        return;
    } else if (d) {
        asm_next(a);
        d->read(a, d->arg);
    } else if (*name.text == '.') {
        a->may_define = true;
        asm_fail(a, ERR_ASM_DIRECTIVE, asm_short(a, name.text, name.len));
        asm_report(a);
    } else {
        a->machine->statement(a);
    }
}

/* The character after the token and blanks. */
static char
following(const asm_ctx *a)
{
    const char *p = a->p;
    while (p < a->end && (*p == ' ' || *p == '\t'))
        p++;
    return p == a->end || (*p == '=' && a->end - p > 1 && p[1] == '=') ? '\0' : *p;
}

/* "NAME:", "1:" */
static bool
label(asm_ctx *a)
{
    const asm_token name = a->token;
    if (following(a) != ':' || a->is_skipping)
        return false;
    if (name.kind == ASM_INT)
        asm_define_local(a, &name);
    else
        asm_define(a, name.text, name.len, name.text,
                   (asm_symbol){.defined = true,
                                .label = true,
                                .section = a->section,
                                .value = (int64_t)a->out->size});
    asm_seek(a, name.text);
    asm_next(a);
    asm_next(a);
    return true;
}

static bool
is_of_machine(const asm_ctx *a)
{
    return a->machine->begins && a->machine->begins(a);
}

static bool
starts_statement(const asm_ctx *a)
{
    const char opener = a->machine->opener;
    return a->token.kind == ASM_IDENT || (opener && asm_is(a, opener)) || is_of_machine(a);
}

static void
line(asm_ctx *a)
{
    a->failure = (asm_failure){0};
    a->may_define = false;
    while ((a->token.kind == ASM_IDENT || a->token.kind == ASM_INT) && !is_of_machine(a) &&
           label(a))
        ;
    a->line = a->token.text;
    const asm_position here = {a->source, a->line};
    const uint32_t section = a->section;
    const size_t size = a->out->size;
    if (a->token.kind == ASM_IDENT && !a->is_skipping && following(a) == '=') {
        const asm_token name = a->token;
        asm_next(a);
        asm_next(a);
        asm_set_symbol(a, &name);
    } else if (starts_statement(a)) {
        statement(a);
    } else if (a->is_skipping || asm_is(a, '#')) { /* a line of the preprocessor is a comment */
        asm_skip_line(a);
    }
    if (a->token.kind != ASM_END)
        asm_want(a, "the end of the line");
    const asm_unit_section *s = &a->unit->sections[section];
    if (a->unit->options.with_lines && s->is_executable && s->data.size > size)
        asm_note_line(a, here, section, size);
}

static void
intern_directives(asm_ctx *a)
{
    const asm_directive *const tables[] = {
        asm_data_directives,    asm_section_directives, asm_symbol_directives,
        asm_cond_directives,    asm_macro_directives,   asm_repeat_directives,
        asm_include_directives, a->machine->directives,
    };
    size_t cap = 0;
    a->directives = strings_make(a->arena);
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        for (const asm_directive *d = tables[t]; d && d->name; d++) {
            uint32_t i = strings_intern(&a->directives, d->name, strlen(d->name));
            a->rows = arena_grow(a->arena, a->rows, &cap, (size_t)i + 1, sizeof *a->rows);
            a->rows[i] = d;
        }
    }
}

/* Defines the symbols given by the call. */
static void
define_given(asm_ctx *a)
{
    const asm_options *o = &a->unit->options;
    for (uint32_t i = 0; i < o->n_given; i++) {
        const char *name = o->given[i].name;
        *asm_symbol_named(a, name, strlen(name)) = (asm_symbol){
            .defined = true, .variable = true, .is_hidden = true, .value = o->given[i].value};
    }
}

static void
start(asm_ctx *a)
{
    a->names = strings_make(a->arena);
    a->macro_names = strings_make(a->arena);
    intern_directives(a);
    a->unit->sections = ARENA_ARRAY(a->arena, ASM_MAX_SECTIONS, asm_unit_section);
    asm_enter_section(a, asm_find_section(a, ".text", 5));
    a->previous = a->section;
    if (a->machine->start)
        a->machine->start(a);
    define_given(a);
}

static void
read_lines(asm_ctx *a, void *begun)
{
    if (!*(bool *)begun) {
        *(bool *)begun = true;
        asm_seek(a, a->p);
        line(a);
    }
    while (!a->is_ended && asm_next_line(a))
        line(a);
}

static void
check_conditions(asm_ctx *a, void *unused)
{
    (void)unused;
    asm_check_conditions(a);
}

/* Reads the whole text, or fails with the errors that it has. */
static void
read_file(asm_ctx *a)
{
    bool begun = false;
    while (!asm_attempt(a, read_lines, &begun))
        ;
    if (!a->is_ended)
        asm_attempt(a, check_conditions, NULL);
    if (a->n_errors && !a->is_incomplete)
        asm_check_symbols(a);
    asm_finish(a);
}

asm_unit *
asm_read(diag *d, arena *scratch, const asm_options *o, const char *text, size_t size)
{
    asm_ctx *a = ARENA_NEW(scratch, asm_ctx);
    asm_unit *u = ARENA_NEW(scratch, asm_unit);
    *u = (asm_unit){.options = *o, .state = a};
    *a = (asm_ctx){.d = d, .arena = scratch, .machine = o->machine, .user = o->user, .unit = u};
    a->file = d->loc.file;
    asm_enter(a, (asm_source){.kind = ASM_FILE, .text = text, .end = text + size, .rounds = 1});
    start(a);
    read_file(a);
    for (size_t i = 0; i < a->n_fixups; i++) {
        asm_fixup_kind kind = a->fixups[i].kind;
        u->max_relocs += a->fixups[i].size == 8 && kind != ASM_FIX_DISTANCE && kind != ASM_FIX_OWN;
    }
    return u;
}

const base_buf *
asm_read_statement(asm_unit *unit, const char *text, size_t length)
{
    asm_ctx *a = unit->state;
    a->out->size = 0;
    a->n_fixups = a->n_codes = 0;
    a->failure = (asm_failure){0};
    a->sources[0].text = a->p = text;
    a->sources[0].end = a->end = text + length;
    asm_seek(a, text);
    if (!starts_statement(a))
        return NULL;
    a->machine->statement(a);
    return a->token.kind == ASM_END && !a->n_fixups ? a->out : NULL;
}
