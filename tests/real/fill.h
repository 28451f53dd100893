/* Values for a shader's memory, drawn by a seed.
 *
 * Random words would cause endless loops and wild indices, so numbers are drawn by their
 * declaration and position: integers in uniform blocks and push constants are sizes and
 * counts, those in storage buffers indices and data; matrices are near the identity. A profile is a
 * set of such ranges.
 */
#ifndef REAL_FILL_H
#define REAL_FILL_H

#include "layout.h"
#include "machine/format.h"

typedef enum real_profile {
    REAL_UNIT,    /* floats in [0, 1), small integers */
    REAL_SIGNED,  /* floats in [-4, 4], larger integers, some negative */
    REAL_SPECIAL, /* also zeros of both signs, infinities, NaNs, denormals, extreme values */
    REAL_TAME,    /* only small values */
    REAL_ZERO,    /* integers in storage blocks are 0 */
    REAL_PROFILES,
} real_profile;

typedef struct real_draw {
    uint64_t state;
    real_profile profile;
    bool uniform; /* for a uniform block or push constants */
    /* Returns the address of memory for a type of pointer (NULL: for any). The function is NULL if
     * the module has no addresses. */
    uint64_t (*address)(void *user, const spirv_type *pointer);
    void *user;
} real_draw;

/* The next number of the seed's sequence. */
uint64_t
real_next(real_draw *d);

/* Fills the bytes of a block; padding becomes 0xcd. */
void
real_fill_block(real_draw *d, const spirv_type *block, uint8_t *bytes, uint64_t size);

/* Fills texels. */
void
real_fill_texels(real_draw *d, mach_format format, uint8_t *bytes, uint64_t size);

#endif
