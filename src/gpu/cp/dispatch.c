/* Dispatches: the registers of compute shaders become the emulator's launch state.
 *
 * The packet gives the grid in groups, or in work items (USE_THREAD_DIMENSIONS); with a start other
 * than 0 it gives the grid's end. Sources: AMD's register headers (registers.def); the Linux
 * kernel's and Mesa's use of the packets.
 */
#include "gpu/cp/execute.h"

#include "amd/amd.h"
#include "amd/emu/run/load.h"
#include "amd/target/occupancy.h"

#include <string.h>

static uint32_t
field(const gpu_cp *cp, amd_hw_field f)
{
    return amd_hw_register_field(&cp->registers, f);
}

static uint32_t
value(const gpu_cp *cp, amd_hw_reg reg)
{
    return gpu_cp_register(cp, amd_hw_reg_address(reg, cp->gen));
}

/* A register of three, one a dimension. */
static uint32_t
value_of_axis(const gpu_cp *cp, amd_hw_reg x, unsigned axis)
{
    return gpu_cp_register(cp, amd_hw_reg_address(x, cp->gen) + 4 * axis);
}

/* The grid's groups, its first group, and its work items where it has partial groups. */
static void
set_grid(gpu_cp *cp, const uint32_t grid[3], amd_emu_dispatch *d)
{
    bool from_zero = field(cp, AMD_HW_COMPUTE_DISPATCH_INITIATOR_FORCE_START_AT_000);
    bool partial = field(cp, AMD_HW_COMPUTE_DISPATCH_INITIATOR_PARTIAL_TG_EN);
    bool in_items = field(cp, AMD_HW_COMPUTE_DISPATCH_INITIATOR_USE_THREAD_DIMENSIONS);
    for (unsigned a = 0; a < 3; a++) {
        uint32_t size = value_of_axis(cp, AMD_HW_COMPUTE_NUM_THREAD_X, a);
        uint32_t last = size >> 16, end = grid[a];
        size &= 0xffff;
        d->group_size[a] = size;
        if (in_items && size) {
            last = end % size;
            end = end / size + (last != 0);
        }
        d->first_group[a] = from_zero ? 0 : value_of_axis(cp, AMD_HW_COMPUTE_START_X, a);
        d->grid_groups[a] = end > d->first_group[a] ? end - d->first_group[a] : 0;
        if ((partial || in_items) && last && last < size && d->grid_groups[a])
            d->grid_items[a] = (d->grid_groups[a] - 1) * size + last;
    }
}

/* Scratch memory. Up to gfx10.3 the shader addresses the driver's ring itself, each wave at its own
 * offset; from gfx11 on the hardware adds the base, so the emulator's own memory serves. WAVESIZE
 * counts 256 dwords, from gfx11 on 64 (LLVM 19, GCNSubtarget.h, getMaxWaveScratchSize). */
static void
set_scratch(gpu_cp *cp, gpu_dispatch *d)
{
    enum { RING_UNIT = 1024, ARCHITECTED_UNIT = 256 };
    bool in_ring = cp->gen < AMD_GFX11;
    if (!field(cp, AMD_HW_COMPUTE_PGM_RSRC2_SCRATCH_EN))
        return;
    uint32_t unit = in_ring ? RING_UNIT : ARCHITECTED_UNIT;
    d->launch.scratch_bytes = field(cp, AMD_HW_COMPUTE_TMPRING_SIZE_WAVESIZE) * unit /
                              d->launch.wave_size;
    d->scratch_in_ring = in_ring;
}

static void
set_occupancy(gpu_cp *cp, amd_emu_dispatch *d)
{
    const amd_target *t = amd_find_target(cp->processor);
    amd_wave_needs needs = {.sgprs = d->n_sgprs,
                            .vgprs = d->n_vgprs + d->n_shared_vgprs / 2, /* a half's row each */
                            .lds_bytes = d->lds_bytes,
                            .wave_size = d->wave_size};
    memcpy(needs.group_size, d->group_size, sizeof needs.group_size);
    d->resident_waves = amd_waves_that_fit(t, &needs);
}

