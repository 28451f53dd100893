/* Sequential form of a parallel copy.
 *
 * Places are numbers of bytes (a physical register file laid out in a row). The copies of one
 * parallel copy read all their sources before any destination is written; destinations are
 * disjoint, sources may overlap each other and destinations in any way. The result is a list of
 * moves and swaps, each of a power of two of bytes and aligned to its size on both sides.
 *
 * A move whose destination nobody reads any more goes first, and may free others; what is left then
 * are cycles ("windmills": Rideau, Serpette, Leroy, "Tilting at Windmills with Coq", 2008), which
 * are taken apart by swaps. Where moves of different sizes block each other they are cut into
 * halves.
 */
#ifndef CG_PARALLEL_COPY_H
#define CG_PARALLEL_COPY_H

#include "base/arena.h"

typedef struct cg_copy {
    uint16_t dst, src; /* first byte */
    uint16_t size;     /* bytes */
} cg_copy;

typedef struct cg_step {
    uint16_t dst, src;
    uint8_t size;
    bool swap;
} cg_step;

typedef struct cg_sequencer cg_sequencer;

/* Largest pieces (1, 2, 4 or 8 bytes) that a destination at `dst` may be moved in, and the smallest
 * that a piece may be cut into. */
typedef struct cg_granularity {
    uint8_t largest, smallest;
} cg_granularity;

/* A sequencer for places 0 to n_places - 1; may be used for any number of parallel copies. */
cg_sequencer *
cg_sequencer_new(arena *a, unsigned n_places);

/* Adds to the parallel copy that is being collected. Copies onto themselves are dropped.
 * `g.largest` is halved until both sides are aligned to it; that must not go below g.smallest. */
void
cg_add_copy(cg_sequencer *s, cg_copy copy, cg_granularity g);

/* Ends the collection: the steps, `*count` of them, valid until the next call. */
const cg_step *
cg_sequence(cg_sequencer *s, unsigned *count);

#endif
