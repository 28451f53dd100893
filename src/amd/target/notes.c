/* Notes for developers: perfwarn and liveinfo. */
#include "amd/target/notes.h"

#include "amd/target/occupancy.h"
#include "base/buf.h"
#include "ir/pass.h"
#include "ir/text.h"

#include <stdarg.h>
#include <stdio.h>

static void
tell(const amd_program *p, const char *what, const char *text, size_t size)
{
    if (p->run && p->run->printed)
        p->run->printed(p->run->user, what, text, size);
}

void
amd_perfwarn(const amd_program *p, const char *format, ...)
{
    char text[200];
    va_list args;
    if (!(p->debug & AMD_DEBUG_PERFWARN))
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tell(p, "perfwarn", text, strlen(text));
}

/* A register of which only one half is in use counts, too. */
static int
registers(const ir_fn *f, cg_demand d, unsigned bank)
{
    int units = (int)amd_reg_units(f);
    return (d.units[bank] + units - 1) / units;
}

void
amd_perfwarn_demand(const ir_fn *f, unsigned bank)
{
    const amd_program *p = amd_prog(f);
    const ir_instr *most = NULL;
    if (!(p->debug & AMD_DEBUG_PERFWARN))
        return;
    IR_FOREACH_INSTR_OF(i, f) {
        if (!most ||
            p->cg.live->instrs[i->index].units[bank] > p->cg.live->instrs[most->index].units[bank])
            most = i;
    }
    arena_mark mark = arena_save(f->ctx->scratch);
    base_buf text = buf_make(f->ctx->scratch);
    buf_printf(&text, "in BB%u", most->block->index);
    if (most->loc && most->loc < f->n_locs)
        buf_printf(&text, ", line %u", f->locs[most->loc].line);
    buf_puts(&text, ": ");
    ir_print_instr(f, most, 0, &text);
    amd_perfwarn(p, "the demand of %d %s exceeds %u; it is highest %.100s",
                 registers(f, p->cg.live->instrs[most->index], bank),
                 bank == AMD_BANK_SGPR ? "SGPRs" : "VGPRs", p->cg.budget[bank] / amd_reg_units(f),
                 buf_text(&text));
    arena_release(f->ctx->scratch, mark);
}

static void
put_demand(base_buf *out, const ir_fn *f, const char *what, cg_demand d)
{
    buf_printf(out, "%s %d SGPRs, %d VGPRs\n", what, registers(f, d, AMD_BANK_SGPR),
               registers(f, d, AMD_BANK_VGPR));
}

void
amd_note_liveness(const ir_fn *f)
{
    const amd_program *p = amd_prog(f);
    if (!(p->debug & AMD_DEBUG_LIVEINFO))
        return;
    arena_mark mark = arena_save(f->ctx->scratch);
    base_buf out = buf_make(f->ctx->scratch);
    put_demand(&out, f, "the program demands", p->cg.max_demand);
    IR_FOREACH_BLOCK(b, f) {
        buf_printf(&out, "BB%u: ", b->index);
        put_demand(&out, f, "at most", p->cg.live->blocks[b->index]);
        IR_FOREACH_INSTR(i, b) {
            cg_demand d = p->cg.live->instrs[i->index];
            buf_printf(&out, "    %3d %3d  ", registers(f, d, AMD_BANK_SGPR),
                       registers(f, d, AMD_BANK_VGPR));
            ir_print_instr(f, i, IR_PRINT_KILLS, &out);
            buf_puts(&out, "\n");
        }
    }
    tell(p, "liveinfo", (const char *)out.data, out.size);
    arena_release(f->ctx->scratch, mark);
}
