/* A file: lines, labels, directives.
 *
 * Directives that place data or define symbols do so; those that describe the object file (.globl,
 * .type, .section ...) and blocks for its notes (.amdhsa_kernel, .amdgpu_metadata) are passed over:
 * what comes out is the code alone.
 */
#include "amd/isa/asm.h"

#include <string.h>

/* Passed over to the end of the line. */
static const char *const ignored[] = {
    ".text",          ".globl",        ".global",
    ".type",          ".size",         ".section",
    ".protected",     ".hidden",       ".weak",
    ".local",         ".ident",        ".addrsig",
    ".file",          ".loc",          ".addrsig_sym",
    ".internal",      ".p2alignl",     ".amdhsa_code_object_version",
    ".amdgcn_target", ".cfi_sections", ".cfi_startproc",
    ".cfi_endproc",
};

/* Passed over to the line with their end. */
static const char *const blocks[][2] = {
    {".amdhsa_kernel", ".end_amdhsa_kernel"},
    {".amdgpu_metadata", ".end_amdgpu_metadata"},
    {".amdgpu_pal_metadata", ".end_amdgpu_pal_metadata"},
};

static const struct {
    const char *name;
    uint8_t size;
} data_directives[] = {
    {".byte", 1},  {".short", 2}, {".2byte", 2}, {".hword", 2}, {".long", 4},
    {".4byte", 4}, {".int", 4},   {".word", 4},  {".quad", 8},  {".8byte", 8},
};

static void
skip_line(amd_asm *a)
{
    while (a->token.kind != ASM_END)
        asm_next(a);
}

static void
next_line(amd_asm *a)
{
    if (a->p < a->end && *a->p == '\n')
        a->p++;
    asm_next(a);
}

/* Skips lines until one begins with `name`. */
static void
skip_block(amd_asm *a, const char *name)
{
    const char *at = a->token.text;
    while (!asm_is_name(a, name)) {
        const char *newline = memchr(a->p, '\n', (size_t)(a->end - a->p));
        if (!newline) {
            asm_seek(a, at);
            asm_expected(a, arena_printf(a->arena, "a line with %s", name));
            asm_report(a);
        }
        asm_seek(a, newline + 1);
    }
    asm_next(a);
}

static void
number(amd_asm *a, int64_t low, int64_t high, int64_t *value)
{
    if (!asm_integer(a, low, high, value))
        asm_report(a);
}

static void
place_data(amd_asm *a, unsigned size)
{
    do {
        int64_t v;
        int64_t low = size == 8 ? INT64_MIN : -(INT64_C(1) << (size * 8 - 1));
        int64_t high = size == 8 ? INT64_MAX : (INT64_C(1) << size * 8) - 1;
        number(a, low, high, &v);
        for (unsigned i = 0; i < size; i++)
            buf_put_u8(a->out, (uint8_t)((uint64_t)v >> i * 8));
    } while (asm_take(a, ','));
}

/* .p2align 8 and .align: the gap in code is filled with s_nop, as the hardware would have to run
 * through it. */
static void
align(amd_asm *a, int64_t bytes)
{
    while (a->out->size % (size_t)bytes) {
        if (a->out->size % 4)
            buf_put_u8(a->out, 0);
        else
            buf_put_u32(a->out, 0xbf800000);
    }
}

static void
define(amd_asm *a, const char *name, uint32_t len, const char *at, asm_symbol value)
{
    uint32_t i = asm_symbol_of(a, name, len);
    if (a->symbols[i].defined && (value.label || a->symbols[i].label)) {
        asm_seek(a, at);
        asm_fail(a, ERR_AMD_ASM_REDEFINED,
                 arena_printf(a->arena, "%.*s", (int)(len > 60 ? 60 : len), name));
        asm_report(a);
    }
    a->symbols[i] = value;
}

static void
set_symbol(amd_asm *a, const asm_token *name)
{
    int64_t v;
    number(a, INT64_MIN, INT64_MAX, &v);
    define(a, name->text, name->len, name->text, (asm_symbol){.defined = true, .value = v});
}

static bool
data_directive(amd_asm *a)
{
    for (size_t i = 0; i < sizeof data_directives / sizeof *data_directives; i++) {
        if (asm_take_name(a, data_directives[i].name)) {
            place_data(a, data_directives[i].size);
            return true;
        }
    }
    return false;
}

static bool
layout_directive(amd_asm *a)
{
    int64_t v;
    if (asm_take_name(a, ".p2align")) {
        number(a, 0, 12, &v);
        align(a, INT64_C(1) << v);
        skip_line(a);
        return true;
    }
    if (asm_take_name(a, ".set")) {
        asm_token name = a->token;
        if (name.kind != ASM_IDENT)
            asm_expected(a, "a name");
        else
            asm_next(a);
        if (name.kind != ASM_IDENT || !asm_expect(a, ',', "','"))
            asm_report(a);
        set_symbol(a, &name);
        return true;
    }
    return false;
}

static void
directive(amd_asm *a)
{
    if (data_directive(a) || layout_directive(a))
        return;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        if (asm_is_name(a, blocks[i][0])) {
            skip_block(a, blocks[i][1]);
            return;
        }
    }
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) {
        if (asm_is_name(a, ignored[i])) {
            skip_line(a);
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
            define(a, name.text, name.len, name.text,
                   (asm_symbol){.defined = true, .label = true, .value = (int64_t)a->out->size});
        } else if (asm_take(a, '=')) {
            set_symbol(a, &name);
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

static void
resolve(amd_asm *a, const asm_fixup *f)
{
    const asm_symbol *s = &a->symbols[f->symbol];
    int64_t distance = s->label ? (s->value - (int64_t)(f->offset + 4)) / 4 : s->value;
    bool aligned = !s->label || s->value % 4 == 0;
    bool reaches = distance >= -0x8000 && distance <= (s->label ? 0x7fff : 0xffff);
    a->failure = (asm_failure){0};
    if (!s->defined || !aligned || !reaches) {
        asm_seek(a, f->at);
        asm_fail(
            a, s->defined ? ERR_AMD_ASM_BRANCH : ERR_AMD_ASM_UNDEFINED,
            arena_printf(a->arena, "%.*s", (int)(a->token.len > 60 ? 60 : a->token.len), f->at));
        asm_report(a);
    }
    a->out->data[f->offset] = (unsigned char)distance;
    a->out->data[f->offset + 1] = (unsigned char)((uint64_t)distance >> 8);
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

void
amd_assemble(diag *d, arena *scratch, amd_gen gen, bool wave64, const char *text, size_t size,
             base_buf *out)
{
    amd_asm a = {.d = d, .arena = scratch, .gen = gen, .wave64 = wave64, .out = out};
    a.start = a.p = text;
    a.end = text + size;
    a.names = strings_make(scratch);
    intern_mnemonics(&a);
    asm_next(&a);
    while (a.p < a.end || a.token.kind != ASM_END) {
        line(&a);
        next_line(&a);
    }
    for (size_t i = 0; i < a.n_fixups; i++)
        resolve(&a, &a.fixups[i]);
}
