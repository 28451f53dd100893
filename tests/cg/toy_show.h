/* What analyses of src/cg have found, as text: passes of toyopt. */
#ifndef TEST_TOY_SHOW_H
#define TEST_TOY_SHOW_H

#include "toy.h"

/* Each block's live values and demand by bank; each instruction's demand. Need liveness. */
void
toy_show_demand(ir_fn *f);
void
toy_show_pressure(ir_fn *f);

/* Live spans of values. Needs liveness. */
void
toy_show_spans(ir_fn *f);

/* Next uses of values that cross blocks, at the beginning and end of each block. */
void
toy_show_next_uses(ir_fn *f);

/* Webs of values that should have fixed distances. Needs liveness. */
void
toy_show_webs(ir_fn *f);

/* Wanted registers. */
void
toy_show_wants(ir_fn *f);

/* What instructions do besides computing results. */
void
toy_show_effects(ir_fn *f);

/* The scheduling graph of each block: for each instruction those that come before it, with kind and
 * latency, and its depth and height in cycles. */
void
toy_show_graph(ir_fn *f);

/* The order that the ready list prefers, with cycles and, on SSA with liveness, demand. The
 * instructions are put in this order. */
void
toy_show_forwards(ir_fn *f);
void
toy_show_backwards(ir_fn *f);

#endif
