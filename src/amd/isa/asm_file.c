/* A file: lines, labels, and which directive reads one. */
#include "amd/isa/asm.h"

#include <string.h>

void
asm_skip_line(amd_asm *a)
{
    while (a->token.kind != ASM_END)
        asm_next(a);
}

int64_t
asm_number(amd_asm *a, int64_t low, int64_t high)
{
    int64_t v;
    if (!asm_integer(a, low, high, &v))
        asm_report(a);
    return v;
}

/* The directive called `name`, in small or capital letters, or NULL. */
static const asm_directive *
find_directive(const amd_asm *a, const asm_token *name)
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
statement(amd_asm *a)
{
    const asm_token name = a->token;
    const asm_directive *d = *name.text == '.' ? find_directive(a, &name) : NULL;
    if (a->is_skipping || (d && d->is_condition)) {
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
        asm_fail(a, ERR_AMD_ASM_DIRECTIVE, asm_short(a, name.text, name.len));
        asm_report(a);
    } else {
        asm_instruction(a);
    }
}

/* The character behind the token and blanks. */
static char
following(const amd_asm *a)
{
    const char *p = a->p;
    while (p < a->end && (*p == ' ' || *p == '\t'))
        p++;
    return p == a->end || (*p == '=' && a->end - p > 1 && p[1] == '=') ? '\0' : *p;
}

/* "NAME:", "1:" */
static bool
label(amd_asm *a)
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

static void
line(amd_asm *a)
{
    a->failure = (asm_failure){0};
    while ((a->token.kind == ASM_IDENT || a->token.kind == ASM_INT) && label(a))
        ;
    a->line = a->token.text;
    if (a->token.kind == ASM_IDENT && !a->is_skipping && following(a) == '=') {
        const asm_token name = a->token;
        asm_next(a);
        asm_next(a);
        asm_set_symbol(a, &name);
    } else if (a->token.kind == ASM_IDENT) {
        statement(a);
    } else if (a->is_skipping || asm_is(a, '#')) { /* the preprocessor's line, a comment */
        asm_skip_line(a);
    }
    if (a->token.kind != ASM_END)
        asm_want(a, "the end of the line");
}

/* A name that an instruction has already stays its own. */
static void
intern_mnemonic(amd_asm *a, const char *name, amd_op op, size_t *cap)
{
    size_t before = a->mnemonics.count;
    uint32_t i = strings_intern(&a->mnemonics, name, strlen(name));
    a->mnemonic_ops = arena_grow(a->arena, a->mnemonic_ops, cap, (size_t)i + 1,
                                 sizeof *a->mnemonic_ops);
    if (i == before)
        a->mnemonic_ops[i] = (uint16_t)op;
}

/* The mnemonics of the generation's instructions; what else is taken stands behind them. */
static void
intern_mnemonics(amd_asm *a)
{
    size_t cap = 0;
    a->mnemonics = strings_make(a->arena);
    for (amd_op op = 1; op < AMD_OP_HW_COUNT; op++)
        if (amd_op_row(op)->number[a->gen] >= 0)
            intern_mnemonic(a, amd_op_name(op, a->gen), op, &cap);
    for (const amd_alias *i = amd_aliases; i->name; i++)
        if (a->gen >= i->first && a->gen <= i->last)
            intern_mnemonic(a, i->name, (amd_op)i->op, &cap);
    for (amd_op op = 1; op < AMD_OP_HW_COUNT; op++) {
        const char *name = amd_op_old_name(op, a->gen);
        if (name && amd_op_row(op)->number[a->gen] >= 0)
            intern_mnemonic(a, name, op, &cap);
    }
}

static void
intern_directives(amd_asm *a)
{
    static const asm_directive *const tables[] = {
        asm_data_directives, asm_section_directives, asm_kernel_directives, asm_symbol_directives,
        asm_cond_directives, asm_macro_directives,   asm_repeat_directives, asm_include_directives,
    };
    size_t cap = 0;
    a->directives = strings_make(a->arena);
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        for (const asm_directive *d = tables[t]; d->name; d++) {
            uint32_t i = strings_intern(&a->directives, d->name, strlen(d->name));
            a->rows = arena_grow(a->arena, a->rows, &cap, (size_t)i + 1, sizeof *a->rows);
            a->rows[i] = d;
        }
    }
}

