/* Computes how many waves fit on a SIMD, and how many registers each may then use.
 *
 * Registers: a SIMD has `physical_vgprs` VGPRs per lane in wave32 and half of that in wave64,
 * allocated in steps of vgpr_granule (a SIMD without wave32 has them in wave64), and before gfx10
 * `physical_sgprs` SGPRs, allocated in steps of 16, from which vcc and what stands beside it are
 * taken too. LDS: where there is WGP mode, compute shaders run in it: a workgroup uses the four
 * SIMDs of a workgroup processor, with twice the LDS of a compute unit ("RDNA 2" ISA reference
 * guide, 2.3 and 10.1), or the two SIMDs of one of its compute units where no fewer waves fit then
 * (amd_fits_one_unit); else it uses the four SIMDs of a compute unit. LDS is allocated in steps of
 * 1024 bytes. A workgroup must fit as a whole, which limits the registers of large groups.
 */
#include "amd/target/occupancy.h"

enum { SIMDS = 4, LDS_GRANULE = 1024, SGPR_STEP = 4, SGPR_GRANULE = 16 };
/* Registers that an operand can name. */
enum { NAMED_VGPRS = 256 };

static unsigned
divide_up(unsigned a, unsigned b)
{
    return (a + b - 1) / b;
}

/* VGPRs are allocated in steps of so many. */
static unsigned
vgpr_granule(const amd_program *p)
{
    return p->target->vgpr_granule[p->wave_size == 64];
}

static unsigned
physical_vgprs(const amd_program *p)
{
    bool halved = p->wave_size == 64 && amd_has(p->target, has_wave32);
    return p->target->physical_vgprs / (halved ? 2 : 1);
}

/* Registers a wave may use so that `waves` of them fit on a SIMD. */
static unsigned
vgprs_for_waves(const amd_program *p, unsigned waves)
{
    unsigned granule = vgpr_granule(p);
    unsigned vgprs = physical_vgprs(p) / waves / granule * granule;
    unsigned limit = p->target->vgpr_limit < NAMED_VGPRS ? p->target->vgpr_limit : NAMED_VGPRS;
    return vgprs < limit ? vgprs : limit;
}

/* Are four SGPRs left for the descriptor of scratch? */
static bool
keeps_descriptor(const amd_program *p)
{
    return (p->needs_scratch || p->may_spill) && amd_scratch_is_buffer(p->target);
}

/* The same for SGPRs, not counting the extra ones. */
static unsigned
sgprs_for_waves(const amd_program *p, unsigned waves)
{
    unsigned limit = p->target->sgpr_limit / SGPR_STEP * SGPR_STEP;
    unsigned each = p->target->physical_sgprs / waves / SGPR_GRANULE * SGPR_GRANULE;
    if (!p->target->physical_sgprs)
        return limit;
    each = (each - amd_has(p->target, extra_sgprs)) / SGPR_STEP * SGPR_STEP;
    each = each < limit ? each : limit;
    return each - (keeps_descriptor(p) ? SGPR_STEP : 0);
}

static unsigned
waves_for_sgprs(const amd_program *p, unsigned sgprs)
{
    unsigned waves = p->target->max_waves;
    while (waves > 1 && sgprs_for_waves(p, waves) < sgprs)
        waves--;
    return waves;
}

unsigned
amd_waves_for_vgprs(const amd_program *p, unsigned vgprs)
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
    unsigned units = amd_has(p->target, has_wgp_mode) ? 2 : 1;
    unsigned groups = units * p->target->lds_limit / lds;
    unsigned waves = divide_up((groups ? groups : 1) * waves_of_workgroup(p), SIMDS);
    return waves < p->target->max_waves ? waves : p->target->max_waves;
}

/* The number of workgroups that fit on `units` compute units, as one. */
static unsigned
groups_of_units(const amd_program *p, unsigned units)
{
    unsigned lds = divide_up(p->lds_bytes, LDS_GRANULE) * LDS_GRANULE;
    unsigned waves = amd_waves_for_vgprs(p, p->vgprs_used) * SIMDS / 2 * units;
    unsigned groups = waves / waves_of_workgroup(p);
    unsigned fit = lds ? units * p->target->lds_limit / lds : groups;
    return groups < fit ? groups : fit;
}

