/* Quads of a draw: they are collected from primitives, tested before they are shaded if the draw
 * says so, shaded some at a time, and what their shaders wrote is stored in their order. */
#include "machine/raster/draw_run.h"

#include "base/fp.h"

#include <math.h>
#include <stddef.h>

/* ---- results ---- */

/* Samples that a fragment's alpha covers: as many of the first as are nearest to it (Vulkan 1.3,
 * "Multisample Coverage", leaves open which). */
static uint16_t
covered_by_alpha(const mach_draw *d, const mach_fragment *f)
{
    float alpha = base_bits_f32(f->color[0][3]), part = alpha > 0 ? fminf(alpha, 1) : 0;
    unsigned n = (unsigned)lrintf(part * (float)d->samples);
    return (uint16_t)base_mask64(n);
}

static void
store_colors(mach_quad_stage *s, const mach_pixel *at, uint16_t samples, mach_fragment *f)
{
    const mach_draw *d = s->draw;
    uint32_t one = base_f32_bits(1);
    for (unsigned c = 0; c < d->n_colors; c++) {
        const mach_color_store *to = &s->colors[c];
        uint32_t color[2][4];
        if (!to->image)
            continue;
        memcpy(color[0], f->color[c], sizeof color[0]);
        memcpy(color[1], f->second, sizeof color[1]);
        if (d->alpha_to_one && !mach_format_is_int(to->image->format))
            color[0][3] = color[1][3] = one;
        mach_color_store_pixel(to, at, samples, (const uint32_t(*)[4])color);
    }
}

static void
finish_pixel(mach_quad_stage *s, const mach_fragment_quad *q, unsigned k, mach_fragment *f)
{
    const mach_draw *d = s->draw;
    uint16_t samples = q->at.samples[k];
    bool shaded = d->shading.fragments != NULL;
    if (shaded && f->dead)
        return;
    if (shaded)
        samples &= f->mask;
    if (d->alpha_to_coverage && d->n_colors)
        samples &= covered_by_alpha(d, f);
    if (!d->tests_early && samples)
        samples = mach_depth_tests_pixel(&s->depth, q, k, samples, f);
    if (!samples)
        return;
    if (!d->tests_early)
        s->counts->samples_passed += base_popcount64(samples);
    const mach_pixel at = mach_pixel_of(q, k);
    if (shaded)
        store_colors(s, &at, samples, f);
}

/* ---- shading ---- */

static void
preset_fragments(mach_quad_stage *s)
{
    size_t used = offsetof(mach_fragment, color) + s->draw->n_colors * sizeof(uint32_t[4]);
    for (uint32_t q = 0; q < s->n_quads; q++) {
        for (unsigned k = 0; k < 4; k++) {
            memset(&s->fragments[q][k], 0, used);
            s->fragments[q][k].mask = UINT16_MAX;
        }
    }
}

bool
mach_quad_stage_flush(mach_quad_stage *s)
{
    const mach_shading *shading = &s->draw->shading;
    mach_fragment_batch b = {s->n_quads, s->quads, s->fragments};
    if (!s->n_quads)
        return true;
    preset_fragments(s);
    if (shading->fragments && !shading->fragments(shading->user, &b))
        return false;
    for (uint32_t q = 0; q < s->n_quads; q++) {
        for (unsigned k = 0; k < 4; k++) {
            if (s->quads[q].at.samples[k])
                finish_pixel(s, &s->quads[q], k, &s->fragments[q][k]);
        }
    }
    s->n_quads = s->n_parts = 0;
    return true;
}

/* ---- collection ---- */

/* Applies what comes before shading. Returns true if something is left to shade. */
static bool
test_early(mach_quad_stage *s, mach_fragment_quad *q)
{
    bool any = false;
    for (unsigned k = 0; k < 4; k++) {
        uint16_t *samples = &q->at.samples[k];
        *samples &= (uint16_t)s->draw->sample_mask;
        q->covered[k] = *samples;
        if (*samples && s->draw->tests_early) {
            *samples = mach_depth_tests_pixel(&s->depth, q, k, *samples, NULL);
            s->counts->samples_passed += base_popcount64(*samples);
        }
        any |= *samples != 0;
    }
    return any;
}

