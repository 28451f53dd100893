/* Draws on the interpreter's device: the pipeline's state becomes a draw of the machine layer, and
 * the interpreter runs its shaders. */
#include "amber/dev_hir_run.h"
#include "amber/dev_hir_stage.h"

#include <stdio.h>

enum { STAGES = 2 /* vertex, fragment */ };

typedef struct hir_draw {
    amber_hir_run run[STAGES];
    amber_dispatch stage[STAGES];
    ir_eval *eval[STAGES];
    mach_draw state;
    amber_hir_stages stages;
} hir_draw;

/* ---- shaders ---- */

static bool
vertex_io(void *user, ir_eval_io *io)
{
    hir_draw *d = ((amber_hir_run *)user)->draw;
    return amber_hir_vertex_io(&d->stages, io);
}

static bool
fragment_io(void *user, ir_eval_io *io)
{
    hir_draw *d = ((amber_hir_run *)user)->draw;
    return amber_hir_fragment_io(&d->stages, io);
}

static bool
shade_vertices(void *user, mach_vertex_batch *batch)
{
    hir_draw *d = user;
    ir_eval_result result;
    ir_eval_env env = amber_hir_env(&d->run[0]);
    env.io = vertex_io;
    d->stages.vertices = batch;
    memset(d->stages.varyings, 0, batch->n_vertices * sizeof *d->stages.varyings);
    for (uint32_t k = 0; k < batch->n_vertices; k++)
        batch->shaded[k].place.point_size = 1;
    ir_eval_run_stage(d->eval[0], &env, batch->n_vertices, NULL, &result);
    return amber_hir_note(&d->run[0], &result);
}

static bool
shade_fragments(void *user, mach_fragment_batch *batch)
{
    hir_draw *d = user;
    ir_eval_result result;
    ir_eval_env env = amber_hir_env(&d->run[1]);
    bool helper[4 * MACH_BATCH_QUADS];
    env.io = fragment_io;
    d->stages.fragments = batch;
    for (uint32_t k = 0; k < 4 * batch->n_quads; k++)
        helper[k] = !batch->quads[k / 4].at.samples[k % 4];
    ir_eval_run_stage(d->eval[1], &env, 4 * batch->n_quads, helper, &result);
    for (uint32_t k = 0; k < 4 * batch->n_quads; k++)
        batch->fragments[k / 4][k % 4].dead = helper[k];
    return amber_hir_note(&d->run[1], &result);
}

/* ---- state ---- */

static unsigned
greater(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* What the fixed functions must know of a shader's outputs. */
static void
note_outputs(mach_draw *s, const ir_fn *f)
{
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            if (i->op != IR_store_output)
                continue;
            ir_slot slot = (ir_slot)ir_attr_get(i, IR_A_SLOT);
            unsigned end = 4 * ir_attr_get(i, IR_A_LOCATION) + ir_attr_get(i, IR_A_COMPONENT) +
                           ir_type_comps(ir_ref_type(f, i->refs[0]));
            s->writes_depth |= slot == IR_SLOT_depth;
            s->writes_stencil |= slot == IR_SLOT_stencil;
            if (slot == IR_SLOT_clip_distance)
                s->setup.clip_distances = greater(s->setup.clip_distances, end);
            if (slot == IR_SLOT_cull_distance)
                s->setup.cull_distances = greater(s->setup.cull_distances, end);
        }
    }
}

/* The image of an attachment's mip level. Returns false with a skip if its format is not known. */
static bool
open_target(hir_draw *d, const amber_buffer *b, uint32_t mip, mach_image *out)
{
    amber_hir_run *r = &d->run[0];
    const mach_image *m = amber_emu_get_image(&r->device->job, r->run, b, r->result);
    if (!m)
        return false;
    *out = *m;
    out->base_level = mip;
    out->view_levels = 1;
    return true;
}

