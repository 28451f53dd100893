/* Draws as a driver does: puts both shaders into memory, says what is fetched for vertices, and
 * links the stages: each output of the vertex shader gets words of a vertex, and each place of the
 * fragment shader's varyings one of these, or what the fixed functions give (docs/abi.md). */
#include "adreno/emu/draw/draw.h"

#include "adreno/launch/launch.h"
#include "base/bits.h"
#include "family/draw_state.h"

#include <string.h>

typedef struct draw_launch {
    const ir_ctx *c;
    mach_memory *memory;
    const family_draw *asked;
    const adreno_program *vertex, *fragment; /* fragment NULL: none */
    adreno_draw draw;
    uint8_t words[ADRENO_MAX_IO]; /* the first word of each of the vertex shader's outputs */
} draw_launch;

static uint8_t
register_of(const adreno_io *io)
{
    return (uint8_t)io->reg;
}

/* ---- attributes ---- */

static void
add_fetch(draw_launch *l, const adreno_io *io)
{
    const family_pipeline *p = l->asked->pipeline;
    adreno_vertex_state *s = &l->draw.vs;
    uint32_t skipped;
    if (io->location >= FAMILY_VERTEX_ATTRIBUTES || s->n_fetches == ADRENO_DRAW_FETCHES)
        return;
    const family_vertex_attribute *a = family_find_attribute(p, io->location, &skipped);
    const family_vertex_binding *rate = &p->bindings[a->binding];
    const family_vertex_buffer *b = family_find_vertex_buffer(l->asked, a->binding);
    const uint64_t offset = a->offset + skipped;
    adreno_fetch *f = &s->fetches[s->n_fetches++];
    *f = (adreno_fetch){.reg = register_of(io),
                        .mask = io->mask,
                        .format = a->format,
                        .stride = rate->stride,
                        .per_instance = rate->per_instance,
                        .divisor = rate->divisor};
    if (!b || (!a->wide && a->format == MACH_FORMAT_none))
        return;
    f->address = b->address + offset;
    f->size = b->size > offset ? b->size - offset : 0;
}

/* ---- what a vertex shader gives ---- */

static uint32_t
add_words(draw_launch *l, const adreno_io *io)
{
    adreno_vertex_state *s = &l->draw.vs;
    const uint32_t first = s->n_words;
    for (unsigned c = 0; c < base_bit_width(io->mask) && s->n_words < ADRENO_DRAW_WORDS; c++)
        s->source[s->n_words++] = io->mask >> c & 1 ? (uint8_t)(io->reg + c) : ADRENO_DRAW_NONE;
    return first;
}

static void
add_output(draw_launch *l, uint32_t row)
{
    adreno_vertex_state *s = &l->draw.vs;
    const adreno_io *io = &l->vertex->io[row];
    const uint8_t first = l->words[row] = (uint8_t)add_words(l, io);
    switch (io->slot) {
    case IR_SLOT_position: s->position = first; break;
    case IR_SLOT_point_size: s->point_size = first; break;
    case IR_SLOT_layer: s->layer = first; break;
    case IR_SLOT_viewport_index: s->viewport = first; break;
    default: break;
    }
}

/* Distances are one array: to clip, then to cull. Rows have four of them each. */
static uint8_t
add_distances(draw_launch *l, unsigned slot)
{
    adreno_vertex_state *s = &l->draw.vs;
    const uint32_t first = s->n_words;
    for (unsigned location = 0; location < 2; location++) {
        for (uint32_t k = 0; k < l->vertex->n_io; k++) {
            const adreno_io *io = &l->vertex->io[k];
            if (io->kind == ADRENO_IO_OUTPUT && io->slot == slot && io->location == location)
                l->words[k] = (uint8_t)add_words(l, io);
        }
    }
    return (uint8_t)(s->n_words - first);
}

static bool
is_distance(const adreno_io *io)
{
    return io->slot == IR_SLOT_clip_distance || io->slot == IR_SLOT_cull_distance;
}

