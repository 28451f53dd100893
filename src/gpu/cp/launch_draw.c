/* Runs draws of a command processor on the emulator. */
#include "gpu/cp/launch.h"

#include <stdio.h>

/* The program in which the first finding is, as a dispatch of one group: what reports name. */
static void
set_program(const gpu_draw *d, const mach_report *r, gpu_dispatch *out)
{
    const amd_hw_registers *f = d->registers;
    bool ngg = amd_hw_register_field(f, AMD_HW_VGT_SHADER_STAGES_EN_PRIMGEN_EN);
    bool pixels = !r->n_findings || r->findings[0].group[2];
    amd_hw_reg low = pixels ? AMD_HW_SPI_SHADER_PGM_LO_PS
                     : ngg  ? AMD_HW_SPI_SHADER_PGM_LO_ES
                            : AMD_HW_SPI_SHADER_PGM_LO_VS;
    amd_hw_field high = pixels ? AMD_HW_SPI_SHADER_PGM_HI_PS_MEM_BASE
                        : ngg  ? AMD_HW_SPI_SHADER_PGM_HI_ES_MEM_BASE
                               : AMD_HW_SPI_SHADER_PGM_HI_VS_MEM_BASE;
    amd_hw_field wave32 = pixels ? AMD_HW_SPI_PS_IN_CONTROL_PS_W32_EN
                          : ngg  ? AMD_HW_VGT_SHADER_STAGES_EN_GS_W32_EN
                                 : AMD_HW_VGT_SHADER_STAGES_EN_VS_W32_EN;
    uint64_t entry = (uint64_t)amd_hw_register_value(f, low, 0) |
                     (uint64_t)amd_hw_register_field(f, high) << 32;
    *out = (gpu_dispatch){.number = d->number, .packet = d->packet};
    out->launch.gen = f->gen;
    out->launch.processor = d->draw.processor;
    out->launch.entry = mach_canonical(entry << 8);
    out->launch.wave_size = amd_hw_register_field(f, wave32) ? 32 : 64;
    for (unsigned a = 0; a < 3; a++)
        out->launch.group_size[a] = out->launch.grid_groups[a] = 1;
}

bool
gpu_launch_draw(const gpu_launch_options *o, gpu_run *run, const gpu_draw *d, mach_memory *m,
                gpu_fault *fault)
{
    enum { WAVE_LIMIT = 50000000 };
    gpu_draw own = *d;
    gpu_dispatch program;
    arena_mark mark = arena_save(m->arena);
    mach_report *r = ARENA_NEW(m->arena, mach_report);
    mach_watch *watch = gpu_launch_watch(o, m->arena);
    own.draw.checks = o->checks;
    own.draw.rules_off = o->rules_off;
    own.draw.seed = o->seed;
    own.draw.max_total = o->limit;
    if (o->limit && o->limit < WAVE_LIMIT)
        own.draw.max_instructions = o->limit;
    own.draw.watch = watch;
    amd_draw_run(&own.draw, d->registers, m, m->arena, r);
    set_program(&own, r, &program);
    run->dispatch = &program;
    run->draw = &own;
    run->report = r;
    run->memory = m;
    run->watch = watch;
    if (o->dispatched)
        o->dispatched(o->user, run);
    bool goes_on = r->status == MACH_RUN_DONE;
    if (!goes_on)
        snprintf(fault->message, sizeof fault->message, "a draw cannot go on: %.200s",
                 r->n_findings ? r->findings[r->n_findings - 1].message : "no reason is known");
    run->dispatch = NULL;
    run->draw = NULL;
    arena_release(m->arena, mark);
    return goes_on;
}
