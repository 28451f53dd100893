/* Draws on an emulated machine: the script's pipeline becomes one that its two shaders are compiled
 * for, and a draw of the family. */
#include "amber/dev_draw.h"
#include "amber/dev_machine_run.h"

#include "opt/opt.h"

#include <string.h>

typedef struct machine_draw {
    amber_machine_run run;
    amber_dispatch stage[AMBER_MACHINE_STAGES];
    family_pipeline pipeline;
    mach_draw state;
    mach_image depth_stencil; /* the script's, if both are in one image; data NULL: they are not */
    family_vertex_buffer buffers[FAMILY_VERTEX_BINDINGS];
    uint64_t entries[AMBER_MACHINE_STAGES];
    family_draw asked;
} machine_draw;

/* ---- the pipeline ---- */

/* Numbers of 64 bits in an element: VK_FORMAT_R64_UINT and those that follow, three of each size.
 */
static uint8_t
wide_numbers(uint32_t vk)
{
    enum { R64_UINT = 110, LAST = 121, KINDS = 3 };
    return vk >= R64_UINT && vk <= LAST ? (uint8_t)((vk - R64_UINT) / KINDS + 1) : 0;
}

/* Each attribute has a binding of its own, which begins at its first element. */
static bool
set_inputs(machine_draw *d)
{
    const amber_vertices *v = d->run.draw->vertices;
    family_pipeline *p = &d->pipeline;
    p->has_vertices = true;
    if (v->input_count > FAMILY_VERTEX_BINDINGS)
        return amber_set_result(d->run.result, AMBER_SKIP, "%u vertex attributes", v->input_count);
    for (uint32_t k = 0; k < v->input_count; k++) {
        const amber_vertex_input *in = &v->inputs[k];
        uint8_t wide = wide_numbers(in->format.vk);
        mach_format format = wide ? MACH_FORMAT_none : mach_format_from_vk(in->format.vk);
        if (in->location >= FAMILY_VERTEX_ATTRIBUTES || (!wide && format == MACH_FORMAT_none))
            return amber_set_result(d->run.result, AMBER_SKIP, "vertex attribute of format %s",
                                    in->format.name);
        p->bindings[k] = (family_vertex_binding){
            .stride = in->stride, .per_instance = in->per_instance, .divisor = in->per_instance};
        p->attributes[in->location] = (family_vertex_attribute){
            .format = format, .wide = wide, .binding = k};
    }
    return true;
}

static family_topology
topology_of(mach_topology t)
{
    static const uint8_t kinds[] = {
        [MACH_POINT_LIST] = FAMILY_TOPOLOGY_POINTS,
        [MACH_LINE_LIST] = FAMILY_TOPOLOGY_LINES,
        [MACH_LINE_STRIP] = FAMILY_TOPOLOGY_LINES,
        [MACH_LINE_LIST_ADJACENCY] = FAMILY_TOPOLOGY_LINES,
        [MACH_LINE_STRIP_ADJACENCY] = FAMILY_TOPOLOGY_LINES,
        [MACH_TRIANGLE_LIST] = FAMILY_TOPOLOGY_TRIANGLES,
        [MACH_TRIANGLE_STRIP] = FAMILY_TOPOLOGY_TRIANGLES,
        [MACH_TRIANGLE_FAN] = FAMILY_TOPOLOGY_TRIANGLES,
        [MACH_TRIANGLE_LIST_ADJACENCY] = FAMILY_TOPOLOGY_TRIANGLES,
        [MACH_TRIANGLE_STRIP_ADJACENCY] = FAMILY_TOPOLOGY_TRIANGLES,
        [MACH_PATCH_LIST] = FAMILY_TOPOLOGY_ANY,
    };
    return (family_topology)kinds[t];
}

static bool
reads_alpha(const mach_blend_equation *e)
{
    const uint32_t alphas = 1u << MACH_BLEND_SRC_ALPHA | 1u << MACH_BLEND_ONE_MINUS_SRC_ALPHA |
                            1u << MACH_BLEND_SRC_ALPHA_SATURATE;
    return ((1u << e->src | 1u << e->dst) & alphas) != 0;
}

