#include "asm/block.h"

#include "asm/ctx.h"

#include <string.h>

void
asm_report_end(asm_ctx *a, const char *at, const char *name)
{
    const char *what = arena_printf(a->arena, "a line with %s", name);
    a->failure = (asm_failure){at, ERR_ASM_EXPECTED, what};
    asm_report_last(a);
}

void
asm_find_end(asm_ctx *a, const char *at, const char *name)
{
    while (!asm_is_name(a, name)) {
        const char *newline = memchr(a->p, '\n', (size_t)(a->end - a->p));
        if (!newline)
            asm_report_end(a, at, name);
        asm_seek(a, newline + 1);
    }
}

void
asm_take_block(asm_ctx *a, const char *end, asm_block *out)
{
    const diag_loc loc = a->d->loc;
    out->text = a->token.text;
    asm_locate(a, out->text);
    out->loc = a->d->loc;
    a->d->loc = loc;
    asm_find_end(a, a->line, end);
    out->size = (size_t)(a->token.text - out->text);
    asm_next(a);
}
