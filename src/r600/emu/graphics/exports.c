/* Exports: values of a wave's lanes for the fixed functions. Helpers and killed pixels export
 * nothing. */
#include "r600/emu/core/wave.h"

enum { SELECT_1 = 5, SELECT_MASK = 7, ONE = 0x3f800000 };

static void
take_component(emu_wave *w, const r600_inst *in, uint32_t reg, unsigned c, r600_export *e)
{
    const uint32_t select = in->f[R600_F_sel_x + c];
    const emu_lanes *from = select < 4 ? &w->gpr[reg % EMU_GPRS][select] : NULL;
    e->mask |= (uint8_t)((select != SELECT_MASK) << c);
    e->defined[c] = from ? from->defined : ~UINT64_C(0);
    for (unsigned lane = 0; lane < EMU_LANES; lane++)
        e->value[c][lane] = from ? from->v[lane] : select == SELECT_1 ? ONE : 0;
    if (e->lanes & ~e->defined[c])
        r600_emu_find(w, R600_RULE_UNDEFINED_STORE, r600_emu_lowest(e->lanes & ~e->defined[c]),
                      "the value is not defined");
}

/* Behind the last export of a type no other one may come. */
static void
check_order(emu_wave *w)
{
    const uint8_t type = (uint8_t)(1u << w->cf.f[R600_F_type]);
    if (w->done & type)
        r600_emu_find(w, R600_RULE_EXPORT_AFTER_DONE, -1, "the type's last export was before");
    if (w->cf.op == R600_EXPORT_DONE)
        w->done |= type;
}

void
r600_emu_export(emu_wave *w)
{
    const emu_machine *m = emu_machine_of(w);
    const r600_inst *in = &w->cf;
    if (!m->d->exported)
        r600_emu_unsupported(w, "an export from a program without a place for it");
    check_order(w);
    for (uint32_t i = 0; i <= in->f[R600_F_burst]; i++) {
        r600_export e = {.op = in->op,
                         .type = in->f[R600_F_type],
                         .base = in->f[R600_F_array_base] + i,
                         .wave = w->id,
                         .lanes = emu_effective(w)};
        for (unsigned c = 0; c < 4; c++)
            take_component(w, in, in->f[R600_F_rw_gpr] + i, c, &e);
        m->d->exported(m->d->export_user, &e);
        m->report->exports++;
    }
    w->pc++;
}
