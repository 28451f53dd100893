/* Quads of four lanes: left and right, then the row below. Their parameters, and gradients.
 *
 * GET_GRADIENTS_H and _V give the whole quad the difference of its first row and column, the _FINE
 * ones each row and column its own (Mesa: dFdxCoarse and dFdxFine of Evergreen). Lanes that do not
 * execute have what is in their registers. */
#include "base/bits.h"
#include "base/fp.h"
#include "r600/emu/core/wave.h"

bool
r600_emu_plane(const emu_wave *w, uint32_t number, unsigned c, unsigned lane, uint32_t plane[3])
{
    const emu_parameters *p = w->parameters;
    const r600_emu_dispatch *d = emu_machine_of(w)->d;
    const uint32_t n = p ? p->n : d->n_parameters;
    for (unsigned k = 0; k < 3; k++)
        plane[k] = number >= n ? 0
                   : p         ? p->plane[lane / 4][number][k][c]
                               : base_f32_bits(d->parameters[number][k][c]);
    if (number < n)
        return !p || p->defined[lane / 4][number] >> c & 1;
    r600_emu_find(w, R600_RULE_PARAMETER, (int)lane, "there are not so many");
    return false;
}

/* The two lanes of a quad whose difference counts for a lane. */
static void
neighbours(r600_op op, unsigned lane, unsigned out[2])
{
    const unsigned first = lane / 4 * 4;
    switch (op) {
    case R600_GET_GRADIENTS_H: out[0] = first, out[1] = first + 1; break;
    case R600_GET_GRADIENTS_V: out[0] = first, out[1] = first + 2; break;
    case R600_GET_GRADIENTS_H_FINE: out[0] = lane & ~1u, out[1] = lane | 1; break;
    default: out[0] = lane & ~2u, out[1] = lane | 2; break;
    }
}

/* One component in all lanes. */
static void
derive(const emu_wave *w, const r600_inst *in, unsigned c, emu_lanes *out)
{
    const uint32_t select = in->f[R600_F_sel_x + c];
    const emu_lanes *from = select < 4 ? &w->gpr[in->f[R600_F_src_gpr]][select] : NULL;
    out->defined = 0;
    for (unsigned lane = 0; lane < EMU_LANES; lane++) {
        unsigned n[2];
        neighbours(in->op, lane, n);
        out->v[lane] = 0;
        if (from)
            out->v[lane] = base_f32_bits((float)((double)base_bits_f32(from->v[n[1]]) -
                                                 (double)base_bits_f32(from->v[n[0]])));
        const bool defined = !from || (from->defined >> n[0] & from->defined >> n[1] & 1);
        out->defined |= (uint64_t)defined << lane;
    }
}

bool
r600_emu_gradients(emu_wave *w, const r600_inst *in)
{
    emu_lanes value[4];
    if (in->op != R600_GET_GRADIENTS_H && in->op != R600_GET_GRADIENTS_V &&
        in->op != R600_GET_GRADIENTS_H_FINE && in->op != R600_GET_GRADIENTS_V_FINE)
        return false;
    if (in->f[R600_F_out_rel] || in->f[R600_F_src_rel])
        r600_emu_unsupported(w, "a fetch that the emulator does not have");
    for (unsigned c = 0; c < 4; c++)
        derive(w, in, c, &value[c]);
    EMU_FOREACH_LANE(lane, emu_active(w)) {
        uint32_t four[4];
        for (unsigned c = 0; c < 4; c++)
            four[c] = value[c].v[lane];
        r600_emu_write_fetch(w, in, four, lane);
        for (unsigned c = 0; c < 4; c++) {
            const uint32_t select = in->f[R600_F_out_sel_x + c];
            if (select < 4 && !(value[select].defined >> lane & 1))
                w->gpr[in->f[R600_F_out_gpr]][c].defined &= ~(UINT64_C(1) << lane);
        }
    }
    return true;
}
