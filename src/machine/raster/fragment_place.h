/* Places of a fragment at which shaders want weights or a position. */
#ifndef MACH_FRAGMENT_PLACE_H
#define MACH_FRAGMENT_PLACE_H

#include "machine/raster/draw.h"

enum { MACH_AT_CENTER, MACH_AT_CENTROID, MACH_AT_SAMPLE, MACH_FRAGMENT_PLACES };

/* In pixels of the window. */
typedef struct mach_fragment_places {
    double x[MACH_FRAGMENT_PLACES], y[MACH_FRAGMENT_PLACES];
} mach_fragment_places;

/* The places of pixel `k` of a quad with `samples` samples a pixel: the centroid is the first
 * covered sample, unless all are covered or none is; the sample is the one that is shaded, or the
 * first. */
mach_fragment_places
mach_places_of(const mach_fragment_quad *q, unsigned k, unsigned samples);

#endif