static void
set_launch(gpu_cp *cp, const uint32_t grid[3], gpu_dispatch *out)
{
    amd_emu_dispatch *d = &out->launch;
    const uint32_t rsrc[3] = {value(cp, AMD_HW_COMPUTE_PGM_RSRC1),
                              value(cp, AMD_HW_COMPUTE_PGM_RSRC2),
                              value(cp, AMD_HW_COMPUTE_PGM_RSRC3)};
    const amd_target *target = amd_find_target(cp->processor);
    uint64_t entry = value(cp, AMD_HW_COMPUTE_PGM_LO) |
                     (uint64_t)field(cp, AMD_HW_COMPUTE_PGM_HI_DATA) << 32;
    d->gen = cp->gen;
    d->processor = cp->processor;
    d->packed_d16 = !strcmp(cp->processor, "gfx810");
    d->may_retry = amd_obj_may_retry(cp->processor, OBJ_ABI_VULKAN);
    d->packs_tiles = true;
    d->wave_size = field(cp, AMD_HW_COMPUTE_DISPATCH_INITIATOR_CS_W32_EN) ? 32 : 64;
    amd_emu_set_words(d, rsrc);
    d->entry = mach_canonical(entry << 8);
    d->lds_bytes = field(cp, AMD_HW_COMPUTE_PGM_RSRC2_LDS_SIZE) * amd_has(target, lds_granule);
    for (uint32_t k = 0; k < d->n_user_sgprs && k < 16; k++)
        d->user_sgprs[k] = gpu_cp_register(
            cp, amd_hw_reg_address(AMD_HW_COMPUTE_USER_DATA_0, cp->gen) + 4 * k);
    d->border_colors = (uint64_t)value(cp, AMD_HW_TA_CS_BC_BASE_ADDR) << 8 |
                       (uint64_t)field(cp, AMD_HW_TA_CS_BC_BASE_ADDR_HI_ADDRESS) << 40;
    set_grid(cp, grid, d);
    set_scratch(cp, out);
}

static gpu_cp_status
dispatch(gpu_cp *cp, const uint32_t grid[3], uint32_t initiator)
{
    gpu_dispatch d = {.number = cp->dispatches++, .packet = cp->fault.address};
    gpu_cp_set_register(cp, amd_hw_reg_address(AMD_HW_COMPUTE_DISPATCH_INITIATOR, cp->gen),
                        initiator);
    if (!field(cp, AMD_HW_COMPUTE_DISPATCH_INITIATOR_COMPUTE_SHADER_EN))
        return GPU_CP_DONE;
    set_launch(cp, grid, &d);
    const amd_emu_dispatch *l = &d.launch;
    if (!l->grid_groups[0] || !l->grid_groups[1] || !l->grid_groups[2])
        return GPU_CP_DONE;
    uint64_t items = (uint64_t)l->group_size[0] * l->group_size[1] * l->group_size[2];
    uint64_t groups = (uint64_t)l->grid_groups[0] * l->grid_groups[1] * l->grid_groups[2];
    if (items)
        set_occupancy(cp, &d.launch);
    cp->invocations += items * groups;
    return cp->hooks.dispatch(cp->hooks.user, &d, cp->memory, &cp->fault) ? GPU_CP_DONE
                                                                          : GPU_CP_FAULT;
}

gpu_cp_status
gpu_cp_dispatch_direct(gpu_cp *cp, const gpu_packet *p)
{
    return dispatch(cp, p->words, p->words[3]);
}

/* A compute ring's packet has the address of the grid's three words, a graphics ring's an offset to
 * base 1. */
gpu_cp_status
gpu_cp_dispatch_indirect(gpu_cp *cp, const gpu_packet *p)
{
    enum { INDIRECT_BASE = 1 };
    uint32_t grid[3];
    uint64_t address = p->n_words >= 3 ? p->words[0] | (uint64_t)p->words[1] << 32
                                       : cp->bases[INDIRECT_BASE] + p->words[0];
    const uint8_t *at = gpu_cp_at(cp, address, sizeof grid, "reads a grid of");
    if (!at)
        return GPU_CP_FAULT;
    memcpy(grid, at, sizeof grid);
    return dispatch(cp, grid, p->words[p->n_words - 1]);
}
