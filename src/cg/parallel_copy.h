/* Sequential form of a parallel copy.
 *
 * Places are numbers of bytes: the physical register files in a row. A parallel copy reads all
 * sources before it writes any destination. Destinations are disjoint; sources may overlap each
 * other and destinations in any way. The result is a list of moves and swaps. Each has a power of
 * two of bytes, and both sides are aligned to this size.
 *
 * A move whose destination is not read any more comes first, and may make others ready. Then only
 * cycles are left ("windmills": Rideau, Serpette, Leroy, "Tilting at Windmills with Coq", 2008),
 * which swaps resolve. Moves of different sizes that block each other are cut into halves.
 */
#ifndef CG_PARALLEL_COPY_H
#define CG_PARALLEL_COPY_H

#include "ir/machine.h"

typedef struct cg_copy {
    /* In `unsigned`, although places have 16 bits: clang 19.1.7 at -O2 made wrong code for three
     * fields of 16 bits, one of them read from an ir_ref (bits of its other fields in `size`). */
    unsigned dst, src; /* first byte */
    unsigned size;     /* bytes */
} cg_copy;

typedef struct cg_step {
    uint16_t dst, src;
    uint8_t size;
    bool swap;
} cg_step;

typedef struct cg_sequencer cg_sequencer;

/* Sizes of pieces for a destination at `dst`: the largest that one move may have (1, 2, 4 or 8
 * bytes), and the smallest into which a piece may be cut. */
typedef struct cg_granularity {
    uint8_t largest, smallest;
} cg_granularity;

/* A sequencer; may be used for any number of parallel copies. */
cg_sequencer *
cg_sequencer_new(arena *a);

/* Adds a copy to the parallel copy that is being collected. A copy of a place to itself is dropped.
 * `g.largest` is halved until both sides are aligned to it, which must not go below g.smallest. */
void
cg_add_copy(cg_sequencer *s, cg_copy copy, cg_granularity g);

/* Ends the collection. Returns `*count` steps, which are valid until the next call. */
const cg_step *
cg_sequence(cg_sequencer *s, unsigned *count);

/* A part of what a pseudo instruction copies: `size` bytes of `src` from byte `offset` on, which
 * may be a constant, or undefined, go to register `dst`. `def` is the definition that this part is,
 * where there may be several. */
typedef struct cg_part {
    unsigned dst, offset, size;
    ir_ref src, def;
} cg_part;

/* Calls `add` for each part of a parallel copy, or of what joins values or takes one apart. */
void
cg_each_part(const ir_instr *i, void (*add)(void *user, const cg_part *part), void *user);

#endif
