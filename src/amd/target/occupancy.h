/* The registers that a program may use: how many waves fit on a SIMD. */
#ifndef AMD_LIVE_H
#define AMD_LIVE_H

#include "amd/amd.h"
#include "cg/live.h"

/* Sets max_waves and the budgets of the program from its demand, LDS and workgroup size; see
 * occupancy.c. */
void
amd_set_budgets(amd_program *p);

/* What limits the waves of finished code. */
typedef struct amd_wave_needs {
    uint32_t sgprs, vgprs, lds_bytes, wave_size;
    uint32_t group_size[3];
} amd_wave_needs;

/* The number of waves of such code that a SIMD holds. */
uint32_t
amd_waves_that_fit(const amd_target *t, const amd_wave_needs *needs);

/* Is a compute unit for each workgroup as good as two for it and another one? Code with its
 * registers allocated: no fewer waves fit. */
bool
amd_fits_one_unit(const amd_program *p);

/* The number of waves per SIMD that fit if each uses `vgprs` VGPRs. */
unsigned
amd_waves_for_vgprs(const amd_program *p, unsigned vgprs);

/* The largest demand with which `waves` waves fit on a SIMD. */
cg_demand
amd_demand_for_waves(const amd_program *p, unsigned waves);

/* So many waves hide latencies well, or no more fit for other reasons than their VGPRs. */
unsigned
amd_waves_wanted(const amd_program *p);

/* The most VGPRs a wave may use, as a workgroup must fit as a whole, or as a test bounds them. */
unsigned
amd_vgpr_bound(const amd_program *p);

/* The AGPRs that a wave may have beside the VGPRs that it may use, where both are one file. */
unsigned
amd_spare_agprs(const amd_program *p);

/* The VGPRs that the wave takes of its file, with the AGPRs behind them, which begin at a multiple
 * of four. */
unsigned
amd_vgprs_taken(const amd_program *p);

/* The VGPRs that a schedule may take for results of loads: those of the waves that fit, or of so
 * many that more would not hide more. */
unsigned
amd_vgprs_for_loads(const amd_program *p);

#endif
