/* Exports: passes what a graphics pipeline would receive to the dispatch's callback. They have no
 * other effect; the waits checker handles expcnt. An undefined value that is exported is a finding,
 * but for parameters: fragment shaders may read them of other vertices alone, as primitive shaders'
 * numbers of primitives, so that is found where one is read. */
#include "amd/emu/core/findings.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"
#include "amd/emu/graphics/graphics.h"

/* The last export of positions, and the last one of colours and depth, is marked as done: the
 * pipeline goes on with what it has then (RDNA 2 ISA, "Export"). */
enum { FIRST_PARAMETER = 32 };
enum { DONE_COLORS = 1, DONE_POSITIONS = 2 };

static void
note_done(emu_wave *w, const amd_emu_export *e)
{
    uint32_t kind = e->target <= 9 || e->target == 21 || e->target == 22 ? DONE_COLORS
                    : e->target >= 12 && e->target <= 16                 ? DONE_POSITIONS
                                                                         : 0;
    if (w->exports_done & kind)
        amd_emu_find(w, EMU_RULE_EXPORT_DONE, -1, "the export follows the last one");
    if (e->done)
        w->exports_done |= kind;
}

static void export(emu_wave *w, const emu_inst *i)
{
    const amd_emu_dispatch *d = w->m->d;
    amd_emu_export e = {.wave = w->index,
                        .target = i->in.target,
                        .enabled = i->in.dmask,
                        .compressed = i->in.compr,
                        .done = i->in.done,
                        .valid_mask = i->in.vm,
                        .lanes = amd_emu_exec(w)};
    memcpy(e.group, w->group->id, sizeof e.group);
    for (uint32_t c = 0; c < (i->in.compr ? 2u : 4u); c++) {
        uint16_t code = i->in.src[c];
        uint32_t enabled = i->in.compr ? e.enabled >> (2 * c) & 3 : e.enabled >> c & 1;
        if (!enabled || code < AMD_REG_VGPR0 || code == AMD_REG_ABSENT)
            continue;
        if (w->shadow && i->in.target >= FIRST_PARAMETER)
            e.undefined[c] = amd_emu_shadow_get(w, code - AMD_REG_VGPR0, EMU_BYTES_ALL);
        else if (w->shadow)
            amd_emu_shadow_use(w, code - AMD_REG_VGPR0, e.lanes, "exported value");
        memcpy(e.value[c], w->vgpr[code - AMD_REG_VGPR0], sizeof e.value[c]);
    }
    note_done(w, &e);
    w->exports++;
    if (d->on_export)
        d->on_export(d->export_user, &e);
}

bool
amd_emu_bind_export(emu_inst *i)
{
    i->run = export;
    return i->in.op == AMD_EXPORT;
}