/* The words of what is captured: those of the output in the same registers, if there is one. */
static uint32_t
words_of(draw_launch *l, const adreno_io *io)
{
    for (uint32_t k = 0; k < l->vertex->n_io; k++) {
        const adreno_io *out = &l->vertex->io[k];
        if (out->kind == ADRENO_IO_OUTPUT && out->reg == io->reg && out->reg != ADRENO_IO_NO_REG &&
            (io->mask & ~out->mask) == 0)
            return l->words[k];
    }
    return add_words(l, io);
}

static void
add_captured(draw_launch *l, const adreno_io *io)
{
    adreno_vertex_state *s = &l->draw.vs;
    const uint32_t first = words_of(l, io), n = base_bit_width(io->mask);
    for (uint32_t k = 0; k < n && s->n_captured < ADRENO_DRAW_WORDS; k++)
        s->captured[s->n_captured++] = (adreno_captured){
            .word = (uint8_t)(first + k), .buffer = io->location, .dword = (uint16_t)(io->at + k)};
}

static void
set_captured(draw_launch *l)
{
    const adreno_program *p = l->vertex;
    for (unsigned k = 0; k < ADRENO_DRAW_STREAMS; k++) {
        const family_captured_buffer *b = &l->asked->captured[k];
        l->draw.vs.streams[k] = (adreno_stream){b->address, b->size, p->captured_stride[k]};
    }
    for (uint32_t k = 0; k < p->n_io; k++)
        if (p->io[k].kind == ADRENO_IO_CAPTURED)
            add_captured(l, &p->io[k]);
}

static void
set_vertex(draw_launch *l)
{
    adreno_vertex_state *s = &l->draw.vs;
    const adreno_program *p = l->vertex;
    memset(s->reg, ADRENO_DRAW_NONE, sizeof s->reg);
    s->position = s->point_size = s->layer = s->viewport = ADRENO_DRAW_NONE;
    s->n_clip = add_distances(l, IR_SLOT_clip_distance);
    s->n_cull = add_distances(l, IR_SLOT_cull_distance);
    for (uint32_t k = 0; k < p->n_io; k++) {
        const adreno_io *io = &p->io[k];
        s->reg[io->kind] = register_of(io);
        if (io->kind == ADRENO_IO_ATTRIBUTE)
            add_fetch(l, io);
        else if (io->kind == ADRENO_IO_OUTPUT && !is_distance(io))
            add_output(l, k);
    }
}

/* ---- what a fragment shader has ---- */

static void
link_vertex(draw_launch *l, const adreno_io *io, unsigned c)
{
    adreno_fragment_state *s = &l->draw.fs;
    const adreno_program *p = l->vertex;
    for (uint32_t k = 0; k < p->n_io; k++) {
        const adreno_io *out = &p->io[k];
        if (out->kind != ADRENO_IO_OUTPUT || out->slot != io->slot ||
            out->location != io->location || !(out->mask >> c & 1))
            continue;
        s->source[io->at + c] = ADRENO_FROM_VERTEX;
        s->word[io->at + c] = (uint8_t)(l->words[k] + c);
        return;
    }
    s->source[io->at + c] = ADRENO_FROM_NOTHING;
}

static void
add_varying(draw_launch *l, const adreno_io *io)
{
    adreno_fragment_state *s = &l->draw.fs;
    for (unsigned c = 0; c < 4 && io->at + c < ADRENO_DRAW_WORDS; c++) {
        s->flat[io->at + c] = io->kind == ADRENO_IO_FLAT_VARYING;
        switch (io->slot) {
        case IR_SLOT_primitive_id: s->source[io->at + c] = ADRENO_FROM_PRIMITIVE_ID; break;
        case IR_SLOT_layer: s->source[io->at + c] = ADRENO_FROM_LAYER; break;
        case IR_SLOT_viewport_index: s->source[io->at + c] = ADRENO_FROM_VIEWPORT; break;
        case IR_SLOT_point_coord:
            s->source[io->at + c] = c ? ADRENO_FROM_POINT_Y : ADRENO_FROM_POINT_X;
            break;
        default: link_vertex(l, io, c); break;
        }
    }
    if (io->at + 4u > s->n_places)
        s->n_places = io->at + 4u;
}

