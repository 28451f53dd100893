/* Source lines from OpLine, and from DebugLine of NonSemantic.Shader.DebugInfo.100, set the
 * builder's location.
 */
#include "spirv/reader.h"

static void
set_loc(spirv_reader *r, const char *file, uint32_t line, uint32_t column)
{
    ir_fn *f = r->f;
    uint32_t number = strings_intern(&f->strings, file, strlen(file));
    ir_loc loc = {number, line, column};
    const ir_loc *last = &f->locs[f->n_locs - 1];
    if (f->n_locs == 1 || last->file != number || last->line != line || last->column != column) {
        f->locs = arena_grow(f->arena, f->locs, &f->cap_locs, f->n_locs + 1, sizeof *f->locs);
        f->locs[f->n_locs++] = loc;
    }
    r->b.loc = (uint32_t)f->n_locs - 1;
}

static const char *
file_name(spirv_reader *r, uint32_t id)
{
    const spirv_id *s = spirv_id_of(r, id);
    return s->kind == SPIRV_ID_STRING && s->name ? s->name : "";
}

void
spirv_emit_debug(spirv_reader *r, const spirv_insn *i)
{
    if (i->op == SPIRV_OpNoLine)
        r->b.loc = 0;
    else
        set_loc(r, file_name(r, i->w[1]), i->w[2], i->w[3]);
}

/* The file of a DebugSource. */
static const char *
source_file(spirv_reader *r, spirv_id *id)
{
    if (!id->at || id->op != SPIRV_OpExtInst)
        return "";
    const uint32_t *w = r->words + id->at;
    return w[0] >> 16 > 5 && w[4] == SPIRV_DEBUG_SOURCE ? file_name(r, w[5]) : "";
}

void
spirv_emit_debug_info(spirv_reader *r, const spirv_insn *i)
{
    uint64_t line = 0, column = 0;
    if (i->w[4] == SPIRV_DEBUG_NO_LINE)
        r->b.loc = 0;
    if (i->w[4] != SPIRV_DEBUG_LINE || i->n < 9)
        return;
    spirv_const_value(r, spirv_ref(r, i, 6), &line);
    spirv_const_value(r, spirv_ref(r, i, 8), &column);
    set_loc(r, source_file(r, spirv_ref(r, i, 5)), (uint32_t)line, (uint32_t)column);
}