bool
amd_fits_one_unit(const amd_program *p)
{
    return amd_has(p->target, has_wgp_mode) && groups_of_units(p, 1) > 0 &&
           2 * groups_of_units(p, 1) >= groups_of_units(p, 2);
}

/* The minimum number of waves per SIMD that must fit. */
static unsigned
least_waves(const amd_program *p)
{
    unsigned least = divide_up(waves_of_workgroup(p), SIMDS);
    return least ? least : 1;
}

/* `most`, or less if a test has set a bound; the registers that the hardware fills are always
 * there. */
static unsigned
bounded(const amd_program *p, bool vgprs, unsigned most)
{
    unsigned bound = vgprs ? p->debug_vgprs : p->debug_sgprs;
    unsigned first = vgprs ? AMD_REG_VGPR0 : AMD_REG_SGPR0;
    if (!bound)
        return most;
    for (uint32_t a = 0; a < p->n_args; a++) {
        const amd_arg *arg = &p->args[a];
        unsigned end = arg->reg + arg->count - first;
        bool in_file = vgprs || arg->reg < AMD_REG_VCC_LO; /* not in trap registers */
        if (arg->vgpr == vgprs && in_file && end > bound)
            bound = end;
    }
    return bound < most ? bound : most;
}

unsigned
amd_vgpr_bound(const amd_program *p)
{
    return bounded(p, true, vgprs_for_waves(p, least_waves(p)));
}

/* A test's bound for VGPRs is one for AGPRs, too: what finds no AGPR goes to scratch. */
unsigned
amd_spare_agprs(const amd_program *p)
{
    unsigned granule = vgpr_granule(p), all = physical_vgprs(p) / least_waves(p);
    unsigned taken = divide_up(amd_vgpr_bound(p), granule) * granule, spare = 0;
    if (!amd_has(p->target, has_accum_offset))
        return 0;
    if (all / granule * granule > taken)
        spare = all / granule * granule - taken;
    spare = spare < NAMED_VGPRS ? spare : NAMED_VGPRS;
    return p->debug_vgprs && p->debug_vgprs < spare ? p->debug_vgprs : spare;
}

unsigned
amd_vgprs_taken(const amd_program *p)
{
    enum { STEP = 4 }; /* LLVM, ACCUM_OFFSET */
    return p->agprs_used ? divide_up(p->vgprs_used, STEP) * STEP + p->agprs_used : p->vgprs_used;
}

unsigned
amd_vgprs_for_loads(const amd_program *p)
{
    unsigned enough = amd_has(p->target, enough_waves), most = amd_vgpr_bound(p);
    unsigned vgprs = vgprs_for_waves(p, p->max_waves < enough ? p->max_waves : enough);
    return vgprs < most ? vgprs : most;
}

/* The registers of the bank that the program has in use at once, at most. */
static unsigned
demand_of(const amd_program *p, unsigned bank)
{
    unsigned units = amd_reg_units(p->fn);
    return divide_up((unsigned)p->cg.max_demand.units[bank], units);
}

/* SGPRs above the demand that are taken to save copies: they cost nothing on gfx10, and before that
 * only where they do not cost waves. */
enum { SPARE_SGPRS = 8 };

/* The rest of the last granule that the demand needs is free to use. Pinned values are placed at
 * the end of the demand. A program that spills has hardly more than its largest instruction needs
 * beside all of them, also where only some are live: there they are placed behind all that is free
 * to use, so that what lies before them stays in one piece. */
static void
set_bank(amd_program *p, unsigned bank, unsigned budget, unsigned granule)
{
    cg_state *s = &p->cg;
    unsigned demand = demand_of(p, bank), units = amd_reg_units(p->fn);
    unsigned cheap = bank == AMD_BANK_SGPR ? demand + SPARE_SGPRS
                                           : divide_up(demand, granule) * granule;
    cheap = cheap < budget ? cheap : budget;
    unsigned pinned_end = p->may_spill ? cheap : demand;
    pinned_end = pinned_end < budget ? pinned_end : budget;
    s->budget[bank] = s->limit[bank] = (uint16_t)(budget * units);
    s->cheap[bank] = (uint16_t)(cheap * units);
    s->pinned_end[bank] = (uint16_t)(pinned_end * units);
}

