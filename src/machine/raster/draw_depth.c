/* Depth and stencil attachments. A depth is rounded to its attachment's format before it is
 * compared (Vulkan 1.3, "Depth Test"); fixed-point depths are compared as integers. */
#include "machine/raster/draw_run.h"

#include "base/fp.h"

#include <math.h>

/* ---- formats ---- */

static void
set_depth_format(mach_depth_tests *t, mach_format f)
{
    const mach_format_info *info = mach_format_get(f);
    unsigned bits = info->bits[0];
    t->depth_bytes = bits / 8;
    t->steps = info->kind == MACH_NUM_UNORM ? (double)base_mask64(bits) : 0;
}

/* In formats that have both, the stencil follows the depth: its byte. */
static unsigned
stencil_offset(mach_format f)
{
    unsigned bytes = mach_format_get(f)->bytes;
    return bytes == 4 ? 3 : bytes == 8 ? 4 : 0;
}

static double
round_depth(const mach_depth_tests *t, double z)
{
    if (t->steps == 0)
        return (double)(float)z;
    return rint((z > 0 ? z < 1 ? z : 1 : 0) * t->steps);
}

static double
read_depth(const mach_depth_tests *t, const uint8_t *at)
{
    uint32_t v = 0;
    for (unsigned k = 0; k < t->depth_bytes; k++)
        v |= (uint32_t)at[k] << 8 * k;
    return t->steps == 0 ? (double)base_bits_f32(v) : v;
}

static void
write_depth(const mach_depth_tests *t, uint8_t *at, double z)
{
    uint32_t v = t->steps == 0 ? base_f32_bits((float)z) : (uint32_t)z;
    for (unsigned k = 0; k < t->depth_bytes; k++)
        at[k] = (uint8_t)(v >> 8 * k);
}

/* ---- tests ---- */

mach_depth_tests
mach_depth_tests_of(const mach_draw *draw)
{
    mach_depth_tests t = {.draw = draw,
                          .places = mach_sample_places(draw->samples),
                          .rules = draw->depth_stencil,
                          .bounds = draw->bounds_depth && draw->depth.data};
    if (draw->depth.data)
        set_depth_format(&t, draw->depth.format);
    t.stencil_at = stencil_offset(draw->stencil.format);
    t.rules.depth_test &= draw->depth.data != NULL;
    t.rules.stencil_test &= draw->stencil.data != NULL;
    t.any = t.rules.depth_test || t.rules.stencil_test || t.bounds;
    return t;
}

/* Vulkan 1.3, "Depth Clamping and Range Adjustment". */
static double
clamp_depth(const mach_depth_tests *t, const mach_fragment_quad *q, double z)
{
    const mach_depth_range *r = &t->draw->depth_ranges[q->viewport];
    return t->draw->clamps_depth ? fmin(fmax(z, (double)r->least), (double)r->most) : z;
}

/* The depth of a fragment at sample `n`, as it would be stored. */
static double
depth_of(const mach_depth_tests *t, const mach_fragment_quad *q, const mach_pixel *p, unsigned n)
{
    const mach_sample_place *place = &t->places[n];
    double z = mach_depth_at(q->part, p->x + place->x / 16.0, p->y + place->y / 16.0);
    return round_depth(t, clamp_depth(t, q, z));
}

static bool
is_in_bounds(const mach_depth_tests *t, double stored)
{
    const float *bounds = t->draw->depth_bounds;
    double unit = t->steps == 0 ? 1 : t->steps;
    return stored >= (double)bounds[0] * unit && stored <= (double)bounds[1] * unit;
}

/* `bytes` of the sample's depth and stencil; NULL: it has none. */
static bool
test_sample(const mach_depth_tests *t, const mach_depth_stencil *rules, bool back, double z,
            uint8_t *const bytes[2])
{
    mach_depth_sample stored = {.depth = bytes[0] ? read_depth(t, bytes[0]) : 0,
                                .stencil = bytes[1] ? *bytes[1] : 0};
    if (t->bounds && bytes[0] && !is_in_bounds(t, stored.depth))
        return false;
    bool passes = mach_test_sample(rules, back, z, &stored);
    if (bytes[0] && passes && rules->depth_test && rules->depth_write)
        write_depth(t, bytes[0], stored.depth);
    if (bytes[1])
        *bytes[1] = stored.stencil;
    return passes;
}

/* Does the test depend on what is stored? */
static bool
compares(const mach_depth_tests *t, const mach_depth_stencil *rules, unsigned what)
{
    bool by_depth = rules->depth_test && rules->depth_compare != MACH_COMPARE_ALWAYS &&
                    rules->depth_compare != MACH_COMPARE_NEVER;
    return what ? rules->stencil_test : by_depth || t->bounds;
}

/* Tests a sample, and tells of what that reads and changes. */
static bool
test_and_tell(const mach_depth_tests *t, const mach_depth_stencil *rules, bool back, double z,
              uint8_t *const bytes[2])
{
    const unsigned size[2] = {t->depth_bytes, 1};
    uint8_t before[2][4];
    for (unsigned k = 0; k < 2; k++) {
        if (bytes[k])
            memcpy(before[k], bytes[k], size[k]);
    }
    bool passes = test_sample(t, rules, back, z, bytes);
    for (unsigned k = 0; k < 2; k++) {
        const mach_attached a = {.at = bytes[k],
                                 .bytes = size[k],
                                 .reads = bytes[k] && compares(t, rules, k),
                                 .writes = bytes[k] && memcmp(before[k], bytes[k], size[k]) != 0};
        if (a.reads || a.writes)
            t->draw->attached(t->draw->attached_user, &a);
    }
    return passes;
}

uint16_t
mach_depth_tests_pixel(const mach_depth_tests *t, const mach_fragment_quad *q, unsigned k,
                       uint16_t samples, const mach_fragment *f)
{
    const mach_draw *d = t->draw;
    const mach_pixel at = mach_pixel_of(q, k);
    mach_depth_stencil rules = t->rules;
    unsigned passed = 0;
    if (!t->any)
        return samples;
    if (f && d->writes_stencil)
        rules.stencil[0].reference = rules.stencil[1].reference = f->stencil;
    for (unsigned n = 0; n < d->samples; n++) {
        if (!(samples >> n & 1))
            continue;
        uint8_t *bytes[2] = {mach_sample_bytes(&d->depth, &at, n),
                             mach_sample_bytes(&d->stencil, &at, n)};
        bytes[1] = bytes[1] && t->rules.stencil_test ? bytes[1] + t->stencil_at : NULL;
        double z = f && d->writes_depth ? round_depth(t, clamp_depth(t, q, (double)f->depth))
                                        : depth_of(t, q, &at, n);
        bool passes = d->attached ? test_and_tell(t, &rules, q->part->back, z, bytes)
                                  : test_sample(t, &rules, q->part->back, z, bytes);
        passed |= (unsigned)passes << n;
    }
    return (uint16_t)passed;
}
