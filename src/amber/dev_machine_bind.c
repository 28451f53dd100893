/* The memory of a run on an emulated machine: buffers, images and acceleration structures, and what
 * descriptors say of them. */
#include "amber/dev_machine_run.h"

#include <string.h>

/* ---- memory ---- */

/* Maps the runner's or the image's bytes. */
static mach_region *
map(amber_machine_run *r, uint64_t size, uint8_t *bytes, const amber_buffer *b)
{
    mach_region *region = b->address && bytes == r->run->memory[b->index].bytes
                              ? mach_memory_map(&r->memory, b->address, size, bytes, b->name)
                              : mach_memory_place(&r->memory, MACH_HEAP_LOW, size, bytes, b->name);
    if (!region)
        diag_fail(&r->job->diag, ERR_AMBER_LIMIT, b->name);
    return region;
}

/* Memory is allocated in the units in which uniform buffers are described (docs/abi.md). */
static void
put_bytes(amber_machine_run *r, amber_machine_placed *p)
{
    const amber_buffer *b = p->source;
    bool rows = family_emulator_of(&r->device->target)->describes_rows;
    uint64_t size = rows ? amber_room(b->size) : amber_whole_dwords(b->size);
    p->bytes = map(r, size, r->run->memory[b->index].bytes, b);
}

static bool
put_image(amber_machine_run *r, amber_machine_placed *p)
{
    p->image = amber_emu_get_image(r->job, r->run, p->source, r->result);
    if (p->image)
        p->texels = map(r, p->image->size, p->image->data, p->source);
    return p->image != NULL;
}

static void
count_buffer(amber_machine_run *r, const amber_buffer *b)
{
    if (b && b->index >= r->buffer_count)
        r->buffer_count = b->index + 1;
}

static void
count_drawn(amber_machine_run *r)
{
    const amber_graphics *g = r->draw->pipeline->graphics;
    const amber_vertices *v = r->draw->vertices;
    for (uint32_t k = 0; k < v->input_count; k++)
        count_buffer(r, v->inputs[k].buffer);
    for (uint32_t k = 0; k < g->target_count; k++)
        count_buffer(r, g->targets[k].buffer);
    for (uint32_t k = 0; k < AMBER_MAX_CAPTURED; k++)
        count_buffer(r, g->captured[k]);
    count_buffer(r, v->index);
    count_buffer(r, g->depth_stencil);
}

static void
count_buffers(amber_machine_run *r)
{
    const amber_pipeline *p = r->run->pipeline;
    for (uint32_t i = 0; i < p->binding_count; i++)
        count_buffer(r, p->bindings[i].buffer);
    for (uint32_t i = 0; i < r->run->addressed_count; i++)
        count_buffer(r, r->run->addressed[i]);
    if (r->draw)
        count_drawn(r);
}

/* Maps a buffer's bytes, or its image, unless they are. */
static bool
put_buffer(amber_machine_run *r, const amber_buffer *b, bool as_image)
{
    if (!b)
        return true;
    amber_machine_placed *at = &r->buffers[b->index];
    at->source = b;
    if (as_image)
        return at->texels || put_image(r, at);
    if (!at->bytes)
        put_bytes(r, at);
    return true;
}

static bool
put_drawn(amber_machine_run *r)
{
    const amber_graphics *g = r->draw->pipeline->graphics;
    const amber_vertices *v = r->draw->vertices;
    bool ok = put_buffer(r, v->index, false) && put_buffer(r, g->depth_stencil, true);
    for (uint32_t k = 0; k < v->input_count; k++)
        put_buffer(r, v->inputs[k].buffer, false);
    for (uint32_t k = 0; k < AMBER_MAX_CAPTURED; k++)
        put_buffer(r, g->captured[k], false);
    for (uint32_t k = 0; k < g->target_count && ok; k++)
        ok = put_buffer(r, g->targets[k].buffer, true);
    return ok;
}

static bool
put_buffers(amber_machine_run *r)
{
    const amber_pipeline *p = r->run->pipeline;
    bool ok = true;
    count_buffers(r);
    r->buffers = ARENA_ARRAY(&r->job->arena, r->buffer_count, amber_machine_placed);
    amber_keep_before(&r->job->images, r->run);
    for (uint32_t i = 0; i < r->run->addressed_count; i++)
        put_buffer(r, r->run->addressed[i], false);
    for (uint32_t i = 0; i < p->binding_count && ok; i++)
        ok = put_buffer(r, p->bindings[i].buffer, amber_keep_is_image(p->bindings[i].kind));
    return ok && (!r->draw || put_drawn(r));
}

static void
put_accels(amber_machine_run *r)
{
    static const char name[] = "acceleration structures";
    amber_accel_build(&r->job->arena, r->run->pipeline, &r->accels);
    if (!r->accels.size)
        return;
    r->accel_bytes = mach_memory_alloc(&r->memory, MACH_HEAP_LOW, r->accels.size, AMBER_ACCEL_ALIGN,
                                       name);
    if (!r->accel_bytes)
        diag_fail(&r->job->diag, ERR_AMBER_LIMIT, name);
    amber_accel_store(&r->accels, r->accel_bytes->base, r->accel_bytes->host);
    r->accel_bytes->read_only = true;
}

/* ---- resources ---- */

static bool
is_texel_kind(amber_descriptor kind)
{
    return kind == AMBER_BIND_UNIFORM_TEXEL || kind == AMBER_BIND_STORAGE_TEXEL;
}

static void
describe_image(amber_machine_run *r, const amber_binding *b, family_resource *out)
{
    const amber_machine_placed *p = &r->buffers[b->buffer->index];
    mach_image *view = arena_copy(&r->job->arena, p->image, sizeof *p->image);
    amber_emu_image_view(b, view);
    out->kind = FAMILY_IMAGE;
    out->address = p->texels->base;
    out->image = view;
}

static void
describe_texels(amber_machine_run *r, const amber_binding *b, family_resource *out)
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
describe_buffer(amber_machine_run *r, const amber_binding *b, family_resource *out)
{
    uint64_t offset;
    out->kind = FAMILY_BUFFER;
    out->size = amber_emu_range(b, &offset);
    if (b->kind == AMBER_BIND_UNIFORM || b->kind == AMBER_BIND_UNIFORM_DYNAMIC)
        out->size = amber_whole_dwords(out->size);
    out->address = r->buffers[b->buffer->index].bytes->base + offset;
}

static void
describe_accel(const amber_machine_run *r, const amber_binding *b, family_resource *out)
{
    const amber_accel_place at = amber_accel_find(&r->accels, b->accel);
    out->kind = FAMILY_ACCEL;
    out->address = r->accel_bytes->base + at.offset;
    out->size = at.size;
}

static void
describe_bindings(amber_machine_run *r)
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
        else if (b->kind == AMBER_BIND_ACCEL)
            describe_accel(r, b, out);
        else if (b->kind != AMBER_BIND_SAMPLER)
            describe_buffer(r, b, out);
    }
}

bool
amber_machine_bind(amber_machine_run *r)
{
    if (!put_buffers(r))
        return false;
    put_accels(r);
    describe_bindings(r);
    return true;
}
