/* Makes a case draw: triangles of all attributes that the shader has, into all its outputs. */
#include "drawing.h"

#include "maker.h"

#include <stdlib.h>
#include <string.h>

enum {
    VERTICES = 24, /* partners.py's vertex shaders cover the screen with the first six of these */
    INSTANCES = 2,
    WIDTH = 32, /* of attachments, in texels */
    HEIGHT = 24,
    RARE = 8, /* one attribute in so many is one an instance */
    D32_SFLOAT = 126,
    ALL_CHANNELS = 15,
};

bool
real_read_formats(const char *text, real_format *formats, uint32_t max, uint32_t *n)
{
    for (*n = 0; *text; ++*n) {
        char *name;
        unsigned long location = strtoul(text, &name, 10);
        size_t len = strcspn(name, ",");
        if (*n == max || *name != ':' || location >= REAL_MAX_ATTRIBUTES ||
            !amber_texel_find(name + 1, len - 1, &formats[*n].texel))
            return false;
        formats[*n].location = (uint32_t)location;
        text = name + len + (name[len] == ',');
    }
    return true;
}

static const amber_buffer *
add_texels(real_maker *m, const char *name, const amber_texel *texel, uint32_t width,
           uint32_t height)
{
    amber_buffer *b = &real_add_buffer(m, name)->amber;
    real_set_type(m, b, (amber_type){.size = texel->bytes, .has_texel = true, .texel = *texel});
    b->width = width;
    b->height = height;
    b->elements = (uint64_t)width * height;
    b->size = b->elements * texel->bytes;
    b->dim = height > 1 ? AMBER_2D : AMBER_NOT_IMAGE;
    return b;
}

static void
add_attributes(real_maker *m, const real_drawn *drawn, real_drawing *d)
{
    for (uint32_t k = 0; k < drawn->n_attributes; k++) {
        const real_format *f = &drawn->attributes[k];
        const char *name = arena_printf(m->c->arena, "attribute %u", f->location);
        d->inputs[k] = (amber_vertex_input){.buffer = add_texels(m, name, &f->texel, VERTICES, 1),
                                            .location = f->location,
                                            .per_instance = real_next(&m->draw) % RARE == 0,
                                            .format = f->texel,
                                            .stride = f->texel.bytes};
    }
    d->vertices = (amber_vertices){.topology = drawn->points ? MACH_POINT_LIST : MACH_TRIANGLE_LIST,
                                   .inputs = d->inputs,
                                   .input_count = drawn->n_attributes,
                                   .count = VERTICES,
                                   .instances = INSTANCES};
}

/* Each colour that the shader writes, and the depth, whose test always passes. */
static void
add_targets(real_maker *m, const real_drawn *drawn, real_drawing *d)
{
    amber_graphics *g = &d->graphics;
    amber_texel depth;
    for (uint32_t k = 0; k < drawn->n_targets; k++) {
        const char *name = arena_printf(m->c->arena, "colour %u", k);
        g->targets[k] = (amber_target){
            .buffer = add_texels(m, name, &drawn->targets[k].texel, WIDTH, HEIGHT), .location = k};
    }
    g->target_count = drawn->n_targets;
    if (amber_texel_by_number(D32_SFLOAT, &depth))
        g->depth_stencil = add_texels(m, "depth", &depth, WIDTH, HEIGHT);
    g->tests = (mach_depth_stencil){
        .depth_test = true, .depth_write = true, .depth_compare = MACH_COMPARE_ALWAYS};
}

void
real_make_drawing(real_maker *m, const real_drawn *drawn)
{
    real_case *c = m->c;
    real_drawing *d = ARENA_NEW(c->arena, real_drawing);
    bool is_vertex = c->stage.stage == AMBER_VERTEX;
    d->graphics = (amber_graphics){.inputs = d->inputs,
                                   .input_count = drawn->n_attributes,
                                   .width = WIDTH,
                                   .height = HEIGHT,
                                   .samples = 1,
                                   .viewport = {.width = WIDTH, .height = HEIGHT, .max_depth = 1},
                                   .line_width = 1,
                                   .write_mask = ALL_CHANNELS};
    add_attributes(m, drawn, d);
    add_targets(m, drawn, d);
    d->shader = (amber_shader){.name = "partner",
                               .stage = is_vertex ? AMBER_FRAGMENT : AMBER_VERTEX,
                               .language = AMBER_SPIRV_BIN,
                               .index = 1};
    d->stage = (amber_attach){.shader = &d->shader, .stage = d->shader.stage, .entry = "main"};
    d->codes[0] = (amber_stage_code){c->words, c->n_words, &c->stage};
    d->codes[1] = (amber_stage_code){drawn->words, drawn->n_words, &d->stage};
    c->local[0] = VERTICES;
    c->groups[0] = INSTANCES;
    c->local[1] = c->local[2] = c->groups[1] = c->groups[2] = 1;
    c->pipeline.kind = AMBER_PIPE_GRAPHICS;
    c->pipeline.graphics = &d->graphics;
    c->drawing = d;
}
