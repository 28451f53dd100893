/* Waves of fragments: four lanes a quad, helpers among them. */
#include "base/fp.h"
#include "r600/emu/draw/state.h"

#include <string.h>

typedef mach_fragment_pixel pixel;

/* ---- inputs ---- */

static void
give(emu_wave *w, unsigned lane, unsigned at, uint32_t value)
{
    if (at != R600_DRAW_NONE)
        r600_stage_give(w, lane, at, value);
}

static void
give_floats(emu_wave *w, unsigned lane, unsigned at, const float *value, unsigned n)
{
    for (unsigned c = 0; c < n && at != R600_DRAW_NONE; c++)
        r600_stage_give(w, lane, at + c, base_f32_bits(value[c]));
}

static void
give_position(emu_wave *w, unsigned lane, unsigned to, const pixel *p)
{
    const unsigned at = p->quad->sample >= 0 ? MACH_AT_SAMPLE : MACH_AT_CENTER;
    const double x = p->places.x[at], y = p->places.y[at];
    const float four[4] = {(float)x, (float)y, (float)mach_depth_at(p->quad->part, x, y),
                           (float)(1 / p->at[at].inv_w)};
    give_floats(w, lane, to, four, 4);
}

static void
give_pixel(const draw_run *r, emu_wave *w, unsigned lane, const pixel *p)
{
    const r600_fragment_inputs *in = &r->draw->fs.in;
    const mach_fragment_quad *q = p->quad;
    const bool live = q->at.samples[p->k] != 0;
    if (!live)
        w->pixels &= ~(UINT64_C(1) << lane);
    for (unsigned at = 0; at < MACH_FRAGMENT_PLACES; at++) {
        give_floats(w, lane, in->weights[0][at], p->at[at].perspective, 2);
        give_floats(w, lane, in->weights[1][at], p->at[at].linear, 2);
    }
    give_position(w, lane, in->position, p);
    give(w, lane, in->face, base_f32_bits(q->part->back ? -1.0f : 1.0f));
    give(w, lane, in->coverage, live ? q->covered[p->k] : 0);
    give(w, lane, in->sample_id, q->sample > 0 ? (uint32_t)q->sample : 0);
}

/* ---- parameters ---- */

static void
set_plane(const draw_vector *const v[3], unsigned c, emu_parameters *p, uint32_t quad, uint32_t n)
{
    const float first = base_bits_f32(v[0]->c[c]);
    p->plane[quad][n][0][c] = v[0]->c[c];
    for (unsigned k = 1; k < 3; k++)
        p->plane[quad][n][k][c] = base_f32_bits(base_bits_f32(v[k]->c[c]) - first);
}

/* Before Evergreen flat shading is an option; from then on a program reads P0. */
static void
set_parameter(draw_run *r, uint32_t quad, uint32_t n, const mach_primitive *p)
{
    const r600_parameter *s = &r->draw->fs.parameters[n];
    const draw_vector *v[3];
    r->planes.defined[quad][n] = s->source == R600_FROM_NOTHING ? 0 : 15;
    memset(r->planes.plane[quad][n], 0, sizeof r->planes.plane[quad][n]);
    if (s->source != R600_FROM_VERTEX)
        return;
    for (unsigned k = 0; k < 3; k++) {
        v[k] = &r->parameter[p->vertex[k < p->n ? k : 0]][s->number];
        r->planes.defined[quad][n] &= v[k]->defined;
    }
    for (unsigned c = 0; c < 4; c++)
        set_plane(v, c, &r->planes, quad, n);
}

/* A point is a rectangle, whose weights are the place in it. */
static void
set_point(draw_run *r, uint32_t quad, uint32_t n)
{
    const uint32_t one = base_f32_bits(1.0f);
    r->planes.plane[quad][n][0][3] = one;
    for (unsigned c = 0; c < 2; c++)
        r->planes.plane[quad][n][1 + c][c] = one;
}

static void
set_quad(draw_run *r, uint32_t quad, const mach_fragment_quad *q)
{
    for (uint32_t n = 0; n < r->planes.n; n++) {
        set_parameter(r, quad, n, q->primitive);
        if (r->draw->fs.parameters[n].source == R600_FROM_POINT)
            set_point(r, quad, n);
    }
}

/* ---- what the hardware interpolates ---- */

static uint32_t
interpolate(const uint32_t plane[3][4], unsigned c, const float ij[2])
{
    double x = (double)base_bits_f32(plane[0][c]);
    for (unsigned k = 0; k < 2; k++)
        x += (double)ij[k] * (double)base_bits_f32(plane[1 + k][c]);
    return base_f64_to_f32(x, BASE_ROUND_EVEN);
}

