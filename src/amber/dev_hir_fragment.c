#include "amber/dev_hir_stage.h"

#include "base/fp.h"

/* A fragment: pixel `k` of a quad. */
typedef struct fragment {
    const mach_fragment_quad *quad;
    unsigned k;
    double x, y; /* of the pixel's upper left corner */
    mach_fragment *out;
} fragment;

static fragment
find_fragment(const amber_hir_stages *s, uint32_t invocation)
{
    const mach_fragment_quad *q = &s->fragments->quads[invocation / 4];
    unsigned k = invocation % 4;
    return (fragment){q, k, q->at.x + (double)(k & 1), q->at.y + (double)(k >> 1),
                      &s->fragments->fragments[invocation / 4][k]};
}

/* ---- places ---- */

/* A place in the window. */
typedef struct place {
    double x, y;
} place;

static place
centre_of(const fragment *f)
{
    return (place){f->x + 0.5, f->y + 0.5};
}

static place
sample_place(const amber_hir_stages *s, const fragment *f, unsigned sample)
{
    const mach_sample_place *p = mach_sample_places(s->state->samples);
    if (sample >= s->state->samples)
        return centre_of(f);
    return (place){f->x + p[sample].x / 16.0, f->y + p[sample].y / 16.0};
}

/* The sample that is shaded, or the centre. */
static place
shaded_place(const amber_hir_stages *s, const fragment *f)
{
    return f->quad->sample < 0 ? centre_of(f) : sample_place(s, f, (unsigned)f->quad->sample);
}

/* The centre, unless not all samples are covered: then the first that is. */
static place
centroid(const amber_hir_stages *s, const fragment *f)
{
    unsigned covered = f->quad->covered[f->k], n = 0;
    if (!covered || covered == (1u << s->state->samples) - 1)
        return centre_of(f);
    while (!(covered >> n & 1))
        n++;
    return sample_place(s, f, n);
}

static place
place_of(const amber_hir_stages *s, const fragment *f, const ir_eval_io *io)
{
    if (io->op == IR_load_barycentric_at_sample)
        return sample_place(s, f, io->place[0]);
    if (io->op == IR_load_barycentric_at_offset)
        return (place){f->x + 0.5 + (double)base_bits_f32(io->place[0]),
                       f->y + 0.5 + (double)base_bits_f32(io->place[1])};
    switch (io->at) {
    case IR_INTERP_AT_centroid: return centroid(s, f);
    case IR_INTERP_AT_sample: return shaded_place(s, f);
    default: return centre_of(f);
    }
}

/* ---- inputs ---- */

static void
give_floats(ir_eval_io *io, const float *v)
{
    for (unsigned c = 0; c < io->n; c++)
        io->value[c] = base_f32_bits(v[c]);
}

static void
load_barycentric(const amber_hir_stages *s, const fragment *f, ir_eval_io *io)
{
    place p = place_of(s, f, io);
    mach_weights w = mach_weights_at(&f->quad->part->surface, p.x, p.y);
    give_floats(io, io->interp == IR_INTERP_noperspective ? w.linear : w.perspective);
}

static void
load_frag_coord(const amber_hir_stages *s, const fragment *f, ir_eval_io *io)
{
    place p = shaded_place(s, f);
    mach_weights w = mach_weights_at(&f->quad->part->surface, p.x, p.y);
    const float v[4] = {(float)p.x, (float)p.y, (float)(w.z + f->quad->part->bias), (float)w.inv_w};
    give_floats(io, v);
}

static void
load_sample_pos(const amber_hir_stages *s, const fragment *f, ir_eval_io *io)
{
    place p = shaded_place(s, f);
    const float v[2] = {(float)(p.x - f->x), (float)(p.y - f->y)};
    give_floats(io, v);
}

static void
load_point_coord(const fragment *f, ir_eval_io *io)
{
    place p = centre_of(f);
    float v[2];
    mach_point_coord(f->quad->part, p.x, p.y, v);
    give_floats(io, v);
}

/* ---- varyings ---- */

/* What vertex `n` of the primitive stored, io->n components; the primitive's first vertex stands
 * for those that a line or point lacks. Returns false for a place that does not exist. */
static bool
read_vertex(const amber_hir_stages *s, const fragment *f, const ir_eval_io *io, unsigned n,
            uint64_t *value)
{
    const mach_primitive *p = f->quad->primitive;
    uint32_t vertex = p->vertex[n < p->n ? n : 0], at = 4 * io->location + io->component;
    const mach_vertex *v = &s->vertices->shaded[vertex].place;
    const float *distance = io->slot == IR_SLOT_clip_distance ? v->clip.distance : v->cull_distance;
    unsigned words = io->bits == 64 ? 2 : 1;
    if (io->slot == IR_SLOT_clip_distance || io->slot == IR_SLOT_cull_distance) {
        for (unsigned c = 0; c < io->n && at + c < MACH_CLIP_DISTANCES; c++)
            value[c] = base_f32_bits(distance[at + c]);
        return at + io->n <= MACH_CLIP_DISTANCES;
    }
    if (io->slot != IR_SLOT_location || io->location >= AMBER_HIR_LOCATIONS ||
        io->component + words * io->n > 4)
        return false;
    const uint32_t *w = &s->varyings[vertex].word[io->location][io->component];
    for (unsigned c = 0; c < io->n; c++)
        value[c] = words == 2 ? w[2 * c] | (uint64_t)w[2 * c + 1] << 32 : w[c];
    return true;
}

