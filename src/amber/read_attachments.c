/* What a graphics pipeline draws into: colours, depth and stencil, resolved colours. */
#include "amber/read_pipeline.h"

#include <string.h>

static void
check_texels(reader *r, const amber_buffer *buffer)
{
    if (!buffer->type->has_texel || buffer->dim == AMBER_1D || buffer->dim == AMBER_3D)
        diag_fail(r->diag, ERR_AMBER_EXPECTED, "a buffer with a format, or an image of DIM_2D",
                  arena_printf(r->arena, "'%s'", buffer->name));
}

static bool
has_component(const amber_buffer *buffer, char name)
{
    const amber_texel *t = &buffer->type->texel;
    for (unsigned i = 0; i < t->count; i++)
        if (t->part[i].name == name)
            return true;
    return false;
}

static bool
is_depth_stencil(const amber_buffer *buffer)
{
    return has_component(buffer, 'D') || has_component(buffer, 'S');
}

static void
check_colors(reader *r, const amber_buffer *buffer)
{
    check_texels(r, buffer);
    if (is_depth_stencil(buffer))
        diag_fail(r->diag, ERR_AMBER_EXPECTED, "a buffer of colours",
                  arena_printf(r->arena, "'%s'", buffer->name));
}

static void
put_target(amber_graphics *g, const amber_target *t)
{
    g->targets[t->location] = *t;
    if (t->location >= g->target_count)
        g->target_count = t->location + 1;
}

void
amber_read_color_target(read_body *b, const amber_buffer *buffer, uint32_t location)
{
    amber_target t = {.buffer = buffer, .location = location};
    check_colors(b->r, buffer);
    put_target(b->p->graphics, &t);
}

/* ... AS color LOCATION location [BASE_MIP_LEVEL level] */
void
amber_read_color(read_body *b, amber_buffer *buffer)
{
    reader *r = b->r;
    amber_target t = {.buffer = buffer};
    check_colors(r, buffer);
    amber_read_word(r, "LOCATION");
    t.location = (uint32_t)amber_read_uint(r, "a location", AMBER_MAX_TARGETS - 1);
    if (amber_read_accept(r, "BASE_MIP_LEVEL")) {
        t.mip = (uint32_t)amber_read_uint(r, "a mip level", UINT32_MAX);
        if (t.mip >= buffer->mips)
            diag_fail(r->diag, ERR_AMBER_RANGE, "BASE_MIP_LEVEL", buffer->name);
    }
    put_target(b->p->graphics, &t);
}

/* ... AS transform_feedback LOCATION number: Heddle's own; the number is the shader's xfb_buffer */
void
amber_read_captured(read_body *b, amber_buffer *buffer)
{
    amber_read_word(b->r, "LOCATION");
    uint64_t number = amber_read_uint(b->r, "a buffer's number", AMBER_MAX_CAPTURED - 1);
    b->p->graphics->captured[number] = buffer;
}

void
amber_read_depth_stencil(read_body *b, amber_buffer *buffer)
{
    check_texels(b->r, buffer);
    if (!is_depth_stencil(buffer))
        diag_fail(b->r->diag, ERR_AMBER_EXPECTED, "a buffer of depths",
                  arena_printf(b->r->arena, "'%s'", buffer->name));
    b->p->graphics->depth_stencil = buffer;
}

void
amber_read_resolve(read_body *b, amber_buffer *buffer)
{
    check_texels(b->r, buffer);
    b->resolves = arena_grow(b->r->arena, b->resolves, &b->resolve_cap, b->resolve_count + 1,
                             sizeof *b->resolves);
    b->resolves[b->resolve_count++] = buffer;
}

_Noreturn static void
fail_difference(reader *r, const amber_buffer *buffer, const char *other)
{
    diag_fail(r->diag, ERR_AMBER_DIFFERENT, buffer->name, other);
}

/* Buffers and images take the size of the framebuffer, as in google/amber, but keep initial data,
 * which must fit. */
static void
size_target(reader *r, amber_buffer *buffer, uint32_t width, uint32_t height)
{
    bool is_full = buffer->elements == (uint64_t)width * height;
    if (!is_full && buffer->init && !buffer->framebuffer)
        fail_difference(r, buffer, "FRAMEBUFFER_SIZE");
    buffer->width = width;
    buffer->height = height;
    buffer->elements = (uint64_t)width * height;
    amber_read_set_size(r, buffer);
}

/* The attachment that scripts need not declare: google/amber, docs/amber_script.md. */
static void
add_default_target(read_body *b)
{
    static const char name[] = "framebuffer";
    reader *r = b->r;
    amber_graphics *g = b->p->graphics;
    uint64_t index;
    if (!amber_read_find(r, READ_BUFFER, name, &index)) {
        amber_buffer *buffer = amber_read_new_buffer(r, name);
        buffer->type = amber_read_format_type(r, "B8G8R8A8_UNORM");
        buffer->framebuffer = true;
        index = buffer->index;
    }
    g->targets[0] = (amber_target){.buffer = r->script->buffers[index]};
    g->target_count = 1;
}

/* Buffers of the script may still be sized; the model has them as constants. */
static amber_buffer *
get_buffer(reader *r, const amber_buffer *b)
{
    return r->script->buffers[b->index];
}

static void
finish_resolves(read_body *b)
{
    reader *r = b->r;
    amber_graphics *g = b->p->graphics;
    for (size_t i = 0; i < b->resolve_count; i++) {
        amber_target *t = g->targets, *end = t + g->target_count;
        while (t < end && (t->buffer->samples == 1 || t->resolve))
            t++;
        if (t == end)
            diag_fail(r->diag, ERR_AMBER_MISSING, b->p->name,
                      "a color buffer of several samples for BIND BUFFER AS resolve");
        t->resolve = b->resolves[i];
        size_target(r, get_buffer(r, t->resolve), g->width, g->height);
    }
}

void
amber_read_finish_attachments(read_body *b)
{
    reader *r = b->r;
    amber_graphics *g = b->p->graphics;
    if (!g->target_count && !g->depth_stencil)
        add_default_target(b);
    for (uint32_t i = 0; i < g->target_count; i++) {
        const amber_target *t = &g->targets[i];
        if (!t->buffer)
            diag_fail(r->diag, ERR_AMBER_MISSING, b->p->name,
                      arena_printf(r->arena, "BIND BUFFER AS color LOCATION %u", i));
        size_target(r, get_buffer(r, t->buffer), g->width << t->mip, g->height << t->mip);
        if (t->buffer->samples != g->targets[0].buffer->samples)
            fail_difference(r, t->buffer, g->targets[0].buffer->name);
        g->samples = t->buffer->samples;
    }
    if (g->depth_stencil) {
        size_target(r, get_buffer(r, g->depth_stencil), g->width, g->height);
        if (!g->target_count)
            g->samples = g->depth_stencil->samples;
        if (g->depth_stencil->samples != g->samples)
            fail_difference(r, g->depth_stencil, g->targets[0].buffer->name);
    }
    finish_resolves(b);
    if (!g->has_viewport) {
        g->viewport.width = (float)g->width;
        g->viewport.height = (float)g->height;
    }
}