/* Before Evergreen parameter n is in register n. */
static void
give_parameters(const draw_run *r, emu_wave *w, unsigned lane, const pixel *p)
{
    for (uint32_t n = 0; n < r->planes.n; n++) {
        const r600_parameter *s = &r->draw->fs.parameters[n];
        const uint32_t(*plane)[4] = r->planes.plane[lane / 4][n];
        const mach_weights *at = &p->at[s->at];
        const float *ij = s->is_linear ? at->linear : at->perspective;
        for (unsigned c = 0; c < 4; c++)
            if (r->planes.defined[lane / 4][n] >> c & 1)
                r600_stage_give(w, lane, n * 4 + c,
                                s->is_flat ? plane[0][c] : interpolate(plane, c, ij));
    }
}

/* ---- outputs ---- */

void
r600_draw_take_pixels(void *user, const r600_export *e)
{
    draw_run *r = user;
    const r600_fragment_state *s = &r->draw->fs;
    const bool is_color = e->base < MACH_MAX_COLORS && (!e->mask || s->colors >> e->base & 1);
    const bool is_depth = e->base == DRAW_DEPTH && (s->depth || s->stencil || s->mask);
    if (e->type != DRAW_PIXEL || (!is_color && !is_depth)) {
        r600_emu_find(r->wave, R600_RULE_EXPORT_PLACE, -1, "the pixel has no such vector");
        return;
    }
    EMU_FOREACH_LANE(lane, e->lanes)
        r600_draw_take(e, lane, is_color ? &r->pixel[lane][e->base] : &r->depth[lane]);
}

static void
take_fragment(const draw_run *r, const emu_wave *w, unsigned lane, mach_fragment *f)
{
    const r600_fragment_state *s = &r->draw->fs;
    const draw_vector *depth = &r->depth[lane];
    f->dead = !(w->pixels >> lane & 1);
    if (f->dead)
        return;
    for (uint32_t k = 0; k < r->fixed.n_colors; k++)
        memcpy(f->color[k], r->pixel[lane][k].c, sizeof f->color[k]);
    if (s->has_second)
        memcpy(f->second, r->pixel[lane][1].c, sizeof f->second);
    if (s->depth)
        f->depth = base_bits_f32(depth->c[0]);
    if (s->stencil)
        f->stencil = (uint8_t)depth->c[1];
    if (s->mask)
        f->mask = (uint16_t)depth->c[2];
}

/* ---- waves ---- */

static pixel
make_pixel(const draw_run *r, const mach_fragment_quad *q, unsigned k)
{
    pixel p = mach_pixel_of(q, k, r->fixed.samples);
    for (unsigned at = 0; q->part->point_size > 0 && at < MACH_FRAGMENT_PLACES; at++) {
        mach_point_coord(q->part, p.places.x[at], p.places.y[at], p.at[at].linear);
        memcpy(p.at[at].perspective, p.at[at].linear, sizeof p.at[at].linear);
    }
    return p;
}

static void
begin_wave(draw_run *r, const mach_fragment_quad *quads, uint32_t n)
{
    const uint32_t id[3] = {r->n_batches, r->n_waves++, 1};
    const uint64_t lanes = n < EMU_QUADS ? (UINT64_C(1) << 4 * n) - 1 : UINT64_MAX;
    emu_wave *w = r600_stage_begin(r->fragment, id, lanes);
    r->wave = w;
    r->planes.n = r->draw->fs.n_parameters;
    w->parameters = &r->planes;
    for (uint32_t q = 0; q < n; q++) {
        set_quad(r, q, &quads[q]);
        for (unsigned k = 0; k < 4; k++) {
            const pixel p = make_pixel(r, &quads[q], k);
            give_pixel(r, w, 4 * q + k, &p);
            if (r->draw->fragment->chip->gen <= R600_GEN_R700)
                give_parameters(r, w, 4 * q + k, &p);
        }
    }
    memset(r->pixel, 0, sizeof r->pixel);
    memset(r->depth, 0, sizeof r->depth);
}

static bool
run_wave(draw_run *r, const mach_fragment_quad *quads, mach_fragment (*fragments)[4], uint32_t n)
{
    begin_wave(r, quads, n);
    if (!r600_stage_run(r->fragment))
        return false;
    for (uint32_t f = 0; f < 4 * n; f++)
        if (quads[f / 4].at.samples[f % 4])
            take_fragment(r, r->wave, f, &fragments[f / 4][f % 4]);
    return true;
}

bool
r600_draw_fragments(void *user, mach_fragment_batch *b)
{
    draw_run *r = user;
    const uint32_t most = r->draw->fragment->chip->wave_size / 4;
    for (uint32_t q = 0; q < b->n_quads; q += most) {
        const uint32_t n = b->n_quads - q < most ? b->n_quads - q : most;
        if (!run_wave(r, &b->quads[q], &b->fragments[q], n))
            return false;
    }
    return true;
}
