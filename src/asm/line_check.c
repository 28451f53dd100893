#include "asm/line_check.h"

#include <string.h>

enum { LINE_BYTES = 64 };

asm_line_check *
asm_line_check_new(arena *scratch, const asm_options *options)
{
    asm_line_check *c = ARENA_NEW(scratch, asm_line_check);
    diag_init(&c->d);
    if (!DIAG_TRY(&c->d))
        return NULL;
    c->unit = asm_read(&c->d, scratch, options, "", 0);
    buf_extend(&c->unit->sections[0].data, LINE_BYTES);
    return c;
}

const base_buf *
asm_line_assemble(asm_line_check *c, asm_text line)
{
    if (!DIAG_TRY(&c->d))
        return NULL;
    return asm_read_statement(c->unit, line.text, line.size);
}

bool
asm_line_check_run(asm_line_check *c, asm_text line, const uint8_t *bytes, size_t size)
{
    const base_buf *made = asm_line_assemble(c, line);
    return made && made->size == size && memcmp(made->data, bytes, size) == 0;
}
