/* Determines which events of the counter models (waits.h) an instruction causes. */
#include "amd/emu/check/waits.h"

#include "amd/emu/core/operand.h"

static bool
returns(const emu_inst *i)
{
    uint32_t f = i->row->flags;
    return f & AMD_F_ATOMIC ? i->in.glc || f & AMD_F_RTN : (f & AMD_F_VM) != 0;
}

static emu_event
image_event(const emu_inst *i)
{
    if (i->in.op == AMD_IMAGE_BVH_INTERSECT_RAY || i->in.op == AMD_IMAGE_BVH64_INTERSECT_RAY)
        return EMU_EV_BVH;
    if (i->in.op == AMD_IMAGE_MSAA_LOAD || i->in.op == AMD_IMAGE_MSAA_LOAD4 ||
        i->samp != AMD_REG_ABSENT)
        return EMU_EV_SAMPLE;
    return EMU_EV_LOAD;
}

/* All kinds of vector memory. Cache control (buffer_gl0_inv) has neither result nor data. It is not
 * known whether it is counted; treating it as not counted requires the stronger wait. */
static uint32_t
vector_events(amd_gen gen, const emu_inst *i, emu_event events[2])
{
    uint32_t f = i->row->flags, n = 0;
    bool writes = (f & AMD_F_VS) && !(f & AMD_F_ATOMIC && returns(i));
    if (!writes && !(f & (AMD_F_LOAD | AMD_F_ATOMIC)) && i->result == AMD_REG_ABSENT)
        return 0;
    if (i->in.fmt == AMD_FLAT)
        events[n++] = writes ? EMU_EV_FLAT_STORE : EMU_EV_FLAT_LOAD;
    else if (writes)
        events[n++] = EMU_EV_STORE;
    else
        events[n++] = i->in.fmt == AMD_MIMG ? image_event(i) : EMU_EV_LOAD;
    /* stores and atomics read their data late (LLVM, Mesa: gfx6 only) */
    if (gen == AMD_GFX6 && f & (AMD_F_STORE | AMD_F_ATOMIC))
        events[n++] = EMU_EV_STORE_DATA;
    return n;
}

/* Chosen by the target (RDNA 2 ISA, "Export instruction"): 0 to 7 colours, 8 depth, 9 null, 12 to
 * 16 positions, 20 a primitive, 32 and above parameters; gfx11: 21, 22 dual source colours. */
static emu_event
export_event(const emu_inst *i)
{
    uint32_t t = i->in.target;
    if (t >= 12 && t <= 16)
        return EMU_EV_EXP_POS;
    return t >= 32 ? EMU_EV_EXP_PARAM : EMU_EV_EXP_MRT;
}

static bool
is_gds(const emu_inst *i)
{
    return i->in.gds || i->row->flags & AMD_F_EXPC;
}

uint32_t
amd_emu_wait_events(amd_gen gen, const emu_inst *i, emu_event events[2])
{
    uint32_t f = i->row->flags;
    switch (i->in.fmt) {
    case AMD_MUBUF:
    case AMD_MTBUF:
    case AMD_MIMG:
    case AMD_FLAT:
    case AMD_GLOBAL:
    case AMD_SCRATCH: return f & (AMD_F_VM | AMD_F_VS) ? vector_events(gen, i, events) : 0;
    case AMD_DS:
        if (!(f & AMD_F_LGKM))
            return 0;
        events[0] = is_gds(i) ? EMU_EV_GDS : EMU_EV_LDS;
        events[1] = EMU_EV_GDS_DATA;
        return is_gds(i) ? 2 : 1;
    case AMD_SMEM: events[0] = EMU_EV_SCALAR; return (f & AMD_F_LGKM) != 0;
    case AMD_SOP1:
        events[0] = i->in.op == AMD_S_GET_BARRIER_STATE ? EMU_EV_SCALAR : EMU_EV_MESSAGE;
        return (f & AMD_F_LGKM) != 0;
    case AMD_LDSDIR: events[0] = EMU_EV_LDS_DIRECT; return 1;
    case AMD_EXP: events[0] = export_event(i); return 1;
    default: return 0;
    }
}

/* Exports and GDS lock all their VGPRs, and exec (Mesa, aco_insert_waitcnt.cpp); gfx6's stores lock
 * their data. */
bool
amd_emu_event_locks(emu_event e, const emu_inst *i, const emu_range *r)
{
    if (r->first < AMD_REG_VGPR0)
        return false;
    if (e == EMU_EV_STORE_DATA)
        return r->first == i->vdata;
    return !r->write;
}

/* Does the instruction access registers of lanes that are not in exec? */
static bool
crosses_lanes(const emu_inst *i)
{
    if (i->in.ext == AMD_EXT_DPP16 || i->in.ext == AMD_EXT_DPP8 || i->row->flags & AMD_F_EXEC_R)
        return true;
    switch (i->in.op) {
    case AMD_V_READLANE_B32:
    case AMD_V_WRITELANE_B32:
    case AMD_V_PERMLANE16_B32:
    case AMD_V_PERMLANEX16_B32:
    case AMD_V_PERMLANE16_VAR_B32:
    case AMD_V_PERMLANEX16_VAR_B32:
    case AMD_V_PERMLANE64_B32:
    case AMD_DS_PERMUTE_B32:
    case AMD_DS_BPERMUTE_B32:
    case AMD_DS_BPERMUTE_FI_B32:
    case AMD_DS_SWIZZLE_B32: return true;
    default: /* matrices */ return i->row->operands[0].kind == AMD_K_VACC;
    }
}

uint64_t
amd_emu_touched_lanes(const emu_wave *w, const emu_inst *i, bool write)
{
    const uint64_t exec = amd_emu_exec(w);
    const bool reads_quads = i->in.fmt == AMD_MIMG && !write;
    if (i->in.op == AMD_V_READFIRSTLANE_B32)
        return exec ? exec & -exec : 1;
    return reads_quads || crosses_lanes(i) ? w->all_lanes : exec;
}
