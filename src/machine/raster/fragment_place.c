#include "machine/raster/fragment_place.h"

#include "base/bits.h"

mach_fragment_places
mach_places_of(const mach_fragment_quad *q, unsigned k, unsigned samples)
{
    const mach_sample_place *places = mach_sample_places(samples);
    const double x = q->at.x + (int)(k & 1), y = q->at.y + (int)(k >> 1);
    const uint32_t covered = q->covered[k], all = (uint32_t)base_mask64(samples);
    const mach_sample_place *shaded = &places[q->sample >= 0 ? q->sample : 0];
    const bool center = covered == 0 || covered == all;
    const mach_sample_place *c = center ? NULL : &places[base_ctz64(covered)];
    mach_fragment_places p;
    p.x[MACH_AT_CENTER] = x + 0.5;
    p.y[MACH_AT_CENTER] = y + 0.5;
    p.x[MACH_AT_CENTROID] = c ? x + c->x / 16.0 : x + 0.5;
    p.y[MACH_AT_CENTROID] = c ? y + c->y / 16.0 : y + 0.5;
    p.x[MACH_AT_SAMPLE] = x + shaded->x / 16.0;
    p.y[MACH_AT_SAMPLE] = y + shaded->y / 16.0;
    return p;
}

mach_fragment_pixel
mach_pixel_of(const mach_fragment_quad *q, unsigned k, unsigned samples)
{
    mach_fragment_pixel p = {.quad = q, .k = k, .places = mach_places_of(q, k, samples)};
    for (unsigned at = 0; at < MACH_FRAGMENT_PLACES; at++)
        p.at[at] = mach_weights_at(&q->part->surface, p.places.x[at], p.places.y[at]);
    return p;
}
