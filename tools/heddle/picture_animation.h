/* Animated PNG files (APNG, of the PNG specification's third edition).
 *
 * Each picture is compressed by libpng as a file of its own. The chunks of the first one are kept,
 * the data of the others goes into fdAT chunks: a program that does not know animations shows the
 * first picture.
 */
#ifndef PICTURE_ANIMATION_H
#define PICTURE_ANIMATION_H

#include "picture.h"

#include "base/buf.h"

typedef struct picture_animation {
    base_buf file;
    uint32_t frames;   /* that there will be */
    uint32_t sequence; /* number of the next chunk of the animation */
    uint32_t per_second;
    bool has_first;
} picture_animation;

picture_animation
picture_animation_begin(arena *a, uint32_t frames, uint32_t per_second);

/* Adds a picture; all have one size. Without libpng, nothing is added. */
void
picture_animation_add(picture_animation *n, const picture *p);

/* The bytes of the file, once all pictures are in it. */
void
picture_animation_end(picture_animation *n);

#endif
