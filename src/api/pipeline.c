/* Graphics pipelines: the caller's structs, checked, as the families know them. */
#include "api/compile.h"

#include <string.h>

static _Noreturn void
wrong(api_state *s, const char *what)
{
    diag_fail(&s->diag, ERR_API_PIPELINE, what);
}

static const void *
read_struct(api_state *s, void *copy, size_t size, const void *at)
{
    const void *next = api_read_struct(copy, size, at);
    if (!next)
        wrong(s, "a struct_size is none of this struct's");
    return next;
}

static bool
flag(api_state *s, uint32_t v, const char *name)
{
    if (v > 1)
        wrong(s, arena_printf(&s->arena, "%s is neither 0 nor 1", name));
    return v;
}

/* Fails unless `v` is at most `most`. */
static uint32_t
number(api_state *s, uint32_t v, uint32_t most, const char *name)
{
    if (v > most)
        wrong(s, arena_printf(&s->arena, "%s %u: the largest is %u", name, v, most));
    return v;
}

static void
check_list(api_state *s, const void *at, size_t n, size_t most, const char *name)
{
    if (n > most || (n && !at))
        wrong(s, arena_printf(
                     &s->arena,
                     n > most ? "it has too many %s" : "it has no %s, but a number of them", name));
}

/* ---- vertices ---- */

static void
read_bindings(api_state *s, const heddle_pipeline *p, family_pipeline *out)
{
    const void *at = p->bindings;
    check_list(s, at, p->n_bindings, FAMILY_VERTEX_BINDINGS, "bindings");
    for (size_t k = 0; k < p->n_bindings; k++) {
        heddle_vertex_binding b;
        at = read_struct(s, &b, sizeof b, at);
        out->bindings[number(s, b.binding, FAMILY_VERTEX_BINDINGS - 1, "binding")] =
            (family_vertex_binding){
                .stride = b.stride,
                .per_instance = flag(s, b.per_instance, "per_instance"),
                .divisor = b.divisor,
                .stride_is_dynamic = flag(s, b.stride_is_dynamic, "stride_is_dynamic"),
                .align = b.align,
            };
        if (b.align & (b.align - 1))
            wrong(s, "align is not a power of two");
    }
}

/* VK_FORMAT_R64_UINT to VK_FORMAT_R64G64B64A64_SFLOAT: three types each of one to four numbers. */
static uint8_t
wide_numbers(uint32_t vk)
{
    enum { R64_UINT = 110, LAST = 121, TYPES = 3 };
    return vk >= R64_UINT && vk <= LAST ? (uint8_t)(1 + (vk - R64_UINT) / TYPES) : 0;
}

static void
read_attributes(api_state *s, const heddle_pipeline *p, family_pipeline *out)
{
    const void *at = p->attributes;
    check_list(s, at, p->n_attributes, FAMILY_VERTEX_ATTRIBUTES, "attributes");
    for (size_t k = 0; k < p->n_attributes; k++) {
        heddle_vertex_attribute a;
        at = read_struct(s, &a, sizeof a, at);
        uint32_t location = number(s, a.location, FAMILY_VERTEX_ATTRIBUTES - 1, "location");
        family_vertex_attribute *to = &out->attributes[location];
        to->wide = wide_numbers(a.format);
        to->format = to->wide ? MACH_FORMAT_none : mach_format_from_vk(a.format);
        to->binding = number(s, a.binding, FAMILY_VERTEX_BINDINGS - 1, "binding");
        to->offset = a.offset;
        if (!to->wide && to->format == MACH_FORMAT_none)
            wrong(s, arena_printf(&s->arena, "location %u has format %u, which is not known",
                                  a.location, a.format));
    }
}

/* ---- colours ---- */

static void
read_colors(api_state *s, const heddle_pipeline *p, family_pipeline *out)
{
    const void *at = p->colors;
    check_list(s, at, p->n_colors, FAMILY_COLORS, "colors");
    for (size_t k = 0; k < p->n_colors; k++) {
        heddle_color c;
        at = read_struct(s, &c, sizeof c, at);
        out->colors[k] = (family_color){
            .format = c.format ? mach_format_from_vk(c.format) : MACH_FORMAT_none,
            .kept = (uint8_t)number(s, c.kept, 15, "kept"),
            .blends = flag(s, c.blends, "blends"),
            .blends_alpha = flag(s, c.blends_alpha, "blends_alpha"),
            .blends_second = flag(s, c.blends_second, "blends_second"),
        };
        if (c.format && out->colors[k].format == MACH_FORMAT_none)
            wrong(s, arena_printf(&s->arena, "colour %u has format %u, which is not known",
                                  (unsigned)k, c.format));
    }
}

/* ---- the other stage ---- */

/* The slots of HEDDLE_BUILTIN_*, by bit. */
static const uint8_t builtin_slots[] = {IR_SLOT_clip_distance, IR_SLOT_cull_distance, IR_SLOT_layer,
                                        IR_SLOT_viewport_index, IR_SLOT_primitive_id};

static uint32_t
slots_of(uint32_t builtins)
{
    uint32_t bits = 0;
    for (unsigned k = 0; k < sizeof builtin_slots; k++)
        bits |= (builtins >> k & 1) << builtin_slots[k];
    return bits;
}

