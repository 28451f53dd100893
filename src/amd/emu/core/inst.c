/* The registers that an instruction reads and writes. */
#include "amd/emu/core/inst.h"

void
amd_emu_add_range(emu_inst *i, uint32_t code, uint32_t count, bool write)
{
    bool vector = code >= AMD_REG_VGPR0 && code < AMD_REG_VGPR0 + EMU_MAX_VGPRS;
    bool scalar = code < EMU_SREGS && code != AMD_REG_NULL;
    if ((vector || scalar) && count && i->n_ranges < EMU_MAX_RANGES)
        i->ranges[i->n_ranges++] = (emu_range){(uint16_t)code, (uint8_t)count, write,
                                               EMU_SLOT_NONE};
}

void
amd_emu_move_ranges(emu_inst *i)
{
    for (emu_range *r = i->ranges; r < i->ranges + i->n_ranges; r++)
        if (r->slot)
            r->first = r->slot >= EMU_SLOT_DST ? i->in.dst[r->slot - EMU_SLOT_DST]
                                               : i->in.src[r->slot - EMU_SLOT_SRC0];
}

bool
amd_emu_reads(const emu_inst *i, uint16_t reg)
{
    for (uint32_t r = 0; r < i->n_ranges; r++)
        if (!i->ranges[r].write && i->ranges[r].first == reg)
            return true;
    return false;
}
