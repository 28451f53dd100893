#include "amber/dev_draw.h"

/* ---- the fixed functions' state ---- */

/* Depths are clamped to the viewport's own, or to what attachments can have, unless that is not
 * restricted (VkPhysicalDeviceDepthClampZeroOneFeaturesKHR). */
static void
set_depth_range(mach_draw *s, const amber_graphics *g, bool unrestricted)
{
    float a = g->viewport.min_depth, b = g->viewport.max_depth;
    s->clamps_depth = g->clamps_depth || !unrestricted;
    s->depth_ranges[0] = (mach_depth_range){0, 1};
    if (g->clamps_depth)
        s->depth_ranges[0] = a < b ? (mach_depth_range){a, b} : (mach_depth_range){b, a};
}

void
amber_draw_rules(mach_draw *s, const amber_draw *draw)
{
    const amber_graphics *g = draw->pipeline->graphics;
    s->setup = (mach_setup_rules){.clip_depth = !g->clamps_depth,
                                  .cull_front = g->cull_front,
                                  .cull_back = g->cull_back,
                                  .front_is_clockwise = g->front_is_clockwise,
                                  .mode = g->polygon_mode,
                                  .line_width = g->line_width,
                                  .conservative = g->conservative};
    s->n_viewports = 1;
    s->viewports[0] = g->viewport;
    s->scissors[0] = s->area = (mach_rect){0, 0, (int32_t)g->width, (int32_t)g->height};
    s->layers = 1;
    s->samples = g->samples ? g->samples : 1;
    s->sample_mask = UINT32_MAX;
    s->discards_all = g->discards_all;
    set_depth_range(s, g, draw->unrestricted_depth);
    s->depth_stencil = g->tests;
    s->bounds_depth = g->bounds_depth;
    memcpy(s->depth_bounds, g->depth_bounds, sizeof s->depth_bounds);
    s->has_logic_op = g->has_logic_op;
    s->logic_op = g->logic_op;
}

/* ---- attachments ---- */

/* The image of an attachment's mip level. Returns false with a skip if its format is not known. */
static bool
open_target(amber_emu_job *j, const amber_draw *draw, const amber_target *t, amber_result *r,
            mach_image *out)
{
    const amber_dispatch run = {.memory = draw->memory};
    const mach_image *m = amber_emu_get_image(j, &run, t->buffer, r);
    if (!m)
        return false;
    *out = *m;
    out->base_level = t->mip;
    out->view_levels = 1;
    return true;
}

static bool
open_colors(amber_emu_job *j, mach_draw *s, const amber_draw *draw, amber_result *r)
{
    const amber_graphics *g = draw->pipeline->graphics;
    s->n_colors = g->target_count;
    for (uint32_t k = 0; k < g->target_count; k++) {
        mach_color_target *t = &s->colors[k];
        if (!open_target(j, draw, &g->targets[k], r, &t->image))
            return false;
        t->write_mask = g->write_mask;
        t->blends = g->blends;
        t->blend = g->blend;
    }
    return true;
}

/* The smallest step of fixed-point depths. */
static double
depth_unit(mach_format f)
{
    const mach_format_info *info = mach_format_get(f);
    return info->kind == MACH_NUM_UNORM ? 1 / (double)(UINT64_C(1) << info->bits[0]) : 0;
}

static bool
open_depth(amber_emu_job *j, mach_draw *s, const amber_draw *draw, amber_result *r)
{
    const amber_target target = {.buffer = draw->pipeline->graphics->depth_stencil};
    mach_image m;
    if (!target.buffer)
        return true;
    if (!open_target(j, draw, &target, r, &m))
        return false;
    const amber_texel *t = &target.buffer->type->texel;
    for (unsigned k = 0; k < t->count; k++) {
        if (t->part[k].name == 'D')
            s->depth = m;
        if (t->part[k].name == 'S')
            s->stencil = m;
    }
    return true;
}

bool
amber_draw_open_targets(amber_emu_job *j, mach_draw *s, const amber_draw *draw, amber_result *r)
{
    const amber_graphics *g = draw->pipeline->graphics;
    if (!open_colors(j, s, draw, r) || !open_depth(j, s, draw, r))
        return false;
    if (g->has_bias) {
        mach_depth_bias *bias = arena_copy(&j->arena, &g->bias, sizeof g->bias);
        bias->unit = depth_unit(s->depth.format);
        s->setup.bias = bias;
    }
    return true;
}

