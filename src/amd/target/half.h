/* Halves of VGPRs as operands: which instructions can choose the half of a register that a 16-bit
 * operand is, and how they say so (op_sel, both selections of a packed instruction, another opcode
 * of a memory instruction, another shift or selection of bytes).
 *
 * Values of 16 bits have class v2b from find_halves (ra/find_halves.c) to lower_to_hw_instr. In
 * between an instruction is written as if they all were low halves.
 */
#ifndef AMD_HALF_H
#define AMD_HALF_H

#include "amd/amd.h"
#include "amd/isa/table/table.h"

/* Can the operand of a vector instruction be either half of a VGPR by op_sel? The same for its
 * result, of which it keeps the other half. */
bool
amd_selects_source_half(amd_gen gen, const amd_op_info *row, const amd_operand *o);
bool
amd_selects_result_half(amd_gen gen, const amd_op_info *row);

/* Does hardware instruction `i` read only the low half of reference `ref`, a VGPR, and can it be
 * made to read the high half instead? */
bool
amd_can_read_high(const amd_target *t, const ir_instr *i, unsigned ref);

/* Is the low half all that is of use of the only definition of `i`, and can it be made to write
 * either half and keep the other? */
bool
amd_can_write_half(const amd_target *t, const ir_instr *i);

/* The reference that is tied to the definition of an instruction for which that holds, or -1: both
 * are the same half. */
int
amd_half_accumulator(const ir_instr *i);

/* Makes the instruction do so. amd_write_half: of either half; `high` says which. */
void
amd_read_high(const amd_target *t, ir_instr *i, unsigned ref);
void
amd_write_half(ir_instr *i, bool high);

/* Does the load write one half of a register, and in order with others that do so and that the same
 * counter counts? */
bool
amd_is_ordered_half_load(const amd_target *t, const ir_instr *i);

/* Has the program values of class v2b? */
bool
amd_has_halves(const ir_fn *f);

#endif
