/* Texture instructions: the texture unit, or that of the caller, gives the values.
 *
 * What an instruction sets for the next one (gradients, offsets) stays in the wave until an
 * instruction samples. */
#include "r600/emu/core/wave.h"

#include "base/fp.h"

#include <string.h>

static void
read_coordinates(const emu_wave *w, const r600_inst *in, uint32_t lane, uint32_t out[4])
{
    for (unsigned c = 0; c < 4; c++) {
        const uint32_t select = in->f[R600_F_sel_x + c];
        const emu_lanes *from = select < 4 ? &w->gpr[in->f[R600_F_src_gpr]][select] : NULL;
        out[c] = from ? from->v[lane] : select == EMU_SELECT_1 ? base_f32_bits(1.0f) : 0;
        if (from && !(from->defined >> lane & 1))
            r600_emu_find(w, R600_RULE_UNDEFINED_ADDRESS, (int)lane,
                          "the coordinate is not defined");
    }
}

/* What an instruction sets: a number of EMU_SET_*. */
static unsigned
set_of(const emu_wave *w, unsigned op)
{
    switch (op) {
    case R600_SET_GRADIENTS_H: return EMU_SET_H;
    case R600_SET_GRADIENTS_V: return EMU_SET_V;
    case R600_SET_TEXTURE_OFFSETS: return EMU_SET_OFFSETS;
    default: r600_emu_unsupported(w, "a texture instruction that the emulator does not have");
    }
}

static void
set_next(emu_wave *w, const r600_inst *in, uint32_t lane, const uint32_t coordinate[4])
{
    const unsigned which = set_of(w, in->op);
    w->sets |= (uint8_t)(1u << which);
    for (unsigned c = 0; c < 3; c++)
        w->set[which][c][lane] = coordinate[c];
}

void
r600_emu_sample(emu_wave *w, const r600_inst *in)
{
    const r600_emu_dispatch *d = emu_machine_of(w)->d;
    if (!d->sampled && r600_emu_gradients(w, in))
        return;
    if (in->f[R600_F_out_rel] || in->f[R600_F_src_rel])
        r600_emu_unsupported(w, "a fetch that the emulator does not have");
    const bool sets_next = r600_op_row(in->op)->properties & R600_P_SETS_NEXT;
    EMU_FOREACH_LANE(lane, emu_active(w)) {
        uint32_t coordinate[4], value[4];
        read_coordinates(w, in, lane, coordinate);
        if (!d->sampled && sets_next)
            set_next(w, in, lane, coordinate);
        if (!d->sampled)
            continue;
        d->sampled(d->user, in, coordinate, w->fetched[lane], value);
        w->fetched[lane] = sets_next ? value[0] : 0;
        if (!sets_next)
            r600_emu_write_fetch(w, in, value, lane);
    }
    if (d->sampled || sets_next)
        return;
    r600_emu_texture(w, in);
    w->sets = 0;
    memset(w->set, 0, sizeof w->set);
}
