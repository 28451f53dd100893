/* Vector ALU instructions without modifiers, which are the most frequent: the row's kernel reads
 * registers directly and writes its result directly to a register.
 *
 * Instructions with SDWA, DPP, op_sel, neg, abs, clamp, omod or flushing of denormals are left
 * to amd_emu_run_valu. Flushing depends on MODE: an instruction records the MODE bits that must
 * be set for it to be plain (emu_inst.keep).
 */
#include "amd/emu/alu/valu.h"
#include "amd/emu/alu/valu_fast.h"
#include "amd/emu/core/operand.h"

/* MODE's bits that keep denormals of a type, for sources and results. */
static uint32_t
keep_bits(uint32_t t, bool result)
{
    if (t == EMU_T_F32)
        return result ? EMU_DENORM_OUT_32 : EMU_DENORM_IN_32;
    if (t == EMU_T_F16 || t == EMU_T_H16 || t == EMU_T_F64)
        return result ? EMU_DENORM_OUT_16_64 : EMU_DENORM_IN_16_64;
    return 0;
}

bool
amd_emu_is_plain(emu_inst *i, const emu_valu *v)
{
    const amd_inst *in = &i->in;
    if (in->ext || in->neg || in->abs || in->clamp || in->omod || in->op_sel ||
        amd_emu_type_is_half(v->dst) || v->flags & (EMU_VALU_FLUSH | EMU_VALU_VCC))
        return false;
    i->keep = v->flags & EMU_VALU_RAW ? 0 : keep_bits(v->dst, true);
    for (uint32_t s = 0; s < 3 && v->src[s] && !(v->flags & EMU_VALU_RAW); s++)
        i->keep |= keep_bits(v->src[s], false);
    return true;
}

static void
mask_source(const emu_wave *w, const emu_inst *i, uint32_t code, emu_row *room)
{
    uint64_t mask = w->lanes > 32 ? amd_emu_read_s64(w, &i->in, code)
                                  : amd_emu_read_s32(w, &i->in, code);
    amd_emu_spread(mask, w->lanes, room->u);
    for (uint32_t l = 0; l < w->lanes; l++)
        room->u[l] &= 1;
}

/* Collects the lanes of each source; returns the number of sources. */
static uint32_t
sources(emu_wave *w, const emu_inst *i, const emu_valu *v, emu_row *rooms, const void **lanes)
{
    uint32_t s = 0;
    for (; s < 3 && v->src[s]; s++) {
        bool acc = (v->flags & EMU_VALU_ACC) && (s == 2 || !v->src[s + 1]);
        uint32_t code = acc ? i->in.dst[0] : i->in.src[s];
        if (v->src[s] == EMU_T_MASK) {
            mask_source(w, i, code, &rooms[s]);
            lanes[s] = rooms[s].u;
        } else if (amd_emu_type_is_wide(v->src[s])) {
            amd_emu_wide_source(w, i, code, v->src[s], &rooms[s]);
            lanes[s] = rooms[s].q;
        } else {
            lanes[s] = amd_emu_source_row(w, i, code, (emu_type)v->src[s], 0, &rooms[s]);
        }
    }
    return s;
}

static void
put_wide(emu_wave *w, uint32_t reg, const uint64_t *restrict d, uint64_t exec)
{
    uint32_t room[2][EMU_LANES];
    bool whole = exec == w->all_lanes;
    uint32_t *restrict low = whole ? w->vgpr[reg] : room[0];
    uint32_t *restrict high = whole ? w->vgpr[reg + 1] : room[1];
    for (uint32_t l = 0; l < w->lanes; l++) {
        low[l] = (uint32_t)d[l];
        high[l] = (uint32_t)(d[l] >> 32);
    }
    if (!whole) {
        amd_emu_write_vgpr(w, reg, low, exec);
        amd_emu_write_vgpr(w, reg + 1, high, exec);
    }
}

void
amd_emu_run_plain(emu_wave *w, const emu_inst *i)
{
    const emu_valu *v = i->op;
    uint64_t exec = amd_emu_exec(w);
    bool to_mask = v->flags & (EMU_VALU_CMP | EMU_VALU_MASK_OUT);
    if ((w->mode & i->keep) != i->keep) {
        amd_emu_run_valu(w, i);
        return;
    }
    if (!exec && !to_mask)
        return;
    emu_row rooms[3], d;
    uint32_t mask[EMU_LANES], reg = i->in.dst[0] - AMD_REG_VGPR0;
    const void *lanes[3] = {NULL, NULL, NULL};
    uint32_t n = sources(w, i, v, rooms, lanes);
    /* writes directly to the register if it is not also a source */
    bool direct = exec == w->all_lanes && !(v->flags & EMU_VALU_CMP) &&
                  !amd_emu_type_is_wide(v->dst);
    for (uint32_t s = 0; s < n; s++)
        direct = direct && lanes[s] != w->vgpr[reg];
    emu_args k = {
        w->lanes, w->mode,     lanes[0], lanes[1], lanes[2], NULL, d.u, mask, amd_emu_nan_rule(w),
        &i->in,   w->m->d->gen};
    if (direct)
        k.d = w->vgpr[reg];
    else if (amd_emu_type_is_wide(v->dst))
        k.d = d.q;
    bool rounded = amd_emu_round_begin(amd_emu_rounding(w, v));
    v->fn(&k);
    amd_emu_round_end(rounded);
    w->lane_instructions += exec == w->all_lanes ? w->lanes : base_popcount64(exec);
    if (v->flags & EMU_VALU_CMP) {
        amd_emu_write_comparison(w, i, amd_emu_pack_mask(mask, w->lanes) & exec);
        return;
    }
    if (amd_emu_type_is_wide(v->dst))
        put_wide(w, reg, d.q, exec);
    else if (!direct)
        amd_emu_write_vgpr(w, reg, d.u, exec);
    if (v->flags & EMU_VALU_MASK_OUT)
        amd_emu_write_mask(w, i->in.dst[1], amd_emu_pack_mask(mask, w->lanes) & exec);
}