static bool
open_colors(hir_draw *d, const amber_graphics *g)
{
    mach_draw *s = &d->state;
    s->n_colors = g->target_count;
    for (uint32_t k = 0; k < g->target_count; k++) {
        mach_color_target *t = &s->colors[k];
        if (!open_target(d, g->targets[k].buffer, g->targets[k].mip, &t->image))
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
open_depth(hir_draw *d, const amber_graphics *g)
{
    mach_draw *s = &d->state;
    mach_image m;
    if (!g->depth_stencil)
        return true;
    if (!open_target(d, g->depth_stencil, 0, &m))
        return false;
    const amber_texel *t = &g->depth_stencil->type->texel;
    for (unsigned k = 0; k < t->count; k++) {
        if (t->part[k].name == 'D')
            s->depth = m;
        if (t->part[k].name == 'S')
            s->stencil = m;
    }
    return true;
}

static void
set_rules(mach_draw *s, const amber_draw *draw)
{
    const amber_graphics *g = draw->pipeline->graphics;
    s->setup = (mach_setup_rules){.clip_depth = !g->clamps_depth,
                                  .cull_front = g->cull_front,
                                  .cull_back = g->cull_back,
                                  .front_is_clockwise = g->front_is_clockwise,
                                  .mode = g->polygon_mode,
                                  .line_width = g->line_width};
    s->n_viewports = 1;
    s->viewports[0] = g->viewport;
    s->scissors[0] = s->area = (mach_rect){0, 0, (int32_t)g->width, (int32_t)g->height};
    s->layers = 1;
    s->samples = greater(g->samples, 1);
    s->sample_mask = UINT32_MAX;
    s->discards_all = g->discards_all;
    s->clamps_depth = g->clamps_depth;
    s->unrestricted_depth = draw->unrestricted_depth;
    s->depth_stencil = g->tests;
    s->bounds_depth = g->bounds_depth;
    memcpy(s->depth_bounds, g->depth_bounds, sizeof s->depth_bounds);
    s->has_logic_op = g->has_logic_op;
    s->logic_op = g->logic_op;
}

/* ---- vertices ---- */

static uint32_t
index_bits(const amber_buffer *b)
{
    return b->type->slot_count ? b->type->slots[0].bits : 32;
}

/* The indices as numbers; those outside of the buffer are 0. */
static const uint32_t *
read_indices(arena *a, const amber_vertices *v, const uint8_t *bytes)
{
    uint32_t *index = ARENA_ARRAY(a, v->count, uint32_t), size = v->index->type->size;
    uint32_t used = index_bits(v->index) / 8;
    for (uint64_t k = 0; k < v->count && (k + 1) * size <= v->index->size; k++) {
        for (uint32_t n = 0; n < used; n++)
            index[k] |= (uint32_t)bytes[k * size + n] << 8 * n;
    }
    return index;
}

static void
set_vertices(hir_draw *d, const amber_draw *draw)
{
    const amber_vertices *v = draw->vertices;
    mach_draw *s = &d->state;
    amber_emu_job *j = &d->run[0].device->job;
    s->assembly = (mach_assembly){.topology = v->topology, .count = v->count};
    s->vertex_offset = v->first;
    s->first_instance = v->first_instance;
    s->instances = v->instances;
    for (uint32_t k = 0; k < v->input_count; k++)
        amber_keep_sync(&j->images, v->inputs[k].buffer, &draw->memory[v->inputs[k].buffer->index],
                        false);
    if (!v->index)
        return;
    const amber_memory *m = &draw->memory[v->index->index];
    amber_keep_sync(&j->images, v->index, m, false);
    s->assembly.index = read_indices(&j->arena, v, m->bytes);
    s->assembly.restart = draw->pipeline->graphics->restart;
    s->assembly.restart_index = (uint32_t)base_mask64(index_bits(v->index));
}

/* ---- draws ---- */

/* Reads a stage's shader, with its own specialisation constants and wave size. */
static ir_fn *
open_stage(hir_draw *d, unsigned k)
{
    amber_hir_run *r = &d->run[k];
    amber_emu_job *j = &r->device->job;
    uint32_t wave_size;
    if (!amber_emu_wave_size(r->run->stage, &r->device->waves, &wave_size, r->result))
        return NULL;
    amber_emu_job_begin(j, r->run, wave_size);
    ir_fn *f = amber_hir_shader(r);
    d->eval[k] = ir_eval_new(f, wave_size, &j->arena);
    note_outputs(&d->state, f);
    return f;
}

static bool
open_stages(hir_draw *d)
{
    mach_draw *s = &d->state;
    s->shading = (mach_shading){.vertices = shade_vertices, .user = d};
    if (!open_stage(d, 0) || !amber_hir_open_bindings(&d->run[0]))
        return false;
    if (!d->run[1].run)
        return true;
    const ir_fn *f = open_stage(d, 1);
    if (!f)
        return false;
    d->run[1].views = d->run[0].views;
    d->run[1].samplers = d->run[0].samplers;
    s->shading.fragments = shade_fragments;
    s->tests_early = f->shader.fragment.early_tests;
    s->shades_samples = f->shader.fragment.sample_shading;
    s->in_order = f->shader.fragment.interlock != IR_INTERLOCK_NONE;
    return true;
}

static void
finish(hir_draw *d, const amber_graphics *g)
{
    amber_keep *k = &d->run[0].device->job.images;
    amber_keep_after(k, d->run[0].run);
    for (uint32_t n = 0; n < g->target_count; n++) {
        const amber_target *t = &g->targets[n];
        mach_image to;
        amber_keep_drawn(k, t->buffer);
        if (t->resolve && open_target(d, t->resolve, 0, &to)) {
            mach_resolve(&d->state.colors[n].image, &to);
            amber_keep_drawn(k, t->resolve);
        }
    }
    amber_keep_drawn(k, g->depth_stencil);
}

/* The part that may leave through the job's error exit. */
static bool
draw_protected(void *user)
{
    hir_draw *d = user;
    const amber_draw *draw = d->stages.draw;
    const amber_graphics *g = draw->pipeline->graphics;
    mach_draw_counts counts = {0};
    set_rules(&d->state, draw);
    if (!open_stages(d) || !open_colors(d, g) || !open_depth(d, g))
        return false;
    mach_depth_bias bias = g->bias;
    bias.unit = depth_unit(d->state.depth.format);
    d->state.setup.bias = g->has_bias ? &bias : NULL;
    set_vertices(d, draw);
    bool ok = mach_draw_run(&d->state, &d->run[0].device->job.scratch, &counts);
    finish(d, g);
    return ok;
}

/* A dispatch that has what the device's own functions ask of a stage. */
static void
set_stage(hir_draw *d, unsigned k, const amber_stage_code *code)
{
    const amber_draw *draw = d->stages.draw;
    d->stage[k] = (amber_dispatch){
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
    d->run[k].run = &d->stage[k];
}

bool
amber_hir_draw(amber_device *base, arena *scratch, const amber_draw *draw, amber_result *result)
{
    amber_hir_device *device = (amber_hir_device *)base;
    amber_emu_job *j = &device->job;
    hir_draw *d = ARENA_NEW(scratch, hir_draw);
    d->stages.draw = draw;
    d->stages.state = &d->state;
    result->instructions = result->lane_instructions = result->findings = 0;
    for (unsigned k = 0; k < STAGES; k++)
        d->run[k] = (amber_hir_run){.device = device, .result = result, .draw = d};
    for (uint32_t k = 0; k < draw->stage_count; k++) {
        const amber_stage_code *code = &draw->stages[k];
        amber_stage s = code->attach->stage;
        if (s != AMBER_VERTEX && s != AMBER_FRAGMENT)
            return amber_set_result(result, AMBER_SKIP, "geometry and tessellation shaders");
        set_stage(d, s == AMBER_FRAGMENT, code);
    }
    bool ok = amber_emu_protect(j, draw_protected, d, result);
    amber_emu_job_end(j, &d->stage[0]);
    return ok;
}
