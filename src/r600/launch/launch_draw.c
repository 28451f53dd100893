/* Draws as a driver does: puts both shaders into memory, describes vertex buffers, and links the
 * stages: each parameter of the fragment shader is one of the vertex shader's, or what the fixed
 * functions give (docs/abi.md). */
#include "family/draw_state.h"
#include "r600/emu/draw/draw.h"
#include "r600/launch/launch.h"

#include <string.h>

typedef struct draw_launch {
    const ir_ctx *c;
    mach_memory *memory;
    const family_draw *asked;
    const r600_program *vertex, *fragment; /* fragment NULL: none */
    r600_draw draw;
} draw_launch;

/* ---- vertices ---- */

static uint32_t
stride_of(const family_pipeline *p, uint32_t binding)
{
    enum { BYTES_OF_LOCATION = 16 };
    return p->has_vertices ? p->bindings[binding].stride : BYTES_OF_LOCATION;
}

static void
set_buffers(const draw_launch *l, r600_emu_dispatch *d)
{
    for (uint32_t k = 0; k < l->asked->n_buffers; k++) {
        const family_vertex_buffer *b = &l->asked->buffers[k];
        const r600_range range = {b->address, b->size};
        if (b->binding < FAMILY_VERTEX_BINDINGS && b->size)
            r600_set_resource(d, R600_RESOURCE_VERTEX + b->binding, &range,
                              stride_of(l->asked->pipeline, b->binding));
    }
}

static void
add_distances(const r600_io *io, uint8_t *n)
{
    const unsigned count = r600_io_end(io);
    *n = count > *n ? (uint8_t)count : *n;
}

static void
set_streams(draw_launch *l)
{
    for (unsigned k = 0; k < FAMILY_CAPTURED_BUFFERS; k++) {
        const family_captured_buffer *b = &l->asked->captured[k];
        l->draw.vs.streams[k] = (r600_stream){b->address, b->size, l->vertex->captured_stride[k]};
    }
}

static void
set_vertex(draw_launch *l)
{
    r600_vertex_state *s = &l->draw.vs;
    for (uint32_t k = 0; k < l->vertex->n_io; k++) {
        const r600_io *io = &l->vertex->io[k];
        switch (io->slot) {
        case IR_SLOT_primitive_id: s->gives_primitive = true; break;
        case IR_SLOT_point_size: s->uses_point_size = true; break;
        case IR_SLOT_layer: s->uses_layer = true; break;
        case IR_SLOT_viewport_index: s->uses_viewport = true; break;
        case IR_SLOT_clip_distance: add_distances(io, &s->n_clip); break;
        case IR_SLOT_cull_distance: add_distances(io, &s->n_cull); break;
        default: break;
        }
    }
    set_streams(l);
    s->has_misc = s->uses_point_size || s->uses_layer || s->uses_viewport;
    for (unsigned i = 0; i < 2; i++)
        s->has_distances[i] = s->n_clip + s->n_cull > (int)(4 * i);
    s->n_parameters = (uint8_t)(l->vertex->n_parameters ? l->vertex->n_parameters : 1);
}

/* ---- fragments ---- */

/* A layer or a viewport that the vertex shader does not give is 0. */
static void
link_parameter(const draw_launch *l, const r600_io *io, r600_parameter *to)
{
    static const uint8_t places[] = {[IR_INTERP_AT_pixel] = MACH_AT_CENTER,
                                     [IR_INTERP_AT_centroid] = MACH_AT_CENTROID,
                                     [IR_INTERP_AT_sample] = MACH_AT_SAMPLE};
    *to = (r600_parameter){.source = R600_FROM_NOTHING,
                           .is_flat = io->interp == R600_IO_FLAT,
                           .is_linear = io->interp == IR_INTERP_noperspective,
                           .at = places[io->at]};
    if (io->slot == IR_SLOT_point_coord)
        to->source = R600_FROM_POINT;
    if (io->slot == IR_SLOT_layer || io->slot == IR_SLOT_viewport_index)
        to->source = R600_FROM_ZEROS;
    for (uint32_t k = 0; k < l->vertex->n_io; k++) {
        const r600_io *out = &l->vertex->io[k];
        if (out->number != R600_IO_NO_PARAMETER && out->slot == io->slot &&
            out->location == io->location) {
            to->source = R600_FROM_VERTEX;
            to->number = out->number;
        }
    }
}

