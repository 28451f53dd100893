/* A file: lines, labels, directives. */
#include "amd/isa/asm.h"

#include <string.h>

/* Passed over to the end of the line: they are for debuggers, or say what is known. */
static const char *const ignored[] = {
    ".ident",         ".addrsig",       ".addrsig_sym", ".file",       ".loc",
    ".cfi_sections",  ".cfi_startproc", ".cfi_endproc", ".cfi_escape", ".cfi_def_cfa_offset",
    ".cfi_undefined",
};

void
asm_skip_line(amd_asm *a)
{
    while (a->token.kind != ASM_END)
        asm_next(a);
}

void
asm_next_line(amd_asm *a)
{
    if (a->p < a->end && *a->p == '\n')
        a->p++;
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

void
asm_define(amd_asm *a, const char *name, uint32_t len, const char *at, asm_symbol value)
{
    asm_symbol *s = asm_symbol_named(a, name, len);
    if (s->defined && (value.label || s->label)) {
        asm_seek(a, at);
        asm_fail(a, ERR_AMD_ASM_REDEFINED,
                 arena_printf(a->arena, "%.*s", (int)(len > 60 ? 60 : len), name));
        asm_report(a);
    }
    asm_symbol old = *s;
    *s = value;
    s->binding = old.binding;
    s->visibility = old.visibility;
    s->kind = value.kind ? value.kind : old.kind;
    s->size = value.size ? value.size : old.size;
    s->size_at = old.size_at;
    s->got = old.got;
}

/* Which section's address is part of the expression that was just evaluated at `at`, in the offset
 * `*value`. */
static uint32_t
section_of(amd_asm *a, const char *at, int64_t *value)
{
    for (uint32_t i = 0; i < a->unit->n_sections; i++) {
        int64_t moved;
        a->unit->sections[i].address = 1;
        a->eval.resolving = true;
        asm_seek(a, at);
        bool ok = asm_expression(a, false, &moved);
        a->eval.resolving = false;
        a->unit->sections[i].address = 0;
        if (ok && moved != *value)
            return i;
    }
    return a->section;
}

void
asm_set_symbol(amd_asm *a, const asm_token *name)
{
    const char *at = a->token.text;
    int64_t v, sections;
    a->eval.section = a->section;
    a->eval.offset = a->out->size;
    if (!asm_address(a, false, &v, &sections))
        asm_report(a);
    asm_symbol value = {.defined = true, .value = v};
    if (sections) {
        value.label = true;
        value.section = section_of(a, at, &v);
    }
    asm_define(a, name->text, name->len, name->text, value);
}

/* .set NAME, EXPRESSION */
static bool
set_directive(amd_asm *a)
{
    if (!asm_take_name(a, ".set") && !asm_take_name(a, ".equ") && !asm_take_name(a, ".equiv"))
        return false;
    asm_token name = a->token;
    if (name.kind != ASM_IDENT)
        asm_expected(a, "a name");
    else
        asm_next(a);
    if (name.kind != ASM_IDENT || !asm_expect(a, ',', "','"))
        asm_report(a);
    asm_set_symbol(a, &name);
    return true;
}

static void
directive(amd_asm *a)
{
    if (asm_data_directive(a) || asm_section_directive(a) || asm_kernel_directive(a) ||
        set_directive(a))
        return;
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) {
        if (asm_is_name(a, ignored[i])) {
            asm_skip_line(a);
            return;
        }
    }
    asm_fail(a, ERR_AMD_ASM_DIRECTIVE,
             arena_printf(a->arena, "%.*s", (int)(a->token.len > 60 ? 60 : a->token.len),
                          a->token.text));
    asm_report(a);
}

static void
line(amd_asm *a)
{
    a->failure = (asm_failure){0};
    while (a->token.kind == ASM_IDENT) {
        asm_token name = a->token;
        asm_next(a);
        if (asm_take(a, ':')) {
            asm_define(a, name.text, name.len, name.text,
                       (asm_symbol){.defined = true,
                                    .label = true,
                                    .section = a->section,
                                    .value = (int64_t)a->out->size});
        } else if (asm_take(a, '=')) {
            asm_set_symbol(a, &name);
            break;
        } else {
            asm_seek(a, name.text);
            if (*name.text == '.')
                directive(a);
            else
                asm_instruction(a);
            break;
        }
    }
    if (a->token.kind != ASM_END) {
        asm_expected(a, "the end of the line");
        asm_report(a);
    }
}

