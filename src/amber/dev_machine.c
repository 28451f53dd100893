/* A family's compiler and emulator as a device. It compiles the shader, maps the script's buffers
 * and images in the machine's memory and lets the family launch the shader with them. The runner's
 * own bytes are mapped, as regions that end where the script's buffers end; compiled shaders and
 * images are kept while the script runs. */
#include "amber/dev_machine.h"

#include "amber/dev_emu.h"
#include "families/families.h"
#include "family/liveness.h"

#include <stdio.h>
#include <string.h>

typedef struct machine_device {
    amber_device base;
    amber_emu_job job;
    family_target target;
    amber_emu_waves waves;
    amber_machine_options options;
    void *switches;     /* of the family */
    ir_pass_run passes; /* requests of each compile */
} machine_device;

/* A buffer of the script in the machine's memory: as bytes, as an image, or both. */
typedef struct placed {
    const amber_buffer *source;
    mach_region *bytes;  /* NULL: not bound as a buffer */
    mach_region *texels; /* NULL: not bound as an image */
    const mach_image *image;
} placed;

/* A compiled shader. */
typedef struct program {
    family_layout layout;
    family_binary binary;
    uint32_t group_size[3];
    mach_poison poison; /* options.poison: `first` is set for each launch */
} program;

typedef struct machine_run {
    amber_emu_job *job; /* the device's */
    machine_device *device;
    const amber_dispatch *run;
    amber_result *result;
    uint32_t wave_size;
    const program *program;
    mach_memory memory;
    placed *buffers; /* by amber_buffer.index */
    uint32_t buffer_count;
    family_resource *resources; /* of each binding */
    family_launch launch;
    mach_watch own_watch, *watch; /* own_watch, or options.watch */
    mach_report report;
} machine_run;

/* ---- compiling ---- */

/* Lists the module's declarations for the default layout. */
static void
make_layout(machine_run *r, family_layout *layout)
{
    amber_emu_job *j = r->job;
    spirv_info *info = spirv_reflect(&j->kept_ctx, &j->options, r->run->words, r->run->word_count);
    layout->bindings = ARENA_ARRAY(&j->kept, info->n_bindings, family_binding);
    for (size_t i = 0; i < info->n_bindings; i++) {
        const spirv_binding *b = &info->bindings[i];
        layout->bindings[layout->n_bindings++] = (family_binding){
            .set = b->set,
            .binding = b->binding,
            .type = family_descriptor_of(b->type),
            .count = b->count};
    }
}

/* Finds the registers that are live before each instruction. */
static void
find_live(machine_run *r, program *p)
{
    arena *a = &r->job->kept;
    const obj_code *code = &p->binary.code;
    const family_target *t = &r->device->target;
    family_listing l = {.isa = t->family->isa,
                        .reader = t->family->isa->open(a, t, code->wave_size),
                        .bytes = code->code,
                        .size = code->data_offset};
    family_listing_find_labels(&l, a);
    const family_code *c = family_read_code(a, &l);
    const family_liveness *live = family_liveness_of(a, &r->job->scratch, c);
    const uint64_t **rows = ARENA_ARRAY(a, code->data_offset / 4 + 1, const uint64_t *);
    for (uint32_t k = 0; k < c->n_insts; k++)
        rows[c->insts[k].at / 4] = family_live_before(live, k);
    p->poison = (mach_poison){
        .n_dwords = code->data_offset / 4, .n_registers = live->n_registers, .live = rows};
}

/* Compiles the shader at its first dispatch. */
static void
compile(machine_run *r)
{
    const machine_device *d = r->device;
    ir_pass_run run = d->passes;
    r->program = amber_emu_find_program(r->job, r->run);
    if (r->program)
        return;
    program *p = ARENA_NEW(&r->job->kept, program);
    ir_fn *f = amber_emu_read(r->job, r->run);
    make_layout(r, &p->layout);
    const family_request request = {
        .target = &d->target,
        .name = "main",
        .wave_size = r->wave_size,
        .abi = d->options.abi,
        .validate = true,
        .layout = &p->layout,
        .switches = d->switches,
        .run = &run,
    };
    memcpy(p->group_size, f->shader.workgroup_size, sizeof p->group_size);
    d->target.family->compiler->compile(f, &request, &p->binary);
    if (d->options.poison)
        find_live(r, p);
    amber_emu_add_program(r->job, r->run, p);
    r->program = p;
}

/* ---- memory ---- */

/* Maps the runner's or the image's bytes. */
static mach_region *
map(machine_run *r, uint64_t size, uint8_t *bytes, const amber_buffer *b)
{
    mach_region *region = b->address && bytes == r->run->memory[b->index].bytes
                              ? mach_memory_map(&r->memory, b->address, size, bytes, b->name)
                              : mach_memory_place(&r->memory, MACH_HEAP_LOW, size, bytes, b->name);
    if (!region)
        diag_fail(&r->job->diag, ERR_AMBER_LIMIT, b->name);
    return region;
}

