/* The machine that TeraScale gives the assembler, and the calls that assemble for it. */
#include "r600/isa/asm/asm.h"

#include <string.h>

enum { ADDRESS_UNIT = 8, ADDRESS_BITS = 22 };

/* Lists the generation's rows by name. */
static void
start(asm_ctx *a)
{
    r600_asm *m = a->user;
    for (unsigned s = 0; s < R600_SPACES; s++) {
        m->names[s] = strings_make(a->arena);
        m->rows[s] = ARENA_ARRAY(a->arena, R600_OP_COUNT, uint16_t);
        for (const uint16_t *o = m->isa->ops[s]; *o; o++) {
            const char *name = r600_op_row((r600_op)*o)->name;
            m->rows[s][strings_intern(&m->names[s], name, strlen(name))] = *o;
        }
    }
}

/* The low bits of the first word: the address in units of 64 bits from the start of the program. */
static bool
put_branch(const asm_branch *b, uint8_t *instruction)
{
    const uint64_t address = b->is_label ? b->offset / ADDRESS_UNIT : (uint64_t)b->target;
    if ((b->is_label && b->offset % ADDRESS_UNIT) || address >> ADDRESS_BITS)
        return false;
    for (unsigned i = 0; i < 3; i++)
        instruction[i] |= (uint8_t)(address >> 8 * i);
    return true;
}

/* .r600_target NAME has been read by the caller (r600_stated_target). */
static void
read_target(asm_ctx *a, unsigned unused)
{
    (void)unused;
    asm_skip_line(a);
}

static const asm_directive directives[] = {{".r600_target", read_target, 0, false},
                                           {NULL, NULL, 0, false}};

static const asm_machine machine = {
    .directives = directives,
    .padding = 0,
    .padding_size = ADDRESS_UNIT,
    .start = start,
    .begins = r600_asm_begins,
    .statement = r600_asm_statement,
    .put_branch = put_branch,
};

/* Completes the options with which a text is read. */
static void
set_machine(arena *scratch, const r600_isa *isa, asm_options *options)
{
    r600_asm *m = ARENA_NEW(scratch, r600_asm);
    *m = (r600_asm){.isa = isa};
    options->machine = &machine;
    options->user = m;
}

asm_unit *
r600_assemble_unit(diag *d, arena *scratch, const r600_isa *isa, const asm_options *from,
                   asm_text text)
{
    asm_options options = *from;
    set_machine(scratch, isa, &options);
    return asm_read(d, scratch, &options, text.text, text.size);
}

asm_line_check *
r600_line_check_new(arena *scratch, const r600_isa *isa)
{
    asm_options options = {.is_code = true};
    set_machine(scratch, isa, &options);
    return asm_line_check_new(scratch, &options);
}

bool
r600_line_check_run(asm_line_check *c, asm_text line, const uint8_t *bytes, size_t size)
{
    r600_asm *m = c->unit->options.user;
    m->n_literals = 0;
    m->has_named_literals = false;
    return asm_line_check_run(c, line, bytes, size);
}
