/* Computes how many waves fit on a SIMD, and how many registers each may then use.
 *
 * Registers: a SIMD has `physical_vgprs` VGPRs per lane in wave32 and half of that in wave64,
 * allocated in steps of vgpr_granule; from gfx10 on SGPRs are no limit. LDS: compute shaders run in
 * WGP mode, in which a workgroup uses the four SIMDs of a workgroup processor, with twice the LDS
 * of a compute unit ("RDNA 2" ISA reference guide, 2.3 and 10.1); LDS is allocated in steps of 1024
 * bytes. A workgroup must fit as a whole, which limits the registers of large groups.
 */
#include "amd/live.h"

enum { SIMDS_PER_WGP = 4, LDS_GRANULE = 1024, SGPR_STEP = 4 };

static unsigned
divide_up(unsigned a, unsigned b)
{
    return (a + b - 1) / b;
}

static unsigned
vgpr_granule(const amd_program *p)
{
    return p->target->vgpr_granule[p->wave_size == 64];
}

static unsigned
physical_vgprs(const amd_program *p)
{
    return p->target->physical_vgprs / (p->wave_size == 64 ? 2 : 1);
}

unsigned
amd_vgprs_for_waves(const amd_program *p, unsigned waves)
{
    unsigned granule = vgpr_granule(p);
    unsigned vgprs = physical_vgprs(p) / waves / granule * granule;
    return vgprs < p->target->vgpr_limit ? vgprs : p->target->vgpr_limit;
}

static unsigned
waves_for_vgprs(const amd_program *p, unsigned vgprs)
{
    unsigned granule = vgpr_granule(p);
    unsigned taken = divide_up(vgprs ? vgprs : 1, granule) * granule;
    unsigned waves = physical_vgprs(p) / taken;
    return waves < p->target->max_waves ? waves : p->target->max_waves;
}

static unsigned
waves_of_workgroup(const amd_program *p)
{
    const uint32_t *size = p->fn->shader.workgroup_size;
    unsigned lanes = size[0] * size[1] * size[2];
    return divide_up(lanes ? lanes : 1, p->wave_size);
}

/* The number of waves per SIMD that LDS allows. */
static unsigned
waves_for_lds(const amd_program *p)
{
    unsigned lds = divide_up(p->lds_bytes, LDS_GRANULE) * LDS_GRANULE;
    if (!lds)
        return p->target->max_waves;
    unsigned groups = 2 * p->target->lds_limit / lds;
    unsigned waves = divide_up((groups ? groups : 1) * waves_of_workgroup(p), SIMDS_PER_WGP);
    return waves < p->target->max_waves ? waves : p->target->max_waves;
}

/* The minimum number of waves per SIMD that must fit. */
static unsigned
least_waves(const amd_program *p)
{
    unsigned least = divide_up(waves_of_workgroup(p), SIMDS_PER_WGP);
    return least ? least : 1;
}

unsigned
amd_vgpr_bound(const amd_program *p)
{
    unsigned most = amd_vgprs_for_waves(p, least_waves(p));
    return p->debug_vgprs && p->debug_vgprs < most ? p->debug_vgprs : most;
}

void
amd_set_budgets(amd_program *p, amd_demand demand)
{
    unsigned least = least_waves(p), vgpr_most = amd_vgpr_bound(p);
    unsigned sgpr_most = p->target->sgpr_limit / SGPR_STEP * SGPR_STEP;
    if (p->debug_sgprs && p->debug_sgprs < sgpr_most)
        sgpr_most = p->debug_sgprs;
    p->max_demand = demand;
    unsigned need = (unsigned)demand.vgpr < vgpr_most ? (unsigned)demand.vgpr : vgpr_most;
    unsigned waves = waves_for_vgprs(p, need), lds = waves_for_lds(p);
    waves = waves < lds ? waves : lds;
    waves = waves > least ? waves : least;
    p->max_waves = (uint16_t)waves;
    unsigned vgprs = amd_vgprs_for_waves(p, waves);
    p->vgpr_budget = (uint16_t)(vgprs < vgpr_most ? vgprs : vgpr_most);
    p->sgpr_budget = (uint16_t)sgpr_most;
}
