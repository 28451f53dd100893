/* Places of a fragment at which shaders want weights or a position. */
#ifndef MACH_FRAGMENT_PLACE_H
#define MACH_FRAGMENT_PLACE_H

#include "machine/raster/draw.h"

enum { MACH_AT_CENTER, MACH_AT_CENTROID, MACH_AT_SAMPLE, MACH_FRAGMENT_PLACES };

/* In pixels of the window. */
typedef struct mach_fragment_places {
    double x[MACH_FRAGMENT_PLACES], y[MACH_FRAGMENT_PLACES];
} mach_fragment_places;

/* A pixel of a quad: its places, and the weights there. */
typedef struct mach_fragment_pixel {
    const mach_fragment_quad *quad;
    unsigned k;
    mach_fragment_places places;
    mach_weights at[MACH_FRAGMENT_PLACES];
} mach_fragment_pixel;

/* The places of pixel `k` of a quad with `samples` samples a pixel: the centroid is the first
 * covered sample, unless all are covered or none is; the sample is the one that is shaded, or the
 * first. */
mach_fragment_places
mach_places_of(const mach_fragment_quad *q, unsigned k, unsigned samples);

/* The same with weights. */
mach_fragment_pixel
mach_pixel_of(const mach_fragment_quad *q, unsigned k, unsigned samples);

#endif
