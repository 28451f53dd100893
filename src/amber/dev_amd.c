/* The AMD compiler and emulator as a device. It does what a driver does: it compiles the shader,
 * puts code, buffers and descriptor sets into memory, and fills the user SGPRs that the program's
 * arguments request (docs/abi.md, the default layout). Contents of buffers are copied to the
 * machine's memory and back, so that its allocations end where the script's buffers end. */
#include "amber/dev_amd.h"

#include "amber/dev_amd_desc.h"
#include "amber/dev_amd_hsa.h"
#include "amber/dev_emu.h"
#include "amd/compile/compile.h"
#include "amd/emit/code_object.h"
#include "amd/emu/emu.h"

#include <string.h>

typedef struct amd_device {
    amber_device base;
    const amd_target *target;
    amber_amd_options options;
} amd_device;

/* A buffer of the script in the machine's memory: as bytes, as an image, or both. */
typedef struct placed {
    const amber_buffer *source;
    mach_region *bytes;  /* NULL: not bound as a buffer */
    mach_region *texels; /* NULL: not bound as an image */
    mach_image image;
} placed;

typedef struct amd_run {
    amber_emu_job job;
    amd_device *device;
    const amber_dispatch *run;
    amber_result *result;
    uint32_t wave_size;
    family_layout layout;
    amd_binary binary;
    uint32_t group_size[3];
    mach_memory memory;
    placed *buffers; /* by amber_buffer.index */
    uint32_t buffer_count;
    uint64_t *set_addresses; /* by set */
    uint32_t set_count;
    mach_region *push; /* NULL: no push constants */
    amd_emu_dispatch dispatch;
    amd_emu_report report;
} amd_run;

/* ---- compiling ---- */

/* Makes the default layout for the module's declarations. */
static void
make_layout(amd_run *r)
{
    amber_emu_job *j = &r->job;
    spirv_info *info = spirv_reflect(&j->ctx, &j->options, r->run->words, r->run->word_count);
    r->layout.bindings = ARENA_ARRAY(&j->arena, info->n_bindings, family_binding);
    for (size_t i = 0; i < info->n_bindings; i++) {
        const spirv_binding *b = &info->bindings[i];
        r->layout.bindings[r->layout.n_bindings++] = (family_binding){
            .set = b->set, .binding = b->binding, .type = b->type, .count = b->count};
        if (b->set >= r->set_count)
            r->set_count = b->set + 1;
    }
    amd_layout_default(&r->layout);
}

static void
compile(amd_run *r)
{
    amber_emu_job *j = &r->job;
    const amber_amd_options *asked = &r->device->options;
    ir_pass_run run = {.verify = true, .skip = asked->skip};
    ir_fn *f = amber_emu_read(j, r->run);
    make_layout(r);
    amd_options options = {
        .target = r->device->target,
        .wave_size = r->wave_size,
        .layout = &r->layout,
        .switches = {asked->debug | AMD_DEBUG_VALIDATE_RA, asked->debug_sgprs, asked->debug_vgprs,
                     asked->debug_reach},
        .hsa = asked->hsa,
        .run = &run,
    };
    memcpy(r->group_size, f->shader.workgroup_size, sizeof r->group_size);
    amd_compile(f, &options, &r->binary);
}

/* ---- memory ---- */