/* Is a fragment of these pixels kept? */
static bool
is_kept(const mach_quad_stage *s, const mach_fragment_quad *q)
{
    for (uint32_t k = 0; k < s->n_quads; k++) {
        const mach_fragment_quad *o = &s->quads[k];
        if (o->at.x == q->at.x && o->at.y == q->at.y && o->layer == q->layer)
            return true;
    }
    return false;
}

static bool
add_quad(mach_quad_stage *s, const mach_part *part, const mach_fragment_quad *q)
{
    bool full = s->n_quads == MACH_BATCH_QUADS;
    if ((full || (s->draw->in_order && is_kept(s, q))) && !mach_quad_stage_flush(s))
        return false;
    /* a part is the same for many quads in turn */
    if (!s->n_parts || memcmp(&s->parts[s->n_parts - 1], part, sizeof *part))
        memcpy(&s->parts[s->n_parts++], part, sizeof *part);
    mach_fragment_quad *to = &s->quads[s->n_quads++];
    *to = *q;
    to->part = &s->parts[s->n_parts - 1];
    for (unsigned k = 0; k < 4; k++)
        s->counts->fragment_invocations += q->at.samples[k] != 0;
    return true;
}

/* A quad for each sample that is covered somewhere in it. */
static bool
add_samples(mach_quad_stage *s, const mach_part *part, const mach_fragment_quad *q)
{
    unsigned any = 0;
    for (unsigned k = 0; k < 4; k++)
        any |= q->at.samples[k];
    for (unsigned n = 0; n < s->draw->samples; n++) {
        mach_fragment_quad one = *q;
        one.sample = (int8_t)n;
        for (unsigned k = 0; k < 4; k++) {
            one.at.samples[k] &= (uint16_t)(1u << n);
            one.covered[k] &= (uint16_t)(1u << n);
        }
        if (any >> n & 1 && !add_quad(s, part, &one))
            return false;
    }
    return true;
}

static bool
visit_quad(void *user, const mach_part *part, const mach_quad *quad)
{
    mach_quad_stage *s = user;
    mach_fragment_quad q = {.part = part,
                            .primitive = s->primitive,
                            .layer = s->layer,
                            .viewport = s->viewport,
                            .at = *quad,
                            .sample = -1};
    if (!test_early(s, &q))
        return true;
    return s->draw->shades_samples ? add_samples(s, part, &q) : add_quad(s, part, &q);
}

/* ---- primitives ---- */

static mach_rect
common(const mach_rect *a, const mach_rect *b)
{
    return (mach_rect){a->x0 > b->x0 ? a->x0 : b->x0, a->y0 > b->y0 ? a->y0 : b->y0,
                       a->x1 < b->x1 ? a->x1 : b->x1, a->y1 < b->y1 ? a->y1 : b->y1};
}

bool
mach_quad_stage_primitive(mach_quad_stage *s, const mach_primitive *p,
                          const mach_shaded_vertex *shaded)
{
    const mach_draw *d = s->draw;
    const mach_shaded_vertex *first = &shaded[p->vertex[0]];
    const mach_vertex *v[3] = {NULL};
    s->counts->clip_primitives_in++;
    if (first->viewport >= d->n_viewports || first->layer >= d->layers)
        return true;
    for (unsigned k = 0; k < p->n; k++)
        v[k] = &shaded[p->vertex[k]].place;
    s->primitive = p;
    s->layer = first->layer;
    s->viewport = first->viewport;
    const mach_setup setup = {.rules = &d->setup,
                              .viewport = d->viewports[s->viewport],
                              .window = common(&d->scissors[s->viewport], &d->area),
                              .n_samples = d->samples,
                              .kept = &s->counts->clip_primitives_out,
                              .visit = visit_quad,
                              .user = s};
    return mach_setup_primitive(&setup, v, p->n);
}

void
mach_quad_stage_begin(mach_quad_stage *s, const mach_draw *draw, mach_draw_counts *counts)
{
    s->draw = draw;
    s->counts = counts;
    s->depth = mach_depth_tests_of(draw);
    for (unsigned c = 0; c < draw->n_colors; c++)
        s->colors[c] = mach_color_store_of(draw, c);
}
