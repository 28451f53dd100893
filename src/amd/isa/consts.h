/* Constants that need no literal: which SRC code stands for a value, by the type of the operand. */
#ifndef AMD_CONSTS_H
#define AMD_CONSTS_H

#include "amd/isa/table.h"

/* The SRC code of the inline constant that an operand of type `t` reads as `bits` (as many as the
 * type has; of a 16-bit type the low 16), AMD_SRC_LITERAL if there is none. Signed numbers -16 to
 * 64 and the floats of the type's size are inline constants of integers too, but for 16-bit
 * integers, which have the numbers only. */
unsigned
amd_inline_constant(amd_type t, uint64_t bits);

/* The type that decides what constants operand `o` of the row may be, and how they are written:
 * mixed math reads f16, the integer exponent of v_ldexp_f16 has f16's constants, and products of
 * bfloat16 have bfloat16's (as LLVM 19 has it). */
amd_type
amd_constant_type(const amd_op_info *row, const amd_operand *o);

/* What an operand of type `t` reads of float constant `code` (AMD_SRC_F_0_5 to AMD_SRC_F_INV_2PI):
 * a float of the type's size, of a pair's elements where there are two. */
uint64_t
amd_float_constant(unsigned code, amd_type t);

#endif