static bool
reads_second(const mach_blend_equation *e)
{
    const uint32_t seconds = 1u << MACH_BLEND_SRC1_COLOR | 1u << MACH_BLEND_ONE_MINUS_SRC1_COLOR |
                             1u << MACH_BLEND_SRC1_ALPHA | 1u << MACH_BLEND_ONE_MINUS_SRC1_ALPHA;
    return ((1u << e->src | 1u << e->dst) & seconds) != 0;
}

static void
set_colors(machine_draw *d)
{
    enum { ALL = 15 };
    family_pipeline *p = &d->pipeline;
    p->has_colors = true;
    for (uint32_t k = 0; k < d->state.n_colors; k++) {
        const mach_color_target *c = &d->state.colors[k];
        const mach_blend_equation *color = &c->blend.color, *alpha = &c->blend.alpha;
        p->colors[k] = (family_color){
            .format = c->image.format,
            .kept = (uint8_t)(~c->write_mask & ALL),
            .blends = c->blends,
            .blends_alpha = c->blends && (reads_alpha(color) || reads_alpha(alpha)),
            .blends_second = c->blends && (reads_second(color) || reads_second(alpha)),
        };
    }
}

static bool
set_pipeline(machine_draw *d)
{
    static const uint8_t modes[] = {[MACH_POLYGON_FILL] = FAMILY_POLYGON_FILL,
                                    [MACH_POLYGON_LINE] = FAMILY_POLYGON_LINE,
                                    [MACH_POLYGON_POINT] = FAMILY_POLYGON_POINT};
    const mach_draw *s = &d->state;
    family_pipeline *p = &d->pipeline;
    p->topology = topology_of(s->assembly.topology);
    p->polygon_mode = (family_polygon_mode)modes[s->setup.mode];
    p->last_provokes = s->assembly.last_provokes;
    p->vertex_kind = d->run.device->options.vertex_kind;
    p->samples = s->samples;
    p->lacks_depth = !s->depth.data;
    p->lacks_stencil = !s->stencil.data;
    set_colors(d);
    return set_inputs(d);
}

/* The stage's HIR as it is read, in the job's memory; NULL: its subgroups have no size here. */
static ir_fn *
read(machine_draw *d, const amber_machine_stage *s)
{
    amber_machine_run *r = &d->run;
    uint32_t wave_size;
    if (!amber_emu_wave_size(s->run->stage, &r->device->waves, &wave_size, r->result))
        return NULL;
    amber_emu_job_begin(r->job, s->run, wave_size);
    return amber_emu_read(r->job, s->run);
}

/* What the fragment shader reads, as it was read, and what the vertex shader writes when it is
 * optimised. */
static bool
link(machine_draw *d, const amber_machine_stage *vertex, const amber_machine_stage *fragment)
{
    family_pipeline *p = &d->pipeline;
    const amber_machine_program *drawn = amber_emu_find_program(d->run.job, vertex->run);
    p->has_next = p->has_previous = true;
    if (drawn) {
        p->next = drawn->pipeline->next;
        p->previous = drawn->pipeline->previous;
        return true;
    }
    ir_fn *f = read(d, fragment);
    if (!f)
        return false;
    family_link_inputs(f, &p->next);
    ir_pass_run passes = {.verify = false};
    f = read(d, vertex);
    if (!f)
        return false;
    family_link_outputs(ir_run_passes(f, opt_pipeline, &passes), &p->previous);
    family_link_stages(&p->previous, &p->next);
    return true;
}

static bool
compile(machine_draw *d)
{
    amber_machine_run *r = &d->run;
    amber_machine_stage *vertex = &r->stages[0], *fragment = &r->stages[1];
    d->pipeline.has_next = true;
    if (fragment->run) {
        if (!link(d, vertex, fragment) || !amber_machine_compile(r, fragment, &d->pipeline))
            return false;
        d->state.shades_samples = fragment->program->shades_samples;
    }
    return amber_machine_compile(r, vertex, &d->pipeline);
}

/* ---- depth and stencil ---- */

