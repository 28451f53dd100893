/* The machine that AMD gives the assembler, and the calls that assemble for it. */
#include "amd/isa/asm/asm.h"
#include "amd/isa/table/names.h"

#include <string.h>

/* A name that an instruction has already stays its own. */
static void
intern_mnemonic(asm_ctx *a, const char *name, amd_op op, size_t *cap)
{
    amd_asm *m = amd_asm_of(a);
    size_t before = m->mnemonics.count;
    uint32_t i = strings_intern(&m->mnemonics, name, strlen(name));
    m->mnemonic_ops = arena_grow(a->arena, m->mnemonic_ops, cap, (size_t)i + 1,
                                 sizeof *m->mnemonic_ops);
    if (i == before)
        m->mnemonic_ops[i] = (uint16_t)op;
}

/* The mnemonics of the generation's instructions; what else is taken stands behind them. */
static void
intern_mnemonics(asm_ctx *a)
{
    size_t cap = 0;
    amd_asm *m = amd_asm_of(a);
    m->mnemonics = strings_make(a->arena);
    for (amd_op op = 1; op < AMD_OP_HW_COUNT; op++)
        if (amd_op_row(op)->number[m->gen] >= 0)
            intern_mnemonic(a, amd_op_name(op, m->gen), op, &cap);
    for (const amd_alias *i = amd_aliases; i->name; i++)
        if (m->gen >= i->first && m->gen <= i->last)
            intern_mnemonic(a, i->name, (amd_op)i->op, &cap);
    for (amd_op op = 1; op < AMD_OP_HW_COUNT; op++) {
        const char *name = amd_op_old_name(op, m->gen);
        if (name && amd_op_row(op)->number[m->gen] >= 0)
            intern_mnemonic(a, name, op, &cap);
    }
}

/* "Code Object V3 and Above Predefined Symbols" (LLVM, AMDGPUUsage). */
static void
predefine(asm_ctx *a)
{
    static const char *const counts[] = {".amdgcn.next_free_vgpr", ".amdgcn.next_free_sgpr"};
    amd_asm *m = amd_asm_of(a);
    if (m->has_target) {
        asm_predefine(a, ".amdgcn.gfx_generation_number", m->target.major);
        asm_predefine(a, ".amdgcn.gfx_generation_minor", m->target.minor);
        asm_predefine(a, ".amdgcn.gfx_generation_stepping", m->target.stepping);
    }
    for (unsigned i = 0; i < 2; i++) {
        asm_predefine(a, counts[i], 0);
        m->next_free[i] = asm_symbol_of(a, counts[i], strlen(counts[i]));
    }
}

static void
start(asm_ctx *a)
{
    amd_asm *m = amd_asm_of(a);
    const amd_unit_options *o = &m->unit->options;
    intern_mnemonics(a);
    if (o->target && amd_hsa_parse_target(o->target, strlen(o->target), &m->target)) {
        m->has_target = true;
        m->target.has_xnack = o->has_xnack;
    }
    predefine(a);
}

/* Names that are numbers: what s_version takes. */
static bool
constant(const asm_token *name, int64_t *value)
{
    static const amd_name bits[] = {
        {"UC_VERSION_W64_BIT", 0x2000},
        {"UC_VERSION_W32_BIT", 0x4000},
        {"UC_VERSION_MDP_BIT", 0x8000},
        {NULL, 0},
    };
    uint32_t known;
    if (*name->text != 'U' || !(amd_name_find(bits, name->text, name->len, &known) ||
                                amd_name_find(amd_version_names, name->text, name->len, &known)))
        return false;
    *value = known;
    return true;
}

/* The low half of SOPP's word: the distance in words from the next instruction. */
static bool
put_branch(const asm_branch *b, uint8_t *instruction)
{
    int64_t distance = b->is_label ? (b->target - (int64_t)(b->from + 4)) / 4 : b->target;
    if ((b->is_label && b->offset % 4) || distance < -0x8000 ||
        distance > (b->is_label ? 0x7fff : 0xffff))
        return false;
    instruction[0] = (uint8_t)distance;
    instruction[1] = (uint8_t)((uint64_t)distance >> 8);
    return true;
}

static const asm_specifier specifiers[] = {
    {"rel32@lo", ASM_REL32},
    {"rel32@hi", ASM_REL32_HI},
    {"gotpcrel32@lo", ASM_GOT},
    {"gotpcrel32@hi", ASM_GOT_HI},
    {NULL, 0},
};

static const asm_machine machine = {
    .comment = ';',
    .directives = amd_asm_directives,
    .specifiers = specifiers,
    .wanted_name = "a name, or one with @rel32@lo, @rel32@hi, @gotpcrel32@lo or @gotpcrel32@hi",
    .reserved = ".amdgcn",
    .padding = 0xbf800000, /* s_nop 0 */
    .padding_size = 4,
    .start = start,
    .statement = amd_asm_instruction,
    .constant = constant,
    .find_function = amd_asm_find_function,
    .put_branch = put_branch,
};

/* The unit of a text, and the options with which it is read. */
static amd_unit *
open_unit(arena *scratch, const amd_unit_options *o, asm_options *options)
{
    amd_unit *u = ARENA_NEW(scratch, amd_unit);
    amd_asm *m = ARENA_NEW(scratch, amd_asm);
    *u = (amd_unit){.options = *o, .xnack = o->xnack, .sramecc = o->sramecc};
    *m = (amd_asm){.gen = o->gen, .wave64 = o->wave64, .unit = u};
    *options = o->text;
    options->machine = &machine;
    options->user = m;
    return u;
}

amd_unit *
amd_assemble_unit(diag *d, arena *scratch, const amd_unit_options *o, const char *text, size_t size)
{
    asm_options options;
    amd_unit *u = open_unit(scratch, o, &options);
    u->text = asm_read(d, scratch, &options, text, size);
    return u;
}

void
amd_assemble(diag *d, arena *scratch, amd_gen gen, bool wave64, const char *text, size_t size,
             base_buf *out)
{
    const amd_unit_options o = {.text.is_code = true, .gen = gen, .wave64 = wave64};
    asm_unit *u = amd_assemble_unit(d, scratch, &o, text, size)->text;
    asm_resolve(u);
    if (u->sections[0].data.size)
        buf_put(out, u->sections[0].data.data, u->sections[0].data.size);
}

asm_line_check *
amd_line_check_new(arena *scratch, amd_gen gen, bool wave64)
{
    const amd_unit_options o = {.text.is_code = true, .gen = gen, .wave64 = wave64};
    asm_options options;
    open_unit(scratch, &o, &options);
    return asm_line_check_new(scratch, &options);
}
