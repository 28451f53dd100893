/* Assembling to machine code or to a code object. */
#include "adreno/code/object_text.h"
#include "adreno/code/reader.h"

#include "adreno/isa/asm/asm.h"
#include "adreno/isa/table/table.h"

const char *
adreno_stated_target(arena *a, const char *text, size_t size)
{
    return asm_read_target(a, text, size, ".adreno_target");
}

void
adreno_assemble_text(const ir_ctx *c, const family_assembly *job, base_buf *out)
{
    const adreno_chip *chip = job->target->own;
    adreno_asm_unit *u = adreno_assemble_unit(c->diag, c->scratch,
                                              adreno_isa_open(c->scratch, chip->gen), job->options,
                                              (asm_text){job->text, job->size});
    asm_resolve(u->text);
    if (job->object) {
        adreno_make_object(c, job->target, u, out);
        return;
    }
    *out = u->text->sections[0].data;
}