static uint32_t
builtins_of(uint32_t slots)
{
    uint32_t bits = 0;
    for (unsigned k = 0; k < sizeof builtin_slots; k++)
        bits |= (slots >> builtin_slots[k] & 1) << k;
    return bits;
}

static void
read_link(api_state *s, const heddle_stage_link *from, family_stage_link *out)
{
    enum { BUILTINS = 0x1f };
    heddle_stage_link l;
    read_struct(s, &l, sizeof l, from);
    const void *at = l.varyings;
    check_list(s, at, l.n_varyings, FAMILY_LOCATIONS, "varyings");
    out->slots = slots_of(number(s, l.builtins, BUILTINS, "builtins"));
    out->clip_distances = l.builtins & HEDDLE_BUILTIN_CLIP_DISTANCE ? 0xff : 0;
    out->cull_distances = l.builtins & HEDDLE_BUILTIN_CULL_DISTANCE ? 0xff : 0;
    for (size_t k = 0; k < l.n_varyings; k++) {
        heddle_varying v;
        at = read_struct(s, &v, sizeof v, at);
        family_varying *to =
            &out->locations[number(s, v.location, FAMILY_LOCATIONS - 1, "location")];
        to->components = (uint8_t)number(s, v.components, 15, "components");
        to->constants = (uint8_t)number(s, v.constants, 15, "constants");
        to->way = (uint8_t)number(s, v.way, FAMILY_WAY_SEVERAL, "way");
        memcpy(to->value, v.value, sizeof to->value);
        for (unsigned c = 0; c < 4; c++)
            to->same[c] = (uint16_t)number(s, v.same[c], 4 * v.location + c, "same");
        out->slots |= 1u << IR_SLOT_location;
    }
}

void
api_give_link(api_state *s, const family_stage_link *from)
{
    arena *a = &s->output->arena;
    heddle_varying *varyings = ARENA_ARRAY(a, FAMILY_LOCATIONS, heddle_varying);
    heddle_stage_link *link = ARENA_NEW(a, heddle_stage_link);
    *link = (heddle_stage_link){
        .struct_size = sizeof *link, .varyings = varyings, .builtins = builtins_of(from->slots)};
    for (uint32_t k = 0; k < FAMILY_LOCATIONS; k++) {
        const family_varying *v = &from->locations[k];
        if (!v->components)
            continue;
        heddle_varying *to = &varyings[link->n_varyings++];
        *to = (heddle_varying){.struct_size = sizeof *to,
                               .location = k,
                               .components = v->components,
                               .constants = v->constants,
                               .way = v->way};
        memcpy(to->value, v->value, sizeof to->value);
        for (unsigned c = 0; c < 4; c++)
            to->same[c] = v->same[c];
    }
    s->output->link = link;
}

/* ---- the whole ---- */

const family_pipeline *
api_read_pipeline(api_state *s, const heddle_pipeline *from)
{
    enum { DYNAMIC = 0x3f, MOST_SAMPLES = 16 };
    family_pipeline *out = ARENA_NEW(&s->arena, family_pipeline);
    heddle_pipeline p;
    read_struct(s, &p, sizeof p, from);
    out->has_vertices = flag(s, p.has_vertices, "has_vertices");
    read_bindings(s, &p, out);
    read_attributes(s, &p, out);
    out->topology = (family_topology)number(s, p.topology, HEDDLE_TOPOLOGY_RECTANGLES, "topology");
    out->polygon_mode = (family_polygon_mode)number(s, p.polygon_mode, HEDDLE_POLYGON_POINT,
                                                    "polygon_mode");
    out->view_mask = p.view_mask;
    out->vertex_kind = (family_vertex_kind)number(s, p.vertex_kind, HEDDLE_VERTEX_PRIMITIVE,
                                                  "vertex_kind");
    out->has_colors = flag(s, p.has_colors, "has_colors");
    read_colors(s, &p, out);
    out->lacks_depth = flag(s, p.lacks_depth, "lacks_depth");
    out->lacks_stencil = flag(s, p.lacks_stencil, "lacks_stencil");
    out->samples = number(s, p.samples, MOST_SAMPLES, "samples");
    if (p.samples & (p.samples - 1))
        wrong(s, "samples is not a power of two");
    out->sample_shading = flag(s, p.sample_shading, "sample_shading");
    out->alpha_to_coverage = flag(s, p.alpha_to_coverage, "alpha_to_coverage");
    out->alpha_to_one = flag(s, p.alpha_to_one, "alpha_to_one");
    out->has_next = p.next != NULL;
    out->has_previous = p.previous != NULL;
    if (p.next)
        read_link(s, p.next, &out->next);
    if (p.previous)
        read_link(s, p.previous, &out->previous);
    if (p.next && p.previous)
        family_link_stages(&out->previous, &out->next);
    out->dynamic = number(s, p.dynamic, DYNAMIC, "dynamic");
    out->last_provokes = flag(s, p.last_vertex_provokes, "last_vertex_provokes");
    out->binning = flag(s, p.binning, "binning");
    return out;
}
