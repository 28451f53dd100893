/* Texture instructions: the caller's texture unit gives the values.
 *
 * What an instruction sets for the next one (gradients, offsets) goes to the unit with that. */
#include "r600/emu/core/wave.h"

static void
read_coordinates(const emu_wave *w, const r600_inst *in, uint32_t lane, uint32_t out[4])
{
    for (unsigned c = 0; c < 4; c++) {
        const uint32_t select = in->f[R600_F_sel_x + c];
        const emu_lanes *from = select < 4 ? &w->gpr[in->f[R600_F_src_gpr]][select] : NULL;
        out[c] = from ? from->v[lane] : select == 5 ? 0x3f800000 : 0;
        if (from && !(from->defined >> lane & 1))
            r600_emu_find(w, R600_RULE_UNDEFINED_ADDRESS, (int)lane,
                          "the coordinate is not defined");
    }
}

void
r600_emu_sample(emu_wave *w, const r600_inst *in)
{
    const r600_emu_dispatch *d = emu_machine_of(w)->d;
    if (!d->sampled && r600_emu_gradients(w, in))
        return;
    if (!d->sampled || in->f[R600_F_out_rel] || in->f[R600_F_src_rel])
        r600_emu_unsupported(w, "a fetch that the emulator does not have");
    const bool sets_next = r600_op_row(in->op)->properties & R600_P_SETS_NEXT;
    EMU_FOREACH_LANE(lane, emu_active(w)) {
        uint32_t coordinate[4], value[4];
        read_coordinates(w, in, lane, coordinate);
        d->sampled(d->user, in, coordinate, w->fetched[lane], value);
        w->fetched[lane] = sets_next ? value[0] : 0;
        if (!sets_next)
            r600_emu_write_fetch(w, in, value, lane);
    }
}