/* Memory is allocated in whole dwords, and uniform buffers are described so (docs/abi.md). */
static void
put_bytes(machine_run *r, placed *p)
{
    const amber_buffer *b = p->source;
    p->bytes = map(r, amber_whole_dwords(b->size), r->run->memory[b->index].bytes, b);
}

static bool
put_image(machine_run *r, placed *p)
{
    p->image = amber_emu_get_image(r->job, r->run, p->source, r->result);
    if (p->image)
        p->texels = map(r, p->image->size, p->image->data, p->source);
    return p->image != NULL;
}

static void
count_buffer(machine_run *r, const amber_buffer *b)
{
    if (b && b->index >= r->buffer_count)
        r->buffer_count = b->index + 1;
}

/* Maps all buffers that are bound, or have an address. */
static bool
put_buffers(machine_run *r)
{
    const amber_pipeline *p = r->run->pipeline;
    for (uint32_t i = 0; i < p->binding_count; i++)
        count_buffer(r, p->bindings[i].buffer);
    for (uint32_t i = 0; i < r->run->addressed_count; i++)
        count_buffer(r, r->run->addressed[i]);
    r->buffers = ARENA_ARRAY(&r->job->arena, r->buffer_count, placed);
    amber_keep_before(&r->job->images, r->run);
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
        if (!amber_keep_is_image(p->bindings[i].kind) && !at->bytes)
            put_bytes(r, at);
        else if (amber_keep_is_image(p->bindings[i].kind) && !at->texels && !put_image(r, at))
            return false;
    }
    return true;
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
    mach_image *view = arena_copy(&r->job->arena, p->image, sizeof *p->image);
    amber_emu_image_view(b, view);
    out->kind = FAMILY_IMAGE;
    out->address = p->texels->base;
    out->image = view;
}

static void
describe_texels(machine_run *r, const amber_binding *b, family_resource *out)
{
    const mach_region *bytes = r->buffers[b->buffer->index].bytes;
    mach_image *view = ARENA_NEW(&r->job->arena, mach_image);
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
    if (b->kind == AMBER_BIND_UNIFORM || b->kind == AMBER_BIND_UNIFORM_DYNAMIC)
        out->size = amber_whole_dwords(out->size);
    out->address = r->buffers[b->buffer->index].bytes->base + offset;
}

static void
describe_bindings(machine_run *r)
{
    const amber_pipeline *p = r->run->pipeline;
    r->resources = ARENA_ARRAY(&r->job->arena, p->binding_count, family_resource);
    for (uint32_t i = 0; i < p->binding_count; i++) {
        const amber_binding *b = &p->bindings[i];
        family_resource *out = &r->resources[i];
        *out = (family_resource){.set = b->set, .binding = b->binding, .element = b->element};
        out->kind = FAMILY_SAMPLER;
        if (b->sampler) {
            const mach_sampler sampler = amber_emu_sampler(b->sampler);
            out->sampler = arena_copy(&r->job->arena, &sampler, sizeof sampler);
        }
        if (amber_keep_is_image(b->kind))
            describe_image(r, b, out);
        else if (is_texel_kind(b->kind))
            describe_texels(r, b, out);
        else if (b->kind != AMBER_BIND_SAMPLER)
            describe_buffer(r, b, out);
    }
}

/* ---- running ---- */

/* Launches the shader. Returns false (with a skip) if the hardware cannot describe a resource, or
 * the grid is larger than code relies on (docs/abi.md). */
static bool
launch(machine_run *r)
{
    enum { MAX_GROUPS_YZ = 65535 };
    const machine_device *d = r->device;
    for (unsigned k = 1; k < 3; k++) {
        if (r->run->groups[k] > MAX_GROUPS_YZ)
            return amber_set_result(r->result, AMBER_SKIP, "%u workgroups", r->run->groups[k]);
    }
    const amber_pipeline *p = r->run->pipeline;
    family_dispatch dispatch = {.checks = d->options.checks,
                                .rules_off = d->options.rules_off,
                                .seed = d->options.seed,
                                .max_instructions = r->run->max_instructions};
    const family_shader shader = {.binary = &r->program->binary,
                                  .layout = &r->program->layout,
                                  .abi = d->options.abi,
                                  .resources = r->resources,
                                  .n_resources = p->binding_count,
                                  .push = r->run->push,
                                  .push_size = r->run->push_size};
    memcpy(dispatch.group_size, r->program->group_size, sizeof dispatch.group_size);
    memcpy(dispatch.groups, r->run->groups, sizeof dispatch.groups);
    r->watch = d->options.watch ? d->options.watch : &r->own_watch;
    if (d->options.poison || d->options.watch)
        dispatch.watch = r->watch;
    r->launch = d->target.family->emulator->launch_shader(&r->job->ctx, &r->memory, &d->target,
                                                          &dispatch, &shader);
    mach_poison *poison = arena_copy(&r->job->arena, &r->program->poison, sizeof *poison);
    poison->first = r->launch.entry;
    r->watch->poison = d->options.poison ? poison : NULL;
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
    const obj_code *code = &r->program->binary.code;
    const obj_line *row = obj_find_line(code, pc - r->launch.entry);
    if (row)
        buf_printf(out, " [%s:%u]", code->files[row->file],
                   row->line + (is_inline ? shader->line - 1 : 0));
}

