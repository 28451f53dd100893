/* Acceleration structures in the layout of base/ray.h, built from a script's geometry.
 *
 * All structures that a pipeline binds lie in one piece of memory, those of the bottom level, too.
 * Each has its records, the numbers of its nodes' parents and its nodes. Primitives with a NaN are
 * inactive: they are left out, and so is an instance of a structure that has no other.
 */
#ifndef AMBER_ACCEL_H
#define AMBER_ACCEL_H

#include "amber/amber.h"

enum { AMBER_ACCEL_ALIGN = 128 };

typedef struct amber_accel amber_accel;

/* The structures of a pipeline. */
typedef struct amber_accels {
    uint64_t size;      /* bytes of all; 0: the pipeline binds none */
    amber_accel **tops; /* by amber_top_level.index; NULL: not bound */
    amber_accel **bottoms;
    uint32_t top_count, bottom_count;
} amber_accels;

/* Where the records of a structure are. */
typedef struct amber_accel_place {
    uint64_t offset, size; /* bytes; `size` is that of the records alone */
} amber_accel_place;

/* One more than the greatest index of the structures of each level that are bound. */
void
amber_accel_count(const amber_binding *bindings, uint32_t n, uint32_t *tops, uint32_t *bottoms);

/* Builds the structures that the pipeline binds, in `a`. */
void
amber_accel_build(arena *a, const amber_pipeline *p, amber_accels *out);

/* Stores the structures at `bytes`, which have the address `base`, a multiple of AMBER_ACCEL_ALIGN.
 */
void
amber_accel_store(const amber_accels *all, uint64_t base, uint8_t *bytes);

/* The place of a structure that the pipeline binds. */
amber_accel_place
amber_accel_find(const amber_accels *all, const amber_top_level *t);

/* Inverts an affine map of three rows of four. Returns false if it has no inverse. */
bool
amber_accel_invert(const float map[12], float inverse[12]);

#endif
