/* A family's compiler and emulator as a device. It compiles the shader, puts the script's buffers
 * and images into the machine's memory and lets the family launch the shader with them. Contents of
 * buffers are copied to the machine's memory and back, so that its allocations end where the
 * script's buffers end. */
#include "amber/dev_machine.h"

#include "amber/dev_emu.h"
#include "families/families.h"

#include <stdio.h>
#include <string.h>

typedef struct machine_device {
    amber_device base;
    family_target target;
    amber_emu_waves waves;
    amber_machine_options options;
    void *switches; /* of the family */
} machine_device;

/* A buffer of the script in the machine's memory: as bytes, as an image, or both. */
typedef struct placed {
    const amber_buffer *source;
    mach_region *bytes;  /* NULL: not bound as a buffer */
    mach_region *texels; /* NULL: not bound as an image */
    mach_image image;
} placed;

typedef struct machine_run {
    amber_emu_job job;
    machine_device *device;
    const amber_dispatch *run;
    amber_result *result;
    uint32_t wave_size;
    family_layout layout;
    family_binary binary;
    uint32_t group_size[3];
    mach_memory memory;
    placed *buffers; /* by amber_buffer.index */
    uint32_t buffer_count;
    family_resource *resources; /* of each binding */
    family_launch launch;
    mach_report report;
} machine_run;

/* ---- compiling ---- */

/* Lists the module's declarations for the default layout. */
static void
make_layout(machine_run *r)
{
    amber_emu_job *j = &r->job;
    spirv_info *info = spirv_reflect(&j->ctx, &j->options, r->run->words, r->run->word_count);
    r->layout.bindings = ARENA_ARRAY(&j->arena, info->n_bindings, family_binding);
    for (size_t i = 0; i < info->n_bindings; i++) {
        const spirv_binding *b = &info->bindings[i];
        r->layout.bindings[r->layout.n_bindings++] = (family_binding){
            .set = b->set, .binding = b->binding, .type = b->type, .count = b->count};
    }
}

static void
compile(machine_run *r)
{
    const machine_device *d = r->device;
    ir_pass_run run = {.verify = true, .skip = d->options.skip};
    ir_fn *f = amber_emu_read(&r->job, r->run);
    make_layout(r);
    const family_request request = {
        .target = &d->target,
        .name = "main",
        .wave_size = r->wave_size,
        .abi = d->options.abi,
        .validate = true,
        .layout = &r->layout,
        .switches = d->switches,
        .run = &run,
    };
    memcpy(r->group_size, f->shader.workgroup_size, sizeof r->group_size);
    d->target.family->compiler->compile(f, &request, &r->binary);
}

/* ---- memory ---- */

static mach_region *
allocate(machine_run *r, uint64_t size, const char *name)
{
    mach_region *region = mach_memory_alloc(&r->memory, MACH_HEAP_LOW, size, 0, name);
    if (!region)
        diag_fail(&r->job.diag, ERR_AMBER_LIMIT, name);
    return region;
}

static bool
is_image_kind(amber_descriptor kind)
{
    return kind == AMBER_BIND_STORAGE_IMAGE || kind == AMBER_BIND_SAMPLED_IMAGE ||
           kind == AMBER_BIND_COMBINED;
}

static void
put_bytes(machine_run *r, placed *p)
{
    const amber_buffer *b = p->source;
    const uint8_t *contents = r->run->memory[b->index].bytes;
    if (!b->address) {
        p->bytes = allocate(r, b->size, b->name);
        memcpy(p->bytes->host, contents, (size_t)b->size);
        return;
    }
    p->bytes = mach_memory_map(&r->memory, b->address, b->size,
                               arena_copy(&r->job.arena, contents, (size_t)b->size), b->name);
    if (!p->bytes)
        diag_fail(&r->job.diag, ERR_AMBER_LIMIT, b->name);
}

static bool
put_image(machine_run *r, placed *p)
{
    const amber_buffer *b = p->source;
    uint64_t size = amber_emu_image(b, &p->image);
    if (!size)
        return amber_set_result(r->result, AMBER_SKIP, "image of format %s with %u samples",
                                b->type->has_texel ? b->type->texel.name : "none", b->samples);
    p->texels = allocate(r, size, b->name);
    p->image.data = p->texels->host;
    p->image.size = size;
    amber_emu_image_put(&p->image, b, r->run->memory[b->index].bytes);
    return true;
}

static void
count_buffer(machine_run *r, const amber_buffer *b)
{
    if (b && b->index >= r->buffer_count)
        r->buffer_count = b->index + 1;
}

