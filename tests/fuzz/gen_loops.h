/* Generates random compute shaders with loops that lanes leave separately, while uniform values are
 * live across these exits.
 *
 * gen_glsl rarely makes such values: a uniform value that is redefined in a loop with divergent
 * breaks and continues, and used after them, in the continue construct, in the next iteration, or
 * after the loop. They live in scalar registers, whose live ranges follow other paths than lanes
 * do. So the generator tracks where an assignment keeps a variable uniform, and mostly assigns
 * there.
 *
 * All values are integers; loops are bounded; an invocation writes only its own words. Buffers are
 * the same as for gen_glsl.
 */
#ifndef FUZZ_GEN_LOOPS_H
#define FUZZ_GEN_LOOPS_H

#include "gen_glsl.h"

/* Appends the shader of `seed`. */
gen_info
gen_loops(uint64_t seed, gen_cuts cuts, base_buf *out);

#endif
