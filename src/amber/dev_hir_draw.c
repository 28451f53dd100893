/* Draws on the interpreter's device: the pipeline's state becomes a draw of the machine layer, and
 * the interpreter runs its shaders. */
#include "amber/dev_draw.h"
#include "amber/dev_hir_run.h"
#include "amber/dev_hir_stage.h"

#include <stdio.h>

typedef struct hir_draw {
    amber_hir_run run[AMBER_DRAW_STAGES];
    amber_dispatch stage[AMBER_DRAW_STAGES];
    ir_eval *eval[AMBER_DRAW_STAGES];
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

/* Interpolation need not be correctly rounded: ir_eval_env.rough, whose sign neighbours change. */
static bool
fragment_io(void *user, ir_eval_io *io)
{
    amber_hir_run *r = user;
    hir_draw *d = r->draw;
    if (!amber_hir_fragment_io(&d->stages, io))
        return false;
    int64_t rough = r->device->odd.rough;
    if ((io->invocation ^ io->invocation >> 1) & 1)
        rough = -rough;
    for (unsigned c = 0; io->op == IR_load_interpolated_input && c < io->n; c++)
        if (io->value[c])
            io->value[c] += (uint64_t)rough;
    return true;
}

static bool
shade_vertices(void *user, mach_vertex_batch *batch)
{
    hir_draw *d = user;
    ir_eval_result result;
    ir_eval_env env = amber_hir_env(&d->run[0]);
    env.io = vertex_io;
    d->stages.vertices = batch;
    memset(d->stages.varyings, env.undefined, batch->n_vertices * sizeof *d->stages.varyings);
    for (uint32_t k = 0; k < batch->n_vertices; k++)
        batch->shaded[k].place.point_size = 1;
    ir_eval_run_stage(d->eval[0], &env, batch->n_vertices, NULL, &result);
    d->stages.captured += batch->n_vertices;
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
    for (uint32_t k = 0; k < 4 * batch->n_quads; k++) {
        mach_fragment *f = &batch->fragments[k / 4][k % 4];
        memset(f->color, env.undefined, sizeof f->color);
        helper[k] = !batch->quads[k / 4].at.samples[k % 4];
    }
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

/* Each primitive's vertices are run for it, in order. What is captured ends before the primitive
 * for which a buffer has no room. */
static void
open_capture(hir_draw *d, const ir_fn *f)
{
    const amber_graphics *g = d->stages.draw->pipeline->graphics;
    unsigned n = mach_primitive_vertices(d->stages.draw->vertices->topology);
    d->state.shares_nothing = f->shader.captures;
    d->stages.capture_room = UINT64_MAX;
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            if (i->op != IR_store_xfb)
                continue;
            const amber_buffer *to = g->captured[ir_attr_get(i, IR_A_BINDING)];
            uint32_t stride = ir_attr_get(i, IR_A_RANGE);
            uint64_t room = to && stride ? to->size / stride : 0;
            if (room < d->stages.capture_room)
                d->stages.capture_room = room;
        }
    }
    d->stages.capture_room -= d->stages.capture_room % n;
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
    if (k == 0)
        open_capture(d, f);
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
    d->run[1].accels = d->run[0].accels;
    d->run[1].accel_bytes = d->run[0].accel_bytes;
    s->shading.fragments = shade_fragments;
    s->tests_early = f->shader.fragment.early_tests;
    s->shades_samples = f->shader.fragment.sample_shading;
    s->in_order = f->shader.fragment.interlock != IR_INTERLOCK_NONE;
    return true;
}

/* The part that may leave through the job's error exit. */
static bool
draw_protected(void *user)
{
    hir_draw *d = user;
    const amber_draw *draw = d->stages.draw;
    amber_emu_job *j = &d->run[0].device->job;
    mach_draw_counts counts = {0};
    amber_draw_rules(&d->state, draw);
    if (!open_stages(d) || !amber_draw_open_targets(j, &d->state, draw, d->run[0].result))
        return false;
    amber_draw_open_vertices(j, &d->state, draw);
    bool ok = mach_draw_run(&d->state, &j->scratch, &counts);
    amber_draw_finish(j, &d->state, draw, d->run[0].result);
    return ok;
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
    for (unsigned k = 0; k < AMBER_DRAW_STAGES; k++)
        d->run[k] = (amber_hir_run){.device = device, .result = result, .draw = d};
    if (!amber_draw_open_stages(draw, d->stage, result))
        return false;
    for (unsigned k = 0; k < AMBER_DRAW_STAGES; k++)
        d->run[k].run = d->stage[k].words ? &d->stage[k] : NULL;
    bool ok = amber_emu_protect(j, draw_protected, d, result);
    amber_emu_job_end(j, &d->stage[0]);
    return ok;
}
