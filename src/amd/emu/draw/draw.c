/* A draw from end to end: the registers are read, then the fixed functions shade by waves. */
#include "amd/emu/draw/state.h"

#include "amd/emu/run/group.h"

#include <string.h>

/* Sources: Mesa (radv_shader_args.c, ac_shader_args.h: registers at a wave's start;
 * ac_nir_lower_ps.c: exports), AMD's register headers. */
#define GCN(granule, ...)                                                                          \
    {                                                                                              \
        .has_vs = true, .scratch_sgpr = true, .target_dwords = 15, .viewport_dwords = 6,           \
        .lds_granule = granule, __VA_ARGS__                                                        \
    }
#define RDNA(block, viewport, ...)                                                                 \
    {                                                                                              \
        .mip0_registers = true, .bases_in_array = true, .layer_with_viewport = true,               \
        .alpha_in_second = true, .lds_granule = 512, .target_dwords = block,                       \
        .viewport_dwords = viewport, __VA_ARGS__                                                   \
    }
#define LONG_NGG .index_shift = 10, .primitive_vgpr = 2, .vertex_vgpr = 5, .instance_vgpr = 8
#define RING                                                                                       \
    .attribute_ring = true, .data_in_pgm_gs = true, .done_is_valid_mask = true,                    \
    .short_blend_factors = true

static const draw_gen gens[] = {
    [AMD_GFX6] = GCN(256, .index_shift = 0),
    [AMD_GFX7] = GCN(512, .index_shift = 0),
    [AMD_GFX8] = GCN(512, .index_shift = 0),
    [AMD_GFX9] = GCN(512, .mip0_registers = true, .layer_with_viewport = true),
    [AMD_GFX10] = RDNA(15, 6, .has_vs = true, .instance_in_v3 = true, .scratch_sgpr = true,
                       .attributes_in_arrays = true, LONG_NGG),
    [AMD_GFX10_3] = RDNA(15, 6, .has_vs = true, .instance_in_v3 = true, .scratch_sgpr = true,
                         .attributes_in_arrays = true, LONG_NGG),
    [AMD_GFX11] = RDNA(15, 6, .attributes_in_arrays = true, RING, LONG_NGG),
    [AMD_GFX11_5] = RDNA(15, 6, .attributes_in_arrays = true, RING, LONG_NGG),
    [AMD_GFX12] = RDNA(9, 8, .info_in_array = true, .inclusive_scissors = true,
                       .depths_in_viewport = true, .always_ngg = true, RING, .index_shift = 9,
                       .primitive_vgpr = 1, .vertex_vgpr = 3, .instance_vgpr = 4,
                       .always_packed = true),
};

/* Processors without graphics have what gfx9 has; no driver draws on them. */
const draw_gen *
amd_draw_gen_of(amd_gen gen)
{
    return gens[gen].target_dwords ? &gens[gen] : &gens[AMD_GFX9];
}

static void
read_registers(draw_run *r)
{
    amd_draw_read_primitives(r);
    amd_draw_read_samples(r);
    amd_draw_read_depth(r);
    amd_draw_read_colors(r);
    amd_draw_read_shaders(r);
    amd_draw_read_streamout(r);
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
    amd_draw_begin_telling(r);
    if (!r->problem && !amd_draw_open_stages(r))
        r->problem = r->problem ? r->problem : "scratch memory whose place is taken";
    if (r->problem) {
        mach_report_unsupported_draw(r->report, r->problem);
        return;
    }
    r->out.shading.user = r;
    r->out.shading.vertices = r->ngg ? amd_draw_shade_ngg : amd_draw_shade_vertices;
    if (!r->out.shading.fragments && r->pixel.stage) {
        r->out.shading.fragments = amd_draw_shade_pixels;
        amd_draw_begin_pixels(r);
    }
    amd_draw_begin_counters(r);
    mach_draw_run(&r->out, r->arena, &r->counts);
    amd_draw_end_counters(r);
    amd_draw_close_stages(r);
    if (r->draw->counts)
        add_counts(r->draw->counts, &r->counts);
}

bool
amd_draw_run(const amd_draw *d, const amd_hw_registers *regs, const mach_memory *m, arena *scratch,
             mach_report *report)
{
    arena_mark mark = arena_save(scratch);
    memset(report, 0, offsetof(mach_report, findings) + sizeof report->findings[0]);
    draw_run *r = ARENA_NEW(scratch, draw_run);
    r->draw = d;
    r->regs = regs;
    r->gen = regs->gen;
    r->is = amd_draw_gen_of(regs->gen);
    r->memory = ARENA_NEW(scratch, mach_memory);
    mach_memory_view(r->memory, m, scratch);
    r->arena = scratch;
    r->report = report;
    r->vertices = ARENA_NEW(scratch, draw_vertices);
    r->pixels = ARENA_NEW(scratch, draw_pixels);
    r->parameters = ARENA_NEW(scratch, draw_parameters);
    run(r);
    arena_release(scratch, mark);
    return report->status == MACH_RUN_DONE && report->total == 0;
}