/* Symbols that the call defines. */
static void
define_given(amd_asm *a)
{
    const amd_unit_options *o = &a->unit->options;
    for (uint32_t i = 0; i < o->n_given; i++) {
        const char *name = o->given[i].name;
        *asm_symbol_named(a, name, strlen(name)) = (asm_symbol){
            .defined = true, .variable = true, .is_hidden = true, .value = o->given[i].value};
    }
}

static void
start(amd_asm *a)
{
    const amd_unit_options *o = &a->unit->options;
    a->names = strings_make(a->arena);
    a->macro_names = strings_make(a->arena);
    intern_mnemonics(a);
    intern_directives(a);
    if (o->target && amd_hsa_parse_target(o->target, strlen(o->target), &a->target)) {
        a->has_target = true;
        a->target.has_xnack = o->has_xnack;
    }
    a->unit->sections = ARENA_ARRAY(a->arena, ASM_MAX_SECTIONS, amd_unit_section);
    asm_enter_section(a, asm_find_section(a, ".text", 5));
    a->previous = a->section;
    asm_predefine(a);
    define_given(a);
}

amd_unit *
amd_assemble_unit(diag *d, arena *scratch, const amd_unit_options *o, const char *text, size_t size)
{
    amd_asm *a = ARENA_NEW(scratch, amd_asm);
    amd_unit *u = ARENA_NEW(scratch, amd_unit);
    *u = (amd_unit){.options = *o, .state = a, .code_object_version = 5};
    *a = (amd_asm){.d = d, .arena = scratch, .gen = o->gen, .wave64 = o->wave64, .unit = u};
    a->file = d->loc.file;
    asm_enter(a, (asm_source){.kind = ASM_FILE, .text = text, .end = text + size, .rounds = 1});
    start(a);
    asm_seek(a, text);
    do
        line(a);
    while (!a->is_ended && asm_next_line(a));
    if (!a->is_ended)
        asm_check_conditions(a);
    for (size_t i = 0; i < a->n_fixups; i++)
        u->max_relocs += a->fixups[i].size == 8 && a->fixups[i].kind != ASM_FIX_ENTRY;
    return u;
}

void
amd_assemble(diag *d, arena *scratch, amd_gen gen, bool wave64, const char *text, size_t size,
             base_buf *out)
{
    const amd_unit_options o = {.gen = gen, .wave64 = wave64, .is_code = true};
    amd_unit *u = amd_assemble_unit(d, scratch, &o, text, size);
    amd_unit_resolve(u);
    if (u->sections[0].data.size)
        buf_put(out, u->sections[0].data.data, u->sections[0].data.size);
}

struct amd_line_check {
    diag d;
    amd_asm *a;
};

enum { LINE_BYTES = 64 };

amd_line_check *
amd_line_check_new(arena *scratch, amd_gen gen, bool wave64)
{
    amd_line_check *c = ARENA_NEW(scratch, amd_line_check);
    const amd_unit_options o = {.gen = gen, .wave64 = wave64, .is_code = true};
    diag_init(&c->d);
    if (!DIAG_TRY(&c->d))
        return NULL;
    c->a = amd_assemble_unit(&c->d, scratch, &o, "", 0)->state;
    buf_extend(c->a->out, LINE_BYTES);
    return c;
}

const base_buf *
amd_line_assemble(amd_line_check *c, const char *text, size_t length)
{
    amd_asm *a = c->a;
    a->out->size = 0;
    a->n_fixups = a->n_codes = 0;
    a->failure = (asm_failure){0};
    a->sources[0].text = a->p = text;
    a->sources[0].end = a->end = text + length;
    if (!DIAG_TRY(&c->d))
        return NULL;
    asm_seek(a, text);
    if (a->token.kind != ASM_IDENT)
        return NULL;
    asm_instruction(a);
    return a->token.kind == ASM_END && !a->n_fixups ? a->out : NULL;
}

bool
amd_line_check_run(amd_line_check *c, const char *text, size_t length, const uint8_t *bytes,
                   size_t size)
{
    const base_buf *made = amd_line_assemble(c, text, length);
    return made && made->size == size && memcmp(made->data, bytes, size) == 0;
}
