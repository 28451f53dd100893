/* Shared VGPRs of a wave64: the registers behind a wave's own have a row of 32 lanes, which both
 * halves read and write (LLVM, AMDGPUUsage, COMPUTE_PGM_RSRC3.SHARED_VGPR_COUNT; RDNA 2 ISA, "VGPR
 * Allocation and Alignment").
 *
 * A register keeps its row twice, once in each half, so that reading is as for others. The hardware
 * executes the lower half first, so where both write, the upper one's value stays. An instruction
 * that reads what its lower half writes would see it there in its upper half, but not here.
 */
#include "amd/emu/alu/shared_vgprs.h"

#include "amd/emu/alu/valu.h"
#include "amd/emu/core/operand.h"
#include "amd/emu/core/shadow.h"

enum { HALF = EMU_LANES / 2 };

static bool
is_shared(const emu_wave *w, uint32_t reg)
{
    return reg < w->n_vgprs && reg >= w->n_vgprs - w->n_shared;
}

static bool
is_written(const emu_wave *w, const emu_range *r)
{
    return r->write && r->first >= AMD_REG_VGPR0 && r->first < AMD_REG_AGPR0 &&
           r->first + r->count > AMD_REG_VGPR0 + w->n_vgprs - w->n_shared;
}

/* Copies `from` one half to the other in the lanes of the lower half `lanes`. */
static void
copy_half(emu_wave *w, uint32_t reg, uint32_t from, uint64_t lanes)
{
    uint32_t to = HALF - from;
    for (uint64_t left = lanes; left; left &= left - 1) {
        uint32_t l = base_ctz64(left);
        w->vgpr[reg][to + l] = w->vgpr[reg][from + l];
    }
    if (!w->shadow)
        return;
    for (uint32_t k = 0; k < 4; k++) {
        uint64_t bad = w->shadow->v[reg][k] >> from & lanes;
        amd_emu_shadow_set(w, reg, 1u << k, lanes << to, bad << to);
    }
}

void
amd_emu_shared_vgprs(emu_wave *w, const emu_inst *i)
{
    bool vector = i->in.ext == AMD_EXT_DPP16;
    uint64_t written = vector ? amd_emu_dpp_write(w, &i->in) : amd_emu_exec(w);
    i->unshared(w, i);
    uint64_t upper = written >> HALF, lower = written & UINT32_MAX & ~upper;
    for (uint32_t r = 0; r < i->n_ranges; r++) {
        const emu_range *range = &i->ranges[r];
        for (uint32_t k = 0; is_written(w, range) && k < range->count; k++) {
            uint32_t reg = range->first - AMD_REG_VGPR0 + k;
            copy_half(w, reg, HALF, is_shared(w, reg) ? upper : 0);
            copy_half(w, reg, 0, is_shared(w, reg) ? lower : 0);
        }
    }
}

bool
amd_emu_writes_shared_vgprs(const emu_wave *w, const emu_inst *i)
{
    bool writes = false;
    for (uint32_t r = 0; w->n_shared && r < i->n_ranges; r++)
        writes |= is_written(w, &i->ranges[r]);
    return writes;
}