static adreno_color_regs
color_of(const adreno_io *io, uint32_t number)
{
    return (adreno_color_regs){register_of(io), io->mask, io->aliased, (uint8_t)number};
}

static void
set_fragment(draw_launch *l)
{
    adreno_fragment_state *s = &l->draw.fs;
    const adreno_program *p = l->fragment;
    memset(s->reg, ADRENO_DRAW_NONE, sizeof s->reg);
    for (uint32_t k = 0; k < MACH_MAX_COLORS; k++)
        s->colors[k].reg = ADRENO_DRAW_NONE;
    s->second_color.reg = ADRENO_DRAW_NONE;
    if (!p)
        return;
    memcpy(s->prefetches, p->prefetches, sizeof s->prefetches);
    s->n_prefetches = p->n_prefetches;
    for (uint32_t k = 0; k < p->n_io; k++) {
        const adreno_io *io = &p->io[k];
        s->reg[io->kind] = register_of(io);
        if (adreno_has_places(io))
            add_varying(l, io);
        else if (io->kind == ADRENO_IO_SECOND_COLOR)
            s->second_color = color_of(io, 1);
        else if (io->kind == ADRENO_IO_COLOR && io->location < MACH_MAX_COLORS)
            s->colors[io->location] = color_of(io, io->location);
    }
}

/* ---- the fixed functions ---- */

static void
set_fixed(draw_launch *l)
{
    mach_draw *f = &l->draw.fixed;
    const ir_fragment *modes = l->fragment ? &l->fragment->fn->shader.fragment : NULL;
    family_fix_draw(l->c->arena, l->memory, l->asked, modes, f);
    f->setup.clip_distances = l->draw.vs.n_clip;
    f->setup.cull_distances = l->draw.vs.n_cull;
    f->writes_depth = l->draw.fs.reg[ADRENO_IO_DEPTH] != ADRENO_DRAW_NONE;
    f->writes_stencil = l->draw.fs.reg[ADRENO_IO_STENCIL] != ADRENO_DRAW_NONE;
}

/* ---- the draw ---- */

/* Puts a shader into memory; NULL: a resource has no descriptor. */
static const adreno_dispatch *
put_shader(draw_launch *l, const family_target *t, const family_shader *shader, unsigned number)
{
    adreno_launch one = {.c = l->c, .memory = l->memory, .shader = shader};
    const mach_draw *state = l->asked->state;
    if (adreno_put_shader(&one, t, l->asked->how) != UINT32_MAX)
        return NULL;
    if (!number) {
        one.consts[ADRENO_CONST_BASE_VERTEX] = state->vertex_offset;
        one.consts[ADRENO_CONST_BASE_INSTANCE] = state->first_instance;
    }
    if (l->asked->entries)
        l->asked->entries[number] = one.dispatch->entry;
    return one.dispatch;
}

bool
adreno_launch_draw(const ir_ctx *c, mach_memory *m, const family_target *t, const family_draw *draw,
                   mach_report *report)
{
    draw_launch *l = ARENA_NEW(c->arena, draw_launch);
    l->c = c;
    l->memory = m;
    l->asked = draw;
    l->vertex = draw->vertex->binary->own;
    l->fragment = draw->fragment ? draw->fragment->binary->own : NULL;
    l->draw.vertex = put_shader(l, t, draw->vertex, 0);
    if (l->draw.vertex && draw->fragment)
        l->draw.fragment = put_shader(l, t, draw->fragment, 1);
    if (!l->draw.vertex || (draw->fragment && !l->draw.fragment)) {
        mach_report_unsupported_draw(report, "a resource that no descriptor can describe");
        return false;
    }
    set_vertex(l);
    set_captured(l);
    set_fragment(l);
    set_fixed(l);
    return adreno_draw_run(&l->draw, m, c->scratch, report);
}
