/* Registers that are indexed by m0: v_movrel*, v_swaprel_b32 and s_movrel* (RDNA 2 ISA,
 * V_MOVRELD_B32, S_MOVRELS_B32 and the following). mode_gcn.c has MODE's indexing of gfx8 and
 * gfx9. */
#include "amd/emu/core/operand.h"

enum { LAST_SGPR = 105, PAIR_MASK = 0x3ff, PAIR_HIGH = 16 }; /* *_2: an index in each half of m0 */

/* A VGPR with the index added; beyond the allocated ones the hardware uses v0. */
static uint16_t
relative_vgpr(const emu_wave *w, uint32_t code, uint32_t add)
{
    uint32_t reg = code - AMD_REG_VGPR0 + add;
    return (uint16_t)(AMD_REG_VGPR0 + (reg < w->n_vgprs ? reg : 0));
}

/* An SGPR with the index added; an index beyond the register file is ignored. */
static uint16_t
relative_sgpr(uint32_t code, uint32_t add)
{
    return (uint16_t)(code + (uint64_t)add > LAST_SGPR ? code : code + add);
}

bool
amd_emu_is_relative(const amd_inst *in)
{
    switch (in->op) {
    case AMD_V_MOVRELD_B32:
    case AMD_V_MOVRELS_B32:
    case AMD_V_MOVRELSD_B32:
    case AMD_V_MOVRELSD_2_B32:
    case AMD_V_SWAPREL_B32:
    case AMD_S_MOVRELS_B32:
    case AMD_S_MOVRELS_B64:
    case AMD_S_MOVRELD_B32:
    case AMD_S_MOVRELD_B64:
    case AMD_S_MOVRELSD_2_B32: return true;
    default: return false;
    }
}

void
amd_emu_resolve_relative(const emu_wave *w, amd_inst *in)
{
    uint32_t m0 = w->sgpr[AMD_REG_M0], low = m0 & PAIR_MASK, high = m0 >> PAIR_HIGH & PAIR_MASK;
    uint32_t add_s = 0, add_d = 0;
    switch (in->op) {
    case AMD_V_MOVRELD_B32:
    case AMD_S_MOVRELD_B32:
    case AMD_S_MOVRELD_B64: add_d = m0; break;
    case AMD_V_MOVRELS_B32:
    case AMD_S_MOVRELS_B32:
    case AMD_S_MOVRELS_B64: add_s = m0; break;
    case AMD_V_MOVRELSD_B32: add_s = add_d = m0; break;
    case AMD_V_MOVRELSD_2_B32:
    case AMD_S_MOVRELSD_2_B32: add_s = low, add_d = high; break;
    case AMD_V_SWAPREL_B32:
        in->dst[0] = relative_vgpr(w, in->dst[0], high);
        in->dst[1] = relative_vgpr(w, in->dst[1], low);
        return;
    default: return;
    }
    bool vector = in->dst[0] >= AMD_REG_VGPR0;
    in->dst[0] = vector ? relative_vgpr(w, in->dst[0], add_d) : relative_sgpr(in->dst[0], add_d);
    if (in->src[0] >= AMD_REG_VGPR0)
        in->src[0] = relative_vgpr(w, in->src[0], add_s);
    else if (!vector)
        in->src[0] = relative_sgpr(in->src[0], add_s);
}

const emu_inst *
amd_emu_resolved(const emu_wave *w, const emu_inst *i, emu_inst *room)
{
    *room = *i;
    amd_emu_resolve_relative(w, &room->in);
    amd_emu_move_ranges(room);
    return room;
}