/* Copies one part of each texel: its bytes, which follow `skipped` others in the image of both. */
static void
copy_plane(const mach_image *both, uint32_t skipped, const mach_image *plane, uint32_t bytes,
           bool out)
{
    for (uint32_t y = 0; y < both->height; y++) {
        for (uint32_t x = 0; x < both->width; x++) {
            for (uint32_t s = 0; s < both->samples; s++) {
                uint8_t *from = both->data + mach_texel_offset(both, x, y, 0, 0, s) + skipped;
                uint8_t *to = plane->data + mach_texel_offset(plane, x, y, 0, 0, s);
                memcpy(out ? from : to, out ? to : from, bytes);
            }
        }
    }
}

/* An image as large as `like`, laid out as the target has them. */
static uint64_t
make_plane(machine_draw *d, const mach_image *like, mach_format format, mach_image *out)
{
    const family_target *t = &d->run.device->target;
    mach_image m = *like;
    m.format = format;
    m.levels = 1;
    m.data = NULL;
    m.size = mach_image_layout(&m);
    if (family_emulator_of(t)->layout_image)
        m.size = family_emulator_of(t)->layout_image(t, &m);
    mach_region *region = mach_memory_alloc(&d->run.memory, MACH_HEAP_LOW, m.size, 0,
                                            mach_format_get(format)->name);
    if (!region)
        diag_fail(&d->run.job->diag, ERR_AMBER_LIMIT, mach_format_get(format)->name);
    m.data = region->host;
    *out = m;
    return region->base;
}

/* Bytes of a depth and of the texel's start to its stencil. */
static uint32_t
depth_bytes(const mach_image *both)
{
    return both->format == MACH_FORMAT_d24_unorm_s8_uint ? 3 : 4;
}

static bool
has_both(const mach_draw *s)
{
    return s->depth.data && s->depth.data == s->stencil.data;
}

/* The machine has depth and stencil in images of their own. */
static void
split(machine_draw *d)
{
    const mach_image both = d->state.depth;
    uint32_t bytes = depth_bytes(&both);
    mach_format depth = bytes == 3 ? MACH_FORMAT_x8_d24_unorm : MACH_FORMAT_d32_sfloat;
    d->depth_stencil = both;
    d->asked.depth = make_plane(d, &both, depth, &d->state.depth);
    d->asked.stencil = make_plane(d, &both, MACH_FORMAT_s8_uint, &d->state.stencil);
    copy_plane(&both, 0, &d->state.depth, bytes, false);
    copy_plane(&both, bytes, &d->state.stencil, 1, false);
}

static void
join(machine_draw *d)
{
    const mach_image *both = &d->depth_stencil;
    if (!both->data)
        return;
    uint32_t bytes = depth_bytes(both);
    copy_plane(both, 0, &d->state.depth, bytes, true);
    copy_plane(both, bytes, &d->state.stencil, 1, true);
}

/* ---- addresses ---- */

static void
put_attachments(machine_draw *d)
{
    const amber_graphics *g = d->run.draw->pipeline->graphics;
    const amber_machine_placed *placed = d->run.buffers;
    for (uint32_t k = 0; k < g->target_count; k++)
        d->asked.colors[k] = placed[g->targets[k].buffer->index].texels->base;
    if (!g->depth_stencil)
        return;
    if (has_both(&d->state))
        split(d);
    else if (d->state.depth.data)
        d->asked.depth = placed[g->depth_stencil->index].texels->base;
    else
        d->asked.stencil = placed[g->depth_stencil->index].texels->base;
}

static void
put_vertices(machine_draw *d)
{
    const amber_vertices *v = d->run.draw->vertices;
    for (uint32_t k = 0; k < v->input_count; k++) {
        const amber_vertex_input *in = &v->inputs[k];
        uint64_t offset = in->offset < in->buffer->size ? in->offset : in->buffer->size;
        d->buffers[k] = (family_vertex_buffer){
            .binding = k,
            .address = d->run.buffers[in->buffer->index].bytes->base + offset,
            .size = in->buffer->size - offset,
        };
    }
    d->asked.buffers = d->buffers;
    d->asked.n_buffers = v->input_count;
}