/* The number of waves that the demand for SGPRs allows: it is met with some to spare, for tuples
 * that must be aligned. */
static unsigned
waves_for_sgpr_demand(const amd_program *p, unsigned least)
{
    unsigned most = sgprs_for_waves(p, least);
    unsigned need = demand_of(p, AMD_BANK_SGPR) + SPARE_SGPRS;
    return waves_for_sgprs(p, need < most ? need : most);
}

/* The number of waves that fit if VGPRs do not matter. */
static unsigned
waves_beside_vgprs(const amd_program *p)
{
    unsigned lds = waves_for_lds(p), scalar = waves_for_sgpr_demand(p, least_waves(p));
    return lds < scalar ? lds : scalar;
}

cg_demand
amd_demand_for_waves(const amd_program *p, unsigned waves)
{
    unsigned units = amd_reg_units(p->fn), scalars = sgprs_for_waves(p, waves);
    cg_demand d = {0};
    d.units[AMD_BANK_VGPR] = (int32_t)(vgprs_for_waves(p, waves) * units);
    d.units[AMD_BANK_SGPR] = (int32_t)(scalars > SPARE_SGPRS ? (scalars - SPARE_SGPRS) * units : 0);
    return d;
}

unsigned
amd_waves_wanted(const amd_program *p)
{
    unsigned enough = amd_has(p->target, enough_waves), others = waves_beside_vgprs(p);
    return others < enough ? others : enough;
}

void
amd_set_budgets(amd_program *p)
{
    unsigned least = least_waves(p), vgpr_most = amd_vgpr_bound(p);
    unsigned vgpr_need = demand_of(p, AMD_BANK_VGPR);
    unsigned need = vgpr_need < vgpr_most ? vgpr_need : vgpr_most;
    unsigned waves = amd_waves_for_vgprs(p, need), others = waves_beside_vgprs(p);
    waves = waves < others ? waves : others;
    waves = waves > least ? waves : least;
    unsigned sgprs = sgprs_for_waves(p, waves);
    p->max_waves = (uint16_t)waves;
    unsigned vgprs = vgprs_for_waves(p, waves);
    set_bank(p, AMD_BANK_VGPR, vgprs < vgpr_most ? vgprs : vgpr_most, vgpr_granule(p));
    set_bank(p, AMD_BANK_SGPR, bounded(p, false, sgprs), 1);
    unsigned limit = p->target->physical_sgprs ? sgprs : p->target->sgpr_limit;
    p->cg.limit[AMD_BANK_SGPR] = (uint16_t)(limit * amd_reg_units(p->fn));
    if (amd_has(p->target, sgprs_in_turn))
        p->cg.cheap[AMD_BANK_SGPR] = p->cg.budget[AMD_BANK_SGPR];
}

static uint32_t
least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The number of waves whose SGPRs fit, all of them that a wave uses being counted. */
static uint32_t
waves_of_sgprs(const amd_target *t, uint32_t sgprs)
{
    uint32_t taken = divide_up(sgprs ? sgprs : 1, SGPR_GRANULE) * SGPR_GRANULE;
    return t->physical_sgprs ? t->physical_sgprs / taken : t->max_waves;
}

uint32_t
amd_waves_that_fit(const amd_target *t, const amd_wave_needs *needs)
{
    ir_fn fn = {0};
    amd_program p = {.fn = &fn, .target = t, .wave_size = needs->wave_size};
    p.lds_bytes = needs->lds_bytes;
    for (int i = 0; i < 3; i++)
        fn.shader.workgroup_size[i] = needs->group_size[i];
    uint32_t waves = amd_waves_for_vgprs(&p, least(needs->vgprs, t->vgpr_limit));
    waves = least(waves, least(waves_for_lds(&p), waves_of_sgprs(t, needs->sgprs)));
    return waves > least_waves(&p) ? waves : least_waves(&p);
}
