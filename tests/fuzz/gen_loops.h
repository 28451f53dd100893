/* Compute shaders made at random whose loops lanes leave one by one while values that are the same
 * in all lanes cross the places where they leave.
 *
 * What gen_glsl makes seldom: a uniform value that is redefined in a loop with divergent breaks and
 * continues, and used behind them, in the continue construct, in the next round, behind the loop.
 * Such values live in scalar registers, whose lives follow other ways than lanes do. So the
 * generator keeps account of where an assignment keeps a variable uniform, and assigns there mostly.
 *
 * All is integers; loops have bounds; an invocation writes its own words only. Buffers as for
 * gen_glsl.
 */
#ifndef FUZZ_GEN_LOOPS_H
#define FUZZ_GEN_LOOPS_H

#include "gen_glsl.h"

/* Appends the shader of `seed`. */
gen_info
gen_loops(uint64_t seed, gen_cuts cuts, base_buf *out);

#endif
