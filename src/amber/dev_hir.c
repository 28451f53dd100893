/* The HIR interpreter as a device. The handle of a descriptor is its index in the pipeline's
 * bindings, counted from 1. Buffers are the runner's own bytes; images are kept in the machine
 * layer's layout. */
#include "amber/dev_hir_run.h"

#include "machine/report.h"

#include <stdio.h>

/* The sizes of subgroups, and that for scripts that require none; 8 is that of A3xx. */
enum { SIZES = 8 | 32 | 64, SIZE = 64 };

/* The address of the acceleration structures, which no buffer has. */
#define ACCEL_BASE UINT64_C(0x0000700000000000)

static uint32_t
find_resource(void *user, uint32_t set, uint32_t binding, uint32_t index, ir_desc_type type)
{
    const amber_hir_run *r = user;
    const amber_pipeline *p = r->run->pipeline;
    (void)type;
    for (uint32_t i = 0; i < p->binding_count; i++) {
        const amber_binding *b = &p->bindings[i];
        if (b->set == set && b->binding == binding && b->element == index)
            return i + 1;
    }
    return 0;
}

static ir_eval_buffer
get_buffer(void *user, uint32_t handle)
{
    const amber_hir_run *r = user;
    const amber_pipeline *p = r->run->pipeline;
    uint64_t offset;
    if (!handle || handle > p->binding_count || !p->bindings[handle - 1].buffer)
        return (ir_eval_buffer){0};
    const amber_binding *b = &p->bindings[handle - 1];
    uint64_t size = amber_emu_range(b, &offset);
    return (ir_eval_buffer){r->run->memory[b->buffer->index].bytes + offset, size};
}

/* 0 is no structure. */
static uint64_t
get_accel(void *user, uint32_t handle)
{
    const amber_hir_run *r = user;
    const amber_pipeline *p = r->run->pipeline;
    if (!handle || handle > p->binding_count || !p->bindings[handle - 1].accel)
        return 0;
    return ACCEL_BASE + amber_accel_find(&r->accels, p->bindings[handle - 1].accel).offset;
}

static uint8_t *
translate(void *user, uint64_t address, uint64_t size, bool write)
{
    const amber_hir_run *r = user;
    const uint64_t in_accels = address - ACCEL_BASE;
    if (!write && in_accels < r->accels.size && size <= r->accels.size - in_accels)
        return r->accel_bytes + in_accels;
    for (uint32_t i = 0; i < r->run->addressed_count; i++) {
        const amber_buffer *b = r->run->addressed[i];
        uint64_t at = address - b->address;
        if (at < b->size && size <= b->size - at)
            return r->run->memory[b->index].bytes + at;
    }
    return NULL;
}

static bool
do_image(void *user, ir_eval_image_op *op)
{
    const amber_hir_run *r = user;
    uint32_t count = r->run->pipeline->binding_count;
    if (!op->image || op->image > count || !r->run->pipeline->bindings[op->image - 1].buffer)
        return false;
    const mach_sampler *s = op->sampler && op->sampler <= count ? &r->samplers[op->sampler - 1]
                                                                : NULL;
    return mach_image_op(&r->views[op->image - 1], s, op);
}

static bool
open_binding(amber_hir_run *r, uint32_t index)
{
    const amber_binding *b = &r->run->pipeline->bindings[index];
    if (b->sampler)
        r->samplers[index] = amber_emu_sampler(b->sampler);
    if (amber_keep_is_image(b->kind)) {
        const mach_image *m = amber_emu_get_image(&r->device->job, r->run, b->buffer, r->result);
        if (!m)
            return false;
        r->views[index] = *m;
        amber_emu_image_view(b, &r->views[index]);
    } else if (b->kind == AMBER_BIND_UNIFORM_TEXEL || b->kind == AMBER_BIND_STORAGE_TEXEL) {
        if (!amber_emu_texel_buffer(b, r->run->memory[b->buffer->index].bytes, &r->views[index]))
            return amber_set_result(r->result, AMBER_SKIP, "texel buffer %s", b->buffer->name);
    }
    return true;
}

bool
amber_hir_open_bindings(amber_hir_run *r)
{
    const amber_pipeline *p = r->run->pipeline;
    arena *a = &r->device->job.arena;
    r->views = ARENA_ARRAY(a, p->binding_count, mach_image);
    r->samplers = ARENA_ARRAY(a, p->binding_count, mach_sampler);
    amber_accel_build(a, p, &r->accels);
    r->accel_bytes = arena_zalloc(a, (size_t)r->accels.size);
    amber_accel_store(&r->accels, ACCEL_BASE, r->accel_bytes);
    amber_keep_before(&r->device->job.images, r->run);
    for (uint32_t i = 0; i < p->binding_count; i++)
        if (!open_binding(r, i))
            return false;
    return true;
}

