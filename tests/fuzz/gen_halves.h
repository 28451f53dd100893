/* Generates random compute shaders with 16-bit types: vectors of f16, i16 and u16, their components
 * in all orders, conversions to and from 32 bits, loops that carry vectors.
 *
 * Every result is exact: floats are multiples of 1/2 in [-8, 8] after each assignment, and an
 * expression has one product of two of them and few sums, all of which f16 has (11 bits), so
 * neither contraction nor the precision of a step changes it. Integers wrap around; shift counts
 * are masked.
 */
#ifndef FUZZ_GEN_HALVES_H
#define FUZZ_GEN_HALVES_H

#include "gen_glsl.h"

/* Appends the shader of `seed`, with the buffers of gen_glsl. */
gen_info
gen_halves(uint64_t seed, gen_cuts cuts, base_buf *out);

#endif
