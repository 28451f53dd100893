/* A draw from end to end: the registers are read, then the fixed functions shade by waves. */
#include "amd/emu/draw/state.h"

#include "amd/emu/run/group.h"

#include <stdio.h>
#include <string.h>

/* Sources: Mesa (radv_shader_args.c, ac_shader_args.h: registers at a wave's start; ac_nir_lower_ps.c:
 * exports), AMD's register headers. */
static const draw_gen gcn = {.has_vs = true, .scratch_sgpr = true, .lds_granule = 512};
static const draw_gen gfx6 = {.has_vs = true, .scratch_sgpr = true, .lds_granule = 256};
static const draw_gen gfx9 = {.has_vs = true,
                              .scratch_sgpr = true,
                              .mip0_registers = true,
                              .layer_with_viewport = true,
                              .lds_granule = 512};
static const draw_gen gfx10 = {.has_vs = true,
                               .instance_in_v3 = true,
                               .scratch_sgpr = true,
                               .mip0_registers = true,
                               .split_targets = true,
                               .layer_with_viewport = true,
                               .alpha_in_second = true,
                               .lds_granule = 512};
static const draw_gen gfx11 = {.attribute_ring = true,
                               .data_in_pgm_gs = true,
                               .mip0_registers = true,
                               .split_targets = true,
                               .layer_with_viewport = true,
                               .alpha_in_second = true,
                               .done_is_valid_mask = true,
                               .short_blend_factors = true,
                               .lds_granule = 512};

const draw_gen *
amd_draw_gen_of(amd_gen gen)
{
    return gen == AMD_GFX6   ? &gfx6
           : gen < AMD_GFX9  ? &gcn
           : gen < AMD_GFX10 ? &gfx9
           : gen < AMD_GFX11 ? &gfx10
                             : &gfx11;
}

static void
read_registers(draw_run *r)
{
    amd_draw_read_primitives(r);
    amd_draw_read_samples(r);
    amd_draw_read_depth(r);
    amd_draw_read_colors(r);
    amd_draw_read_shaders(r);
}

static void
report_problem(draw_run *r)
{
    mach_report *p = r->report;
    p->status = MACH_RUN_UNSUPPORTED;
    p->n_findings = 1;
    p->total = 1;
    p->findings[0] = (mach_finding){.lane = -1, .count = 1};
    snprintf(p->findings[0].message, sizeof p->findings[0].message, "a draw with %s", r->problem);
}

static void
add_counts(mach_draw_counts *to, const mach_draw_counts *c)
{
    to->vertices += c->vertices;
    to->primitives += c->primitives;
    to->vertex_invocations += c->vertex_invocations;
    to->clip_primitives_in += c->clip_primitives_in;
    to->clip_primitives_out += c->clip_primitives_out;
    to->fragment_invocations += c->fragment_invocations;
    to->samples_passed += c->samples_passed;
}

static void
run(draw_run *r)
{
    read_registers(r);
    if (!r->problem && !amd_draw_open_stages(r))
        r->problem = r->problem ? r->problem : "scratch memory whose place is taken";
    if (r->problem) {
        report_problem(r);
        return;
    }
    r->out.shading.user = r;
    r->out.shading.vertices = r->ngg ? amd_draw_shade_ngg : amd_draw_shade_vertices;
    if (!r->out.shading.fragments && r->pixel.stage) {
        r->out.shading.fragments = amd_draw_shade_pixels;
        amd_draw_begin_pixels(r);
    }
    mach_draw_run(&r->out, r->arena, &r->counts);
    amd_draw_close_stages(r);
    if (r->draw->counts)
        add_counts(r->draw->counts, &r->counts);
}

bool
amd_draw_run(const amd_draw *d, const amd_hw_registers *regs, mach_memory *m, arena *scratch,
             mach_report *report)
{
    arena_mark mark = arena_save(scratch);
    memset(report, 0, offsetof(mach_report, findings) + sizeof report->findings[0]);
    draw_run *r = ARENA_NEW(scratch, draw_run);
    r->draw = d;
    r->regs = regs;
    r->gen = regs->gen;
    r->is = amd_draw_gen_of(regs->gen);
    r->memory = m;
    r->arena = scratch;
    r->report = report;
    r->vertices = ARENA_NEW(scratch, draw_vertices);
    r->pixels = ARENA_NEW(scratch, draw_pixels);
    r->parameters = ARENA_NEW(scratch, draw_parameters);
    run(r);
    arena_release(scratch, mark);
    return report->status == MACH_RUN_DONE && report->total == 0;
}