/* Notes the names of all labels: an expression may name those below it. */
static void
find_labels(amd_asm *a)
{
    asm_seek(a, a->start);
    while (a->p < a->end || a->token.kind != ASM_END) {
        while (a->token.kind == ASM_IDENT) {
            asm_token name = a->token;
            asm_next(a);
            if (!asm_take(a, ':'))
                break;
            asm_symbol_named(a, name.text, name.len)->expected = true;
        }
        asm_skip_line(a);
        asm_next_line(a);
    }
}

/* Symbols that the assembler keeps ("Code Object V3 and Above Predefined Symbols"). */
static void
predefine(amd_asm *a)
{
    static const char *const names[] = {
        ".amdgcn.gfx_generation_number", ".amdgcn.gfx_generation_minor",
        ".amdgcn.gfx_generation_stepping", ".amdgcn.next_free_vgpr", ".amdgcn.next_free_sgpr"};
    const int64_t values[] = {a->target.major, a->target.minor, a->target.stepping, 0, 0};
    for (size_t i = a->has_target ? 0 : 3; i < sizeof names / sizeof *names; i++)
        *asm_symbol_named(a, names[i], strlen(names[i])) = (asm_symbol){.defined = true,
                                                                        .value = values[i]};
}

/* Raises NAME to one more than the highest register. */
static void
raise_count(amd_asm *a, const char *name, uint32_t count)
{
    asm_symbol *s = asm_symbol_named(a, name, strlen(name));
    if (!s->label && s->value < (int64_t)count)
        s->value = count;
}

void
asm_count_registers(amd_asm *a, const asm_trial *t)
{
    for (unsigned i = 0; i < t->in.n_dst + t->in.n_src; i++) {
        bool dst = i < t->in.n_dst;
        unsigned k = dst ? i : i - t->in.n_dst;
        unsigned code = dst ? t->in.dst[k] : t->in.src[k],
                 count = dst ? t->dst_count[k] : t->src_count[k];
        if (code >= AMD_REG_VGPR0 && code < AMD_REG_VGPR0 + 256)
            raise_count(a, ".amdgcn.next_free_vgpr", code - AMD_REG_VGPR0 + (count ? count : 1));
        else if (count && code < AMD_REG_VCC_LO)
            raise_count(a, ".amdgcn.next_free_sgpr", code + count);
    }
}

/* The mnemonics of the generation's instructions. */
static void
intern_mnemonics(amd_asm *a)
{
    a->mnemonics = strings_make(a->arena);
    a->mnemonic_ops = ARENA_ARRAY(a->arena, AMD_OP_HW_COUNT, uint16_t);
    for (amd_op op = 1; op < AMD_OP_HW_COUNT; op++) {
        if (amd_op_row(op)->number[a->gen] < 0)
            continue;
        const char *name = amd_op_name(op, a->gen);
        a->mnemonic_ops[strings_intern(&a->mnemonics, name, strlen(name))] = (uint16_t)op;
    }
}

static void
start(amd_asm *a)
{
    const amd_unit_options *o = &a->unit->options;
    a->names = strings_make(a->arena);
    intern_mnemonics(a);
    if (o->target && amd_hsa_parse_target(o->target, strlen(o->target), &a->target)) {
        a->has_target = true;
        a->target.has_xnack = o->has_xnack;
    }
    a->unit->sections = ARENA_ARRAY(a->arena, ASM_MAX_SECTIONS, amd_unit_section);
    asm_enter_section(a, asm_find_section(a, ".text", 5));
    a->previous = a->section;
    find_labels(a);
    predefine(a);
}

amd_unit *
amd_assemble_unit(diag *d, arena *scratch, const amd_unit_options *o, const char *text, size_t size)
{
    amd_asm *a = ARENA_NEW(scratch, amd_asm);
    amd_unit *u = ARENA_NEW(scratch, amd_unit);
    *u = (amd_unit){.options = *o, .state = a, .code_object_version = 5};
    *a = (amd_asm){.d = d, .arena = scratch, .gen = o->gen, .wave64 = o->wave64, .unit = u};
    a->start = a->p = text;
    a->end = text + size;
    start(a);
    asm_seek(a, text);
    while (a->p < a->end || a->token.kind != ASM_END) {
        line(a);
        asm_next_line(a);
    }
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
    a->n_fixups = 0;
    a->failure = (asm_failure){0};
    a->start = a->p = text;
    a->end = text + length;
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