static mach_region *
allocate(amd_run *r, mach_heap heap, uint64_t size, const char *name)
{
    mach_region *region = mach_memory_alloc(&r->memory, heap, size, 0, name);
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
put_bytes(amd_run *r, placed *p)
{
    const amber_buffer *b = p->source;
    const uint8_t *contents = r->run->memory[b->index].bytes;
    if (!b->address) {
        p->bytes = allocate(r, MACH_HEAP_LOW, b->size, b->name);
        memcpy(p->bytes->host, contents, (size_t)b->size);
        return;
    }
    p->bytes = mach_memory_map(&r->memory, b->address, b->size,
                               arena_copy(&r->job.arena, contents, (size_t)b->size), b->name);
    if (!p->bytes)
        diag_fail(&r->job.diag, ERR_AMBER_LIMIT, b->name);
}

static bool
put_image(amd_run *r, placed *p)
{
    const amber_buffer *b = p->source;
    uint64_t size = amber_emu_image(b, &p->image);
    if (!size)
        return amber_set_result(r->result, AMBER_SKIP, "image of format %s with %u samples",
                                b->type->has_texel ? b->type->texel.name : "none", b->samples);
    p->texels = allocate(r, MACH_HEAP_LOW, size, b->name);
    p->image.data = p->texels->host;
    p->image.size = size;
    amber_emu_image_put(&p->image, b, r->run->memory[b->index].bytes);
    return true;
}

static void
count_buffer(amd_run *r, const amber_buffer *b)
{
    if (b && b->index >= r->buffer_count)
        r->buffer_count = b->index + 1;
}

/* Copies the contents of all buffers that are bound, or have an address, into memory. */
static bool
put_buffers(amd_run *r)
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
get_buffers(amd_run *r)
{
    for (uint32_t i = 0; i < r->buffer_count; i++) {
        const placed *p = &r->buffers[i];
        if (p->texels)
            amber_emu_image_get(&p->image, p->source, r->run->memory[i].bytes);
        else if (p->bytes)
            memcpy(r->run->memory[i].bytes, p->bytes->host, (size_t)p->bytes->size);
    }
}

static bool
write_image(const amd_run *r, const amber_binding *b, uint32_t words[16])
{
    const placed *p = &r->buffers[b->buffer->index];
    mach_image view = p->image;
    amber_emu_image_view(b, &view);
    return amber_desc_image(words, p->texels->base, &view);
}

static bool
write_texel_buffer(const amd_run *r, const amber_binding *b, uint32_t words[16])
{
    const mach_region *bytes = r->buffers[b->buffer->index].bytes;
    mach_image view;
    return amber_emu_texel_buffer(b, bytes->host, &view) &&
           amber_desc_texel_buffer(words, bytes->base + (uint64_t)(view.data - bytes->host), &view);
}

/* Writes the descriptor, of at most `room` bytes. */
static bool
write_descriptor(amd_run *r, const amber_binding *b, uint8_t *at, uint32_t room)
{
    uint32_t words[16] = {0};
    mach_sampler sampler;
    uint64_t offset, size;
    bool ok = true;
    if (b->sampler) {
        sampler = amber_emu_sampler(b->sampler);
        amber_desc_sampler(b->buffer ? words + AMD_COMBINED_SAMPLER_OFFSET / 4 : words, &sampler);
    }
    if (is_image_kind(b->kind)) {
        ok = write_image(r, b, words);
    } else if (b->kind == AMBER_BIND_UNIFORM_TEXEL || b->kind == AMBER_BIND_STORAGE_TEXEL) {
        ok = write_texel_buffer(r, b, words);
    } else if (b->kind != AMBER_BIND_SAMPLER) {
        size = amber_emu_range(b, &offset);
        amber_desc_buffer(words, r->buffers[b->buffer->index].bytes->base + offset, size);
    }
    if (!ok)
        return amber_set_result(r->result, AMBER_SKIP, "%s of format %s on %s", b->buffer->name,
                                b->buffer->type->has_texel ? b->buffer->type->texel.name : "none",
                                r->device->base.name);
    memcpy(at, words, room < sizeof words ? room : sizeof words);
    return true;
}

/* Makes the descriptor sets. Bindings that the module does not declare are left out. */
static bool
put_sets(amd_run *r)
{
    const amber_pipeline *p = r->run->pipeline;
    /* In hsa, addresses are full: there is no heap with a known high half. */
    mach_heap heap = r->device->options.hsa ? MACH_HEAP_LOW : MACH_HEAP_SET;
    mach_region **sets = ARENA_ARRAY(&r->job.arena, r->set_count, mach_region *);
    r->set_addresses = ARENA_ARRAY(&r->job.arena, r->set_count, uint64_t);
    for (uint32_t s = 0; s < r->set_count; s++) {
        uint32_t size = amd_layout_set_size(&r->layout, s);
        if (size) {
            sets[s] = allocate(r, heap, size, "descriptor set");
            r->set_addresses[s] = sets[s]->base;
        }
    }
    for (uint32_t i = 0; i < p->binding_count; i++) {
        const amber_binding *b = &p->bindings[i];
        const family_binding *place = amd_layout_find(&r->layout, b->set, b->binding);
        uint64_t offset;
        if (!place)
            continue;
        offset = place->offset + (uint64_t)b->element * place->stride;
        if (offset + place->stride <= sets[b->set]->size &&
            !write_descriptor(r, b, sets[b->set]->host + offset, place->stride))
            return false;
    }
    return true;
}

static void
put_push_constants(amd_run *r)
{
    uint32_t size = r->run->push_size;
    if (!size)
        return;
    r->push = allocate(r, MACH_HEAP_SET, (size + 3) & ~3u, "push constants");
    memcpy(r->push->host, r->run->push, size);
}

static uint64_t
put_code(amd_run *r)
{
    mach_region *code = allocate(r, MACH_HEAP_LOW, r->binary.size, "code");
    memcpy(code->host, r->binary.code, r->binary.size);
    code->read_only = true;
    return code->base;
}

/* ---- registers ---- */

/* The low half of the address of a table of set pointers. */
static uint32_t
put_set_table(amd_run *r)
{
    mach_region *table = allocate(r, MACH_HEAP_SET, (uint64_t)r->set_count * 4,
                                  "table of descriptor sets");
    for (uint32_t s = 0; s < r->set_count; s++)
        for (unsigned i = 0; i < 4; i++)
            table->host[4 * s + i] = (uint8_t)(r->set_addresses[s] >> 8 * i);
    return (uint32_t)table->base;
}

/* Dword `n` of the push constants; 0 if the script does not set it. */
static uint32_t
push_dword(const amd_run *r, uint32_t n)
{
    uint32_t v = 0;
    for (uint32_t i = 0; i < 4; i++)
        if (4 * n + i < r->run->push_size)
            v |= (uint32_t)r->run->push[4 * n + i] << 8 * i;
    return v;
}

static void
set_argument(amd_run *r, const amd_arg *a)
{
    amd_emu_dispatch *d = &r->dispatch;
    uint32_t *s = &d->user_sgprs[a->reg % AMD_EMU_MAX_USER_SGPRS];
    switch ((amd_arg_kind)a->kind) {
    case AMD_ARG_DESCRIPTOR_SET:
        *s = a->index < r->set_count ? (uint32_t)r->set_addresses[a->index] : 0;
        break;
    case AMD_ARG_SET_TABLE: *s = put_set_table(r); break;
    case AMD_ARG_PUSH_INLINE:
        for (uint32_t i = 0; i < a->count; i++)
            s[i] = push_dword(r, a->index + i);
        break;
    case AMD_ARG_PUSH_POINTER: *s = r->push ? (uint32_t)r->push->base : 0; break;
    case AMD_ARG_WORKGROUP_COUNT: memcpy(s, r->run->groups, sizeof r->run->groups); break;
    case AMD_ARG_SCRATCH:
        s[0] = (uint32_t)AMD_EMU_SCRATCH_BASE;
        s[1] = (uint32_t)(AMD_EMU_SCRATCH_BASE >> 32);
        break;
    case AMD_ARG_WORKGROUP_ID: d->workgroup_id[a->index] = true; break;
    case AMD_ARG_WORKGROUP_INFO: d->workgroup_info = true; break;
    case AMD_ARG_SCRATCH_OFFSET: d->scratch_wave_offset = true; break;
    case AMD_ARG_LOCAL_ID:
        d->workitem_ids = a->index > d->workitem_ids ? a->index : d->workitem_ids;
        break;
    default: break;
    }
}

/* Does what a driver of the vulkan ABI does. */
static void
launch_vulkan(amd_run *r)
{
    const amd_program *p = r->binary.program;
    const amd_target *t = r->device->target;
    amd_emu_dispatch *d = &r->dispatch;
    uint32_t granule = t->vgpr_granule[p->wave_size == 64];
    put_push_constants(r);
    d->entry = put_code(r);
    d->wave_size = p->wave_size;
    d->n_vgprs = (r->binary.vgprs + granule - 1) / granule * granule;
    d->lds_bytes = p->lds_bytes;
    d->scratch_bytes = p->scratch_bytes;
    d->n_user_sgprs = p->n_user_sgprs;
    d->mode = p->float_mode | 1u << 8; /* DX10_CLAMP, as in RSRC1 */
    for (uint32_t i = 0; i < p->n_args; i++)
        set_argument(r, &p->args[i]);
}

static void
launch_hsa(amd_run *r)
{
    const amber_hsa_arguments args = {.sets = r->set_addresses,
                                      .set_count = r->set_count,
                                      .push = r->run->push,
                                      .push_size = r->run->push_size};
    if (!amber_hsa_launch(&r->job.ctx, &r->binary, &args, &r->memory, &r->dispatch))
        diag_fail(&r->job.diag, ERR_AMBER_LIMIT, "the kernel");
}

static void
fill_dispatch(amd_run *r)
{
    r->dispatch = (amd_emu_dispatch){
        .gen = r->device->target->gen,
        .checks = r->device->options.checks,
        .seed = r->device->options.seed,
        .max_instructions = r->run->max_instructions,
    };
    memcpy(r->dispatch.group_size, r->group_size, sizeof r->group_size);
    memcpy(r->dispatch.grid_groups, r->run->groups, sizeof r->run->groups);
    if (r->device->options.hsa)
        launch_hsa(r);
    else
        launch_vulkan(r);
}

/* Prints the source line of the instruction at `pc`, if known. Lines of an inline text are counted
 * in the script. */
static void
print_place(amd_run *r, uint64_t pc, base_buf *out)
{
    const amber_shader *shader = r->run->stage->shader;
    bool is_inline = !shader->path &&
                     (shader->language == AMBER_GLSL || shader->language == AMBER_HLSL);
    obj_code code;
    amd_make_object(&r->job.arena, &r->binary, "main", &code);
    const obj_line *row = obj_find_line(&code, pc - r->dispatch.entry);
    if (row)
        buf_printf(out, " [%s:%u]", code.files[row->file],
                   row->line + (is_inline ? shader->line - 1 : 0));
}

/* Fails with the first finding and the number of findings. */
static bool
fail_by_report(amd_run *r)
{
    const amd_emu_report *report = &r->report;
    base_buf text = buf_make(&r->job.arena);
    if (report->n_findings) {
        amd_emu_print_finding(&report->findings[0], &text);
        print_place(r, report->findings[0].pc, &text);
    } else {
        buf_printf(&text, "the emulator ended with status %d", (int)report->status);
    }
    return amber_set_result(r->result,
                            report->status == AMD_EMU_UNSUPPORTED ? AMBER_SKIP : AMBER_FAIL,
                            report->total > 1 ? "%s (of %llu findings)" : "%s", buf_text(&text),
                            (unsigned long long)report->total);
}

static void
note_report(amd_run *r)
{
    const amd_emu_report *report = &r->report;
    r->result->instructions = report->instructions;
    r->result->lane_instructions = report->lane_instructions;
    r->result->findings = 0;
    for (uint32_t i = 0; i < report->n_findings; i++)
        r->result->findings |= report->findings[i].check;
}

/* The part that may leave through the job's error exit. */
static bool
run_protected(amd_run *r)
{
    compile(r);
    mach_memory_init(&r->memory, &r->job.arena);
    if (!put_buffers(r) || !put_sets(r))
        return false;
    fill_dispatch(r);
    bool ok = amd_emu_run(&r->dispatch, &r->memory, &r->job.scratch, &r->report);
    note_report(r);
    get_buffers(r);
    return ok || fail_by_report(r);
}

static bool
dispatch(amber_device *base, arena *scratch, const amber_dispatch *run, amber_result *result)
{
    amd_device *d = (amd_device *)base;
    amd_run *r = ARENA_NEW(scratch, amd_run);
    bool ok = false;
    r->device = d;
    r->run = run;
    r->result = result;
    if (!amber_emu_wave_size(run->stage, d->options.wave_size, &r->wave_size, result))
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

amber_device *
amber_amd_open(arena *a, const char *target, const amber_amd_options *options)
{
    static const amber_device_functions functions = {
        .has_feature = amber_emu_has_feature,
        .has_device_extension = amber_emu_has_device_extension,
        .has_instance_extension = amber_emu_has_instance_extension,
        .has_property = amber_emu_has_property,
        .dispatch = dispatch,
        .destroy = destroy,
    };
    const amd_target *t = amd_find_target(target);
    if (!t || !amd_target_compiles(t))
        return NULL;
    amd_device *d = ARENA_NEW(a, amd_device);
    d->base.functions = &functions;
    d->base.name = t->name;
    d->target = t;
    d->options = *options;
    return &d->base;
}
