/* A family's compiler and emulator as a device. It compiles the shader, maps the script's buffers
 * and images in the machine's memory and lets the family launch the shader with them. The runner's
 * own bytes are mapped, as regions that end where the script's buffers end; compiled shaders and
 * images are kept while the script runs. */
#include "amber/dev_machine_run.h"

#include "families/families.h"
#include "family/compile.h"
#include "family/liveness.h"

#include <stdio.h>
#include <string.h>

/* ---- compiling ---- */

/* The elements that are bound of an array of resources. */
static uint32_t
count_bound(const amber_pipeline *p, const spirv_binding *b)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->binding_count; i++) {
        const amber_binding *at = &p->bindings[i];
        if (at->set == b->set && at->binding == b->binding && at->element >= n)
            n = at->element + 1;
    }
    return n;
}

/* Lists the module's declarations for the default layout, as a driver knows them: arrays without a
 * size have as many elements as are bound. */
static void
make_layout(amber_emu_job *j, const amber_dispatch *run, family_layout *layout)
{
    spirv_info *info = spirv_reflect(&j->kept_ctx, &j->options, run->words, run->word_count);
    layout->bindings = ARENA_ARRAY(&j->kept, info->n_bindings, family_binding);
    for (size_t i = 0; i < info->n_bindings; i++) {
        const spirv_binding *b = &info->bindings[i];
        layout->bindings[layout->n_bindings++] = (family_binding){
            .set = b->set,
            .binding = b->binding,
            .type = family_descriptor_of(b->type),
            .count = b->count ? b->count : count_bound(run->pipeline, b)};
    }
}

/* Finds the registers that are live before each instruction. */
static void
find_live(amber_machine_run *r, amber_machine_program *p)
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

/* The stage's program if it is compiled; a draw's must be compiled for the same pipeline. */
static const amber_machine_program *
find_program(const amber_machine_run *r, const amber_machine_stage *s, const family_pipeline *p)
{
    const amber_machine_program *found = amber_emu_find_program(r->job, s->run);
    bool same = found && (!p || memcmp(found->pipeline, p, sizeof *p) == 0);
    return same ? found : NULL;
}

/* May the compiler choose the size of the waves? */
static bool
is_free(const amber_machine_device *d, const amber_attach *stage)
{
    return d->target.subgroup_size ||
           (!d->options.wave_size && stage->subgroup == AMBER_SUBGROUP_ANY);
}

static amber_machine_program *
compile(amber_machine_run *r, const amber_machine_stage *s, const family_pipeline *pipeline,
        uint32_t wave_size)
{
    const amber_machine_device *d = r->device;
    arena *a = &r->job->kept;
    ir_pass_run run = d->passes;
    amber_machine_program *p = ARENA_NEW(a, amber_machine_program);
    ir_fn *f = amber_emu_read(r->job, s->run);
    make_layout(r->job, s->run, &p->layout);
    p->pipeline = pipeline ? arena_copy(a, pipeline, sizeof *pipeline) : NULL;
    if (f->shader.stage == IR_STAGE_FRAGMENT)
        p->shades_samples = f->shader.fragment.sample_shading;
    const family_request request = {
        .target = &d->target,
        .name = "main",
        .wave_size = is_free(d, s->run->stage) ? 0 : wave_size,
        .abi = d->options.abi,
        .validate = true,
        .layout = &p->layout,
        .switches = d->switches,
        .pipeline = p->pipeline,
        .run = &run,
        .prints_code = d->prints_code,
        .find_code = d->options.find_code,
        .find_user = d->options.find_user,
    };
    memcpy(p->group_size, f->shader.workgroup_size, sizeof p->group_size);
    family_compile(f, &request, &p->binary);
    if (d->options.poison)
        find_live(r, p);
    return p;
}

bool
amber_machine_compile(amber_machine_run *r, amber_machine_stage *s, const family_pipeline *p)
{
    uint32_t wave_size;
    if (!amber_emu_wave_size(s->run->stage, &r->device->waves, &wave_size, r->result))
        return false;
    amber_emu_job_begin(r->job, s->run, wave_size);
    s->program = find_program(r, s, p);
    if (s->program)
        return true;
    amber_machine_program *made = compile(r, s, p, wave_size);
    amber_emu_add_program(r->job, s->run, made);
    s->program = made;
    return true;
}