ir_fn *
amber_hir_shader(amber_hir_run *r)
{
    amber_emu_job *j = &r->device->job;
    ir_fn *f = amber_emu_find_program(j, r->run);
    if (f)
        return f;
    j->options.scratch_gap = r->device->odd.scratch_gap;
    f = amber_emu_read(j, r->run);
    amber_emu_add_program(j, r->run, f);
    return f;
}

bool
amber_hir_note(amber_hir_run *r, const ir_eval_result *result)
{
    static const uint32_t checks[] = {[IR_EVAL_BAD_ACCESS] = MACH_CHECK_MEMORY,
                                      [IR_EVAL_HANG] = MACH_CHECK_HANGS,
                                      [IR_EVAL_UNSUPPORTED] = 0};
    r->result->instructions += result->instructions;
    r->result->lane_instructions += result->lane_ops;
    r->result->findings |= checks[result->status];
    if (*result->race) {
        r->result->findings |= MACH_CHECK_RACES;
        snprintf(r->result->reason, sizeof r->result->reason, "%s", result->race);
    }
    if (result->status == IR_EVAL_OK)
        return true;
    return amber_set_result(r->result,
                            result->status == IR_EVAL_UNSUPPORTED ? AMBER_SKIP : AMBER_FAIL, "%s",
                            result->message);
}

ir_eval_env
amber_hir_env(amber_hir_run *r)
{
    return (ir_eval_env){
        .user = r,
        .resource = find_resource,
        .buffer = get_buffer,
        .accel = get_accel,
        .image = do_image,
        .translate = translate,
        .push_constants = r->run->push,
        .push_constant_size = r->run->push_size,
        .instruction_limit = r->run->max_instructions,
        .undefined = r->device->odd.undefined,
        .backwards = r->device->odd.backwards,
        .rough = r->device->odd.rough,
        .find_races = r->device->odd.find_races,
    };
}

/* The part that may leave through the job's error exit. */
static bool
run_protected(void *user)
{
    amber_hir_run *r = user;
    amber_emu_job *j = &r->device->job;
    ir_eval_result result;
    ir_fn *f = amber_hir_shader(r);
    if (!amber_hir_open_bindings(r))
        return false;
    ir_eval_env env = amber_hir_env(r);
    ir_eval *e = ir_eval_new(f, j->options.subgroup_size, &j->arena);
    ir_eval_run(e, &env, r->run->groups, &result);
    amber_keep_after(&j->images, r->run);
    return amber_hir_note(r, &result);
}

static bool
dispatch(amber_device *base, arena *scratch, const amber_dispatch *run, amber_result *result)
{
    amber_hir_device *d = (amber_hir_device *)base;
    amber_hir_run *r = ARENA_NEW(scratch, amber_hir_run);
    uint32_t wave_size;
    if (!amber_emu_wave_size(run->stage, &d->waves, &wave_size, result))
        return false;
    *r = (amber_hir_run){.device = d, .run = run, .result = result};
    result->instructions = result->lane_instructions = result->findings = 0;
    amber_emu_job_begin(&d->job, run, wave_size);
    bool ok = amber_emu_protect(&d->job, run_protected, r, result);
    amber_emu_job_end(&d->job, run);
    return ok;
}

static void
sync(amber_device *base, const amber_buffer *b, const amber_memory *m, bool write)
{
    amber_keep_sync(&((amber_hir_device *)base)->job.images, b, m, write);
}

static void
close_job(amber_device *base)
{
    amber_emu_job_close(&((amber_hir_device *)base)->job);
}

amber_device *
amber_hir_open_odd(arena *a, uint32_t size, amber_hir_odd odd)
{
    static const amber_device_functions functions = {
        .has_feature = amber_emu_has_feature,
        .has_device_extension = amber_emu_has_device_extension,
        .has_instance_extension = amber_emu_has_instance_extension,
        .has_property = amber_emu_has_property,
        .dispatch = dispatch,
        .draw = amber_hir_draw,
        .sync = sync,
        .end_script = close_job,
        .destroy = close_job,
    };
    amber_hir_device *d = ARENA_NEW(a, amber_hir_device);
    d->base.functions = &functions;
    d->base.name = "hir";
    d->waves = (amber_emu_waves){size == 1 ? 1 : SIZES, size ? size : SIZE};
    d->odd = odd;
    amber_emu_job_open(&d->job);
    return &d->base;
}

amber_device *
amber_hir_open(arena *a, uint32_t size)
{
    return amber_hir_open_odd(a, size, (amber_hir_odd){0});
}
