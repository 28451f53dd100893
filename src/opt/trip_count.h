/* How often a loop runs, where constants decide it. */
#ifndef OPT_TRIP_COUNT_H
#define OPT_TRIP_COUNT_H

#include "ir/hir.h"

enum { OPT_MAX_TRIPS = 257 };

typedef struct opt_loop {
    ir_block *opener, *header, *cont, *merge;
    ir_unroll unroll; /* what the source asks for */
} opt_loop;

/* The if that decides the exit is in block `test`, and breaks if its condition is `break_on`. */
typedef struct opt_trips {
    ir_block *test;
    bool break_on;
    unsigned copies;             /* of the body: up to and including the one that breaks there */
    bool all_decided;            /* in all copies the condition is constant, or else */
    bool decided[OPT_MAX_TRIPS]; /* in these */
} opt_trips;

/* The loop that `opener` opens. */
opt_loop
opt_loop_of(ir_block *opener);

/* Finds the ifs at the loop's top level, which every iteration executes, that break after at most
 * OPT_MAX_TRIPS copies; `*out` receives the first one. An iteration before may break there too,
 * with a condition that is not constant. Returns false if there is none. Marks the header's phis.
 */
bool
opt_find_trips(ir_fn *f, const opt_loop *l, opt_trips *out);

#endif
