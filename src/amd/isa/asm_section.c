/* Directives for sections and for what symbols are. */
#include "amd/isa/asm.h"

#include <string.h>

/* Sections that names alone tell: what `.section NAME` without flags means. */
static const struct {
    const char *name;
    bool loaded, executable, writable, zero;
} known[] = {
    {".text", true, true, false, false}, {".rodata", true, false, false, false},
    {".data", true, false, true, false}, {".bss", true, false, true, true},
    {".got", true, false, true, false},
};

/* Is `name` a known section's, or one below it (".text.main")? */
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
asm_find_section(amd_asm *a, const char *name, size_t len)
{
    amd_unit *u = a->unit;
    for (uint32_t i = 0; i < u->n_sections; i++)
        if (strlen(u->sections[i].name) == len && memcmp(u->sections[i].name, name, len) == 0)
            return i;
    if (u->n_sections == ASM_MAX_SECTIONS) {
        asm_fail(a, ERR_AMD_ASM_RANGE, "at most 64 sections");
        asm_report(a);
    }
    int k = find_known(name, len);
    amd_unit_section *s = &u->sections[u->n_sections];
    *s = (amd_unit_section){.align = 1, .data = buf_make(a->arena)};
    s->name = arena_printf(a->arena, "%.*s", (int)len, name);
    if (k >= 0) {
        s->is_loaded = known[k].loaded;
        s->is_executable = known[k].executable;
        s->is_writable = known[k].writable;
        s->is_zero = known[k].zero;
    }
    if (s->is_executable)
        s->align = 4;
    if (k >= 0 && strcmp(known[k].name, ".got") == 0)
        s->align = 8;
    return u->n_sections++;
}

void
asm_enter_section(amd_asm *a, uint32_t section)
{
    a->previous = a->section;
    a->section = section;
    a->out = &a->unit->sections[section].data;
}

/* .section NAME [, "FLAGS" [, @TYPE ...]] */
static void
section(amd_asm *a)
{
    asm_token name = a->token;
    size_t quote = name.kind == ASM_STRING;
    if (name.kind != ASM_IDENT && name.kind != ASM_STRING) {
        asm_expected(a, "a section's name");
        asm_report(a);
    }
    uint32_t before = a->unit->n_sections;
    uint32_t i = asm_find_section(a, name.text + quote, name.len - 2 * quote);
    amd_unit_section *s = &a->unit->sections[i];
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
    asm_enter_section(a, i);
}

asm_symbol *
asm_take_symbol(amd_asm *a)
{
    if (a->token.kind != ASM_IDENT) {
        asm_expected(a, "a name");
        asm_report(a);
    }
    asm_symbol *s = asm_symbol_named(a, a->token.text, a->token.len);
    asm_next(a);
    return s;
}

/* Directives that give each symbol of a list a property. */
static bool
bind(amd_asm *a)
{
    static const struct {
        const char *name;
        bool is_binding;
        uint8_t value;
    } rows[] = {
        {".globl", true, AMD_UNIT_GLOBAL},
        {".global", true, AMD_UNIT_GLOBAL},
        {".weak", true, AMD_UNIT_WEAK},
        {".local", true, AMD_UNIT_LOCAL},
        {".hidden", false, AMD_UNIT_HIDDEN},
        {".internal", false, AMD_UNIT_INTERNAL},
        {".protected", false, AMD_UNIT_PROTECTED},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        if (!asm_take_name(a, rows[r].name))
            continue;
        do {
            asm_symbol *s = asm_take_symbol(a);
            if (rows[r].is_binding)
                s->binding = rows[r].value;
            else
                s->visibility = rows[r].value;
        } while (asm_take(a, ','));
        return true;
    }
    return false;
}

/* .type NAME, @function */
static void
type(amd_asm *a)
{
    asm_symbol *s = asm_take_symbol(a);
    if (!asm_expect(a, ',', "','"))
        asm_report(a);
    if (asm_is_name(a, "@function") || asm_is_name(a, "STT_FUNC"))
        s->kind = AMD_UNIT_FUNCTION;
    else if (asm_is_name(a, "@object") || asm_is_name(a, "STT_OBJECT"))
        s->kind = AMD_UNIT_OBJECT;
    else if (!asm_is_name(a, "@notype") &&
             asm_expected(a, "@function, @object or @notype") == false)
        asm_report(a);
    asm_next(a);
}

/* .size NAME, EXPRESSION: evaluated at the end. */
static void
size(amd_asm *a)
{
    asm_symbol *s = asm_take_symbol(a);
    int64_t v;
    if (!asm_expect(a, ',', "','"))
        asm_report(a);
    s->size_at = a->token.text;
    a->eval.may_defer = true;
    a->eval.section = a->section;
    a->eval.offset = a->out->size;
    bool ok = asm_expression(a, false, &v);
    a->eval.may_defer = false;
    if (!ok)
        asm_report(a);
    if (!a->eval.deferred) { /* `.` is this place */
        s->size_at = NULL;
        s->size = (uint64_t)v;
    }
}

bool
asm_section_directive(amd_asm *a)
{
    static const char *const plain[] = {".text", ".data", ".bss", ".rodata"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        if (asm_take_name(a, plain[i])) {
            asm_enter_section(a, asm_find_section(a, plain[i], strlen(plain[i])));
            return true;
        }
    }
    if (asm_take_name(a, ".section"))
        section(a);
    else if (asm_take_name(a, ".previous"))
        asm_enter_section(a, a->previous);
    else if (asm_take_name(a, ".type"))
        type(a);
    else if (asm_take_name(a, ".size"))
        size(a);
    else
        return bind(a);
    return true;
}