static void
set_input(r600_fragment_inputs *in, const r600_io *io)
{
    switch (io->kind) {
    case R600_IO_IJ_PIXEL: in->weights[0][MACH_AT_CENTER] = io->reg; break;
    case R600_IO_IJ_CENTROID: in->weights[0][MACH_AT_CENTROID] = io->reg; break;
    case R600_IO_IJ_SAMPLE: in->weights[0][MACH_AT_SAMPLE] = io->reg; break;
    case R600_IO_IJ_LINEAR_PIXEL: in->weights[1][MACH_AT_CENTER] = io->reg; break;
    case R600_IO_IJ_LINEAR_CENTROID: in->weights[1][MACH_AT_CENTROID] = io->reg; break;
    case R600_IO_IJ_LINEAR_SAMPLE: in->weights[1][MACH_AT_SAMPLE] = io->reg; break;
    case R600_IO_PLACE: in->position = io->reg; break;
    case R600_IO_FACE: in->face = io->reg; break;
    case R600_IO_SAMPLE_MASK_IN: in->coverage = (uint16_t)(io->reg + 2); break;
    case R600_IO_SAMPLE_ID: in->sample_id = (uint16_t)(io->reg + 3); break;
    default: break;
    }
}

static void
set_output(r600_fragment_state *s, const r600_io *io)
{
    switch (io->kind) {
    case R600_IO_COLOR: s->colors |= 1u << io->location; break;
    case R600_IO_SECOND_COLOR:
        s->has_second = true;
        s->colors |= 2;
        break;
    case R600_IO_DEPTH: s->depth = true; break;
    case R600_IO_STENCIL: s->stencil = true; break;
    case R600_IO_SAMPLE_MASK: s->mask = true; break;
    default: break;
    }
}

static void
set_fragment(draw_launch *l)
{
    r600_fragment_state *s = &l->draw.fs;
    memset(&s->in, 0xff, sizeof s->in); /* R600_DRAW_NONE */
    for (uint32_t k = 0; l->fragment && k < l->fragment->n_io; k++) {
        const r600_io *io = &l->fragment->io[k];
        if (io->kind == R600_IO_VARYING)
            link_parameter(l, io, &s->parameters[io->number]);
        set_input(&s->in, io);
        set_output(s, io);
    }
    s->n_parameters = l->fragment ? l->fragment->n_parameters : 0;
}

/* ---- the draw ---- */

static void
set_fixed(draw_launch *l)
{
    mach_draw *f = &l->draw.fixed;
    const ir_fragment *modes = l->fragment ? &l->fragment->hir->shader.fragment : NULL;
    family_fix_draw(l->c->arena, l->memory, l->asked, modes, f);
    f->setup.clip_distances = l->draw.vs.n_clip;
    f->setup.cull_distances = l->draw.vs.n_cull;
    f->shares_nothing |= l->draw.vs.gives_primitive;
    f->writes_depth = l->draw.fs.depth;
    f->writes_stencil = l->draw.fs.stencil;
}

/* Puts a shader into memory; NULL: a resource that nothing can describe. */
static r600_emu_dispatch *
put_shader(draw_launch *l, const family_shader *shader, unsigned number)
{
    r600_launch one = {
        .c = l->c, .memory = l->memory, .shader = shader, .program = shader->binary->own};
    const mach_draw *state = l->asked->state;
    uint32_t head[R600_CONST_PUSH] = {[R600_CONST_BASE_VERTEX] = state->vertex_offset,
                                      [R600_CONST_BASE_INSTANCE] = state->first_instance};
    one.dispatch = r600_new_dispatch(l->c, l->asked->how, one.program);
    if (r600_put_shader(&one, head) != UINT32_MAX)
        return NULL;
    if (l->asked->entries)
        l->asked->entries[number] = one.entry;
    return one.dispatch;
}

bool
r600_launch_draw(const ir_ctx *c, mach_memory *m, const family_target *t, const family_draw *draw,
                 mach_report *report)
{
    (void)t;
    draw_launch *l = ARENA_NEW(c->arena, draw_launch);
    memset(l, 0, sizeof *l);
    l->c = c;
    l->memory = m;
    l->asked = draw;
    l->vertex = draw->vertex->binary->own;
    l->fragment = draw->fragment ? draw->fragment->binary->own : NULL;
    r600_emu_dispatch *vertex = put_shader(l, draw->vertex, 0);
    if (vertex)
        set_buffers(l, vertex);
    l->draw.vertex = vertex;
    l->draw.fragment = vertex && draw->fragment ? put_shader(l, draw->fragment, 1) : NULL;
    if (!vertex || (draw->fragment && !l->draw.fragment)) {
        mach_report_unsupported_draw(report, "a resource that no descriptor can describe");
        return false;
    }
    set_vertex(l);
    set_fragment(l);
    set_fixed(l);
    return r600_draw_run(&l->draw, m, c->scratch, report);
}
