/* The machine that Adreno gives the assembler, and the calls that assemble for it. */
#include "adreno/isa/asm/asm.h"
#include "asm/ctx.h"

#include <string.h>

adreno_asm *
adreno_asm_of(asm_ctx *a)
{
    return a->user;
}

/* Lists the generation's rows by name, in the order of the table. */
static void
start(asm_ctx *a)
{
    adreno_asm *m = a->user;
    m->names = strings_make(a->arena);
    m->first = ARENA_ARRAY(a->arena, ADRENO_OP_COUNT, uint16_t);
    m->next = ARENA_ARRAY(a->arena, ADRENO_OP_COUNT, uint16_t);
    for (unsigned op = ADRENO_OP_COUNT - 1; op; op--) {
        const char *name = adreno_op_row((adreno_op)op)->name;
        if (!adreno_op_exists((adreno_op)op, m->isa->gen))
            continue;
        uint32_t i = strings_intern(&m->names, name, strlen(name));
        m->next[op] = m->first[i];
        m->first[i] = (uint16_t)op;
    }
}

/* The low half of the word: the distance in instructions. */
static bool
put_branch(const asm_branch *b, uint8_t *instruction)
{
    int64_t distance = b->is_label ? (b->target - (int64_t)b->from) / ADRENO_WORD_BYTES : b->target;
    if ((b->is_label && b->offset % ADRENO_WORD_BYTES) || distance != (int32_t)distance)
        return false;
    for (unsigned i = 0; i < 4; i++)
        instruction[i] = (uint8_t)((uint64_t)distance >> 8 * i);
    return true;
}

/* .adreno_target NAME has been read by the caller (adreno_stated_target). */
static void
read_target(asm_ctx *a, unsigned unused)
{
    (void)unused;
    asm_skip_line(a);
}

static void
read_metadata(asm_ctx *a, unsigned unused)
{
    (void)unused;
    asm_take_block(a, ".end_adreno_metadata", adreno_asm_of(a)->metadata);
}

static const asm_directive directives[] = {
    {".adreno_target", read_target, 0, false},
    {".adreno_metadata", read_metadata, 0, false},
    {NULL, NULL, 0, false},
};

static const asm_machine machine = {
    .comment = ';',
    .opener = '(',
    .directives = directives,
    .padding = 0, /* nop */
    .padding_size = ADRENO_WORD_BYTES,
    .start = start,
    .statement = adreno_asm_statement,
    .put_branch = put_branch,
};

/* The unit of a text, and the options with which it is read. */
static adreno_asm_unit *
open_unit(arena *scratch, const adreno_isa *isa, asm_options *options)
{
    adreno_asm_unit *u = ARENA_NEW(scratch, adreno_asm_unit);
    adreno_asm *m = ARENA_NEW(scratch, adreno_asm);
    memset(u, 0, sizeof *u);
    u->header.invocation_id = u->header.workgroup_id = ADRENO_NO_REG;
    *m = (adreno_asm){.isa = isa, .header = &u->header, .metadata = &u->metadata};
    options->machine = &machine;
    options->user = m;
    return u;
}

adreno_asm_unit *
adreno_assemble_unit(diag *d, arena *scratch, const adreno_isa *isa, const asm_options *from,
                     asm_text text)
{
    asm_options options = *from;
    adreno_asm_unit *u = open_unit(scratch, isa, &options);
    u->text = asm_read(d, scratch, &options, text.text, text.size);
    return u;
}

asm_line_check *
adreno_line_check_new(arena *scratch, const adreno_isa *isa)
{
    asm_options options = {.is_code = true};
    open_unit(scratch, isa, &options);
    return asm_line_check_new(scratch, &options);
}
