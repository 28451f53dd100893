/* Assembling to machine code. */
#include "r600/code/reader.h"

#include "r600/isa/asm/asm.h"
#include "r600/isa/table/table.h"

#include <string.h>

const char *
r600_stated_target(arena *a, const char *text, size_t size)
{
    static const char directive[] = ".r600_target";
    const size_t n = sizeof directive - 1;
    for (const char *p = text, *end = text + size; p < end; p++) {
        if ((size_t)(end - p) <= n || memcmp(p, directive, n) != 0)
            continue;
        for (p += n; p < end && (*p == ' ' || *p == '\t'); p++)
            ;
        size_t length = 0;
        while (p + length < end && length < 32 && (unsigned char)p[length] > ' ')
            length++;
        return length ? arena_printf(a, "%.*s", (int)length, p) : NULL;
    }
    return NULL;
}

void
r600_assemble_text(const ir_ctx *c, const family_assembly *job, base_buf *out)
{
    const r600_chip *chip = job->target->own;
    family_need(c->diag, job->target, !job->object, "code objects");
    asm_unit *u = r600_assemble_unit(c->diag, c->scratch, r600_isa_open(c->scratch, chip->gen),
                                     job->options, (r600_text){job->text, job->size});
    asm_resolve(u);
    *out = u->sections[0].data;
}
