/* Directives for sections and for properties of symbols. */
#include "asm/ctx.h"
#include "asm/directives.h"

#include <string.h>

/* Sections with known names: the meaning of `.section NAME` without flags. */
static const struct {
    const char *name;
    bool loaded, executable, writable, zero;
} known[] = {
    {".text", true, true, false, false}, {".rodata", true, false, false, false},
    {".data", true, false, true, false}, {".bss", true, false, true, true},
    {".got", true, false, true, false},
};

/* Finds `name` if it is a known section or a subsection of one (".text.main"). */
static int
find_known(const char *name, size_t len)
{
    for (int i = 0; i < (int)(sizeof known / sizeof *known); i++) {
        size_t n = strlen(known[i].name);
        if (len >= n && memcmp(name, known[i].name, n) == 0 && (len == n || name[n] == '.'))
            return i;
    }
    return -1;
}

uint32_t
asm_find_section(asm_ctx *a, const char *name, size_t len)
{
    asm_unit *u = a->unit;
    for (uint32_t i = 0; i < u->n_sections; i++)
        if (strlen(u->sections[i].name) == len && memcmp(u->sections[i].name, name, len) == 0)
            return i;
    if (u->n_sections == ASM_MAX_SECTIONS) {
        asm_fail(a, ERR_ASM_RANGE, "at most 64 sections");
        asm_report(a);
    }
    int k = find_known(name, len);
    asm_unit_section *s = &u->sections[u->n_sections];
    *s = (asm_unit_section){.align = 1, .data = buf_make(a->arena)};
    s->name = arena_printf(a->arena, "%.*s", (int)len, name);
    if (k >= 0) {
        s->is_loaded = known[k].loaded;
        s->is_executable = known[k].executable;
        s->is_writable = known[k].writable;
        s->is_zero = known[k].zero;
    }
    if (s->is_executable)
        s->align = a->machine->padding_size;
    if (k >= 0 && strcmp(known[k].name, ".got") == 0)
        s->align = 8;
    return u->n_sections++;
}

void
asm_enter_section(asm_ctx *a, uint32_t section)
{
    a->previous = a->section;
    a->section = section;
    a->out = &a->unit->sections[section].data;
}

/* NAME [, "FLAGS" [, @TYPE ...]] of .section and .pushsection */
static void
section(asm_ctx *a, unsigned is_pushed)
{
    asm_token name = a->token;
    size_t quote = name.kind == ASM_STRING;
    if (name.kind != ASM_IDENT && name.kind != ASM_STRING)
        asm_want(a, "a section's name");
    uint32_t before = a->unit->n_sections;
    uint32_t i = asm_find_section(a, name.text + quote, name.len - 2 * quote);
    asm_unit_section *s = &a->unit->sections[i];
    asm_next(a);
    if (asm_take(a, ',') && a->token.kind == ASM_STRING && i >= before) {
        s->is_loaded = memchr(a->token.text, 'a', a->token.len) != NULL;
        s->is_executable = memchr(a->token.text, 'x', a->token.len) != NULL;
        s->is_writable = memchr(a->token.text, 'w', a->token.len) != NULL;
        asm_next(a);
        if (asm_take(a, ','))
            s->is_zero = asm_is_name(a, "@nobits");
    }
    asm_skip_line(a);
    if (is_pushed && a->n_stack == ASM_MAX_SECTIONS) {
        asm_fail(a, ERR_ASM_RANGE, "at most 64 sections on the stack");
        asm_report(a);
    }
    if (is_pushed)
        a->stack[a->n_stack++] = a->section;
    asm_enter_section(a, i);
}

static void
pop_section(asm_ctx *a, unsigned unused)
{
    (void)unused;
    if (!a->n_stack) {
        asm_seek(a, a->line);
        asm_want(a, "a .pushsection above");
    }
    asm_enter_section(a, a->stack[--a->n_stack]);
}

static void
previous(asm_ctx *a, unsigned unused)
{
    (void)unused;
    asm_enter_section(a, a->previous);
}

static void
plain(asm_ctx *a, unsigned i)
{
    static const char *const names[] = {".text", ".data", ".bss", ".rodata"};
    asm_enter_section(a, asm_find_section(a, names[i], strlen(names[i])));
}

/* Directives that set a property of each symbol in a list. */
static void
bind(asm_ctx *a, unsigned binding)
{
    do
        asm_take_symbol(a)->binding = (uint8_t)binding;
    while (asm_take(a, ','));
}

static void
show(asm_ctx *a, unsigned visibility)
{
    do
        asm_take_symbol(a)->visibility = (uint8_t)visibility;
    while (asm_take(a, ','));
}

/* .type NAME, @function */
static void
type(asm_ctx *a, unsigned unused)
{
    (void)unused;
    asm_symbol *s = asm_take_symbol(a);
    asm_take_comma(a);
    if (asm_is_name(a, "@function") || asm_is_name(a, "STT_FUNC"))
        s->kind = ASM_UNIT_FUNCTION;
    else if (asm_is_name(a, "@object") || asm_is_name(a, "STT_OBJECT"))
        s->kind = ASM_UNIT_OBJECT;
    else if (!asm_is_name(a, "@notype"))
        asm_want(a, "@function, @object or @notype");
    asm_next(a);
}

/* .size NAME, EXPRESSION: evaluated at the end. */
static void
size(asm_ctx *a, unsigned unused)
{
    asm_token name = a->token;
    asm_expr e;
    (void)unused;
    asm_take_symbol(a);
    asm_take_comma(a);
    if (!asm_parse(a, false, &e))
        asm_report(a);
    asm_symbol *s = asm_symbol_named(a, name.text, name.len);
    s->size = e;
    s->has_size = true;
}

const asm_directive asm_section_directives[] = {
    {".text", plain, 0, false},
    {".data", plain, 1, false},
    {".bss", plain, 2, false},
    {".rodata", plain, 3, false},
    {".section", section, false, false},
    {".pushsection", section, true, false},
    {".popsection", pop_section, 0, false},
    {".previous", previous, 0, false},
    {".type", type, 0, false},
    {".size", size, 0, false},
    {".globl", bind, ASM_UNIT_GLOBAL, false},
    {".global", bind, ASM_UNIT_GLOBAL, false},
    {".weak", bind, ASM_UNIT_WEAK, false},
    {".local", bind, ASM_UNIT_LOCAL, false},
    {".hidden", show, ASM_UNIT_HIDDEN, false},
    {".internal", show, ASM_UNIT_INTERNAL, false},
    {".protected", show, ASM_UNIT_PROTECTED, false},
    {NULL, NULL, 0, false},
};
