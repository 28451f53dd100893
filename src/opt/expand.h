/* Operations expressed by others, for machines whose selection lacks them.
 *
 * Each function builds the replacement of `i` at the builder's position and returns it, or
 * ir_none() to leave `i` alone.
 */
#ifndef OPT_EXPAND_H
#define OPT_EXPAND_H

#include "ir/builder.h"

/* The bit of the lane's number in a mask of 64 bits, which may differ between lanes. */
ir_ref
opt_expand_inverse_ballot(ir_builder *b, const ir_instr *i);

/* A reduction or scan of booleans as one of 32-bit numbers; leaves others alone. */
ir_ref
opt_expand_boolean_reduction(ir_builder *b, const ir_instr *i);

/* These two, and votes for equal values; leaves other operations alone. */
ir_ref
opt_expand_lanes(ir_builder *b, const ir_instr *i);

/* The dot product of four bytes, signed or unsigned, with an addition that may saturate; leaves
 * other operations alone. */
ir_ref
opt_expand_dot(ir_builder *b, const ir_instr *i);

/* An addition or subtraction of integers of any size that saturates; leaves others alone. */
ir_ref
opt_expand_saturation(ir_builder *b, const ir_instr *i);

/* expand_double.c: operations on binary64 by sums, products, fused ones, comparisons, and
 * conversions from and to binary32; leaves those and others alone. */
ir_ref
opt_expand_double(ir_builder *b, const ir_instr *i);

/* soft_double.c: those, by integers, for machines without binary64; leaves others alone. */
ir_ref
opt_expand_soft_double(ir_builder *b, const ir_instr *i);

/* expand_exponent.c: ldexp, the parts of a number, and rounding to binary16, of binary32 and
 * binary16; leaves others alone. */
ir_ref
opt_expand_exponent(ir_builder *b, const ir_instr *i);

/* expand_half.c: an operation on binary16 numbers, a reduction or a vote of them, by one on
 * binary32; leaves others alone. */
ir_ref
opt_expand_half(ir_builder *b, const ir_instr *i);

/* expand_pair.c: an operation on 64-bit integers that lower_int64 leaves, by 32-bit operations;
 * leaves others alone. */
ir_ref
opt_expand_pair(ir_builder *b, const ir_instr *i);

/* expand_narrow.c: an integer operation on numbers of `bits` bits, 8 or 16, by one on 32; leaves
 * others alone, conversions of sizes and selections among them. */
ir_ref
opt_expand_narrow(ir_builder *b, const ir_instr *i, unsigned bits);

/* expand_bits.c: fields, masks, parts of integers, their sign, carries of sums; counting and
 * reversing the bits of 32. Each leaves others alone. */
ir_ref
opt_expand_bits(ir_builder *b, const ir_instr *i);
ir_ref
opt_expand_count(ir_builder *b, const ir_instr *i);

/* expand_round.c: rounding of binary64 to an integer, and the fraction; leaves others alone. */
ir_ref
opt_expand_round(ir_builder *b, const ir_instr *i);

#endif