/* Copies the contents of all buffers that are bound, or have an address, into memory. */
static bool
put_buffers(machine_run *r)
{
    const amber_pipeline *p = r->run->pipeline;
    for (uint32_t i = 0; i < p->binding_count; i++)
        count_buffer(r, p->bindings[i].buffer);
    for (uint32_t i = 0; i < r->run->addressed_count; i++)
        count_buffer(r, r->run->addressed[i]);
    r->buffers = ARENA_ARRAY(&r->job.arena, r->buffer_count, placed);
    for (uint32_t i = 0; i < r->run->addressed_count; i++) {
        placed *at = &r->buffers[r->run->addressed[i]->index];
        at->source = r->run->addressed[i];
        put_bytes(r, at);
    }
    for (uint32_t i = 0; i < p->binding_count; i++) {
        const amber_buffer *b = p->bindings[i].buffer;
        placed *at = b ? &r->buffers[b->index] : NULL;
        if (!b)
            continue;
        at->source = b;
        if (!is_image_kind(p->bindings[i].kind) && !at->bytes)
            put_bytes(r, at);
        else if (is_image_kind(p->bindings[i].kind) && !at->texels && !put_image(r, at))
            return false;
    }
    return true;
}

static void
get_buffers(machine_run *r)
{
    for (uint32_t i = 0; i < r->buffer_count; i++) {
        const placed *p = &r->buffers[i];
        if (p->texels)
            amber_emu_image_get(&p->image, p->source, r->run->memory[i].bytes);
        else if (p->bytes)
            memcpy(r->run->memory[i].bytes, p->bytes->host, (size_t)p->bytes->size);
    }
}

/* ---- resources ---- */

static bool
is_texel_kind(amber_descriptor kind)
{
    return kind == AMBER_BIND_UNIFORM_TEXEL || kind == AMBER_BIND_STORAGE_TEXEL;
}

static void
describe_image(machine_run *r, const amber_binding *b, family_resource *out)
{
    const placed *p = &r->buffers[b->buffer->index];
    mach_image *view = arena_copy(&r->job.arena, &p->image, sizeof p->image);
    amber_emu_image_view(b, view);
    out->kind = FAMILY_IMAGE;
    out->address = p->texels->base;
    out->image = view;
}

static void
describe_texels(machine_run *r, const amber_binding *b, family_resource *out)
{
    const mach_region *bytes = r->buffers[b->buffer->index].bytes;
    mach_image *view = ARENA_NEW(&r->job.arena, mach_image);
    out->kind = FAMILY_TEXEL_BUFFER;
    if (!amber_emu_texel_buffer(b, bytes->host, view))
        return;
    out->address = bytes->base + (uint64_t)(view->data - bytes->host);
    out->image = view;
}

static void
describe_buffer(machine_run *r, const amber_binding *b, family_resource *out)
{
    uint64_t offset;
    out->kind = FAMILY_BUFFER;
    out->size = amber_emu_range(b, &offset);
    out->address = r->buffers[b->buffer->index].bytes->base + offset;
}

static void
describe_bindings(machine_run *r)
{
    const amber_pipeline *p = r->run->pipeline;
    r->resources = ARENA_ARRAY(&r->job.arena, p->binding_count, family_resource);
    for (uint32_t i = 0; i < p->binding_count; i++) {
        const amber_binding *b = &p->bindings[i];
        family_resource *out = &r->resources[i];
        *out = (family_resource){.set = b->set, .binding = b->binding, .element = b->element};
        out->kind = FAMILY_SAMPLER;
        if (b->sampler) {
            const mach_sampler sampler = amber_emu_sampler(b->sampler);
            out->sampler = arena_copy(&r->job.arena, &sampler, sizeof sampler);
        }
        if (is_image_kind(b->kind))
            describe_image(r, b, out);
        else if (is_texel_kind(b->kind))
            describe_texels(r, b, out);
        else if (b->kind != AMBER_BIND_SAMPLER)
            describe_buffer(r, b, out);
    }
}

/* ---- running ---- */

/* Launches the shader. Returns false (with a skip) if the hardware cannot describe a resource. */
static bool
launch(machine_run *r)
{
    const machine_device *d = r->device;
    const amber_pipeline *p = r->run->pipeline;
    family_dispatch dispatch = {.checks = d->options.checks,
                                .seed = d->options.seed,
                                .max_instructions = r->run->max_instructions};
    const family_shader shader = {.binary = &r->binary,
                                  .layout = &r->layout,
                                  .abi = d->options.abi,
                                  .resources = r->resources,
                                  .n_resources = p->binding_count,
                                  .push = r->run->push,
                                  .push_size = r->run->push_size};
    memcpy(dispatch.group_size, r->group_size, sizeof dispatch.group_size);
    memcpy(dispatch.groups, r->run->groups, sizeof dispatch.groups);
    r->launch = d->target.family->emulator->launch_shader(&r->job.ctx, &r->memory, &d->target,
                                                          &dispatch, &shader);
    if (r->launch.own)
        return true;
    const amber_buffer *b = p->bindings[r->launch.resource].buffer;
    return amber_set_result(r->result, AMBER_SKIP, "%s of format %s on %s", b->name,
                            b->type->has_texel ? b->type->texel.name : "none", d->base.name);
}