static const char *
finding_text(machine_run *r, const mach_finding *f)
{
    base_buf text = buf_make(&r->job->arena);
    mach_print_finding(f, &text);
    print_place(r, f->pc, &text);
    return buf_text(&text);
}

/* Tells the findings by cause. */
static void
tell_findings(machine_run *r)
{
    const amber_machine_options *o = &r->device->options;
    uint32_t order[MACH_MAX_FINDINGS];
    uint32_t n = o->tell ? mach_order_findings(&r->report, o->max_findings, order) : 0;
    for (uint32_t i = 0; i < n; i++)
        o->tell(o->tell_user, finding_text(r, &r->report.findings[order[i]]));
    base_buf text = buf_make(&r->job->arena);
    if (o->tell && mach_print_left_out(&r->report, n, &text))
        o->tell(o->tell_user, buf_text(&text));
}

/* Fails with the finding that is the most likely cause, and the number of findings. */
static bool
fail_by_report(machine_run *r)
{
    const mach_report *report = &r->report;
    bool skips = report->status == MACH_RUN_UNSUPPORTED;
    uint32_t order[MACH_MAX_FINDINGS], n = mach_order_findings(report, MACH_MAX_FINDINGS, order);
    const char *text = n ? finding_text(r, &report->findings[order[skips ? n - 1 : 0]])
                         : arena_printf(&r->job->arena, "the emulator ended with status %d",
                                        (int)report->status);
    if (!skips)
        tell_findings(r);
    return amber_set_result(r->result, skips ? AMBER_SKIP : AMBER_FAIL,
                            report->total > 1 ? "%s (of %llu findings)" : "%s", text,
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
run_protected(void *user)
{
    machine_run *r = user;
    compile(r);
    mach_memory_init(&r->memory, &r->job->arena);
    if (!put_buffers(r))
        return false;
    describe_bindings(r);
    if (!launch(r))
        return false;
    bool ok = r->device->target.family->emulator->run(r->launch.own, &r->memory, &r->job->scratch,
                                                      &r->report);
    note_report(r);
    amber_keep_after(&r->job->images, r->run);
    return ok || fail_by_report(r);
}

static bool
dispatch(amber_device *base, arena *scratch, const amber_dispatch *run, amber_result *result)
{
    machine_device *d = (machine_device *)base;
    machine_run *r = ARENA_NEW(scratch, machine_run);
    *r = (machine_run){.job = &d->job, .device = d, .run = run, .result = result};
    if (!amber_emu_wave_size(run->stage, &d->waves, &r->wave_size, result))
        return false;
    amber_emu_job_begin(&d->job, run, r->wave_size);
    bool ok = amber_emu_protect(&d->job, run_protected, r, result);
    amber_emu_job_end(&d->job, run);
    return ok;
}

static void
sync(amber_device *base, const amber_buffer *b, const amber_memory *m, bool write)
{
    amber_keep_sync(&((machine_device *)base)->job.images, b, m, write);
}

static void
close_job(amber_device *base)
{
    amber_emu_job_close(&((machine_device *)base)->job);
}

/* Adds a name to the list of the passes to skip. */
static void
add_skip(arena *a, ir_pass_run *run, const char *name)
{
    run->skip = run->skip ? arena_printf(a, "%s,%s", run->skip, name) : arena_strdup(a, name);
}

/* Sets the switches that the family knows, the bisection, and the passes to skip. */
static void *
read_switches(arena *a, const family_compiler *c, const char *text, ir_pass_run *run)
{
    void *switches = arena_zalloc(a, c->switches_size);
    while (text && *text) {
        char word[64];
        size_t len = strcspn(text, ",");
        snprintf(word, sizeof word, "%.*s", (int)len, text);
        if (strncmp(word, "bisect=", 7) == 0)
            ir_read_bisect(word + 7, run);
        else if (strncmp(word, "skip=", 5) == 0)
            add_skip(a, run, word + 5);
        else if (c->read_switch)
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
        .sync = sync,
        .end_script = close_job,
        .destroy = close_job,
    };
    family_target t;
    if (!families_find_target(target, &t) || !t.compiles || !t.family->compiler ||
        !family_emulator_of(&t)->launch_shader)
        return NULL;
    machine_device *d = ARENA_NEW(a, machine_device);
    d->base.functions = &functions;
    d->base.name = t.name;
    d->target = t;
    amber_emu_job_open(&d->job);
    d->job.images.target = &d->target;
    d->options = *options;
    d->waves.sizes = t.wave_sizes;
    d->waves.wanted = options->wave_size ? options->wave_size : t.default_wave_size;
    d->passes = (ir_pass_run){.verify = true,
                              .skip = options->skip,
                              .print = options->print,
                              .print_before = options->print_before,
                              .printed = options->printed,
                              .user = options->printed_user,
                              .plain = true};
    d->switches = read_switches(a, t.family->compiler, options->switches, &d->passes);
    return &d->base;
}
