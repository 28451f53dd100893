/* Subgroup operations whose operand is made from the number of the lane. */
#ifndef OPT_SUBGROUP_LANE_H
#define OPT_SUBGROUP_LANE_H

#include "ir/builder.h"

/* For the shuffle `i`: its first operand if each lane reads its own value, or a simpler exchange
 * that it builds at the builder's position, or none. Divergence is known. */
ir_ref
opt_shuffle_by_lane(ir_builder *b, const ir_instr *i);

/* In waves of 32 lanes, for the 64-bit shift `i` of a constant by the number of the lane: the same
 * from halves, or none. */
ir_ref
opt_shift_by_lane(ir_builder *b, const ir_instr *i);

#endif
