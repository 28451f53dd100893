/* Assembling to machine code. */
#include "r600/code/reader.h"

#include "r600/isa/asm/asm.h"
#include "r600/isa/table/table.h"

const char *
r600_stated_target(arena *a, const char *text, size_t size)
{
    return asm_read_target(a, text, size, ".r600_target");
}

void
r600_assemble_text(const ir_ctx *c, const family_assembly *job, base_buf *out)
{
    const r600_chip *chip = job->target->own;
    family_need(c->diag, job->target, !job->object, "code objects");
    asm_unit *u = r600_assemble_unit(c->diag, c->scratch, r600_isa_open(c->scratch, chip->gen),
                                     job->options, (asm_text){job->text, job->size});
    asm_resolve(u);
    *out = u->sections[0].data;
}