/* ---- running ---- */

family_shader
amber_machine_shader(const amber_machine_run *r, const amber_machine_stage *s)
{
    return (family_shader){.binary = &s->program->binary,
                           .layout = &s->program->layout,
                           .abi = r->device->options.abi,
                           .resources = r->resources,
                           .n_resources = r->run->pipeline->binding_count,
                           .push = r->run->push,
                           .push_size = r->run->push_size};
}

static void
set_poison(amber_machine_run *r)
{
    const amber_machine_stage *s = &r->stages[0];
    mach_poison *poison = arena_copy(&r->job->arena, &s->program->poison, sizeof *poison);
    poison->first = s->entry;
    r->watch->poison = r->device->options.poison ? poison : NULL;
}

static bool
skip_resource(amber_machine_run *r, const amber_binding *at)
{
    const char *device = r->device->base.name;
    if (at->accel)
        return amber_set_result(r->result, AMBER_SKIP, "acceleration structures on %s", device);
    const amber_buffer *b = at->buffer;
    return amber_set_result(r->result, AMBER_SKIP, "%s of format %s on %s", b->name,
                            b->type->has_texel ? b->type->texel.name : "none", device);
}

/* Launches the shader. Returns false (with a skip) if the hardware cannot describe a resource, or
 * the grid is larger than code relies on (docs/abi.md). */
static bool
start(amber_machine_run *r, family_launch *launch)
{
    enum { MAX_GROUPS_YZ = 65535 };
    const amber_machine_device *d = r->device;
    for (unsigned k = 1; k < 3; k++) {
        if (r->run->groups[k] > MAX_GROUPS_YZ)
            return amber_set_result(r->result, AMBER_SKIP, "%u workgroups", r->run->groups[k]);
    }
    const amber_pipeline *p = r->run->pipeline;
    family_dispatch dispatch = {.checks = d->options.checks,
                                .rules_off = d->options.rules_off,
                                .seed = d->options.seed,
                                .max_instructions = r->run->max_instructions};
    const family_shader shader = amber_machine_shader(r, &r->stages[0]);
    memcpy(dispatch.group_size, r->stages[0].program->group_size, sizeof dispatch.group_size);
    memcpy(dispatch.groups, r->run->groups, sizeof dispatch.groups);
    r->watch = d->options.watch ? d->options.watch : &r->own_watch;
    if (d->options.poison || d->options.watch)
        dispatch.watch = r->watch;
    *launch = d->target.family->emulator->launch_shader(&r->job->ctx, &r->memory, &d->target,
                                                        &dispatch, &shader);
    r->stages[0].entry = launch->entry;
    set_poison(r);
    if (launch->own)
        return true;
    return skip_resource(r, &p->bindings[launch->resource]);
}

/* Prints the source line of the finding's instruction, if known. Lines of an inline text are
 * counted in the script. */
static void
print_place(amber_machine_run *r, const mach_finding *f, base_buf *out)
{
    const amber_machine_stage *s = &r->stages[r->draw && f->group[2] == 1];
    if (!s->program)
        return;
    const amber_shader *shader = s->run->stage->shader;
    bool is_inline = !shader->path &&
                     (shader->language == AMBER_GLSL || shader->language == AMBER_HLSL);
    const obj_code *code = &s->program->binary.code;
    const obj_line *row = obj_find_line(code, f->pc - s->entry);
    if (row)
        buf_printf(out, " [%s:%u]", code->files[row->file],
                   row->line + (is_inline ? shader->line - 1 : 0));
}

static const char *
finding_text(amber_machine_run *r, const mach_finding *f)
{
    base_buf text = buf_make(&r->job->arena);
    mach_print_finding(f, &text);
    print_place(r, f, &text);
    return buf_text(&text);
}

/* Tells the findings by cause. */
static void
tell_findings(amber_machine_run *r)
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
fail_by_report(amber_machine_run *r)
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
note_report(amber_machine_run *r)
{
    const mach_report *report = &r->report;
    r->result->instructions = report->instructions;
    r->result->lane_instructions = report->lane_instructions;
    r->result->findings = 0;
    for (uint32_t i = 0; i < report->n_findings; i++)
        r->result->findings |= report->findings[i].check;
}