/* Prints the source line of the instruction at `pc`, if known. Lines of an inline text are counted
 * in the script. */
static void
print_place(machine_run *r, uint64_t pc, base_buf *out)
{
    const amber_shader *shader = r->run->stage->shader;
    bool is_inline = !shader->path &&
                     (shader->language == AMBER_GLSL || shader->language == AMBER_HLSL);
    const obj_code *code = &r->binary.code;
    const obj_line *row = obj_find_line(code, pc - r->launch.entry);
    if (row)
        buf_printf(out, " [%s:%u]", code->files[row->file],
                   row->line + (is_inline ? shader->line - 1 : 0));
}

/* Fails with the first finding and the number of findings. */
static bool
fail_by_report(machine_run *r)
{
    const mach_report *report = &r->report;
    base_buf text = buf_make(&r->job.arena);
    if (report->n_findings) {
        mach_print_finding(&report->findings[0], &text);
        print_place(r, report->findings[0].pc, &text);
    } else {
        buf_printf(&text, "the emulator ended with status %d", (int)report->status);
    }
    return amber_set_result(r->result,
                            report->status == MACH_RUN_UNSUPPORTED ? AMBER_SKIP : AMBER_FAIL,
                            report->total > 1 ? "%s (of %llu findings)" : "%s", buf_text(&text),
                            (unsigned long long)report->total);
}

static void
note_report(machine_run *r)
{
    const mach_report *report = &r->report;
    r->result->instructions = report->instructions;
    r->result->lane_instructions = report->lane_instructions;
    r->result->findings = 0;
    for (uint32_t i = 0; i < report->n_findings; i++)
        r->result->findings |= report->findings[i].check;
}

/* The part that may leave through the job's error exit. */
static bool
run_protected(machine_run *r)
{
    compile(r);
    mach_memory_init(&r->memory, &r->job.arena);
    if (!put_buffers(r))
        return false;
    describe_bindings(r);
    if (!launch(r))
        return false;
    bool ok = r->device->target.family->emulator->run(r->launch.own, &r->memory, &r->job.scratch,
                                                      &r->report);
    note_report(r);
    get_buffers(r);
    return ok || fail_by_report(r);
}

static bool
dispatch(amber_device *base, arena *scratch, const amber_dispatch *run, amber_result *result)
{
    machine_device *d = (machine_device *)base;
    machine_run *r = ARENA_NEW(scratch, machine_run);
    bool ok = false;
    r->device = d;
    r->run = run;
    r->result = result;
    if (!amber_emu_wave_size(run->stage, &d->waves, &r->wave_size, result))
        return false;
    amber_emu_job_init(&r->job, run, r->wave_size);
    if (DIAG_TRY(&r->job.diag))
        ok = run_protected(r);
    else
        amber_emu_job_result(&r->job, result);
    amber_emu_job_free(&r->job);
    return ok;
}

static void
destroy(amber_device *d)
{
    (void)d;
}

/* Sets the switches that the family knows. */
static void *
read_switches(arena *a, const family_compiler *c, const char *text)
{
    void *switches = arena_zalloc(a, c->switches_size);
    while (text && *text) {
        char word[64];
        size_t len = strcspn(text, ",");
        snprintf(word, sizeof word, "%.*s", (int)len, text);
        if (c->read_switch)
            c->read_switch(switches, word);
        text += len + (text[len] == ',');
    }
    return switches;
}

amber_device *
amber_machine_open(arena *a, const char *target, const amber_machine_options *options)
{
    static const amber_device_functions functions = {
        .has_feature = amber_emu_has_feature,
        .has_device_extension = amber_emu_has_device_extension,
        .has_instance_extension = amber_emu_has_instance_extension,
        .has_property = amber_emu_has_property,
        .dispatch = dispatch,
        .destroy = destroy,
    };
    family_target t;
    if (!families_find_target(target, &t) || !t.compiles || !t.family->compiler ||
        !family_emulator_of(&t)->launch_shader)
        return NULL;
    machine_device *d = ARENA_NEW(a, machine_device);
    d->base.functions = &functions;
    d->base.name = t.name;
    d->target = t;
    d->options = *options;
    d->waves.sizes = t.wave_sizes;
    d->waves.wanted = options->wave_size ? options->wave_size : t.default_wave_size;
    d->switches = read_switches(a, t.family->compiler, options->switches);
    return &d->base;
}
