/* Pictures: images of scripts as rows of bytes, which can be written to files. */
#ifndef PICTURE_H
#define PICTURE_H

#include "amber/amber.h"

/* Rows of RGBA, four bytes a pixel, without gaps. */
typedef struct picture {
    uint32_t width, height;
    uint8_t *rgba;
} picture;

/* What a picture shows of texels: colours, or one of two components as greys. */
typedef enum picture_part {
    PICTURE_COLOR,
    PICTURE_DEPTH,
    PICTURE_STENCIL, /* as 255ths, as integers are */
} picture_part;

/* Can the buffer be seen as a picture: has it texels in two dimensions? */
bool
picture_is_image(const amber_buffer *b);

/* Does the buffer have the part? A depth or a stencil is no colour. */
bool
picture_has_part(const amber_buffer *b, picture_part part);

/* A mip level of the buffer (of an image with slices: the first one), whose contents are `bytes`.
 * Numbers are clamped to [0, 1]; integers are divided by 255; of sRGB formats it has the bytes of
 * the texels; of several samples their mean. */
picture
picture_of_buffer(arena *a, const amber_buffer *b, const uint8_t *bytes, uint32_t level,
                  picture_part part);

/* Where two pictures of one size differ: equal pixels are black, others have the differences of
 * their channels, alpha's in all, so scaled that the largest of all is 255. */
picture
picture_difference(arena *a, const picture *x, const picture *y);

/* Turns the picture upside down. */
void
picture_flip(const picture *p);

#endif