bool
amber_machine_end(amber_machine_run *r, bool ok)
{
    note_report(r);
    return ok || fail_by_report(r);
}

/* The part that may leave through the job's error exit. */
static bool
run_protected(void *user)
{
    amber_machine_run *r = user;
    family_launch launch;
    if (!amber_machine_compile(r, &r->stages[0], NULL))
        return false;
    mach_memory_init(&r->memory, &r->job->arena);
    if (!amber_machine_bind(r) || !start(r, &launch))
        return false;
    bool ok = r->device->target.family->emulator->run(launch.own, &r->memory, &r->job->scratch,
                                                      &r->report);
    amber_keep_after(&r->job->images, r->run);
    return amber_machine_end(r, ok);
}

static bool
dispatch(amber_device *base, arena *scratch, const amber_dispatch *run, amber_result *result)
{
    amber_machine_device *d = (amber_machine_device *)base;
    amber_machine_run *r = ARENA_NEW(scratch, amber_machine_run);
    *r = (amber_machine_run){.job = &d->job, .device = d, .run = run, .result = result};
    r->stages[0].run = run;
    bool ok = amber_emu_protect(&d->job, run_protected, r, result);
    amber_emu_job_end(&d->job, run);
    return ok;
}

static void
sync(amber_device *base, const amber_buffer *b, const amber_memory *m, bool write)
{
    amber_keep_sync(&((amber_machine_device *)base)->job.images, b, m, write);
}

static void
close_job(amber_device *base)
{
    amber_emu_job_close(&((amber_machine_device *)base)->job);
}

/* Adds a name to the list of the passes to skip. */
static void
add_skip(arena *a, ir_pass_run *run, const char *name)
{
    run->skip = run->skip ? arena_printf(a, "%s,%s", run->skip, name) : arena_strdup(a, name);
}

/* Sets the switches that the family knows, the bisection, and the passes to skip. */
static void
read_switches(arena *a, amber_machine_device *d, const char *text)
{
    const family_compiler *c = d->target.family->compiler;
    ir_pass_run *run = &d->passes;
    d->switches = arena_zalloc(a, c->switches_size);
    while (text && *text) {
        char word[64];
        size_t len = strcspn(text, ",");
        snprintf(word, sizeof word, "%.*s", (int)len, text);
        if (strncmp(word, "bisect=", 7) == 0)
            ir_read_bisect(word + 7, run);
        else if (strncmp(word, "skip=", 5) == 0)
            add_skip(a, run, word + 5);
        else if (strcmp(word, "disasm") == 0)
            d->prints_code = true;
        else if (c->read_switch)
            c->read_switch(d->switches, word);
        text += len + (text[len] == ',');
    }
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
        .draw = amber_machine_draw,
        .sync = sync,
        .end_script = close_job,
        .destroy = close_job,
    };
    family_target t;
    if (!families_find_target(target, &t) || !t.compiles || !t.family->compiler ||
        !family_emulator_of(&t)->launch_shader)
        return NULL;
    amber_machine_device *d = ARENA_NEW(a, amber_machine_device);
    d->functions = functions;
    if (!family_emulator_of(&t)->draw)
        d->functions.draw = NULL;
    d->base.functions = &d->functions;
    d->base.name = t.name;
    d->target = t;
    amber_emu_job_open(&d->job);
    d->job.images.target = &d->target;
    d->job.fuses_sums = t.fuses_sums;
    d->options = *options;
    d->waves.sizes = family_subgroup_size(&t, t.wave_sizes);
    d->waves.wanted = family_subgroup_size(&t, options->wave_size ? options->wave_size
                                                                  : t.default_wave_size);
    d->passes = (ir_pass_run){.verify = true,
                              .skip = options->skip,
                              .print = options->print,
                              .print_before = options->print_before,
                              .printed = options->printed,
                              .user = options->printed_user,
                              .plain = true};
    read_switches(a, d, options->switches);
    return &d->base;
}
