/* Generates random compute shaders for differential testing: GLSL whose meaning does not depend on
 * the implementation.
 *
 * All arithmetic is defined: shifts are masked, divisors are odd. Floats are quarters in [-512,
 * 512] after each assignment, so that sums and products are exact, with or without contraction;
 * operations that implementations may round (division, square roots, sines) are omitted, and so is
 * everything that depends on the subgroup size. Loops are bounded. Shared state (workgroup memory,
 * atomic counters) is used in ways that do not depend on the order of invocations.
 */
#ifndef FUZZ_GEN_GLSL_H
#define FUZZ_GEN_GLSL_H

#include "gen_text.h"

enum {
    GEN_INVOCATIONS = 128, /* two workgroups */
    GEN_WORKGROUP = 64,
    GEN_WORDS = 8, /* words of in and of out for each invocation */
    GEN_COUNTERS = 16,
};

typedef struct gen_info {
    size_t statements;
    /* lavapipe of Mesa 22.3.6 gives wrong results for some do-while loops that end for one
     * invocation before another: values that leave the loop are those of a later round
     * (tests/fuzz/known/lavapipe-do-while.amber). Every fourth shader has such loops by their
     * conditions, some others by break. If lavapipe alone differs for these, its result is ignored.
     */
    bool beyond_lavapipe;
} gen_info;

/* Appends the shader of `seed`. Buffers of set 0: binding 0 `uint in[]`, 1 `uint out[]` (floats as
 * bits), 2 `uint counters[]`; each invocation has GEN_WORDS words of the first two. */
gen_info
gen_glsl(uint64_t seed, gen_cuts cuts, base_buf *out);

#endif