static void
put_captured(machine_draw *d)
{
    const amber_graphics *g = d->run.draw->pipeline->graphics;
    for (uint32_t k = 0; k < AMBER_MAX_CAPTURED; k++) {
        const amber_buffer *b = g->captured[k];
        if (b)
            d->asked.captured[k] = (family_captured_buffer){
                .address = d->run.buffers[b->index].bytes->base, .size = b->size & ~3u};
    }
}

/* The indices, one after the other: a script's may be further apart. */
static void
put_indices(machine_draw *d)
{
    const amber_vertices *v = d->run.draw->vertices;
    if (!v->index)
        return;
    uint32_t bytes = amber_draw_index_bits(v->index) / 8;
    mach_region *region = mach_memory_alloc(&d->run.memory, MACH_HEAP_LOW,
                                            amber_whole_dwords((uint64_t)v->count * bytes), 0,
                                            v->index->name);
    if (!region)
        diag_fail(&d->run.job->diag, ERR_AMBER_LIMIT, v->index->name);
    for (uint32_t k = 0; k < v->count; k++)
        memcpy(region->host + (size_t)k * bytes, &d->state.assembly.index[k], bytes);
    d->asked.index_address = region->base;
    d->asked.index_bytes = bytes;
    d->asked.max_indices = v->count;
}

/* ---- draws ---- */

static bool
run_draw(machine_draw *d)
{
    amber_machine_run *r = &d->run;
    const amber_machine_options *o = &r->device->options;
    const family_dispatch how = {.checks = o->checks,
                                 .rules_off = o->rules_off,
                                 .seed = o->seed,
                                 .max_instructions = r->draw->max_instructions,
                                 .watch = o->watch};
    const family_shader vertex = amber_machine_shader(r, &r->stages[0]);
    const family_shader fragment = r->stages[1].run ? amber_machine_shader(r, &r->stages[1])
                                                    : (family_shader){0};
    d->asked.how = &how;
    d->asked.vertex = &vertex;
    d->asked.fragment = r->stages[1].run ? &fragment : NULL;
    d->asked.pipeline = &d->pipeline;
    d->asked.state = &d->state;
    d->asked.entries = d->entries;
    const family_target *t = &r->device->target;
    bool ok = t->family->emulator->draw(&r->job->ctx, &r->memory, t, &d->asked, &r->report);
    for (unsigned k = 0; k < AMBER_MACHINE_STAGES; k++)
        r->stages[k].entry = d->entries[k];
    return ok;
}

/* The part that may leave through the job's error exit. */
static bool
draw_protected(void *user)
{
    machine_draw *d = user;
    amber_machine_run *r = &d->run;
    amber_draw_rules(&d->state, r->draw);
    mach_memory_init(&r->memory, &r->job->arena);
    amber_draw_open_vertices(r->job, &d->state, r->draw);
    if (!amber_machine_bind(r) || !amber_draw_open_targets(r->job, &d->state, r->draw, r->result) ||
        !set_pipeline(d) || !compile(d))
        return false;
    put_attachments(d);
    put_vertices(d);
    put_captured(d);
    put_indices(d);
    bool ok = run_draw(d);
    join(d);
    amber_draw_finish(r->job, &d->state, r->draw, r->result);
    return amber_machine_end(r, ok);
}

bool
amber_machine_draw(amber_device *base, arena *scratch, const amber_draw *draw, amber_result *result)
{
    amber_machine_device *device = (amber_machine_device *)base;
    machine_draw *d = ARENA_NEW(scratch, machine_draw);
    d->run = (amber_machine_run){
        .job = &device->job, .device = device, .draw = draw, .result = result};
    if (!amber_draw_open_stages(draw, d->stage, result))
        return false;
    for (unsigned k = 0; k < AMBER_DRAW_STAGES; k++)
        d->run.stages[k].run = d->stage[k].words ? &d->stage[k] : NULL;
    d->run.run = &d->stage[0];
    bool ok = amber_emu_protect(&device->job, draw_protected, d, result);
    amber_emu_job_end(&device->job, d->run.run);
    return ok;
}
