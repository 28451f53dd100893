/* The executable meaning of ALU opcodes, generated from the `expr` column of ops.def. Constant
 * folding, the interpreter and the tests of algebraic rules all use these functions, so there is
 * only one definition. */
#ifndef IR_EVAL_ALU_H
#define IR_EVAL_ALU_H

#include "ir/hir.h"

/* The result of `op` as a zero-extended bit pattern of `dbits` bits. `src` are the sources'
 * patterns, zero-extended; `bits` is the size of the row's F, I, U sources and `dbits` that of the
 * definition, as ir_alu_bits and ir_alu_def_bits give them. */
uint64_t
ir_eval_alu(ir_op op, unsigned bits, unsigned dbits, const uint64_t src[3], ir_float_controls fp);

/* Returns `bits` for a row whose sources have these sizes (0 for absent ones). */
unsigned
ir_alu_bits(ir_op op, const unsigned src_bits[3]);

/* Returns the size of the definition, given `bits` and, for rows with FX, IX, UX, the requested
 * size. */
unsigned
ir_alu_def_bits(ir_op op, unsigned bits, unsigned wanted);

/* Returns true if source `s` of `op` is a float. */
bool
ir_alu_is_float_src(ir_op op, unsigned s);

#endif