void
amber_draw_finish(amber_emu_job *j, const mach_draw *s, const amber_draw *draw, amber_result *r)
{
    const amber_graphics *g = draw->pipeline->graphics;
    const amber_dispatch run = {.pipeline = draw->pipeline,
                                .memory = draw->memory,
                                .addressed = draw->addressed,
                                .addressed_count = draw->addressed_count};
    amber_keep_after(&j->images, &run);
    for (uint32_t n = 0; n < g->target_count; n++) {
        const amber_target *t = &g->targets[n];
        const amber_target resolve = {.buffer = t->resolve};
        mach_image to;
        amber_keep_drawn(&j->images, t->buffer);
        if (t->resolve && open_target(j, draw, &resolve, r, &to)) {
            mach_resolve(&s->colors[n].image, &to);
            amber_keep_drawn(&j->images, t->resolve);
        }
    }
    amber_keep_drawn(&j->images, g->depth_stencil);
}

/* ---- vertices ---- */

uint32_t
amber_draw_index_bits(const amber_buffer *b)
{
    return b->type->slot_count ? b->type->slots[0].bits : 32;
}

/* The indices as numbers; those outside of the buffer are 0. */
static const uint32_t *
read_indices(arena *a, const amber_vertices *v, const uint8_t *bytes)
{
    uint32_t *index = ARENA_ARRAY(a, v->count, uint32_t), size = v->index->type->size;
    uint32_t used = amber_draw_index_bits(v->index) / 8;
    for (uint64_t k = 0; k < v->count && (k + 1) * size <= v->index->size; k++) {
        for (uint32_t n = 0; n < used; n++)
            index[k] |= (uint32_t)bytes[k * size + n] << 8 * n;
    }
    return index;
}

void
amber_draw_open_vertices(amber_emu_job *j, mach_draw *s, const amber_draw *draw)
{
    const amber_vertices *v = draw->vertices;
    s->assembly = (mach_assembly){.topology = v->topology,
                                  .count = v->count,
                                  .last_provokes = draw->pipeline->graphics->last_provokes};
    s->vertex_offset = v->first;
    s->first_instance = v->first_instance;
    s->instances = v->instances;
    for (uint32_t k = 0; k < v->input_count; k++)
        amber_keep_sync(&j->images, v->inputs[k].buffer, &draw->memory[v->inputs[k].buffer->index],
                        false);
    for (uint32_t k = 0; k < AMBER_MAX_CAPTURED; k++) {
        const amber_buffer *b = draw->pipeline->graphics->captured[k];
        if (b)
            amber_keep_sync(&j->images, b, &draw->memory[b->index], true);
    }
    if (!v->index)
        return;
    const amber_memory *m = &draw->memory[v->index->index];
    amber_keep_sync(&j->images, v->index, m, false);
    s->assembly.index = read_indices(&j->arena, v, m->bytes);
    s->assembly.restart = draw->pipeline->graphics->restart;
    s->assembly.restart_index = (uint32_t)base_mask64(amber_draw_index_bits(v->index));
}

/* ---- stages ---- */

static amber_dispatch
stage_of(const amber_draw *draw, const amber_stage_code *code)
{
    return (amber_dispatch){
        .words = code->words,
        .word_count = code->word_count,
        .pipeline = draw->pipeline,
        .stage = code->attach,
        .memory = draw->memory,
        .addressed = draw->addressed,
        .addressed_count = draw->addressed_count,
        .push = draw->push,
        .push_size = draw->push_size,
        .max_instructions = draw->max_instructions,
        .is_lasting = draw->is_lasting,
    };
}

bool
amber_draw_open_stages(const amber_draw *draw, amber_dispatch stages[AMBER_DRAW_STAGES],
                       amber_result *r)
{
    for (uint32_t k = 0; k < draw->stage_count; k++) {
        const amber_stage_code *code = &draw->stages[k];
        amber_stage s = code->attach->stage;
        if (s != AMBER_VERTEX && s != AMBER_FRAGMENT)
            return amber_set_result(r, AMBER_SKIP, "geometry and tessellation shaders");
        stages[s == AMBER_FRAGMENT] = stage_of(draw, code);
    }
    return true;
}