static bool
load_flat(const amber_hir_stages *s, const fragment *f, ir_eval_io *io)
{
    switch (io->slot) {
    case IR_SLOT_primitive_id: io->value[0] = f->quad->primitive->id; return true;
    case IR_SLOT_layer: io->value[0] = f->quad->layer; return true;
    case IR_SLOT_viewport_index: io->value[0] = f->quad->viewport; return true;
    default: return read_vertex(s, f, io, 0, io->value);
    }
}

static double
to_number(uint64_t pattern, unsigned bits)
{
    return bits == 16 ? base_f16_to_f64((uint16_t)pattern)
                      : (double)base_bits_f32((uint32_t)pattern);
}

static bool
interpolate(const amber_hir_stages *s, const fragment *f, ir_eval_io *io)
{
    double i = (double)base_bits_f32(io->place[0]), j = (double)base_bits_f32(io->place[1]);
    uint64_t v[3][IR_MAX_COMPS];
    for (unsigned n = 0; n < 3; n++) {
        if (!read_vertex(s, f, io, n, v[n]))
            return false;
    }
    for (unsigned c = 0; c < io->n; c++) {
        double x[3];
        for (unsigned n = 0; n < 3; n++)
            x[n] = to_number(v[n][c], io->bits);
        double sum = x[0] + i * (x[1] - x[0]) + j * (x[2] - x[0]);
        io->value[c] = io->bits == 16 ? base_f64_to_f16(sum, BASE_ROUND_EVEN)
                                      : base_f32_bits((float)sum);
    }
    return true;
}

/* ---- outputs ---- */

/* 16-bit numbers are widened. */
static uint32_t
to_word(const ir_eval_io *io, uint64_t v)
{
    if (io->bits != 16)
        return (uint32_t)v;
    switch (io->type) {
    case IR_BASE_float: return base_f32_bits(base_f16_to_f32((uint16_t)v));
    case IR_BASE_int: return (uint32_t)base_sext64(v, 16);
    default: return (uint32_t)v;
    }
}

static bool
store_color(mach_fragment *out, const ir_eval_io *io)
{
    if (io->location >= MACH_MAX_COLORS || io->component + io->n > 4 || io->bits > 32)
        return false;
    uint32_t *to = io->blend_source ? out->second : out->color[io->location];
    for (unsigned c = 0; c < io->n; c++)
        to[io->component + c] = to_word(io, io->value[c]);
    return true;
}

static bool
store(const fragment *f, const ir_eval_io *io)
{
    switch (io->slot) {
    case IR_SLOT_location: return store_color(f->out, io);
    case IR_SLOT_depth: f->out->depth = base_bits_f32((uint32_t)io->value[0]); return true;
    case IR_SLOT_stencil: f->out->stencil = (uint8_t)io->value[0]; return true;
    case IR_SLOT_sample_mask: f->out->mask = (uint16_t)io->value[0]; return true;
    default: return false;
    }
}

bool
amber_hir_fragment_io(amber_hir_stages *s, ir_eval_io *io)
{
    const fragment f = find_fragment(s, io->invocation);
    switch (io->op) {
    case IR_load_frag_coord: load_frag_coord(s, &f, io); return true;
    case IR_load_front_face: io->value[0] = !f.quad->part->back; return true;
    case IR_load_point_coord: load_point_coord(&f, io); return true;
    case IR_load_sample_id:
        io->value[0] = f.quad->sample < 0 ? 0 : (unsigned)f.quad->sample;
        return true;
    case IR_load_sample_pos: load_sample_pos(s, &f, io); return true;
    case IR_load_sample_mask_in: io->value[0] = f.quad->covered[f.k]; return true;
    case IR_load_fully_covered: io->value[0] = f.quad->at.full >> f.k & 1; return true;
    case IR_load_view_index:
    case IR_load_shading_rate: io->value[0] = 0; return true;
    case IR_load_frag_size: io->value[0] = io->value[1] = 1; return true;
    case IR_load_frag_invocations:
        io->value[0] = f.quad->sample < 0 ? 1 : s->state->samples;
        return true;
    case IR_load_barycentric:
    case IR_load_barycentric_at_sample:
    case IR_load_barycentric_at_offset: load_barycentric(s, &f, io); return true;
    case IR_load_input: return load_flat(s, &f, io);
    case IR_load_vertex_input: return read_vertex(s, &f, io, io->place[0], io->value);
    case IR_load_interpolated_input: return interpolate(s, &f, io);
    case IR_store_output: return store(&f, io);
    default: return false;
    }
}
